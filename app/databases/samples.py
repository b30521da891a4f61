"""A look at the data: row counts, sample values, and the kinds of columns that follow from them.

Every look has a budget counted in SQLite's own steps, not in seconds, so that the same file gives the same catalog (and
the same catalog hash) on a fast and on a slow machine. A wall-clock limit stands behind it for cells of many megabytes.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from agents.catalog import Column, Kind, Table
from app.databases.failures import is_too_big, primary_code
from app.databases.kinds import Stored, column_kind, declared_kind, is_number_text
from app.databases.reflect import CatalogWarning


@dataclass(frozen=True, slots=True)
class SampleBudget:
    """How much of the data a catalog may look at.

    :ivar cells: cells over all tables; decides how many rows of each table are read.
    :ivar steps: SQLite virtual-machine steps for one look at one table (a view may hide any amount of work).
    :ivar seconds: wall clock for one look, a safety net only.
    :ivar count_bytes: files up to this size get exact row counts, larger ones estimates.
    :ivar skips: cells too large to be read that one column may have before its samples end.
    """

    cells: int = 1_000_000
    steps: int = 3_000_000
    seconds: float = 3.0
    count_bytes: int = 256 * 1024 * 1024
    skips: int = 8
    samples: int = 10
    clip: int = 120


_STEP = 10_000


class LookTooLong(Exception):
    """A look at a table ran over its budget."""


@contextmanager
def bounded(
    connection: sqlite3.Connection,
    steps: int,
    seconds: float,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[Callable[[], None]]:
    """Interrupt what runs inside after so many steps or seconds.

    Gives a function to call after each row: few steps may read many megabytes, and SQLite looks at steps alone.

    :raises LookTooLong: when it was interrupted.
    """
    end = monotonic() + seconds
    left = steps // _STEP

    def spend() -> int:
        nonlocal left
        left -= 1
        return 1 if left < 0 or monotonic() > end else 0

    def check() -> None:
        if monotonic() > end:
            raise LookTooLong

    connection.set_progress_handler(spend, _STEP)
    try:
        yield check
    except sqlite3.OperationalError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            raise LookTooLong from None
        raise
    finally:
        connection.set_progress_handler(None, 0)


def quoted(name: str) -> str:
    """An identifier as SQLite reads it back unchanged, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _estimates(connection: sqlite3.Connection) -> dict[str, int]:
    """Row counts that ANALYZE left behind."""
    try:
        found = connection.execute("SELECT tbl, stat FROM main.sqlite_stat1").fetchall()
    except sqlite3.OperationalError:
        return {}
    counts: dict[str, int] = {}
    for table, stat in found:
        first = str(stat or "").split(" ", 1)[0]
        if first.isdigit():
            counts[str(table).lower()] = max(int(first), counts.get(str(table).lower(), 0))
    return counts


def _count(
    connection: sqlite3.Connection,
    table: Table,
    exact: bool,
    known: dict[str, int],
    budget: SampleBudget,
) -> int | None:
    name = quoted(table.name)
    if not exact and table.kind == "table":
        if table.name.lower() in known:
            return known[table.name.lower()]
        try:
            top = connection.execute(f"SELECT max(rowid) FROM main.{name}").fetchone()[0]
        except sqlite3.OperationalError:  # WITHOUT ROWID
            return None
        return int(top) if isinstance(top, int) else 0
    try:
        with bounded(connection, budget.steps, budget.seconds):
            return int(connection.execute(f"SELECT count(*) FROM main.{name}").fetchone()[0])
    except LookTooLong:
        return known.get(table.name.lower())
    except sqlite3.DataError as error:
        if not is_too_big(error):
            raise
        return known.get(table.name.lower())


def _cell(column: Column, budget: SampleBudget) -> str:
    # Long texts are cut and blobs reduced to one byte inside SQLite, so that a huge cell is never copied.
    c = quoted(column.name)
    return f"CASE typeof({c}) WHEN 'text' THEN substr({c}, 1, {budget.clip + 1}) WHEN 'blob' THEN x'00' ELSE {c} END"


