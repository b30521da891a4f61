"""Numbers that a word says: "out of stock", "a negative balance", 缺货, 余额为负."""

from __future__ import annotations

from agents.language.ir import ColumnTarget
from agents.plan.ir import Operator
from agents.plan.read.comparisons import adjectival
from agents.plan.read.draft import FilterDraft, Item, Reading

_AGAINST_ZERO = {
    "amount.none": Operator.EQ,
    "amount.some": Operator.GT,
    "amount.negative": Operator.LT,
    "amount.positive": Operator.GT,
}


def read_amounts(reading: Reading) -> None:
    """Each such word compares the number beside it with zero; without one it stays unread, and is declined."""
    for item in reading.items:
        operator = _AGAINST_ZERO.get(item.concept)
        if operator is None or not reading.free(item):
            continue
        left = _number_beside(reading, item) or adjectival(reading, item)
        if left is None or not isinstance(left.schema, ColumnTarget):
            continue
        for one in (item, *([left] if left.at != item.at else [])):
            reading.use(one, "condition")
        reading.draft.filters.append(FilterDraft(left.schema, op=operator, value=0, at=item.at))


def _number_beside(reading: Reading, item: Item) -> Item | None:
    near = [(o, reading.gap_words(item, o)) for o in reading.after(item)[:1]]
    near += [(o, reading.gap_words(o, item)) for o in reading.before(item)[:1]]
    for other, distance in near:
        target = other.schema
        if isinstance(target, ColumnTarget) and reading.is_number(target) and reading.free(other) and distance <= 2:
            return other
    return None
