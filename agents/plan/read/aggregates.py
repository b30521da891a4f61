"""Aggregates: "average horsepower", "how many orders", "minimum, average and maximum price", 平均马力, 订单数量."""

from __future__ import annotations

import re

from sqlglot import exp

from agents.glossary import measure_expression
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.language.names import identifier_words
from agents.plan.ir import Function
from agents.plan.labels import is_identifier, is_year
from agents.plan.read.chinese import counts_alone, counts_within, row_of
from agents.plan.read.draft import DerivedDraft, DimensionDraft, Item, MeasureDraft, Reading, SchemaTarget

FUNCTIONS = {
    "aggregate.count": Function.COUNT,
    "aggregate.count_distinct": Function.COUNT,
    "aggregate.sum": Function.SUM,
    "aggregate.avg": Function.AVG,
    "aggregate.min": Function.MIN,
    "aggregate.max": Function.MAX,
}

_NUMBER_OF = re.compile(r"\b(number|count)s?( of)?$", re.IGNORECASE)
_COUNTS = ("aggregate.count", "aggregate.count_distinct")
_STOP = ("group", "compare", "order", "top", "bottom", "null", "negation")


def read_aggregates(reading: Reading) -> None:
    """Give every aggregate phrase its operand and add the measure."""
    pending: list[Item] = []
    for item in reading.items:
        function = FUNCTIONS.get(item.concept)
        if function is None or not reading.free(item) or _orders_by(reading, item):
            continue
        following = _next_phrase(reading, item)
        if _over_groups(reading, item, following) and reading.draft.derived is None:
            reading.use(item, "derived")
            reading.draft.derived = DerivedDraft("summary", at=item.at, function=function)
            _counted_or_grouped(reading, item)
            continue
        if following is not None and _stacked(reading, item, following) and not _behind_its_number(reading, item):
            # "total number of": the count says what is meant; "minimum and maximum price" share their operand.
            if _says_the_same(item, following):
                reading.use(item, "filler")
            else:
                pending.append(item)
            continue
        operand = _operand(reading, item)
        if operand is None and function is not Function.COUNT and (shared := _shared(reading, item)) is not None:
            reading.use(item, "aggregate")
            reading.draft.measures.append(MeasureDraft(function, shared, at=item.at))
            continue
        if operand is None and reading.linked.unknown and function is Function.COUNT:
            # Something is to be counted that this data does not know.
            reading.draft.problems.append("unknown_words")
        for phrase in (*pending, item):
            _add(reading, phrase, operand)
        pending = []
        if operand is not None and function is not Function.COUNT:
            _share(reading, item, operand)
        elif operand is not None and _counts_another(reading, operand):
            reading.draft.problems.append("several_counts")


def _orders_by(reading: Reading, item: Item) -> bool:
    """ "ordered by the number of floors": the count is what is ordered by, and nothing that is shown."""
    return any(
        before.is_concept("order.by") and reading.free(before) and reading.gap_words(before, item) <= 1
        for before in reading.before(item)[:1]
    )


def _over_groups(reading: Reading, item: Item, following: Item | None) -> bool:
    """ "average number of orders per customer", "how many tickets does each agent handle on average",
    平均每个部门有多少员工: a figure over the figures of groups."""
    if not item.is_concept("aggregate.avg", "aggregate.min", "aggregate.max"):
        return False
    if following is not None and following.is_concept(*_COUNTS) and reading.gap_words(item, following) <= 1:
        return True
    if _NUMBER_OF.search(item.mention.text):
        operand = _operand(reading, item)
        grouped = any(o.is_concept("group") or (o.time is not None and o.time.time.grain) for o in reading.items)
        return operand is not None and isinstance(operand.schema, TableTarget) and grouped
    if following is not None and following.is_concept("aggregate.sum") and reading.gap_words(item, following) <= 1:
        return any(o.is_concept("group") for o in reading.items)
    if not item.is_concept("aggregate.avg"):
        return False
    counted = any(o.is_concept(*_COUNTS) for o in reading.items)
    after = next(iter(reading.after(item)[:1]), None)
    grouped = after is not None and after.is_concept("group") and reading.gap_words(item, after) == 0
    grouped = grouped or (after is not None and after.schema is not None and "每" in item.mention.text)
    afterwards = item.mention.text.lower().startswith("on ") and any(o.is_concept("group") for o in reading.items)
    return counted and (afterwards or (reading.chinese and grouped))


