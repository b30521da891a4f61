"""Comparisons with a figure over all rows: "a price above the average", "older than the average age", 高于平均价格."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget
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
        if item.concept in OPERATORS:
            after = next(iter(reading.after(item)[:1]), None)
            if after is not None and reading.free(after) and reading.gap_words(item, after) <= 2:
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
        if _of_some(reading, used[-1]):
            # "above the average price of Audio products": that average is not the one over all rows.
            reading.draft.problems.append("not_expressible")
        target = left.schema
        assert isinstance(target, ColumnTarget)
        for one in (*used, *([left] if left.at >= 0 else [])):
            reading.use(one, "condition")
        for other in reading.after(used[-1])[:1]:
            if other.schema == target and reading.free(other):
                reading.use(other, "condition")
        reading.draft.filters.append(FilterDraft(target, op=operator, against=against, at=item.at))


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
    for other in reading.before(item)[:2]:
        if isinstance(other.schema, ColumnTarget) and reading.is_number(other.schema) and reading.free(other):
            return other
    return adjectival(reading, item)
