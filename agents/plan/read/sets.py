"""Drafts that are really two questions put together: intersections and differences over one column."""

from __future__ import annotations

from dataclasses import replace

from agents.plan.ir import Operator, SetOperator, Value
from agents.plan.read.draft import Draft, FilterDraft


class NeedsBoth(Exception):
    """No single row can have both values: the two sides are compiled apart and intersected."""

    def __init__(self, left: Draft, right: Draft) -> None:
        super().__init__("both")
        self.sides = left, right


def two_sides(draft: Draft) -> tuple[SetOperator, Draft, Draft] | None:
    """Whether the draft is really two questions put together: "both in 1999 and in 2000", "in A but not in B", each
    about
    one column of the thing itself."""
    if draft.measures or draft.having or draft.order:
        return None
    for number, one in enumerate(draft.filters):
        for other in draft.filters[number + 1 :]:
            if one.target != other.target or one.target is None:
                continue
            rest = [f for f in draft.filters if f is not one and f is not other]
            if draft.both and not one.negated and not other.negated and not _together(draft, one, other):
                sides = (
                    replace(draft, filters=[*rest, one], both=False),
                    replace(draft, filters=[*rest, other], both=False),
                )
                return SetOperator.INTERSECT, *sides
            if one.values and other.values and one.negated != other.negated:
                wanted, unwanted = (other, one) if one.negated else (one, other)
                positive = replace(unwanted, negated=False)
                return (
                    SetOperator.EXCEPT,
                    replace(draft, filters=[*rest, wanted]),
                    replace(draft, filters=[*rest, positive]),
                )
    return None


def contradicts(draft: Draft) -> bool:
    """Whether no row can meet all conditions: one column would have two values, or lie in two periods, at once."""
    for number, one in enumerate(draft.filters):
        for other in draft.filters[number + 1 :]:
            if one.target != other.target or one.target is None or one.negated or other.negated:
                continue
            if _apart(one, other) and not _together(draft, one, other):
                return True
    return False


def _apart(one: FilterDraft, other: FilterDraft) -> bool:
    if one.time is not None and other.time is not None:
        first, second = sorted((one.time, other.time), key=lambda t: str(t.start or ""))
        return first.end is not None and second.start is not None and str(first.end) <= str(second.start)
    left, right = _said(one), _said(other)
    return bool(left and right) and not set(left) & set(right)


def _said(one: FilterDraft) -> tuple[Value, ...]:
    if one.all_of:
        return ()
    return (one.value,) if one.op is Operator.EQ and one.value is not None else one.values


def _together(draft: Draft, one: FilterDraft, other: FilterDraft) -> bool:
    return any(one.at in group and other.at in group for group in draft.either)
