"""Facts computed from a frame: all that a text about it may state.

A digest is a few statements, the lead first. A statement names a sentence (``ranking.top``) and the facts that fill it;
every fact knows the cell, or the column, that it came from. Words are added per language in ``sentences_en`` and
``sentences_zh``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

import pyarrow as pa

from agents.artifacts import FrameColumn, FrameMeta
from agents.catalog import Kind
from agents.narrate.format import Number, as_number, is_name
from agents.narrate.periods import RECURRING, start_of

FactKind: TypeAlias = Literal["cell", "name", "count", "percent", "label", "edge"]

FURTHER = 2
"""Statements after the lead."""

NAMED = 3
"""Rows of a short list that are told by name."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value and where it is from.

    :ivar kind: ``cell`` (a value of ``column``), ``name`` (a value of ``column`` that stands for its row), ``count``
        (of rows), ``percent`` (a ratio, 0.182), ``label`` (the column's name).
        ``edge`` is a value that is not in the frame: the first or last one that the database holds.
    :ivar row: 0-based; ``None`` when it was computed over the column.
    """

    kind: FactKind
    value: object
    column: FrameColumn
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence to be said: which one, with what in its slots."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """Where the data ends (or begins) inside the time that was asked about.

    :ivar value: the last (or first) one that the database holds in ``column``.
    """

    which: Literal["latest", "earliest"]
    value: object
    column: FrameColumn

    @property
    def statement(self) -> Statement:
        facts = {"label": _label(self.column), "edge": Fact("edge", self.value, self.column)}
        return Statement(f"edge.{self.which}", facts)


@dataclass(frozen=True, slots=True)
class Context:
    """What the rows alone do not tell.

    :ivar limited: the question asked for the first few only, so that the last row is not the least of all.
    :ivar asks_whether: the question wants a yes or a no first; the rows are what was asked for.
    :ivar additive: names of measures whose values may be added up (sums and counts of different rows).
    :ivar edge: told right after the lead.
    """

    limited: bool = False
    asks_whether: bool = False
    additive: frozenset[str] = frozenset()
    edge: Edge | None = None


NO_CONTEXT = Context()


@dataclass(frozen=True, slots=True)
class _Values:
    """A measure with its finite numbers by row, and the columns that name a row."""

    measure: FrameColumn
    numbers: Sequence[tuple[int, Number]]
    names: Sequence[FrameColumn]
    table: pa.Table

    @property
    def missing(self) -> int:
        return int(self.table.num_rows) - len(self.numbers)

    def value(self, row: int, number: Number) -> Fact:
        return Fact("cell", number, self.measure, row)

    def name(self, row: int) -> dict[str, object]:
        """Up to two cells that name the row."""
        return {column.name: self.table.column(column.name)[row].as_py() for column in self.names[:2]}

    def is_named(self, row: int) -> bool:
        return None not in self.name(row).values()


def digest(meta: FrameMeta, table: pa.Table, context: Context = NO_CONTEXT) -> tuple[Statement, ...]:
    """The lead and at most :data:`FURTHER` statements, behind a yes or no where one is asked
    for. Numbers that are not finite count as missing.

    :param table: the frame's rows; its columns are ``meta.columns`` in order.
    """
    lead, *further = _said(meta, table, context)
    edge = [context.edge.statement] if context.edge is not None else []
    whether = (Statement("yes" if table.num_rows else "no"),) if context.asks_whether else ()
    return (*whether, lead, *[*edge, *further][:FURTHER])


def _said(meta: FrameMeta, table: pa.Table, context: Context) -> tuple[Statement, ...]:
    if table.num_rows == 0:
        return (Statement("empty"),)
    measures = [column for column in meta.columns if column.role == "measure"]
    names = [column for column in meta.columns if column.role == "dimension"]
    names = names or [column for column in meta.columns if column.role == "detail"]
    if table.num_rows == 1 and not (measures and names):
        return _record(meta, table)
    if not (measures and names):
        return _list(meta, table, context)
    measure = measures[0]
    numbers = [
        (row, number)
        for row, value in enumerate(table.column(measure.name).to_pylist())
        if (number := as_number(value, measure)) is not None
    ]
    values = _Values(measure, numbers, names, table)
    if not numbers:
        return (Statement("no_values", {"label": _label(measure), "rows": _rows(meta, table)}), *_cut(meta, table))
    time = _time(names)
    said = _series(values, time) if time is not None and len(names) == 1 else _ranking(values, context)
    if context.additive >= {measure.name} and not meta.truncated and not context.limited and len(numbers) > 1:
        said += _total(values)
    if values.missing:
        missing = Fact("count", values.missing, measure)
        said += [Statement("missing", {"label": _label(measure), "missing": missing})]
    return (said[0], *_cut(meta, table), *said[1:])


def _record(meta: FrameMeta, table: pa.Table) -> tuple[Statement, ...]:
    """One row: each of its first values with its label."""
    said = []
    for column in meta.columns[: 1 + FURTHER]:
        value = table.column(column.name)[0].as_py()
        if value is None:
            said.append(Statement("no_value", {"label": _label(column)}))
        else:
            said.append(Statement("value", {"label": _label(column), "value": Fact("cell", value, column, 0)}))
    return tuple(said)


def _list(meta: FrameMeta, table: pa.Table, context: Context) -> tuple[Statement, ...]:
    """Rows without a measure: how many, and by name when they are few; ordered rows by what they are ordered by."""
    head = meta.columns[0]
    first = table.column(head.name).slice(0, NAMED).to_pylist()
    facts = {"rows": _rows(meta, table)}
    if context.limited and first[0] is not None:
        for column in meta.columns[1:]:
            numbers = [as_number(value, column) for value in table.column(column.name).to_pylist()]
            known = [number for number in numbers if number is not None]
            if is_name(column) or len(known) < len(numbers) or known not in (sorted(known), sorted(known)[::-1]):
                continue
            if known[0] != known[-1]:
                top = {"name": Fact("name", first[0], head, 0), "value": Fact("cell", known[0], column, 0)}
                return (Statement("list.first", {**top, "label": _label(column)}), Statement("list.rows", facts))
    told = table.num_rows <= NAMED and None not in first and head.kind is not Kind.BLOB
    if told and len({str(value) for value in first}) == len(first):
        named = {f"name{row}": Fact("name", value, head, row) for row, value in enumerate(first)}
        return (Statement(f"list.names{len(named)}", {**facts, **named}),)
    return (Statement("list.rows", facts), *_cut(meta, table))


def _series(values: _Values, time: FrameColumn) -> list[Statement]:
    periods = values.table.column(time.name).to_pylist()
    known = [(start, row, number) for row, number in values.numbers if (start := start_of(periods[row])) is not None]
    if len(known) < 2:
        return _ranking(values, NO_CONTEXT)
    known.sort(key=lambda item: item[0])
    (_, row0, first), (_, row1, last) = known[0], known[-1]
    facts = {
        "label": _label(values.measure),
        "value0": values.value(row0, first),
        "period0": Fact("cell", periods[row0], time, row0),
        "value1": values.value(row1, last),
        "period1": Fact("cell", periods[row1], time, row1),
    }
    direction = "rose" if last > first else "fell" if last < first else "same"
    ratio = float(last) / float(first) - 1 if first > 0 and last >= 0 else None
    if direction != "same" and ratio is not None and abs(ratio) < 1e6:
        facts["change"] = Fact("percent", abs(ratio), values.measure)
        said = [Statement(f"series.{direction}_by", facts)]
    else:
        said = [Statement(f"series.{direction}", facts)]
    return [*said, *_range(values, time, known)]


def _range(values: _Values, time: FrameColumn, known: Sequence[tuple[datetime, int, Number]]) -> list[Statement]:
    """The highest and the lowest of three periods or more; one that several periods share is nobody's."""
    periods = values.table.column(time.name).to_pylist()
    numbers = [number for _, _, number in known]
    facts: dict[str, Fact] = {}
    for slot, extreme in (("high", max(numbers)), ("low", min(numbers))):
        rows = [row for _, row, number in known if number == extreme]
        if len(rows) == 1:
            facts |= {
                slot: values.value(rows[0], extreme),
                f"{slot}_period": Fact("cell", periods[rows[0]], time, rows[0]),
            }
    if len(known) < 3 or not facts:
        return []
    key = "range" if len(facts) == 4 else "high" if "high" in facts else "low"
    return [Statement(f"series.{key}", facts)]


def _ranking(values: _Values, context: Context) -> list[Statement]:
    """The extreme rows; where only the first few were asked for, the first two in the order given.

    Rows that have a name lead; a row without one is told after them.
    """
    named = [(row, number) for row, number in values.numbers if values.is_named(row)]
    if not named or len(named) == len(values.numbers):
        return _extremes(values, values.numbers, context)
    unnamed = [(row, number) for row, number in values.numbers if not values.is_named(row)]
    numbers = [number for _, number in values.numbers]
    first = min if _is_ascending(numbers, context) else max
    row, number = first(unnamed, key=lambda item: item[1])
    said = _extremes(values, named, context)
    if len(unnamed) == 1 or first(numbers) == number:
        said.insert(1, _one(values, row, number))
    return said


def _is_ascending(numbers: Sequence[Number], context: Context) -> bool:
    return context.limited and list(numbers) == sorted(numbers) and numbers[0] != numbers[-1]


def _one(values: _Values, row: int, number: Number) -> Statement:
    """A row on its own."""
    key = "ranking.one" if values.is_named(row) else "ranking.unnamed"
    facts = {"label": _label(values.measure), "value": values.value(row, number), **_named("name", values, row)}
    return Statement(key, facts)


def _extremes(values: _Values, rows: Sequence[tuple[int, Number]], context: Context) -> list[Statement]:
    label = _label(values.measure)
    numbers = [number for _, number in rows]
    ascending = _is_ascending(numbers, context)
    best = min(numbers) if ascending else max(numbers)
    end = "low" if ascending else "high"
    tied = [row for row, number in rows if number == best]
    facts = {"label": label, "value": values.value(tied[0], best), **_named("name", values, tied[0])}
    if len(rows) == 1:
        return [_one(values, *rows[0])]
    if len(tied) == len(rows) == len(values.numbers):
        return [Statement("ranking.equal", {**facts, "rows": Fact("count", len(rows), values.measure)})]
    if len(tied) == 2:
        return [Statement(f"ranking.{end}_two", {**facts, **_named("other", values, tied[1])})]
    if len(tied) > 2:
        facts["ties"] = Fact("count", len(tied), values.measure)
        return [Statement(f"ranking.{end}_many", facts)]
    if context.limited:
        second = next(((row, n) for row, n in rows if row != tied[0]))
        after = {**_named("other", values, second[0]), "second": values.value(*second)}
        return [Statement(f"ranking.{end}_then", {**facts, **after})]
    worst = min(numbers)
    lowest = [row for row, number in rows if number == worst]
    if len(lowest) > 1:
        return [Statement("ranking.high", facts)]
    low = {**_named("other", values, lowest[0]), "second": values.value(lowest[0], worst)}
    return [Statement("ranking.high_low", {**facts, **low})]


def _total(values: _Values) -> list[Statement]:
    """The sum, with the share of the largest named row where one is the largest and shares make sense (nothing
    negative)."""
    total = sum(number if isinstance(number, int) else float(number) for _, number in values.numbers)
    facts = {"label": _label(values.measure), "total": Fact("cell", total, values.measure)}
    numbers = [number for _, number in values.numbers]
    named = [(number, row) for row, number in values.numbers if values.is_named(row)]
    top, row = max(named, default=(0, 0))
    alone = sum(number == top for number, _ in named) == 1
    if alone and 0 < top < total and min(numbers) >= 0 and _time(values.names) is None:
        share = Fact("percent", float(top) / float(total), values.measure, row)
        return [Statement("total.share", {**facts, "share": share, **_named("name", values, row)})]
    return [Statement("total", facts)]


def _named(slot: str, values: _Values, row: int) -> dict[str, Fact]:
    """Up to two columns that name the row, as ``slot`` and ``slot_2``."""
    by_name = {column.name: column for column in values.names}
    return {
        slot if position == 0 else f"{slot}_2": Fact("name", value, by_name[name], row)
        for position, (name, value) in enumerate(values.name(row).items())
    }


def _cut(meta: FrameMeta, table: pa.Table) -> tuple[Statement, ...]:
    if not meta.truncated:
        return ()
    kept = Fact("count", table.num_rows, meta.columns[0])
    if meta.total is None:
        return (Statement("cut", {"kept": kept}),)
    return (Statement("cut.of", {"kept": kept, "total": Fact("count", meta.total, meta.columns[0])}),)


def _rows(meta: FrameMeta, table: pa.Table) -> Fact:
    return Fact("count", table.num_rows if meta.total is None else meta.total, meta.columns[0])


def _label(column: FrameColumn) -> Fact:
    return Fact("label", column.label, column)


def _time(names: Sequence[FrameColumn]) -> FrameColumn | None:
    return next((c for c in names if (c.grain or c.kind.is_time) and c.grain not in RECURRING), None)
