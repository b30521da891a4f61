"""Coverage: whether the time that was asked about lies beyond the data. Where the data ends before this month, its
revenue is not nothing but unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

from agents.artifacts import FrameColumn
from agents.catalog import Table
from agents.language.ir import ColumnTarget
from agents.narrate.digest import Edge
from agents.narrate.format import is_year_name
from agents.narrate.periods import start_of
from agents.nodes.base import Tools
from agents.nodes.probe import probed_value
from agents.plan.conditions import conditions
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    Compare,
    Expr,
    Function,
    Item,
    Operator,
    Plan,
    Select,
    Source,
    TableRef,
    Value,
    Within,
)
from agents.plan.labels import column_label, is_year

SECONDS, HASTE = 0.5, 0.2
"""How long asking for the last date may take: when there is nothing else to tell, and otherwise."""

UNCOVERED = 0.25
"""The share of the time asked about that has to lie beyond the data before it is worth a sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A range of time that a plan asks about: half open, an open end is ``None``."""

    table: Table
    column: str
    start: datetime | None
    end: datetime | None


def edge_of(plan: Plan, tools: Tools, now: datetime, lang: str, *, nothing: bool) -> Edge | None:
    """The last (or first) date in the data when a good part of a range asked about lies after (or before) it.

    :param now: what lies after it cannot be in the data and counts for nothing.
    :param nothing: whether the answer is empty, zero or without a value.
    """
    seconds = SECONDS if nothing else HASTE
    for asked in dict.fromkeys(ranges(plan)):
        end = asked.end or now
        if asked.start is not None and asked.start < now:
            end = min(end, now)
        last = _extreme(asked, Function.MAX, tools, seconds)
        if last is not None and asked.start is not None and _lies_after(asked.start, end, last):
            return _edge("latest", asked, last, tools, lang)
        first = _extreme(asked, Function.MIN, tools, seconds)
        if first is not None and _lies_before(asked.start, end, first):
            return _edge("earliest", asked, first, tools, lang)
    return None


def ranges(plan: Plan) -> Iterator[Asked]:
    """Ranges of time that rows must lie in; what is ruled out ("not in 2024") is none."""
    for condition, tables in conditions(plan):
        match condition:
            case Within(left, start, end):
                yield from _range(left, start, end, tables)
            case Compare(left, Operator.EQ, int(year)) if not isinstance(year, bool):
                yield from _range(left, year, year + 1, tables)


def _range(left: Expr, start: Value | None, end: Value | None, tables: Mapping[str, Table]) -> Iterator[Asked]:
    if not isinstance(left, ColumnRef):
        return
    table = tables[left.alias]
    column = table.column(left.column)
    if column.kind.is_time or is_year(column):
        yield Asked(table, column.name, _moment(start), _moment(end))


def _moment(value: Value | None) -> datetime | None:
    match value:
        case datetime():
            return value.replace(tzinfo=None)
        case date():
            return datetime.combine(value, time())
        case int() if 1 <= value <= 9999:
            return datetime(value, 1, 1)
    return None


def _extreme(asked: Asked, function: Function, tools: Tools, seconds: float) -> object | None:
    """The column's last or first value; ``None`` when the database has none or needs too long.

    One at a time: a database looks a single one up in its index, and reads all rows for both together.
    """
    kind = asked.table.column(asked.column).kind
    ref = ColumnRef(asked.table.name, asked.column, kind)
    plan = Select(Source(TableRef(asked.table.name, asked.table)), (Item(Aggregate(function, ref), "edge"),))
    value = probed_value(plan, tools, seconds=seconds)
    return value if start_of(value) is not None else None


def _lies_after(start: datetime, end: datetime, last: object) -> bool:
    return _share(max(start, _until(last)), end, of=end - start)


def _lies_before(start: datetime | None, end: datetime, first: object) -> bool:
    begins = start_of(first)
    assert begins is not None
    if start is None:
        return end <= begins
    return _share(start, min(end, begins), of=end - start)


def _share(start: datetime, end: datetime, *, of: timedelta) -> bool:
    return start < end and end - start >= of * UNCOVERED


def _until(last: object) -> datetime:
    """The end of the period that the last value stands for: dates that are a new year or the first of a month may stand
    for all of it."""
    begins = start_of(last)
    assert begins is not None
    if begins.year >= 9999:
        return datetime.max
    if begins.day > 1:
        return datetime.combine(begins.date() + timedelta(days=1), time())
    months = begins.year * 12 + begins.month - 1 + (12 if begins.month == 1 else 1)
    return datetime(months // 12, months % 12 + 1, 1)


def _edge(which: Literal["latest", "earliest"], asked: Asked, value: object, tools: Tools, lang: str) -> Edge:
    column = asked.table.column(asked.column)
    label = column_label(ColumnTarget(asked.table.name, column.name), tools.connection.glossary, lang)
    described = FrameColumn(name=column.name, label=label, kind=column.kind)
    whole_years = not column.kind.is_time or is_year_name(described)
    return Edge(which, value, described.model_copy(update={"grain": "year" if whole_years else "day"}))
