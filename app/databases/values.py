"""The distinct values of text columns, under a budget: what lets a question say "Japan" and mean a row's value.

Cached on disk beside the catalog, because reading a large file again at each start would be slow.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.catalog import Column, Table
from agents.glossary import Glossary
from app.databases.cache import FileCache, file_stamp
from app.databases.failures import connection_failure, is_too_big
from app.databases.locks import connect
from app.databases.samples import LookTooLong, bounded, quoted
from app.databases.sqlite import SqliteDatabase
from app.databases.unindexed import left_out, text_columns

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
    except sqlite3.DataError as error:
        # A cell too large to be loaded ends the reading; what came before it is kept.
        if not is_too_big(error):
            raise
        complete = False
    return tuple(found[:limit]), complete and len(found) <= limit


def _by_size(place: tuple[Table, Column]) -> tuple[bool, int]:
    """Columns with few different values before those with many; unmeasured ones last."""
    distinct = place[1].distinct
    return distinct is None, distinct or 0


def _unwatched(done: int, of: int) -> None:
    """Nobody waits."""


def distinct_values(
    database: SqliteDatabase,
    *,
    per_column: int = 20_000,
    total: int = 100_000,
    seconds: float = 15.0,
    skip: frozenset[tuple[str, str]] | None = None,
    fresh: bool = False,
    outdated: bool = False,
    cache_dir: Path | None = None,
    monotonic: Callable[[], float] = time.monotonic,
    step: Callable[[int, int], None] = _unwatched,
) -> tuple[ColumnValues, ...]:
    """Distinct values of every text column of the catalog's tables that is not left out, in catalog order.

    Small columns are read first and take what they need; each larger one may take an equal share of what is left, so
    that a column of statuses is never crowded out by a column of mail addresses.

    :param per_column: most values kept of one column.
    :param total: most values kept of all; columns after that come back empty and incomplete.
    :param seconds: wall clock for reading all columns together.
    :param skip: columns, as ``(table, column)`` in any case, that are neither read nor cached; what looks secret or is
        long prose when nobody says.
    :param fresh: read again, whatever is cached. :param outdated: take what is cached although the file has changed.
    :param cache_dir: where the result is kept; the database's own cache folder by default.
    :param step: told how many columns are read, of how many.
    :raises ConnectionFailed: when the file can no longer be read.
    """
    if skip is None:
        skip = frozenset((one.table, one.column) for one in left_out(database.catalog, Glossary()))
    skip = frozenset((table.lower(), column.lower()) for table, column in skip)
    mark = f"-{hashlib.sha256(json.dumps(sorted(skip)).encode()).hexdigest()[:12]}" if skip else ""
    cache = FileCache(cache_dir or database.cache_dir, f"values-{per_column}-{total}{mark}", database.path)
    cache.remove_others("values-")
    if not fresh:
        with suppress(KeyError, TypeError, ValueError):
            stored = cache.load(outdated=outdated)
            if stored is not None:
                return tuple(ColumnValues(**{**entry, "values": tuple(entry["values"])}) for entry in stored)
    stamp = file_stamp(database.path)
    places = [p for p in text_columns(database.catalog) if (p[0].name.lower(), p[1].name.lower()) not in skip]
    found: dict[tuple[str, str], ColumnValues] = {}
    left = total
    end = monotonic() + seconds
    try:
        with closing(connect(database.path, lenient=True)) as connection:
            for number, (table, column) in enumerate(sorted(places, key=_by_size)):
                limit = min(per_column, left // (len(places) - number))
                remaining = end - monotonic()
                values: tuple[str, ...] = ()
                complete = False
                if limit > 0 and remaining > 0:
                    values, complete = _read(connection, table, column, limit, remaining)
                left -= len(values)
                found[table.name, column.name] = ColumnValues(table.name, column.name, values, complete)
                step(number + 1, len(places))
    except sqlite3.Error as error:
        raise connection_failure(error, f"The database {database.path.name}") from error
    ordered = tuple(found[table.name, column.name] for table, column in places)
    cache.save(stamp, [asdict(entry) for entry in ordered])
    database.announce()
    return ordered
