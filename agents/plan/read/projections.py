"""What is shown: the columns and things that no other pass claimed, in the order they were asked for."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.language.ir import ColumnTarget, MeasureTarget, PhraseTarget, TableTarget
from agents.language.names import FULL_NAME, identifier_words
from agents.plan.ir import Function, Operator
from agents.plan.labels import date_columns, label_column
from agents.plan.read.adjectives import column_for
from agents.plan.read.assign import table_of
from agents.plan.read.chinese import is_attribute, only_an_identifier
from agents.plan.read.draft import (
    QUALIFIER,
    DimensionDraft,
    Draft,
    FilterDraft,
    Item,
    MeasureDraft,
    OrderDraft,
    Reading,
)


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
        if isinstance(target, ColumnTarget) and only_an_identifier(reading, item, target):
            target = TableTarget(target.table)
        if isinstance(target, ColumnTarget):
            if _only_a_key(reading, item, target):
                reading.use(item, "hint")
                draft.hints.append(target)
                if item.mention.score >= 0.9 and _told_of_another(reading, target):
                    # "students who have class president votes": there must be such a row.
                    draft.related.append(TableTarget(target.table))
                continue
            if _is_flag(reading, item, target):
                reading.use(item, "condition")
                draft.filters.append(FilterDraft(target, op=Operator.EQ, value=True, at=item.at))
                continue
            if not _shown(reading, item):
                continue
            if is_attribute(reading, item):
                reading.use(item, QUALIFIER)
                continue
            if _already(reading, target):
                reading.use(item, "projection")
                continue
            if draft.entity is None and _owns_what_is_shown(reading, item, target):
                reading.use(item, "entity")
                draft.entity, draft.entity_at = TableTarget(target.table), item.at
                continue
            reading.use(item, "projection")
            if draft.dimensions and draft.measures:
                # A grouped question shows groups: a further column is one more group.
                draft.dimensions += [DimensionDraft(column, None, item.at) for column in reading.columns(item)]
            else:
                draft.projections += [(item.at, column) for column in reading.columns(item)]
        elif isinstance(target, TableTarget) and (_beside_its_own(reading, item) or _listed(reading, item)):
            # "customers and their number of orders", "products with their category": the thing is shown too.
            reading.use(item, "entity")
            if draft.measures:
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
    said = _EVERYTHING.search(reading.linked.text) or (
        not draft.projections and _ALL_DETAILS.search(reading.linked.text)
    )
    draft.everything = bool(said) and draft.entity is not None


def _only_a_key(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """ "problems assigned to the staff": a word that is part of a key's name says which key joins, not what is
    shown."""
    table = reading.catalog.table(target.table)
    keys = [key for key in table.foreign_keys if target.column in key.columns]
    others = {key.ref_table for key in keys} - {target.table}
    if any(isinstance(i.schema, TableTarget) and i.schema.table in others for i in reading.items):
        # "products supplied by a supplier": the thing behind the key is named itself.
        return item.mention.text.lower().split()[-1] not in ("id", "ids", "code", "codes", "number", "numbers")
    return bool(others) and item.mention.score < 0.75


def _told_of_another(reading: Reading, key: ColumnTarget) -> bool:
    """Whether a key, named in full, lies in a table that nothing else in the question speaks of."""
    tables = {table_of(i.mention) for i in reading.items if (i.mention.target != key and table_of(i.mention))}
    return bool(tables) and key.table not in tables


def _is_flag(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """ "customers with newsletter": a yes-or-no column behind "with" is a condition."""
    before = reading.linked.text[: item.mention.start].lower().split()[-2:]
    return reading.kind(target) == "boolean" and any(word in ("with", "having", "have") for word in before)


def _counts_things(draft: Draft) -> bool:
    return len(draft.measures) == 1 and draft.measures[0].function is Function.COUNT


def _counted(reading: Reading, target: TableTarget) -> bool:
    return any(m.target == target for m in reading.draft.measures)


_EVERYTHING = re.compile(
    r"\ball( of)?( the)? (\w+ ){0,2}?(information|info|details|columns|fields|attributes|data)\b"
    r"|\beverything (about|on)\b"
    r"|(所有|全部|完整)(的)?(信息|资料|详情|字段)",
    re.IGNORECASE,
)
_ALL_DETAILS = re.compile(
    r"\b(all|the)( of)?( the)? (details?|information|info|data|attributes)\b( (of|for|about|on)\b|$|[?.])"
    r"|的(详细|具体)(信息|资料|情况)(有哪些|是什么|列出来)?\s*($|[。？?，,])",
    re.IGNORECASE,
)
_THEIR = re.compile(
    r"(and|with|,)\s+(the\s+)?(their|its|his|her|corresponding)\b|(和|及|以及|与)(它们?|其|他们?|她们?)"
)


def _distribution(reading: Reading) -> None:
    """ "the distribution of return reasons", 退货原因的分布: how many of each."""
    draft = reading.draft
    if len(draft.projections) != 1 or draft.measures or draft.dimensions:
        return
    if not any(i.is_concept("chart.histogram") for i in reading.items):
        return
    at, target = draft.projections[0]
    if isinstance(target, ColumnTarget) and reading.kind(target) in ("text", "boolean"):
        draft.projections.clear()
        draft.distinct = False
        draft.filters = [f for f in draft.filters if not (f.target == target and f.null)]
        draft.dimensions.append(DimensionDraft(target, None, at))
        draft.measures.append(MeasureDraft(Function.COUNT, TableTarget(target.table), at=at + 1))


def _beside_its_own(reading: Reading, item: Item) -> bool:
    """Whether the thing stands in "A and their B" on either side."""
    text = reading.linked.text.lower()
    found = _THEIR.search(text)
    if found is None:
        return False
    before = item.mention.end <= found.start() and not text[item.mention.end : found.start()].strip()
    after = item.mention.start >= found.end() and not text[found.end() : item.mention.start].strip()
    return before or after


_OF = re.compile(r"\s*(of|for|'s)\s+(the|each|every|all|any|all the|a|an)?\s*", re.IGNORECASE)


def _owns_what_is_shown(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """ "the founded year of the school": the column that names the rows only says whose columns are shown."""
    before = next(iter(reading.before(item)[:1]), None)
    if before is None or reading.used.get(before.at) != "projection" or before.schema == target:
        return False
    label = label_column(reading.catalog.table(target.table), reading.glossary)
    own = isinstance(before.schema, ColumnTarget) and before.schema.table == target.table
    named = label is not None and label.name == target.column and item.mention.reason != FULL_NAME
    return own and named and _OF.fullmatch(reading.gap(before, item)) is not None


def _listed(reading: Reading, item: Item) -> bool:
    """ "the id, genre and artist name of the songs": a thing in a list of columns is shown like them, where the list
    is about another thing."""
    sides = [(other, other, item) for other in reading.before(item)[:1]]
    sides += [(other, item, other) for other in reading.after(item)[:1]]
    beside = [other for other, left, right in sides if reading.joined(left, right)]
    columns = [o for o in beside if isinstance(o.schema, ColumnTarget) and o.schema.table != table_of(item.mention)]
    if not any(reading.free(o) or reading.used[o.at] == "projection" for o in columns):
        return False
    tables = [o for o in reading.items if isinstance(o.schema, TableTarget) and o.schema != item.schema]
    return any(_OF.fullmatch(reading.gap(left, o)) for o in tables for left in reading.before(o)[:1])


def read_how_much(reading: Reading) -> None:
    """ "what is the price of X", "how old is X": the question's own words name the column."""
    draft = reading.draft
    if draft.measures or draft.projections or draft.limit is not None:
        return
    for item in reading.items:
        payload = item.mention.target
        if not item.is_concept("question.howmuch", "question.how", "question.howlong"):
            continue
        words = payload.get("words") if isinstance(payload, PhraseTarget) else None
        table = next((f.target.table for f in draft.filters if f.target is not None and f.values), None)
        table = draft.entity.table if draft.entity is not None else table
        if not isinstance(words, (list, tuple)) or table is None:
            continue
        said = item.mention.text.lower().split()
        ordered = sorted((str(w) for w in words), key=lambda w: w not in said)
        if (found := column_for(reading, table, ordered)) is not None:
            draft.projections.append((item.at, found[0]))
            return
        draft.problems.append("no_operand")