def _counted_or_grouped(reading: Reading, item: Item) -> None:
    """The thing that the phrase itself counts ("average number of orders") or groups by (平均每个部门)."""
    if _NUMBER_OF.search(item.mention.text) and (operand := _operand(reading, item)) is not None:
        reading.use(operand, "aggregate")
        reading.draft.measures.append(MeasureDraft(Function.COUNT, operand.schema, at=item.at))
    elif "每" in item.mention.text:
        for other in reading.after(item)[:1]:
            if isinstance(other.schema, (ColumnTarget, TableTarget)):
                reading.use(other, "dimension")
                reading.draft.dimensions.append(DimensionDraft(other.schema, None, other.at))


def _shared(reading: Reading, item: Item) -> ColumnTarget | None:
    """价格的最小值和最大值, "the price's minimum and maximum": the second is about what the first is about."""
    for before in reading.before(item)[:1]:
        measure = reading.draft.measures[-1] if reading.draft.measures else None
        if reading.used.get(before.at) != "aggregate" or measure is None or measure.at != before.at:
            return None
        if isinstance(measure.target, ColumnTarget) and reading.joined(before, item):
            return measure.target
    return None


def _counts_another(reading: Reading, operand: Item) -> bool:
    """ "how many orders and customers": two things counted side by side would be counted over their join."""
    return any(
        isinstance(other.schema, TableTarget)
        and reading.free(other)
        and isinstance(operand.schema, TableTarget)
        and other.schema != operand.schema
        and reading.joined(operand, other)
        for other in reading.after(operand)[:1]
    )


def counted(reading: Reading) -> MeasureDraft | None:
    """What the question counts already."""
    return next((m for m in reading.draft.measures if m.function is Function.COUNT), None)


def operand_of(reading: Reading, item: Item) -> Item | None:
    """The schema item an aggregate phrase is about: the next one, or (Chinese, "total price sum") the one before."""
    return _operand(reading, item)


def _next_phrase(reading: Reading, item: Item) -> Item | None:
    rest = reading.after(item)
    return rest[0] if rest and rest[0].concept in FUNCTIONS and reading.free(rest[0]) else None


def _says_the_same(item: Item, following: Item) -> bool:
    """ "total number of", "count the number of", "how many total": two phrases for one aggregate; the second says
    which."""
    if following.is_concept(*_COUNTS):
        return item.is_concept("aggregate.sum", *_COUNTS)
    return following.is_concept("aggregate.sum") and item.is_concept("aggregate.count")


def _stacked(reading: Reading, item: Item, following: Item) -> bool:
    if _says_the_same(item, following):
        return reading.gap_words(item, following) <= 1
    return reading.joined(item, following)


def _behind_its_number(reading: Reading, item: Item) -> bool:
    """价格的最小值和最大值: what both are about stands before the first."""
    before = next(iter(reading.before(item)[:1]), None)
    if not reading.chinese or before is None or not reading.free(before):
        return False
    return reading.is_number(before.schema) and _touching(reading, before, item) and item.mention.text.endswith("值")


def _operand(reading: Reading, item: Item) -> Item | None:
    if counts_alone(reading, item):
        return None
    nearest: Item | None = None
    previous = item
    count = item.is_concept("aggregate.count", "aggregate.count_distinct")
    for other in reading.after(item):
        if other.is_concept(*_STOP) or other.concept in FUNCTIONS:
            break
        if reading.gap_words(previous, other) > 4 or reading.unknown_between(previous, other):
            break
        if other.schema is not None and reading.free(other):
            if count and _is_dated(reading, other):
                # "how many joined in 2024": the date only says when.
                break
            nearest = other
            break
        if other.value is None and other.time is None and other.number is None and not other.concept:
            break
        previous = other
    if nearest is not None and not reading.chinese:
        return nearest
    before = next((o for o in reading.before(item)[:1] if o.schema is not None and reading.free(o)), None)
    if counts_within(reading, before, item) and nearest is None:
        return None
    if reading.chinese and before is not None and _touching(reading, before, item):
        # 多少 asks about what follows it closely ("有多少订单"), 数量 counts what stands before it ("订单数量").
        asks = any(character in item.mention.text for character in "多几")
        if nearest is None or (count and not (asks and reading.gap_words(item, nearest) == 0)):
            return before
    if nearest is not None:
        return nearest
    return before if before is not None and reading.gap_words(before, item) <= (2 if reading.chinese else 1) else None


def _is_dated(reading: Reading, item: Item) -> bool:
    target = item.schema
    if not isinstance(target, ColumnTarget) or reading.kind(target) not in ("date", "datetime"):
        return False
    return any(o.time is not None and reading.gap_words(item, o) <= 2 for o in reading.after(item)[:1])


