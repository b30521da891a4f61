"""Comparisons with a figure over all rows: "a price above the average", "older than the average age", 高于平均价格."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.ir import Function, Operator
from agents.plan.read.comparisons import OPERATORS, adjectival
from agents.plan.read.draft import FilterDraft, Item, Reading

AVERAGE = {"average.above": Operator.GT, "average.below": Operator.LT}
_OF_SOME = re.compile(r"\b(of|for|in|from|among)\b")


def read_averages(reading: Reading) -> None:
    """ "products with a price above the average", "older than the average age", 高于平均价格的产品."""
    for item in reading.items:
        if not reading.free(item):
            continue
        against = Function.AVG if item.concept in AVERAGE else None
        operator = AVERAGE.get(item.concept)
        used = [item]
        own: Item | None = None
        if item.concept in OPERATORS:
            after = next(iter(reading.after(item)[:1]), None)
            if after is not None and _whose(reading, item, after) is not None:
                # "above their department average", 高于本部门平均工资: whose average stands before it.
                own, after = after, next(iter(reading.after(after)[:1]), None)
            if after is not None and reading.free(after) and reading.gap_words(own or item, after) <= 2:
                against = {
                    "aggregate.avg": Function.AVG,
                    "aggregate.max": Function.MAX,
                    "aggregate.min": Function.MIN,
                }.get(after.concept)
                operator = OPERATORS[item.concept]
                used.append(after)
        if against is None or operator is None:
            continue
        left = _number_column_near(reading, item, used[-1])
        if left is None:
            continue
        target = left.schema
        assert isinstance(target, ColumnTarget)
        own = own or _own_behind(reading, used[-1], target)
        same = _same(reading, own, target) if own is not None else None
        if (own is None and _of_some(reading, used[-1])) or (own is not None and same is None):
            # "above the average price of Audio products": that average is not the one over all rows.
            reading.draft.problems.append("not_expressible")
        if own is not None:
            used.append(own)
        for one in (*used, *([left] if left.at >= 0 else [])):
            reading.use(one, "condition")
        for other in (*reading.after(used[-1])[:1], *_said_before(reading, item, target)):
            if other.schema == target and reading.free(other):
                reading.use(other, "condition")
        for phrase in reading.items:
            if own is not None and phrase.is_concept("group") and reading.gap_words(phrase, own) == 0:
                reading.use(phrase, "condition")
        reading.draft.filters.append(FilterDraft(target, op=operator, against=against, against_same=same, at=item.at))


def _said_before(reading: Reading, item: Item, target: ColumnTarget) -> tuple[Item, ...]:
    """工资高于平均工资的员工, "products priced above the average price": the number is named twice, and things are
    asked for."""
    things = any((isinstance(o.schema, TableTarget) and o.at < item.at) or reading.chinese for o in reading.items)
    return tuple(o for o in reading.before(item)[:1] if things and reading.gap_words(o, item) <= 1)


_OWN = re.compile(r"\b(their|its|his|her|own|same|respective)\b")
_WITHIN = re.compile(r"\b(of|in|within|for)( all)?( the)?\s*$")
_OWN_ZH = ("本", "所在", "所属", "同", "各自", "自己", "其")


def _whose(reading: Reading, before: Item, other: Item) -> Item | None:
    """A thing that is said to be the row's own: "their department", 本部门."""
    if isinstance(other.schema, MeasureTarget) or other.schema is None or not reading.free(other):
        return None
    if isinstance(other.schema, ColumnTarget) and reading.is_number(other.schema):
        return None
    return other if _owned(reading, before, other) else None


def _owned(reading: Reading, before: Item, other: Item) -> bool:
    gap = reading.gap(before, other)
    if reading.chinese:
        return gap.strip("的一个 ").endswith(_OWN_ZH)
    return _OWN.search(gap) is not None


def _own_behind(reading: Reading, last: Item, target: ColumnTarget) -> Item | None:
    """ "above the average price of their category", "… within the category": of which rows the average is."""
    before = last
    for other in reading.after(last)[:2]:
        if other.schema == target:
            before = other
            continue
        if reading.gap_words(before, other) > 4:
            return None
        if _whose(reading, before, other) is not None:
            return other
        one = isinstance(other.schema, TableTarget) and other.schema.table != target.table
        singular = not other.mention.text.lower().endswith("s")
        return (
            other if one and singular and reading.free(other) and _WITHIN.search(reading.gap(before, other)) else None
        )
    return None


def _same(reading: Reading, own: Item, target: ColumnTarget) -> tuple[str, str] | None:
    """The column of the compared number's table that says which rows belong together."""
    of = own.schema
    if isinstance(of, ColumnTarget) and of.table == target.table:
        return of.column, of.column
    assert isinstance(of, (ColumnTarget, TableTarget))
    keys = [
        key.columns[0]
        for key in reading.catalog.table(target.table).foreign_keys
        if key.ref_table == of.table and len(key.columns) == 1
    ]
    return (keys[0], keys[0]) if len(keys) == 1 and of.table != target.table else None


def read_superiors(reading: Reading) -> None:
    """ "employees who earn more than their manager", "older than their boss", 工资高于其经理: the same number of the
    row that a key of the own table leads to."""
    for item in reading.items:
        operator = OPERATORS.get(item.concept)
        after = next(iter(reading.after(item)[:1]), None)
        if operator is None or after is None or not reading.free(item) or not _owned(reading, item, after):
            continue
        key = after.schema
        if not isinstance(key, ColumnTarget):
            continue
        table = reading.catalog.table(key.table)
        own = [k for k in table.foreign_keys if k.columns == (key.column,) and k.ref_table == table.name]
        left = adjectival(reading, item) or _number_before(reading, item)
        target = left.schema if left is not None else None
        if not own or left is None or not isinstance(target, ColumnTarget) or target.table != table.name:
            continue
        used = [item, after, *([left] if left.at != item.at else [])]
        used += [o for o in reading.after(after)[:1] if o.schema == target and reading.gap_words(after, o) == 0]
        for one in used:
            reading.use(one, "condition")
        same = (own[0].ref_columns[0], key.column)
        reading.draft.filters.append(
            FilterDraft(target, op=operator, against=Function.MAX, against_same=same, at=item.at)
        )


def _number_before(reading: Reading, item: Item) -> Item | None:
    for other in reading.before(item)[:2]:
        if isinstance(other.schema, ColumnTarget) and reading.is_number(other.schema) and reading.free(other):
            return other
    return None


def _of_some(reading: Reading, last: Item) -> bool:
    """Whether a stored value behind the aggregate says of which rows it is."""
    for other in reading.after(last)[:4]:
        if other.concept and not other.is_concept("list", "question"):
            return False
        if other.value is not None:
            between = reading.linked.text[last.mention.end : other.mention.start].lower()
            return _OF_SOME.search(between) is not None
    return False


def _number_column_near(reading: Reading, item: Item, last: Item) -> Item | None:
    """The number column that is compared: behind the phrase ("above the average price"), else before it."""
    for other in reading.after(last)[:1]:
        if (
            isinstance(other.schema, ColumnTarget)
            and reading.is_number(other.schema)
            and reading.gap_words(last, other) <= 1
        ):
            return other
    return _number_before(reading, item) or adjectival(reading, item)
