"""Groups: "by origin", "per customer and year", "for each store", 各产地, 按地区, and time grains ("monthly", 每月)."""

from __future__ import annotations

from agents.language.ir import ColumnTarget, MeasureTarget
from agents.plan.read.draft import DimensionDraft, Item, MeasureDraft, Reading


def read_grains(reading: Reading) -> None:
    """Every time mention with a grain and no range groups by it; a date column beside it says which date."""
    for item in reading.items:
        time = item.time
        if time is None or not reading.free(item) or time.time.range is not None:
            continue
        recurring = time.time.recurring
        grain = time.time.grain or (recurring.cycle if recurring is not None and not recurring.members else None)
        if grain is None:
            continue
        reading.use(item, "grain")
        target = _date_beside(reading, item)
        reading.draft.dimensions.append(DimensionDraft(target, str(grain), item.at))
        _and_also(reading, item)
        for before in reading.before(item)[:1]:
            if before.is_concept("group") and reading.free(before) and reading.gap_words(before, item) == 0:
                reading.use(before, "group")


def _and_also(reading: Reading, item: Item) -> None:
    """ "by quarter and channel": the list goes on after the grain."""
    if not item.mention.text.lower().startswith(("by ", "per ", "for each ", "每", "按")):
        return
    left = item
    for other in reading.after(item):
        target = other.schema
        listed = reading.free(other) and reading.joined(left, other)
        if not listed or target is None or isinstance(target, MeasureTarget) or reading.is_number(target):
            break
        reading.use(other, "dimension")
        reading.draft.dimensions.append(DimensionDraft(target, None, other.at))
        left = other


def _date_beside(reading: Reading, item: Item) -> ColumnTarget | None:
    """ "by month of the order date", "order date by month": the date column that the grain is about."""
    neighbours = (*reading.after(item)[:1], *reading.before(item)[:2])
    for other in neighbours:
        target = other.schema
        if (
            isinstance(target, ColumnTarget)
            and reading.free(other)
            and reading.kind(target) in ("date", "datetime")
            and reading.gap_words(min(item, other, key=_at), max(item, other, key=_at)) <= 2
        ):
            reading.use(other, "grain")
            return target
    return None


def _at(item: Item) -> int:
    return item.at


def _lists(reading: Reading, item: Item) -> bool:
    """ "the name and age of every member": all of them are listed; nothing is put together."""
    said = item.mention.text.lower()
    draft = reading.draft
    return (
        not reading.chinese
        and said.startswith(("of each", "of every", "every", "for all"))
        and not draft.measures
        and draft.limit is None
        and not draft.having
        and not any(isinstance(o.key, MeasureDraft) for o in draft.order)
        and not any(isinstance(i.schema, MeasureTarget) for i in reading.items)
    )


def read_groups(reading: Reading) -> None:
    """Give every group phrase the columns, tables and grains listed after it."""
    for item in reading.items:
        if not item.is_concept("group") or not reading.free(item):
            continue
        reading.use(item, "group")
        if _lists(reading, item):
            continue
        left = item
        for other in reading.after(item):
            if left is item and reading.gap_words(item, other) > 2:
                break
            if left is not item and not reading.joined(left, other):
                break
            target = other.schema
            if reading.used.get(other.at) == "grain":
                left = other
                continue
            if not reading.free(other) or target is None or isinstance(target, MeasureTarget):
                break
            if item.is_concept("group.each") or reading.draft.limit is not None:
                reading.draft.per_group = True
                if item.is_concept("group.each"):
                    reading.draft.partition.append(target)
            reading.use(other, "dimension")
            named = reading.columns(other) or (target,)
            reading.draft.dimensions += [DimensionDraft(one, None, other.at) for one in named]
            left = other
    _different(reading)
    reading.draft.dimensions.sort(key=lambda d: d.at)


_OF_DIFFERENT = ("with", "by", "for", "in", "from", "across", "of", "at")


def _different(reading: Reading) -> None:
    """ "the average age of students with different sex": beside a measure, one for each."""
    if not reading.draft.measures:
        return
    for item in reading.items:
        if (
            not item.is_concept("list.distinct")
            or "different" not in item.mention.text.lower()
            or not reading.free(item)
        ):
            continue
        before = reading.linked.text[: item.mention.start].lower().split()
        following = next(iter(reading.after(item)[:1]), None)
        if following is None or before[-1:] == [] or before[-1] not in _OF_DIFFERENT:
            continue
        target = following.schema
        if target is None or isinstance(target, MeasureTarget) or not reading.free(following):
            continue
        reading.use(item, "group")
        reading.use(following, "dimension")
        reading.draft.dimensions.append(DimensionDraft(target, None, following.at))
