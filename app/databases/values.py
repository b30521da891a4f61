"""The distinct values of text columns, under a budget: what lets a question say "Japan" and mean a row's value.

Cached on disk beside the catalog, because reading a large file again at each start would be slow.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.catalog import Catalog, Column, Kind, Table
from app.databases.catalog import FileCache, file_stamp
from app.databases.failures import connection_failure
from app.databases.locks import connect
from app.databases.samples import LookTooLong, bounded, quoted
from app.databases.sqlite import SqliteDatabase

# Columns whose samples are longer than this on average are prose, not names of things.
_PROSE_LENGTH = 80
# No single value longer than this is kept.
_LONGEST = 200
# SQLite steps for one column; a scan of about two million rows.
_STEPS = 20_000_000


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """Distinct non-blank texts of one column, in the order they were met; ``complete`` when these are all."""

    table: str
    column: str
    values: tuple[str, ...]
    complete: bool


def _is_prose(column: Column) -> bool:
    texts = [sample for sample in column.samples if isinstance(sample, str)]
    return bool(texts) and sum(map(len, texts)) / len(texts) > _PROSE_LENGTH


def _text_columns(catalog: Catalog) -> Iterator[tuple[Table, Column]]:
    # Views repeat what their tables hold; a value found twice would look ambiguous.
    for table, column in catalog.columns():
        if table.kind == "table" and column.kind is Kind.TEXT and not _is_prose(column):
            yield table, column


def _read(
    connection: sqlite3.Connection, table: Table, column: Column, limit: int, seconds: float
) -> tuple[tuple[str, ...], bool]:
    name = quoted(column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM main.{quoted(table.name)} "
        f"WHERE typeof({name}) = 'text' AND length({name}) <= {_LONGEST} AND trim({name}) <> '' LIMIT {limit + 1}"
    )
    found: list[str] = []
    complete = True
    try:
        with bounded(connection, _STEPS, seconds):
            for (value,) in connection.execute(statement):
                found.append(value)
    except LookTooLong:
        complete = False
    return tuple(found[:limit]), complete and len(found) <= limit


def distinct_values(
    database: SqliteDatabase,
    *,
    per_column: int = 2_000,
    total: int = 100_000,
    seconds: float = 15.0,
    cache_dir: Path | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> tuple[ColumnValues, ...]:
    """Distinct values of every text column of the catalog's tables, long prose left out.

    :param per_column: most values kept of one column.
    :param total: most values kept of all; columns after that come back empty and incomplete.
    :param seconds: wall clock for reading all columns together.
    :param cache_dir: where the result is kept; the database's own cache folder by default.
    :raises ConnectionFailed: when the file can no longer be read.
    """
    cache = FileCache(cache_dir or database.cache_dir, f"values-{per_column}-{total}", database.path)
    with suppress(KeyError, TypeError, ValueError):
        stored = cache.load()
        if stored is not None:
            return tuple(ColumnValues(**{**entry, "values": tuple(entry["values"])}) for entry in stored)
    stamp = file_stamp(database.path)
    found: list[ColumnValues] = []
    left = total
    end = monotonic() + seconds
    try:
        with closing(connect(database.path, lenient=True)) as connection:
            for table, column in _text_columns(database.catalog):
                limit = min(per_column, left)
                remaining = end - monotonic()
                values: tuple[str, ...] = ()
                complete = False
                if limit > 0 and remaining > 0:
                    values, complete = _read(connection, table, column, limit, remaining)
                left -= len(values)
                found.append(ColumnValues(table.name, column.name, values, complete))
    except sqlite3.Error as error:
        raise connection_failure(error, f"The database {database.path.name}") from error
    cache.save(stamp, [asdict(entry) for entry in found])
    return tuple(found)
