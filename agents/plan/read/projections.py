"""What is shown: the columns and things that no other pass claimed, in the order they were asked for."""

from __future__ import annotations

from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.read.draft import DimensionDraft, Item, MeasureDraft, Reading


def read_projections(reading: Reading) -> None:
    """Free columns are projected; free tables name the entity (the first one) or are only context."""
    draft = reading.draft
    for item in reading.items:
        if not reading.free(item):
            continue
        if item.is_concept("list.distinct"):
            reading.use(item, "distinct")
            draft.distinct = True
        target = item.schema
        if isinstance(target, ColumnTarget):
            if _only_a_key(reading, item, target):
                reading.use(item, "hint")
                draft.hints.append(target)
                continue
            if not _shown(reading, item):
                continue
            if _already(reading, target):
                reading.use(item, "projection")
                continue
            reading.use(item, "projection")
            if draft.dimensions and draft.measures:
                # A grouped question shows groups: a further column is one more group.
                draft.dimensions.append(DimensionDraft(target, None, item.at))
            else:
                draft.projections.append((item.at, target))
        elif isinstance(target, TableTarget):
            reading.use(item, "entity")
            if draft.entity is None and not _counted(reading, target):
                draft.entity, draft.entity_at = target, item.at
            if (draft.entity is not None and draft.entity != target) or draft.measures:
                draft.related.append(target)
        elif isinstance(target, MeasureTarget):
            reading.use(item, "measure")
            draft.measures.append(MeasureDraft(None, target, at=item.at))
    draft.projections.sort(key=lambda pair: pair[0])
    draft.dimensions.sort(key=lambda d: d.at)


def _only_a_key(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """ "problems assigned to the staff": a word that is part of a key's name says which key joins, not what is
    shown."""
    if item.mention.score >= 0.75 or reading.linked.lang == "zh":
        return False
    table = reading.catalog.table(target.table)
    return any(target.column in key.columns for key in table.foreign_keys)


def _counted(reading: Reading, target: TableTarget) -> bool:
    return any(m.target == target for m in reading.draft.measures)


def _ungroup(reading: Reading) -> None:
    """ "the title of each film": without a number, "each" groups nothing; its things are listed."""
    draft = reading.draft
    ranked = any(isinstance(o.key, MeasureDraft) for o in draft.order)
    if draft.measures or draft.having or ranked or any(d.grain for d in draft.dimensions):
        return
    for dimension in draft.dimensions:
        if isinstance(dimension.target, ColumnTarget) and not _already_projected(reading, dimension.target):
            draft.projections.append((dimension.at, dimension.target))
        elif isinstance(dimension.target, TableTarget) and draft.entity is None:
            draft.entity, draft.entity_at = dimension.target, dimension.at
    draft.dimensions.clear()
    draft.projections.sort(key=lambda pair: pair[0])


def _already_projected(reading: Reading, target: ColumnTarget) -> bool:
    return any(c == target for _, c in reading.draft.projections)


def _shown(reading: Reading, item: Item) -> bool:
    """Whether a free column is asked for: beside a measure only when it comes first or is listed with something."""
    measures = [m.at for m in reading.draft.measures]
    if not measures or item.at < min(measures):
        return True
    neighbours = reading.before(item)[:1]
    return any(reading.joined(other, item) for other in neighbours if other.schema is not None)


def _already(reading: Reading, target: ColumnTarget) -> bool:
    draft = reading.draft
    return any(c == target for _, c in draft.projections) or any(d.target == target for d in draft.dimensions)


def read_defaults(reading: Reading) -> None:
    """What follows without being said: grouping by listed columns beside a measure, entities of a grouped ranking."""
    draft = reading.draft
    _ungroup(reading)
    ranked = [o for o in draft.order if isinstance(o.key, MeasureDraft)]
    if (draft.measures or ranked or draft.having) and draft.projections:
        # "which country has the most customers", "products and their revenue": shown columns are the groups.
        for at, target in draft.projections:
            draft.dimensions.append(DimensionDraft(target, None, at))
        draft.projections.clear()
    if (
        (ranked or draft.having or (draft.measures and draft.order))
        and not draft.dimensions
        and draft.entity is not None
    ):
        draft.dimensions.append(DimensionDraft(draft.entity, None, draft.entity_at))
    if draft.limit is not None and draft.order and draft.order[-1].key is None and len(draft.measures) == 1:
        last = draft.order[-1]
        draft.order[-1] = last.__class__(draft.measures[0], last.descending)
        if not draft.dimensions and draft.entity is not None:
            draft.dimensions.append(DimensionDraft(draft.entity, None, draft.entity_at))
    draft.dimensions.sort(key=lambda d: d.at)
