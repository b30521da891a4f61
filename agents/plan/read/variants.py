"""Variants: honest other readings of one draft, which the words alone do not decide.

"Names of the students in dorms": must they live in one, or is that only said? "Departments by number of employees": is
the number shown? Each variant competes as a candidate of its own; the ranker has learned what people mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.ir import Function
from agents.plan.read.draft import DimensionDraft, Draft, MeasureDraft

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
    listed = next((f for f in draft.filters if len(f.values) > 1 and isinstance(f.target, ColumnTarget)), None)
    if listed is not None and draft.measures and not draft.dimensions and not listed.negated:
        # "the average age of male and female students": of both together, or of each.
        yield "each_value", replace(draft, dimensions=[DimensionDraft(listed.target, None, listed.at)])
    tallies = [m for m in draft.measures if m.tally]
    if tallies and len(tallies) == len(draft.measures) and not draft.having:
        # "the name and number of floors of each building": the number is there to be shown, not to be added up.
        shown = [(d.at, d.target) for d in draft.dimensions if d.target is not None and d.grain is None]
        counted = {m: m.target for m in tallies if isinstance(m.target, ColumnTarget)}
        shown += [(m.at, target) for m, target in counted.items()]
        order = [replace(o, key=counted[o.key]) if o.key in counted else o for o in draft.order]
        yield "shown_tally", replace(draft, measures=[], dimensions=[], projections=sorted(shown, key=_at), order=order)
    for number, measure in enumerate(draft.measures):
        if measure.function is Function.COUNT and isinstance(measure.target, ColumnTarget):
            other = replace(measure, distinct=not measure.distinct)
            measures = [*draft.measures[:number], other, *draft.measures[number + 1 :]]
            yield "count_distinct", replace(draft, measures=measures)
            break


def _at(shown: tuple[int, ColumnTarget | TableTarget]) -> int:
    return shown[0]
