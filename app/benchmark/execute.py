"""Running gold and predicted statements: read-only, limited in time and rows, what went wrong as a word."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from app.databases.locks import REFLECTION_LOCKS, connect

Schema: TypeAlias = dict[str, tuple[str, ...]]
"""Columns by table, all in lower case."""

MOST_ROWS = 200_000
_STEPS_PER_LOOK = 2_000


@dataclass(frozen=True, slots=True)
class Ran:
    """What a statement gave: its rows, or why there are none."""

    status: Literal["ok", "error", "timeout", "too big"]
    rows: tuple[tuple[Any, ...], ...] = ()
    width: int = 0
    message: str = ""


def run_sql(path: Path, sql: str, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> Ran:
    """Run one statement; never raises for what the statement does."""
    try:
        with closing(connect(path, lenient=True)) as connection:
            end = monotonic() + seconds
            connection.set_progress_handler(lambda: int(monotonic() > end), _STEPS_PER_LOOK)
            cursor = connection.execute(sql.strip().rstrip(";").strip())
            if cursor.description is None:
                return Ran("error", message="not a query")
            rows = cursor.fetchmany(MOST_ROWS + 1)
            if len(rows) > MOST_ROWS:
                return Ran("too big", message=f"more than {MOST_ROWS} rows")
            return Ran("ok", tuple(rows), len(cursor.description))
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            return Ran("timeout", message=f"took longer than {seconds:g} s")
        return Ran("error", message=str(error))
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError) as error:
        return Ran("error", message=f"{type(error).__name__}: {error}")


def schema_of(path: Path) -> Schema:
    """Tables and views of a file with their columns."""
    with closing(connect(path, locks=REFLECTION_LOCKS, lenient=True)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
        found: Schema = {}
        for (name,) in tables:
            rows = connection.execute("SELECT name FROM pragma_table_info(?)", (name,))
            found[name.lower()] = tuple(column.lower() for (column,) in rows)
        return found
