"""Proposals: a draft changed in one or two places where what was learned disagrees with what the rules read.

The rules read roles off the words; the encoder says how likely each column is shown, filtered, grouped and ordered by.
Where the two differ, the draft with the likelier column competes as one more candidate; the ranker decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Protocol

from agents.catalog import Catalog
from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.read.draft import DimensionDraft, Draft, MeasureDraft

LIKELY, POSSIBLE, UNLIKELY = 0.5, 0.25, 0.35
MAX_PROPOSALS = 10

Shown = list[tuple[int, ColumnTarget | TableTarget]]


class Chances(Protocol):
    """Probabilities from a model that read the question."""

    def columns(self, role: str, least: float) -> list[tuple[ColumnTarget, float]]:
        """Columns that play a role with at least this probability, the likeliest first."""
        ...

    def of(self, role: str, column: ColumnTarget) -> float: ...

    def table(self, name: str) -> float:
        """Whether the table is used; 0.5 where nothing is known."""
        ...

    def sketch(self, head: str, name: str) -> float: ...


def propose(draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]) -> list[Draft]:
    """Drafts that differ from the given one, the most changed first; at most :data:`MAX_PROPOSALS`.

    :param place: where in the question a column is touched; orders what is shown.
    """
    together = draft
    for edit in (_tables, _shown_best, _grouped_best, _ordered_best, _measured_best, _distinct):
        changed = next(iter(edit(together, chances, catalog, place)), None)
        together = changed if changed is not None else together
    singles = (
        one
        for edit in (_shown_best, _tables, _grouped_best, _shown_singly, _ordered_best, _measured_best, _distinct)
        for one in edit(draft, chances, catalog, place)
    )
    found = [together] if together is not draft else []
    return [*found, *islice(singles, MAX_PROPOSALS - len(found))]


Edit = Callable[[Draft, Chances, Catalog, Callable[[ColumnTarget], int]], Iterator[Draft]]


def _is_plain(draft: Draft) -> bool:
    return not draft.measures and not draft.dimensions


def _shown_best(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    """All columns that are likely shown, and no other."""
    if not _is_plain(draft) or draft.everything:
        return
    best = [column for column, _ in chances.columns("select", LIKELY)][:6]
    if best and set(best) != {target for _, target in draft.projections}:
        yield replace(draft, projections=_in_order(best, place))


def _shown_singly(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    """One column more, one less, one instead of another."""
    if not _is_plain(draft):
        return
    now = draft.projections
    shown = {target for _, target in now}
    others = [(c, p) for c, p in chances.columns("select", POSSIBLE) if c not in shown][:3]
    weak = [
        (at, target) for at, target in now if isinstance(target, TableTarget) or chances.of("select", target) < UNLIKELY
    ]
    if len(now) > 1:
        yield from (replace(draft, projections=[one for one in now if one != out]) for out in weak[:2])
    for column, _ in others[:2]:
        yield from (
            replace(draft, projections=[(out[0], column) if one == out else one for one in now]) for out in weak[:2]
        )
    for column, _ in others:
        yield replace(draft, projections=sorted([*now, (place(column), column)], key=lambda pair: pair[0]))


def _grouped_best(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    """What is likely grouped by, instead of what the rules group by."""
    counts = bool(draft.measures) or any(isinstance(o.key, MeasureDraft) for o in draft.order) or bool(draft.having)
    if not counts or any(d.grain for d in draft.dimensions):
        return
    best = [column for column, _ in chances.columns("group", LIKELY)][:3]
    now = [d.target for d in draft.dimensions]
    shown = [column for column, _ in chances.columns("select", LIKELY) if column not in _measured(draft)][:4]
    wanted = _in_order(list(dict.fromkeys([*shown, *best])) if best else [], place)
    if best and set(now) != {target for _, target in wanted}:
        yield replace(draft, dimensions=[DimensionDraft(target, None, at) for at, target in wanted], projections=[])
    if now and not best and draft.measures and chances.sketch("group", "yes") < UNLIKELY:
        yield replace(draft, dimensions=[], per_group=False)


def _measured(draft: Draft) -> set[object]:
    keys = [o.key for o in draft.order if isinstance(o.key, MeasureDraft)]
    return {m.target for m in (*draft.measures, *keys, *(h.measure for h in draft.having))}


def _ordered_best(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    best = [column for column, _ in chances.columns("order", LIKELY)][:1]
    if not best or not draft.order:
        return
    first = draft.order[0]
    if isinstance(first.key, MeasureDraft):
        if isinstance(first.key.target, ColumnTarget) and first.key.target != best[0]:
            key = replace(first.key, target=best[0])
            yield replace(draft, order=[replace(first, key=key), *draft.order[1:]])
        return
    if first.key != best[0]:
        yield replace(draft, order=[replace(first, key=best[0], chronological=False), *draft.order[1:]])


def _measured_best(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    """Another number for an aggregate whose own is unlikely."""
    for number, measure in enumerate(draft.measures):
        target = measure.target
        if not isinstance(target, ColumnTarget) or chances.of("select", target) >= UNLIKELY:
            continue
        taken = {d.target for d in draft.dimensions} | _measured(draft)
        for column, _ in chances.columns("select", LIKELY):
            kind = catalog.table(column.table).column(column.column).kind
            if column not in taken and (kind.is_number or measure.function == "count"):
                measures = list(draft.measures)
                measures[number] = replace(measure, target=column)
                yield replace(draft, measures=measures)
                break


def _tables(draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]) -> Iterator[Draft]:
    """Without things that are likely only words."""
    related = [t for t in draft.related if chances.table(t.table) >= UNLIKELY]
    entity = draft.entity
    if entity is not None and chances.table(entity.table) < UNLIKELY and draft.projections:
        entity = None
    if related != draft.related or entity != draft.entity:
        yield replace(draft, related=related, entity=entity)


def _distinct(
    draft: Draft, chances: Chances, catalog: Catalog, place: Callable[[ColumnTarget], int]
) -> Iterator[Draft]:
    if not _is_plain(draft):
        return
    wanted = chances.sketch("distinct", "yes") >= LIKELY
    if wanted != draft.distinct:
        yield replace(draft, distinct=wanted)


def _in_order(columns: list[ColumnTarget], place: Callable[[ColumnTarget], int]) -> Shown:
    found: Shown = [(place(column), column) for column in columns]
    return sorted(found, key=lambda pair: pair[0])