_FLOWS = frozenset("amount revenue sale sales turnover income spending expense profit".split())
_FLOWS_ZH = ("金额", "销售额", "销量", "收入", "营业额", "支出", "利润", "费用")
_LISTED = re.compile(r"\b(list|show|display|each|every|all|amounts|revenues|profits)\b|列出|显示|每|各|哪些")


def read_flows(reading: Reading) -> None:
    """ "order amount this week", 上个月的销售金额是多少: an amount that flows, in a period or for somebody, is meant as
    a sum, unless a list is asked for."""
    draft = reading.draft
    if len(draft.projections) != 1 or draft.measures or draft.dimensions or draft.order or draft.limit is not None:
        return
    at, target = draft.projections[0]
    if not isinstance(target, ColumnTarget) or _LISTED.search(reading.linked.text.lower()):
        return
    if draft.entity is not None and draft.entity.table != target.table:
        return
    named = identifier_words(target.column)[-1:] and identifier_words(target.column)[-1] in _FLOWS
    named = named or target.column.endswith(_FLOWS_ZH)
    if not named or not reading.adds_up(target):
        return
    if any(f.time is not None or (f.target is not None and f.target.table != target.table) for f in draft.filters):
        draft.projections.clear()
        draft.measures.append(MeasureDraft(Function.SUM, target, at=at))