def _rows(
    connection: sqlite3.Connection, table: Table, limit: int, budget: SampleBudget
) -> tuple[list[Sequence[Any]], set[str]]:
    """The first cells of each column, in order, and the columns that hold cells beyond what SQLite may load here."""
    cells = ", ".join(_cell(column, budget) for column in table.columns)
    place = f"FROM main.{quoted(table.name)}"
    with bounded(connection, budget.steps, budget.seconds) as check:
        try:
            found = []
            for row in connection.execute(f"SELECT {cells} {place} LIMIT {limit}"):
                found.append(row)
                check()
            return list(zip(*found, strict=True)) or [() for _ in table.columns], set()
        except sqlite3.DataError as error:
            if not is_too_big(error):
                raise
        columns: list[Sequence[Any]] = []
        huge: set[str] = set()
        for column in table.columns:
            values, offset, skipped, wanted = [], 0, 0, limit
            while wanted and skipped < budget.skips:
                part = f"SELECT {_cell(column, budget)} {place} LIMIT {wanted} OFFSET {offset}"
                before = offset
                try:
                    for (value,) in connection.execute(part):
                        values.append(value)
                        offset += 1
                        check()
                    wanted = limit - offset if offset - before == wanted else 0
                except sqlite3.DataError as error:
                    if not is_too_big(error):
                        raise
                    # The driver reads one row ahead, so the row before the huge one was lost with it: fetch it alone.
                    if wanted == 1:
                        huge.add(column.name)
                        skipped += 1
                        offset += 1
                    wanted = 1 if wanted > 1 else limit - offset
            columns.append(values)
        return columns, huge


def _sampled(column: Column, values: Sequence[Stored], budget: SampleBudget) -> Column:
    distinct = dict.fromkeys(values)
    shown: list[str | int | float] = []
    for value in distinct:
        if isinstance(value, bytes) or value == "":
            continue
        shown.append(value[: budget.clip] if isinstance(value, str) else value)
        if len(shown) == budget.samples:
            break
    return replace(
        column,
        kind=column_kind(column.type, values),
        samples=tuple(shown),
        distinct=len(distinct) if column_kind(column.type, values) is not Kind.BLOB else None,
    )


def _doubts(table: Table, column: Column, values: Sequence[Stored]) -> Iterator[CatalogWarning]:
    texts = [value for value in values if isinstance(value, str)]
    if column.kind is Kind.TEXT and len(texts) == len(values) > 0 and all(is_number_text(text) for text in texts):
        yield CatalogWarning(
            "catalog.numbers_as_text",
            table.name,
            column.name,
            "holds only numbers but stores them as text",
        )
    if column.kind.is_number and texts:
        yield CatalogWarning(
            "catalog.text_among_numbers",
            table.name,
            column.name,
            "holds text among numbers",
        )
    promised = declared_kind(column.type)
    if column.kind is Kind.TEXT and promised is not None and promised.is_time and values:
        yield CatalogWarning(
            "catalog.dates_not_iso",
            table.name,
            column.name,
            f"is declared {column.type} but not all values are ISO dates",
        )


def sample_table(
    connection: sqlite3.Connection, table: Table, rows: int, budget: SampleBudget
) -> tuple[Table, list[CatalogWarning]]:
    """The table with kinds, samples and distinct counts from its first ``rows`` rows.

    :raises sqlite3.Error: when the table cannot be read at all.
    """
    try:
        by_column, huge = _rows(connection, table, rows, budget)
    except LookTooLong:
        note = CatalogWarning(
            "catalog.too_slow",
            table.name,
            "",
            "its rows take long to compute; no samples were taken",
        )
        return table, [note]
    columns: list[Column] = []
    notes: list[CatalogWarning] = []
    for column, cells in zip(table.columns, by_column, strict=True):
        values = [cell for cell in cells if cell is not None]
        sampled = _sampled(column, values, budget)
        if column.name in huge:
            said = "holds values larger than Starchart reads; they were passed over"
            notes.append(CatalogWarning("catalog.cell_too_big", table.name, column.name, said))
        notes.extend(_doubts(table, sampled, values))
        columns.append(sampled)
    return replace(table, columns=tuple(columns)), notes


def sample_tables(
    connection: sqlite3.Connection,
    tables: Sequence[Table],
    file_bytes: int,
    budget: SampleBudget,
) -> tuple[list[Table], list[CatalogWarning]]:
    """All tables with samples and row counts; a table whose rows cannot be read (a view over something that is gone)
    is left out with a warning. What is in a table never makes it vanish.

    :raises sqlite3.Error: when the file is locked or damaged.
    """
    width = sum(len(table.columns) for table in tables)
    rows = max(50, min(1000, budget.cells // max(1, width)))
    known = _estimates(connection)
    done: list[Table] = []
    notes: list[CatalogWarning] = []
    for table in tables:
        try:
            sampled, doubts = sample_table(connection, table, rows, budget)
            count = _count(connection, table, file_bytes <= budget.count_bytes, known, budget)
        except sqlite3.Error as error:
            if primary_code(error) != sqlite3.SQLITE_ERROR:
                raise
            notes.append(CatalogWarning("catalog.unreadable", table.name, "", f"left out: {error}"))
            continue
        notes.extend(doubts)
        done.append(replace(sampled, rows=count))
    return done, notes
