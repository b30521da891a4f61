"""Variants: honest other readings of one draft, which the words alone do not decide.

"Names of the students in dorms": must they live in one, or is that only said? "Departments by number of employees": is
the number shown? Each variant competes as a candidate of its own; the ranker has learned what people mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agents.language.ir import ColumnTarget
from agents.plan.ir import Function
from agents.plan.read.draft import Draft, MeasureDraft

PENALTY = 0.3
"""What a variant loses against the draft it comes from, by the rules."""


def variants(draft: Draft) -> Iterator[tuple[str, Draft]]:
    """Named drafts that differ from the given one in one decision."""
    if draft.derived is not None or draft.per_group:
        return
    if draft.related:
        yield "unrelated", replace(draft, related=[])
    used = {target.table for _, target in draft.projections}
    used |= {d.target.table for d in draft.dimensions if d.target is not None}
    if draft.entity is not None and used and draft.entity.table not in used:
        yield "without_entity", replace(draft, entity=None, related=[])
    ranked = [o for o in draft.order if isinstance(o.key, MeasureDraft) and o.key not in draft.measures]
    if ranked and draft.dimensions and draft.limit != 1:
        yield "unshown_key", replace(draft, hide_key=True)
    if len(draft.dimensions) == 1 and draft.measures and not draft.projections and not draft.having:
        yield "unshown_group", replace(draft, hide_groups=True)
    if not draft.measures and not draft.dimensions:
        yield "distinct", replace(draft, distinct=not draft.distinct)
    for number, measure in enumerate(draft.measures):
        if measure.function is Function.COUNT and isinstance(measure.target, ColumnTarget):
            other = replace(measure, distinct=not measure.distinct)
            measures = [*draft.measures[:number], other, *draft.measures[number + 1 :]]
            yield "count_distinct", replace(draft, measures=measures)
            break
