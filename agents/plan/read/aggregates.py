"""Aggregates: "average horsepower", "how many orders", "minimum, average and maximum price", 平均马力, 订单数量."""

from __future__ import annotations

from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.ir import Function
from agents.plan.read.draft import Item, MeasureDraft, Reading, SchemaTarget

FUNCTIONS = {
    "aggregate.count": Function.COUNT,
    "aggregate.count_distinct": Function.COUNT,
    "aggregate.sum": Function.SUM,
    "aggregate.avg": Function.AVG,
    "aggregate.min": Function.MIN,
    "aggregate.max": Function.MAX,
}

_STOP = ("group", "compare", "order", "top", "bottom", "null", "negation")


def read_aggregates(reading: Reading) -> None:
    """Give every aggregate phrase its operand and add the measure."""
    pending: list[Item] = []
    for item in reading.items:
        function = FUNCTIONS.get(item.concept)
        if function is None or not reading.free(item):
            continue
        following = _next_phrase(reading, item)
        if following is not None and _stacked(reading, item, following):
            # "total number of": the count says what is meant; "minimum and maximum price" share their operand.
            if item.concept == "aggregate.sum" and following.is_concept("aggregate.count", "aggregate.count_distinct"):
                reading.use(item, "filler")
            else:
                pending.append(item)
            continue
        operand = _operand(reading, item)
        for phrase in (*pending, item):
            _add(reading, phrase, operand)
        pending = []
        if operand is not None and function is not Function.COUNT:
            _share(reading, item, operand)


def operand_of(reading: Reading, item: Item) -> Item | None:
    """The schema item an aggregate phrase is about: the next one, or (Chinese, "total price sum") the one before."""
    return _operand(reading, item)


def _next_phrase(reading: Reading, item: Item) -> Item | None:
    rest = reading.after(item)
    return rest[0] if rest and rest[0].concept in FUNCTIONS and reading.free(rest[0]) else None


def _stacked(reading: Reading, item: Item, following: Item) -> bool:
    if item.concept == "aggregate.sum" and following.is_concept("aggregate.count", "aggregate.count_distinct"):
        return reading.gap_words(item, following) == 0
    return reading.joined(item, following)


def _operand(reading: Reading, item: Item) -> Item | None:
    nearest: Item | None = None
    previous = item
    for other in reading.after(item):
        if other.is_concept(*_STOP) or other.concept in FUNCTIONS:
            break
        if reading.gap_words(previous, other) > 4:
            break
        if other.schema is not None and reading.free(other):
            nearest = other
            break
        if other.value is None and other.time is None and other.number is None and not other.concept:
            break
        previous = other
    count = item.is_concept("aggregate.count", "aggregate.count_distinct")
    if nearest is not None and not reading.chinese:
        return nearest
    before = next((o for o in reading.before(item)[:1] if o.schema is not None and reading.free(o)), None)
    if reading.chinese and before is not None and _touching(reading, before, item) and (count or nearest is None):
        if nearest is None or reading.gap_words(item, nearest) > 0 or count:
            return before
    if nearest is not None:
        return nearest
    return before if before is not None and reading.gap_words(before, item) <= (2 if reading.chinese else 1) else None


def _touching(reading: Reading, left: Item, right: Item) -> bool:
    return not reading.gap(left, right).replace("的", "").replace("是", "").replace("有", "").replace("总", "").strip()


def _add(reading: Reading, phrase: Item, operand: Item | None) -> None:
    function = FUNCTIONS[phrase.concept]
    reading.use(phrase, "aggregate")
    target: SchemaTarget | None = operand.schema if operand is not None else None
    distinct = phrase.concept == "aggregate.count_distinct"
    if operand is not None:
        reading.use(operand, "measure")
    if isinstance(target, MeasureTarget):
        measure = MeasureDraft(None, target, at=phrase.at)
    elif function is Function.COUNT:
        # A counted column means its different values ("how many countries"), a counted table its rows.
        distinct = distinct or isinstance(target, ColumnTarget)
        measure = MeasureDraft(function, target, distinct, at=phrase.at)
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


def _share(reading: Reading, phrase: Item, operand: Item) -> None:
    """ "average horsepower and weight": the aggregate goes on over a list of numbers."""
    left = operand
    for other in reading.after(operand):
        target = other.schema
        if target is None or not reading.free(other) or not reading.joined(left, other) or not reading.is_number(target):
            break
        _add(reading, phrase, other)
        left = other


def read_implicit_measures(reading: Reading) -> None:
    """Glossary measures that stand alone ("revenue by month"), and numbers beside groups ("amount by region")."""
    draft = reading.draft
    grouped = bool(draft.dimensions)
    for item in reading.items:
        if not reading.free(item):
            continue
        target = item.schema
        if isinstance(target, MeasureTarget):
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(None, target, at=item.at))
        elif grouped and isinstance(target, ColumnTarget) and reading.is_number(target) and not draft.measures:
            aggregation = reading.glossary.column(target.table, target.column).aggregation or "sum"
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(Function(aggregation), target, at=item.at))
        elif (
            grouped
            and isinstance(target, TableTarget)
            and not draft.measures
            and all(d.target != target for d in draft.dimensions)
            and not any(f.target and f.target.table == target.table and f.at == item.at for f in draft.filters)
        ):
            # "orders by country": things beside a group are counted.
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(Function.COUNT, target, at=item.at))