def _touching(reading: Reading, left: Item, right: Item) -> bool:
    return not reading.gap(left, right).replace("的", "").replace("是", "").replace("有", "").replace("总", "").strip()


def _add(reading: Reading, phrase: Item, operand: Item | None) -> None:
    function = FUNCTIONS[phrase.concept]
    reading.use(phrase, "aggregate")
    again = counts_alone(reading, phrase) or any(o.is_concept("order.by") for o in reading.before(phrase)[:1])
    if operand is None and function is Function.COUNT and again and counted(reading) is not None:
        # 每个城市有多少客户？列出城市和数量: it is counted already.
        return
    target: SchemaTarget | None = operand.schema if operand is not None else _owner_of_value(reading, phrase)
    distinct = phrase.concept == "aggregate.count_distinct"
    if operand is not None:
        reading.use(operand, "measure")
    if function is Function.COUNT and isinstance(target, ColumnTarget) and operand is not None:
        target = row_of(reading, operand, target)
    if isinstance(target, MeasureTarget):
        measure = _measure(reading, target, function, phrase)
    elif function is Function.COUNT and not distinct and _is_tally(reading, target):
        # "number of deaths" where a column holds deaths: the numbers are added up, not the rows counted.
        measure = MeasureDraft(Function.SUM, tally_of(reading, target), at=phrase.at, tally=True)
    elif function is Function.COUNT:
        # A counted column means its different values ("how many countries"), a counted table its rows.
        distinct = distinct or isinstance(target, ColumnTarget)
        measure = MeasureDraft(function, target, distinct, at=phrase.at)
    elif isinstance(target, ColumnTarget) and _adds_up_keys(reading, function, target):
        column = _amount_of(reading, phrase, TableTarget(target.table))
        if column is None:
            reading.draft.problems.append("not_a_number")
            return
        measure = MeasureDraft(function, column, at=phrase.at)
    elif isinstance(target, TableTarget) and function is not Function.SUM:
        column = _amount_of(reading, phrase, target) or tally_of(reading, target) or only_number(reading, target)
        if column is None or "number" in phrase.mention.text.lower():
            reading.draft.problems.append("not_a_number")
            return
        measure = MeasureDraft(function, column, at=phrase.at)
    elif (
        isinstance(target, TableTarget)
        and (column := _amount_of(reading, phrase, target) or tally_of(reading, target)) is not None
    ):
        measure = MeasureDraft(function, column, at=phrase.at)
    elif isinstance(target, TableTarget) and reading.draft.measures:
        # "total amount claimed over all the claims": the sum is there already.
        return
    elif isinstance(target, TableTarget):
        # "total orders", 订单总数: a sum over things that have no number of their own is their count.
        measure = MeasureDraft(Function.COUNT, target, at=phrase.at)
    elif isinstance(target, ColumnTarget) and not reading.is_number(target):
        if function in (Function.MIN, Function.MAX) and reading.kind(target) != "text":
            measure = MeasureDraft(function, target, at=phrase.at)
        elif function is Function.SUM:
            measure = MeasureDraft(Function.COUNT, target, True, at=phrase.at)
        else:
            reading.draft.problems.append("not_a_number")
            return
    else:
        measure = MeasureDraft(function, target, at=phrase.at)
    if measure.target is None and function is not Function.COUNT:
        reading.draft.problems.append("no_operand")
        return
    if all((m.function, m.target) != (measure.function, measure.target) for m in reading.draft.measures):
        reading.draft.measures.append(measure)


def _measure(reading: Reading, target: MeasureTarget, function: Function, phrase: Item) -> MeasureDraft:
    """ "total revenue" is the measure; "average refund" of a measure that adds one column up averages that column."""
    tree = measure_expression(reading.glossary.measures[target.name], reading.catalog.dialect)
    names = {name.lower() for words in (reading.glossary.measures[target.name].names.all(),) for name in words}
    said = phrase.mention.text.lower().split()[0] if phrase.mention.text.split() else ""
    if function in (Function.SUM, Function.COUNT) or any(said in name for name in names):
        return MeasureDraft(None, target, at=phrase.at)
    if isinstance(tree, exp.Sum) and isinstance(tree.this, exp.Column):
        column = ColumnTarget(reading.catalog.table(tree.this.table).name, tree.this.name)
        return MeasureDraft(function, column, at=phrase.at)
    if any(o.is_concept("group") for o in reading.items) and reading.draft.derived is None:
        # "average revenue per customer": of the customers' revenues.
        reading.draft.derived = DerivedDraft("summary", at=phrase.at, function=function)
    else:
        reading.draft.problems.append("not_expressible")
    return MeasureDraft(None, target, at=phrase.at)


