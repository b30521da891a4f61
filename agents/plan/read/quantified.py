"""Comparisons with other rows: "older than all French players", "larger than that of Italy", "cheaper than any wine
from John Anthony", "a revenue above the lowest revenue of companies in Austin"."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, TableTarget, ValueTarget
from agents.plan.ir import Function, Operator
from agents.plan.read.averages import AVERAGE
from agents.plan.read.comparisons import OPERATORS, adjectival
from agents.plan.read.draft import FilterDraft, Item, Reading

_ALL = re.compile(r"\b(all|every|each|both)\b")
_ANY = re.compile(r"\b(any|some|one of|at least one)\b")
_THAT = re.compile(r"\b(that|those|the one)\b")
_FAR = 7
_ASKED = {
    "aggregate.max": Function.MAX,
    "aggregate.min": Function.MIN,
    "aggregate.avg": Function.AVG,
    "superlative.most": Function.MAX,
    "superlative.least": Function.MIN,
}
_UPWARD = (Operator.GT, Operator.GE)


def read_quantified(reading: Reading) -> None:
    """A comparison whose right side is the same number of the rows with a stored value."""
    for item in reading.items:
        against = AVERAGE.get(item.concept)
        if item.is_concept("compare.eq", "compare.ne") or not reading.free(item):
            continue
        if item.concept not in OPERATORS and against is None:
            continue
        operator = against or OPERATORS[item.concept]
        found = _other_rows(reading, item)
        left = _left(reading, item)
        if found is None or left is None:
            continue
        value, between = found
        target = left.schema
        stored = _stored_with(reading, value, target) if isinstance(target, ColumnTarget) else None
        if not isinstance(target, ColumnTarget) or stored is None:
            continue
        said = [o for o in between if o.concept in _ASKED]
        names = [o for o in between if o.schema is not None]
        if any(isinstance(o.schema, ColumnTarget) and o.schema != target for o in names) or len(said) > 1:
            continue
        text = reading.linked.text[item.mention.start : value.mention.start].lower()
        if against is not None:
            function = Function.AVG
        elif said:
            function = _ASKED[said[0].concept]
        elif _ANY.search(text) and not _ALL.search(text):
            function = Function.MIN if operator in _UPWARD else Function.MAX
        else:
            function = Function.MAX if operator in _UPWARD else Function.MIN
        where = FilterDraft(ColumnTarget(stored.table, stored.column), values=(stored.value,), at=value.at)
        for one in (item, value, *between, *([left] if left.at != item.at else [])):
            reading.use(one, "condition")
        reading.draft.filters.append(
            FilterDraft(target, op=operator, against=function, against_where=(where,), at=item.at)
        )


def _stored_with(reading: Reading, item: Item, left: ColumnTarget) -> ValueTarget | None:
    """The value as the table of the compared number holds it, where several tables do."""
    if item.value is not None and item.value.table == left.table:
        return item.value
    slot = next((s for s in reading.linked.slots if s[0].start == item.mention.start), ())
    for mention in slot:
        if isinstance(mention.target, ValueTarget) and mention.target.table == left.table and mention.score >= 0.9:
            return mention.target
    return None


def _other_rows(reading: Reading, item: Item) -> tuple[Item, list[Item]] | None:
    """The stored value behind the comparison, with what stands between; ``None`` where a number is compared."""
    between: list[Item] = []
    for other in reading.after(item):
        if reading.gap_words(item, other) > _FAR or not reading.free(other):
            return None
        if other.value is not None:
            gap = reading.linked.text[item.mention.end : other.mention.start].lower()
            told = bool(between or _ALL.search(gap) or _ANY.search(gap) or _THAT.search(gap))
            told = told or item.concept in AVERAGE
            return (other, between) if told else None
        if other.concept in _ASKED or isinstance(other.schema, (ColumnTarget, TableTarget)):
            between.append(other)
            continue
        return None
    return None


def _left(reading: Reading, item: Item) -> Item | None:
    if (meant := adjectival(reading, item)) is not None:
        return meant
    for other in reading.before(item)[:2]:
        if isinstance(other.schema, ColumnTarget) and reading.is_number(other.schema) and reading.free(other):
            return other
    return None
