"""Conditions: "more than 100 horsepower", "customers with at least 5 orders", "in Japan or Germany", "not from France",
"in 2023", "without an e-mail", 大于100, 不是德国, 没有下过单的客户."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.labels import date_columns, label_column
from agents.plan.read.calendar import whole_years
from agents.plan.read.comparisons import is_negated, is_year_column
from agents.plan.read.draft import (
    DimensionDraft,
    FilterDraft,
    Item,
    Reading,
)


def read_times(reading: Reading) -> None:
    """Times with a range become conditions; a date column close by says which date is meant."""
    for item in reading.items:
        time = item.time
        if time is None or not reading.free(item) or time.time.range is None:
            continue
        column = _time_column(reading, item)
        reading.use(item, "time")
        negated = is_negated(reading, item)
        reading.draft.filters.append(FilterDraft(column, time=time.time.range, negated=negated, at=item.at))


def _time_column(reading: Reading, item: Item) -> ColumnTarget | None:
    neighbours = [(o, reading.gap_words(o, item)) for o in reading.before(item)[:2]]
    neighbours += [(o, reading.gap_words(item, o)) for o in reading.after(item)[:1]]
    for other, distance in neighbours:
        target = other.schema
        if isinstance(target, ColumnTarget) and distance <= 3:
            dated = reading.kind(target) in ("date", "datetime") or is_year_column(reading, target)
            if dated and (reading.free(other) or reading.used[other.at] in ("grain", "dimension")):
                reading.used.setdefault(other.at, "time")
                return target
    before = next(iter(reading.before(item)[:1]), None)
    if before is not None and isinstance(before.schema, TableTarget) and reading.gap_words(before, item) <= 1:
        # "customers who ordered in 2024": the date of the orders, not that of the customers.
        dates = date_columns(reading.catalog.table(before.schema.table), reading.glossary)
        named = [o for o in reading.items if isinstance(o.schema, TableTarget) and o.schema != before.schema]
        if dates and named and before.mention.text.lower().endswith(("ed", "t", "n")):
            return ColumnTarget(before.schema.table, dates[0].name)
    return None


def read_values(reading: Reading) -> None:
    """Stored values: several of one column are alternatives, a negation before the first negates them all."""
    done: set[int] = set()
    for item in reading.items:
        value = item.value
        if value is None or item.at in done or not reading.free(item):
            continue
        if any(o.is_concept("like") and reading.free(o) for o in reading.before(item)[:1]):
            # "contains 'Scanner'" is about a piece of the text, whatever value is spelt like it.
            continue
        group = [item]
        for other in reading.after(item):
            same = other.value
            if other.is_concept("set.except") or _turns(reading, item, other):
                # "from France but not Italy": what follows is told apart from what was said.
                break
            if same is None or not reading.free(other):
                if other.is_concept("set", "negation", "compare") or other.schema is not None:
                    continue
                break
            if (same.table, same.column) == (value.table, value.column):
                group.append(other)
        negated = _value_negated(reading, item)
        for member in group:
            done.add(member.at)
            reading.use(member, "value")
        values = tuple(dict.fromkeys(m.value.value for m in group if m.value is not None))
        if len(values) > 1 and _compared_values(reading, group):
            compared = ColumnTarget(value.table, value.column)
            reading.draft.dimensions.append(DimensionDraft(compared, None, item.at))
        all_of = len(values) > 1 and not negated and _listed_with_and(reading, group)
        target = ColumnTarget(value.table, value.column)
        _use_column_word(reading, item, target)
        reading.draft.filters.append(FilterDraft(target, values=values, negated=negated, at=item.at, all_of=all_of))


def _turns(reading: Reading, item: Item, other: Item) -> bool:
    text = reading.linked.text[item.mention.end : other.mention.start].lower()
    words = text.replace(",", " ").split()
    return "but" in words and ("not" in words or "never" in words or "n't" in text)


def _compared_values(reading: Reading, group: list[Item]) -> bool:
    """ "Amazon vs Google": each is wanted by itself."""
    gaps = [reading.linked.text[a.mention.end : b.mention.start].lower() for a, b in pairwise(group)]
    return any(word in gap for gap in gaps for word in ("vs", "versus", "compared", "对比", "相比"))


def _listed_with_and(reading: Reading, group: list[Item]) -> bool:
    """Whether the values are joined by "and" ("both A and B"), not by "or"."""
    gaps = [reading.linked.text[a.mention.end : b.mention.start].lower() for a, b in pairwise(group)]
    words = [gap.replace(",", " ").split() for gap in gaps]
    if reading.chinese:
        return any("又" in gap or "同时" in gap for gap in gaps) or any(i.is_concept("set.both") for i in reading.items)
    both = any(i.is_concept("set.both") for i in reading.items)
    return both and not any("or" in w for w in words)


def read_alternatives(reading: Reading) -> None:
    """Conditions with "or" between them hold one or the other; "or" binds the two beside it, chains of it all of
    them."""
    reading.draft.both = any(i.is_concept("set.both") for i in reading.items)
    spots = sorted({f.at for f in reading.draft.filters})
    groups: list[set[int]] = []
    for left, right in pairwise(spots):
        between = reading.linked.text[_said_until(reading, left, right) : reading.items[right].mention.end].lower()
        words = between.replace(",", " ").split()
        if not ("或" in between if reading.chinese else "or" in words and "than or" not in between):
            continue
        if groups and left in groups[-1]:
            groups[-1].add(right)
        else:
            groups.append({left, right})
    reading.draft.either = [frozenset(group) for group in groups]
    _several_periods(reading)


def _said_until(reading: Reading, left: int, right: int) -> int:
    """Where the condition that begins at the item ``left`` has been said: the "or" inside "Germany or Austria" is its
    own."""
    first = reading.items[left]
    if first.value is None:
        return first.mention.start
    place = (first.value.table, first.value.column)
    values = [i for i in reading.items[left:right] if i.value is not None and reading.used.get(i.at) == "value"]
    return max(i.mention.end for i in (first, *values) if i.value and (i.value.table, i.value.column) == place)


def _same_date(reading: Reading) -> None:
    """ "in the year 1999 and 2000": the second period is of the column that the first one names."""
    found = reading.draft.filters
    for number, (one, other) in enumerate(pairwise(found), 1):
        if one.time is None or other.time is None or one.target is None or other.target is not None:
            continue
        if reading.joined(reading.items[one.at], reading.items[other.at]):
            found[number] = replace(other, target=one.target)


def _several_periods(reading: Reading) -> None:
    """ "revenue 2024 vs 2025", 2024年和2025年的销售额: no day lies in both, so either is meant, told apart."""
    _same_date(reading)
    times = [f for f in reading.draft.filters if f.time is not None and not f.negated]
    if len(times) < 2 or len({f.target for f in times}) > 1 or reading.draft.both:
        return
    ranges = sorted((f.time for f in times if f.time is not None), key=lambda t: str(t.start or ""))
    if any(a.end is None or b.start is None or str(a.end) > str(b.start) for a, b in pairwise(ranges)):
        return
    spots = frozenset(f.at for f in times)
    reading.draft.either = [g for g in reading.draft.either if not g & spots] + [spots]
    draft = reading.draft
    asks = bool(draft.measures) or any(isinstance(i.schema, MeasureTarget) for i in reading.items)
    if not asks or any(d.grain for d in draft.dimensions):
        return
    years = all(whole_years(r) is not None for r in ranges)
    draft.dimensions.append(DimensionDraft(times[0].target, "year" if years else "month", min(spots)))


def _value_negated(reading: Reading, item: Item) -> bool:
    for position, other in enumerate(reading.before(item)[:2]):
        if (
            other.is_concept("negation", "compare.ne", "set.except", "set.neither")
            and reading.gap_words(other, item) <= 3
        ):
            reading.use(other, "negation")
            return True
        if position == 0 and not isinstance(other.schema, (ColumnTarget, TableTarget)):
            break
    return False


def _use_column_word(reading: Reading, item: Item, target: ColumnTarget) -> None:
    """ "the city of Paris", "city = Paris": the column's own word beside its value is part of the condition, unless
    it is
    asked for or grouped by."""
    for other in (*reading.before(item)[:2], *reading.after(item)[:1]):
        if not reading.free(other):
            continue
        if other.schema == target:
            left, right = sorted((item, other), key=lambda i: i.at)
            if reading.gap_words(left, right) <= 2:
                reading.use(other, "value")
                return


def read_literals(reading: Reading) -> None:
    """Quoted text and like-phrases: "name starts with 'A'", "title contains 'moon'"."""
    for item in reading.items:
        if item.is_concept("like") and reading.free(item):
            piece = next((o for o in reading.after(item)[:1] if reading.free(o)), None)
            text = _piece(piece) if piece is not None else None
            column = _text_column(reading, item)
            if piece is None or text is None or column is None:
                continue
            if piece.literal is None and reading.gap(item, piece).strip() in ("a", "an", "the"):
                # "routes that end in a Canadian airport"
                continue
            where = item.concept.rsplit(".", 1)[1]
            reading.use(item, "condition")
            reading.use(piece, "condition")
            reading.draft.filters.append(
                FilterDraft(column, like=where, value=text, negated=is_negated(reading, item), at=item.at)  # type: ignore[arg-type]
            )
        elif item.literal is not None and reading.free(item):
            column = _text_column(reading, item)
            if column is not None:
                negated = _value_negated(reading, item)
                reading.use(item, "value")
                reading.draft.filters.append(
                    FilterDraft(column, values=(item.literal.text,), negated=negated, at=item.at)
                )


def _piece(item: Item) -> str | None:
    if item.literal is not None:
        return item.literal.text
    if item.value is not None or item.number is not None:
        return item.mention.text.strip("'\"“”‘’")
    return None


def _text_column(reading: Reading, item: Item) -> ColumnTarget | None:
    for other in reading.before(item)[:3]:
        target = other.schema
        if isinstance(target, ColumnTarget) and reading.kind(target) == "text":
            if reading.free(other) and reading.gap_words(other, item) <= 3:
                reading.use(other, "condition")
            return target
    for other in (*reading.before(item)[:2], *reading.after(item)[:2]):
        if isinstance(other.schema, TableTarget):
            # "products with 'Scanner' in the name": the name of the thing.
            label = label_column(reading.catalog.table(other.schema.table), reading.glossary)
            if label is not None and label.kind == "text":
                return ColumnTarget(other.schema.table, label.name)
    return None
