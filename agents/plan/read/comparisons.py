"""Comparisons: "more than 100 horsepower", "at least 5 orders", "between 5 and 10", 大于100, and those with an
average or with
another column."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from agents.language.ir import ColumnTarget, MeasureTarget, NumberTarget, PhraseTarget, TableTarget
from agents.language.names import identifier_words
from agents.language.times import TimeRange
from agents.plan.ir import Function, Operator
from agents.plan.labels import date_columns, is_identifier, is_year
from agents.plan.read.aggregates import FUNCTIONS
from agents.plan.read.chinese import counted_by, has_measure_word
from agents.plan.read.draft import (
    FilterDraft,
    HavingDraft,
    Item,
    MeasureDraft,
    Reading,
)

OPERATORS = {
    "compare.gt": Operator.GT,
    "compare.gte": Operator.GE,
    "compare.lt": Operator.LT,
    "compare.lte": Operator.LE,
    "compare.eq": Operator.EQ,
    "compare.ne": Operator.NE,
}


_NEGATED = {
    Operator.GT: Operator.LE,
    Operator.GE: Operator.LT,
    Operator.LT: Operator.GE,
    Operator.LE: Operator.GT,
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
}


def read_comparisons(reading: Reading) -> None:
    """A comparison phrase, its number (or two), and what is compared."""
    for item in reading.items:
        if not item.is_concept("compare") or not reading.free(item):
            continue
        numbers = _numbers_after(reading, item) or _number_inside(item)
        if not numbers:
            _compare_text(reading, item)
            continue
        if item.is_concept("compare.between") and len(numbers) < 2:
            continue
        numbers = numbers[: 2 if item.is_concept("compare.between") else 1]
        if _as_years(reading, item, numbers):
            continue
        left = _continued(reading, item) or _compared(reading, item, numbers[-1])
        if left is None and not _count_doings(reading, item, numbers):
            left = _only_number(reading, item)
        if left is None:
            continue
        _add_comparison(reading, item, numbers, left)


def _continued(reading: Reading, item: Item) -> Item | None:
    """ "population over 1500 or less than 500": the second comparison is about the same thing as the first."""
    before = next((o for o in reading.before(item)[:2] if not o.is_concept("set")), None)
    if before is None or before.number is None or reading.used.get(before.at) != "condition":
        return None
    if reading.gap(before, item).strip() not in ("or", "and", "but", ",", "或", "或者", "且", "，"):
        return None
    last = reading.draft.filters[-1] if reading.draft.filters else None
    if last is None or not isinstance(last.target, ColumnTarget) or last.op is None:
        return None
    mention = replace(item.mention, target=last.target, score=0.9, reason="goes on")
    return Item(item.at, mention)


def _number_inside(item: Item) -> list[Item]:
    """ "5 or more", 500元以上: the phrase holds its number."""
    payload = item.mention.target
    value = payload.get("n") if isinstance(payload, PhraseTarget) else None
    if not isinstance(value, (int, float)):
        return []
    return [Item(item.at, replace(item.mention, target=NumberTarget(value)))]


def _numbers_after(reading: Reading, item: Item) -> list[Item]:
    found: list[Item] = []
    previous = item
    for other in reading.after(item):
        if reading.gap_words(previous, other) > 2:
            break
        if other.number is not None and not other.number.ordinal and reading.free(other):
            found.append(other)
            previous = other
            continue
        if other.time is not None and found and _year_number(other) is not None:
            found.append(other)
            previous = other
            continue
        if other.concept or other.schema is not None or other.time is not None:
            if (
                item.is_concept("compare.between")
                and found
                and other.is_concept("set", "group") is False
                and other.concept
            ):
                previous = other
                continue
            break
    return found


def _year_number(item: Item) -> int | None:
    text = item.mention.text
    return int(text) if text.isdigit() and len(text) == 4 else None


def _as_years(reading: Reading, item: Item, numbers: list[Item]) -> bool:
    """ "wage between 1700 and 1750": two bare years are a time, where the nearest thing has dates and is not itself a
    year."""
    years = [_year_number(n) for n in numbers]
    if not item.is_concept("compare.between") or len(years) != 2 or years[0] is None or years[1] is None:
        return False
    low, high = min(years[0], years[1]), max(years[0], years[1])
    near = next((o for o in reading.before(item)[:3] if isinstance(o.schema, (ColumnTarget, TableTarget))), None)
    if near is None or not 1000 <= low < high <= 2200 or isinstance(near.schema, MeasureTarget) or near.schema is None:
        return False
    table = reading.catalog.table(near.schema.table)
    column = table.column(near.schema.column) if isinstance(near.schema, ColumnTarget) else None
    if column is not None and (is_year(column) or column.kind.is_time):
        return False
    if column is not None and any(isinstance(v, (int, float)) and v >= low / 2 for v in column.samples):
        # The column itself holds numbers of that size: it is the column that is compared.
        return False
    dates = date_columns(table, reading.glossary)
    if not dates:
        return False
    for used in (item, *numbers):
        reading.use(used, "time")
    span = TimeRange(date(low, 1, 1), date(high + 1, 1, 1))
    reading.draft.filters.append(FilterDraft(ColumnTarget(table.name, dates[0].name), time=span, at=item.at))
    return True


def _compared(reading: Reading, item: Item, number: Item) -> Item | None:
    """What stands on the left of the comparison: the nearest fitting thing before it, else the one after the number."""
    after = next(iter(reading.after(number)[:1]), None)
    unit_like = (
        after is not None
        and after.schema is not None
        and reading.free(after)
        and (reading.gap_words(number, after) == 0 or counted_by(reading, number, after))
        and (isinstance(after.schema, (TableTarget, MeasureTarget)) or reading.is_number(after.schema))
    )
    if (meant := adjectival(reading, item)) is not None:
        # "heads of departments older than 56": the phrase says itself what is compared.
        return meant
    for position, other in enumerate(reading.before(item)):
        if position > 3 or other.is_concept("group", "compare") or other.number is not None:
            break
        if other.schema is None or not reading.free(other):
            continue
        near = reading.gap_words(other, item) <= 3
        if unit_like and counted_by(reading, number, after) and reading.gap(other, item).strip():
            # 建造过至少3座桥: the measure word says that what follows is counted.
            return after
        if isinstance(other.schema, ColumnTarget) and _measured_adjective(item) and _is_key(reading, other.schema):
            # "entrepreneurs taller than 1.85": no number of theirs is a height.
            continue
        if reading.is_number(other.schema) and near and not (unit_like and reading.gap_words(other, item) >= 1):
            return other
        if isinstance(other.schema, ColumnTarget) and is_year_column(reading, other.schema) and near:
            return other
        if isinstance(other.schema, TableTarget) and not unit_like and near and has_measure_word(reading, number):
            return other
        if (
            isinstance(other.schema, TableTarget)
            and not unit_like
            and any(o.is_concept("aggregate.count") and reading.free(o) for o in reading.before(other)[:1])
        ):
            return other
    return after if unit_like else _aged(reading, item, number)


def _measured_adjective(item: Item) -> bool:
    payload = item.mention.target
    return isinstance(payload, PhraseTarget) and isinstance(payload.get("words"), (list, tuple))


def _is_key(reading: Reading, target: ColumnTarget) -> bool:
    table = reading.catalog.table(target.table)
    return is_identifier(table, table.column(target.column))


def _aged(reading: Reading, item: Item, number: Item) -> Item | None:
    """ "at least 25 years old", 25岁以上: the unit and the word behind it say that an age is meant."""
    rest = reading.linked.text[number.mention.end :].lower().lstrip()
    if not rest.startswith(("years old", "year old", "years of age", "岁")):
        return None
    for other in (*reading.before(item), *reading.after(item)):
        if isinstance(other.schema, TableTarget):
            for column in reading.catalog.table(other.schema.table).columns:
                if column.kind.is_number and "age" in identifier_words(column.name):
                    target = ColumnTarget(other.schema.table, column.name)
                    return Item(item.at, replace(item.mention, target=target, score=0.8, reason="years old"))
    return None


def is_year_column(reading: Reading, target: ColumnTarget) -> bool:
    return is_year(reading.catalog.table(target.table).column(target.column))


def adjectival(reading: Reading, item: Item) -> Item | None:
    """ "older than 30", "cheaper than 10": the phrase itself names the column of the nearest table."""
    payload = item.mention.target
    words = payload.get("words") if isinstance(payload, PhraseTarget) else None
    if not isinstance(words, (list, tuple)):
        return None
    for other in (*reading.before(item), *reading.after(item)):
        target = other.schema
        if not isinstance(target, TableTarget):
            continue
        for word in (str(w).lstrip("-") for w in words):
            for column in reading.catalog.table(target.table).columns:
                if column.kind.is_number and word in identifier_words(column.name):
                    found = ColumnTarget(target.table, column.name)
                    return Item(item.at, replace(item.mention, target=found, score=0.8, reason=f"{word} of the phrase"))
    return _adjectival_of_whom(reading, item, [str(w).lstrip("-") for w in words])


def _adjectival_of_whom(reading: Reading, item: Item, words: list[str]) -> Item | None:
    """ "entrepreneurs taller than 1.85": the height lies with the people that the nearest thing refers to, where only
    one of those has one."""
    thing = next((o.schema for o in reading.before(item) if isinstance(o.schema, TableTarget)), None)
    if thing is None:
        return None
    owners = {key.ref_table for key in reading.catalog.table(thing.table).foreign_keys} - {thing.table}
    for word in words:
        found = [
            ColumnTarget(owner, column.name)
            for owner in sorted(owners)
            for column in reading.catalog.table(owner).columns
            if column.kind.is_number and word in identifier_words(column.name)
        ]
        if len(found) == 1:
            mention = replace(item.mention, target=found[0], score=0.7, reason=f"{word} of the phrase")
            return Item(item.at, mention)
    return None


def _add_comparison(reading: Reading, item: Item, numbers: list[Item], left: Item) -> None:
    values = [n.number.value if n.number is not None else _year_number(n) or 0 for n in numbers]
    operator = Operator.GE if item.is_concept("compare.between") else OPERATORS.get(item.concept, Operator.EQ)
    upper = max(values) if item.is_concept("compare.between") else None
    value = min(values) if item.is_concept("compare.between") else values[0]
    negated = is_negated(reading, item)
    if negated and upper is None:
        operator, negated = _NEGATED[operator], False
    for used in (item, *numbers):
        reading.use(used, "condition")
    aggregate = next((o for o in reading.before(left)[:1] if o.concept in FUNCTIONS and reading.free(o)), None)
    target = left.schema
    if numbers[-1].number is not None and numbers[-1].number.unit == "times":
        # "ordered more than once": how often, which is a count of the doings.
        doing = next(iter(reading.before(item)[:1]), None)
        owner = doing.schema if doing is not None and doing.at != left.at else None
        if doing is None or not isinstance(owner, (ColumnTarget, TableTarget)) or not reading.free(doing):
            reading.draft.problems.append("not_expressible")
        else:
            reading.use(doing, "condition")
            target, aggregate = TableTarget(owner.table), None
            measure = MeasureDraft(Function.COUNT, target, at=doing.at)
            reading.draft.having.append(HavingDraft(measure, operator, value, upper))
            return
    counted = has_measure_word(reading, numbers[-1])
    if isinstance(target, ColumnTarget) and (left.at > numbers[-1].at or counted):
        table = reading.catalog.table(target.table)
        if is_identifier(table, table.column(target.column)):
            # "more than one record" counts records, it does not compare their numbers.
            target = TableTarget(target.table)
    reading.used.setdefault(left.at, "condition")
    if isinstance(target, MeasureTarget):
        reading.draft.having.append(HavingDraft(MeasureDraft(None, target, at=left.at), operator, value, upper))
    elif isinstance(target, TableTarget):
        if aggregate is not None:
            reading.use(aggregate, "condition")
        measure = MeasureDraft(Function.COUNT, target, at=left.at)
        reading.draft.having.append(HavingDraft(measure, operator, value, upper))
    elif isinstance(target, ColumnTarget):
        if aggregate is not None:
            function = FUNCTIONS[aggregate.concept]
            reading.use(aggregate, "condition")
            measure = MeasureDraft(function, target, function is Function.COUNT, at=left.at)
            reading.draft.having.append(HavingDraft(measure, operator, value, upper))
        else:
            reading.draft.filters.append(
                FilterDraft(target, op=operator, value=value, upper=upper, negated=negated, at=left.at)
            )


def _only_number(reading: Reading, item: Item) -> Item | None:
    """ "readings above 10": the one number that the rows of the thing hold."""
    before = next(iter(reading.before(item)[:1]), None)
    if before is None or not isinstance(before.schema, TableTarget) or reading.gap_words(before, item) > 1:
        return None
    table = reading.catalog.table(before.schema.table)
    numbers = [c for c in table.columns if c.kind.is_number and not is_identifier(table, c) and not is_year(c)]
    if len(numbers) != 1:
        return None
    target = ColumnTarget(table.name, numbers[0].name)
    return Item(item.at, replace(item.mention, target=target, score=0.8, reason="the only number of the thing"))


def _count_doings(reading: Reading, item: Item, numbers: list[Item]) -> bool:
    """被淘汰超过三次的队伍, "eliminated more than three times": what is done so often stands before the comparison."""
    number = numbers[-1].number
    doing = next(iter(reading.before(item)[:1]), None)
    if number is None or number.unit != "times" or doing is None or not reading.free(doing):
        return False
    if not isinstance(doing.schema, TableTarget):
        return False
    for used in (item, *numbers, doing):
        reading.use(used, "condition")
    measure = MeasureDraft(Function.COUNT, doing.schema, at=doing.at)
    reading.draft.having.append(HavingDraft(measure, OPERATORS.get(item.concept, Operator.EQ), number.value, None))
    return True


def _compare_text(reading: Reading, item: Item) -> None:
    """ "country is not France": a comparison without a number only negates the value after it."""
    if item.is_concept("compare.ne"):
        for other in reading.after(item)[:1]:
            if other.value is not None or other.literal is not None:
                reading.use(item, "negation")


def is_negated(reading: Reading, item: Item) -> bool:
    for other in reading.before(item)[:1]:
        if other.is_concept("negation") and reading.gap_words(other, item) <= 1:
            reading.use(other, "negation")
            return True
    return False


def read_column_comparisons(reading: Reading) -> None:
    """ "a lower support rate than oppose rate", "where the list price is above the cost": two columns of one row."""
    for item in reading.items:
        if item.concept not in OPERATORS or not reading.free(item) or item.is_concept("compare.eq", "compare.ne"):
            continue
        after = next(iter(reading.after(item)[:1]), None)
        before = next(iter(reading.before(item)[:1]), None)
        if after is None or before is None or reading.gap_words(item, after) > 2 or reading.gap_words(before, item) > 3:
            continue
        left, right = before.schema, after.schema
        if not isinstance(left, ColumnTarget) or not isinstance(right, ColumnTarget) or left == right:
            continue
        if left.table != right.table or not (reading.is_number(left) and reading.is_number(right)):
            continue
        if not (reading.free(before) and reading.free(after)):
            continue
        for one in (before, item, after):
            reading.use(one, "condition")
        reading.draft.filters.append(FilterDraft(left, op=OPERATORS[item.concept], other=right, at=before.at))


def read_equalities(reading: Reading) -> None:
    """A bare number beside a number column: "8 cylinders", "cylinders 8", "year 2010", 8缸."""
    for item in reading.items:
        number = item.number
        if number is None or number.ordinal or not reading.free(item):
            continue
        after = next(iter(reading.after(item)[:1]), None)
        before = next((o for o in reading.before(item)[:2] if not o.is_concept("set.either", "set.both")), None)
        for other, distance in (
            (before, reading.gap_words(before, item) if before else 99),
            (after, reading.gap_words(item, after) if after else 99),
        ):
            if other is None or distance > 1 or not isinstance(other.schema, ColumnTarget):
                continue
            if not reading.free(other):
                continue
            if reading.is_number(other.schema):
                value: int | float | str = number.value
            elif other is before and reading.kind(other.schema) == "text" and distance == 0:
                # "zip code 197", "room 111": digits kept as text are compared as text.
                value = item.mention.text
            else:
                continue
            reading.use(item, "condition")
            reading.use(other, "condition")
            _add_equality(reading, other, value)
            if other is before:
                _further_numbers(reading, item)
            break


def _further_numbers(reading: Reading, first: Item) -> None:
    """ "aged 36 or 37", "either 4, 6 or 8 cylinders": the column has one of the numbers."""
    one = reading.draft.filters[-1]
    if one.op is not Operator.EQ or one.value is None:
        return
    values, last, either = [one.value], first, False
    for other in reading.after(first):
        if other.is_concept("set.either"):
            either = True
            continue
        gap = reading.linked.text[last.mention.end : other.mention.start].lower().replace(",", " ").split()
        if (
            other.number is None
            or other.number.ordinal
            or not reading.free(other)
            or set(gap) - {"or", "and", "either"}
        ):
            break
        if not gap and "," not in reading.linked.text[last.mention.end : other.mention.start]:
            break
        either = either or "or" in gap
        reading.use(other, "condition")
        values.append(other.number.value)
        last = other
    if len(values) > 1:
        reading.draft.filters[-1] = FilterDraft(one.target, values=tuple(values), at=one.at, all_of=not either)


def _add_equality(reading: Reading, column: Item, value: int | float | str) -> None:
    """ "rated 3 stars and 4 stars": no row has both, so the thing has one of each; with "or" either will do."""
    target = column.schema
    assert isinstance(target, ColumnTarget)
    last = reading.draft.filters[-1] if reading.draft.filters else None
    if last is not None and last.target == target and last.op is Operator.EQ and last.value is not None:
        gap = reading.linked.text[reading.items[last.at].mention.end : column.mention.start].lower().split()
        if "or" in gap or "and" in gap:
            both = FilterDraft(target, values=(last.value, value), at=last.at, all_of="or" not in gap)
            reading.draft.filters[-1] = both
            return
    reading.draft.filters.append(FilterDraft(target, op=Operator.EQ, value=value, at=column.at))