def read_trend(reading: Reading) -> None:
    """ "over time": the date is shown beside the numbers, in order."""
    draft = reading.draft
    if not any(i.is_concept("trend") for i in reading.items) or any(d.grain for d in draft.dimensions):
        return
    table = next((t.table for _, t in draft.projections), None)
    measured = next((m.target for m in draft.measures if m.target is not None), None)
    if isinstance(measured, MeasureTarget) or (measured is not None and draft.measures):
        draft.dimensions.append(DimensionDraft(None, "month", -1))
        return
    if table is None or draft.order:
        return
    dates = date_columns(reading.catalog.table(table), reading.glossary)
    if dates:
        date = ColumnTarget(table, dates[0].name)
        draft.projections = [(-1, date), *(p for p in draft.projections if p[1] != date)]
        draft.order.append(OrderDraft(date, False))


def read_plain_list(reading: Reading) -> None:
    """ "list all brands": a column by itself, no thing named, is asked for its different values."""
    draft = reading.draft
    if (
        len(draft.projections) != 1
        or draft.entity is not None
        or draft.filters
        or draft.measures
        or draft.order
        or draft.having
    ):
        return
    target = draft.projections[0][1]
    if (
        not isinstance(target, ColumnTarget)
        or draft.dimensions
        or any(i.schema is not None and reading.used.get(i.at) == QUALIFIER for i in reading.items)
    ):
        return
    table = reading.catalog.table(target.table)
    column = table.column(target.column)
    label = label_column(table, reading.glossary)
    if column.kind == "text" and not column.unique and label != column:
        draft.distinct = True
        if column.nullable:
            draft.filters.append(FilterDraft(target, null=True, negated=True))


def _ungroup(reading: Reading) -> None:
    """ "the title of each film": without a number, "each" groups nothing; its things are listed."""
    draft = reading.draft
    ranked = any(isinstance(o.key, MeasureDraft) for o in draft.order)
    if draft.measures or draft.having or ranked or any(d.grain for d in draft.dimensions):
        return
    for dimension in draft.dimensions:
        if draft.projections and is_attribute(reading, reading.items[dimension.at]):
            # 每名球员的球队: the team is asked for.
            continue
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


def _sum_up(reading: Reading) -> None:
    """销售额前三的客户, "top 3 clients by amount" where a client has many rows: what is ranked is the sum of each."""
    draft = reading.draft
    if (draft.limit or 0) < 2 or len(draft.order) != 1 or draft.measures or draft.dimensions:
        return
    key = draft.order[0].key
    shown = draft.projections[0][1] if len(draft.projections) == 1 else None
    if not isinstance(key, ColumnTarget) or not isinstance(shown, ColumnTarget) or shown.table != key.table:
        return
    table = reading.catalog.table(key.table)
    column, label = table.column(shown.column), label_column(table, reading.glossary)
    if column.unique or column.kind != "text" or (label is not None and label.name == column.name):
        return
    if reading.adds_up(key):
        draft.order = [replace(draft.order[0], key=MeasureDraft(Function.SUM, key, at=draft.projections[0][0]))]


def read_defaults(reading: Reading) -> None:
    """What follows without being said: grouping by listed columns beside a measure, entities of a grouped ranking."""
    draft = reading.draft
    draft.measures.sort(key=lambda measure: measure.at)
    _sum_up(reading)
    _ungroup(reading)
    for measure in draft.measures:
        # "average quantity per order line": a line is what is averaged over, not what it is grouped by.
        own = measure.target
        if measure.function is Function.AVG and isinstance(own, ColumnTarget):
            draft.dimensions = [d for d in draft.dimensions if d.target != TableTarget(own.table)]
    _distribution(reading)
    ranked = [o for o in draft.order if isinstance(o.key, MeasureDraft)]
    if draft.having and not ranked and _counts_things(draft):
        # "how many products are supplied by more than one supplier": a number is asked for, nothing is listed.
        draft.projections.clear()
    if (draft.measures or ranked or draft.having) and draft.projections:
        # "which country has the most customers", "products and their revenue": shown columns are the groups.
        for at, target in draft.projections:
            draft.dimensions.append(DimensionDraft(target, None, at))
        draft.projections.clear()
    if (
        (ranked or (draft.having and not _counts_things(draft)) or (draft.measures and draft.order))
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