def _owner_of_value(reading: Reading, phrase: Item) -> TableTarget | None:
    """ "how many business customers" where the glossary knows the whole as one value: its table is counted."""
    for other in reading.after(phrase)[:1]:
        if other.value is not None and reading.gap_words(phrase, other) <= 2:
            return TableTarget(other.value.table)
    return None


def _is_tally(reading: Reading, target: SchemaTarget | None) -> bool:
    return tally_of(reading, target) is not None


def tally_of(reading: Reading, target: SchemaTarget | None) -> ColumnTarget | None:
    """The column of numbers that a count is about: the counted column itself when it holds quantities, or the column
    of the
    counted table that bears the table's own last word ("deaths" of "war deaths")."""
    if isinstance(target, ColumnTarget):
        return target if _is_quantity(reading, target) else None
    if isinstance(target, TableTarget):
        table = reading.catalog.table(target.table)
        head = identifier_words(table.name)[-1:]
        for column in table.columns:
            if column.kind.is_number and identifier_words(column.name) == head and not is_identifier(table, column):
                return ColumnTarget(table.name, column.name)
    return None


def only_number(reading: Reading, target: TableTarget) -> ColumnTarget | None:
    """The one column of a table whose numbers say how much: "the average rating" where ratings have stars."""
    table = reading.catalog.table(target.table)
    numbers = [c for c in table.columns if c.kind.is_number and not is_identifier(table, c) and not is_year(c)]
    return ColumnTarget(table.name, numbers[0].name) if len(numbers) == 1 else None


def _adds_up_keys(reading: Reading, function: Function, target: ColumnTarget) -> bool:
    """Whether the sum or the average would be one of keys, which means nothing."""
    table = reading.catalog.table(target.table)
    return function in (Function.SUM, Function.AVG) and is_identifier(table, table.column(target.column))


def _amount_of(reading: Reading, phrase: Item, target: TableTarget) -> ColumnTarget | None:
    """ "total amount of payments": the word that the phrase swallowed names the number."""
    table = reading.catalog.table(target.table)
    for word in phrase.mention.text.lower().split():
        if word not in ("amount", "value", "cost", "quantity"):
            continue
        named = [c for c in table.columns if word in identifier_words(c.name) and c.kind.is_number]
        if len(named) == 1:
            return ColumnTarget(table.name, named[0].name)
    return None


def _share(reading: Reading, phrase: Item, operand: Item) -> None:
    """ "average horsepower and weight": the aggregate goes on over a list of numbers."""
    left = operand
    for other in reading.after(operand):
        target = other.schema
        if (
            target is None
            or not reading.free(other)
            or not reading.joined(left, other)
            or not reading.is_number(target)
            or (isinstance(target, ColumnTarget) and _adds_up_keys(reading, Function.SUM, target))
        ):
            break
        _add(reading, phrase, other)
        left = other


def read_implicit_measures(reading: Reading) -> None:
    """Glossary measures that stand alone ("revenue by month"), numbers beside groups ("amount by region"), and, where a
    group has no number at all, the things beside it, counted ("orders by country")."""
    draft = reading.draft
    for item in reading.items:
        if reading.free(item) and isinstance(item.schema, MeasureTarget):
            reading.use(item, "measure")
            if any(m.target == item.schema for m in draft.measures):
                continue
            draft.measures.append(MeasureDraft(None, item.schema, at=item.at))
    if not draft.dimensions or draft.measures:
        return
    for item in reading.items:
        target = item.schema
        if reading.free(item) and isinstance(target, ColumnTarget) and _is_quantity(reading, target):
            aggregation = reading.glossary.column(target.table, target.column).aggregation or "sum"
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(Function(aggregation), target, at=item.at))
    if (
        draft.measures
        or draft.order
        or any(isinstance(i.schema, ColumnTarget) and reading.free(i) for i in reading.items)
    ):
        return
    for item in reading.items:
        target = item.schema
        if reading.free(item) and isinstance(target, TableTarget) and all(d.target != target for d in draft.dimensions):
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(Function.COUNT, target, at=item.at))
            return


def _is_quantity(reading: Reading, target: ColumnTarget) -> bool:
    table = reading.catalog.table(target.table)
    column = table.column(target.column)
    return column.kind.is_number and not is_identifier(table, column) and not is_year(column)
