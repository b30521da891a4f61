"""Opening an SQLite file so that nothing sent to it can write, attach, load or spy.

Each lock holds alone (the tests open every single one with the others off); together they are what stands behind the
guard. See the table in ARCHITECTURE.md for what each one stops.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from agents.dialects.sqlite import FUNCTIONS, is_system_table

# Larger text or blob values make SQLite stop with TOOBIG instead of filling the memory.
MAX_CELL_BYTES = 32 * 1024 * 1024


class Lock(StrEnum):
    """One independent barrier."""

    READ_ONLY_FILE = "mode=ro"
    QUERY_ONLY = "query_only"
    AUTHORIZER = "authorizer"
    NO_ATTACH = "no_attach"
    UNTRUSTED_SCHEMA = "untrusted_schema"


ALL_LOCKS = frozenset(Lock)
# Reflection needs PRAGMA and the schema table, which the authorizer refuses.
REFLECTION_LOCKS = ALL_LOCKS - {Lock.AUTHORIZER}


def authorize(
    action: int,
    first: str | None,
    second: str | None,
    database: str | None,
    trigger: str | None,
) -> int:
    """SQLite's authorizer: reading user tables and calling listed functions, nothing else."""
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ and not is_system_table(first or ""):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS:
        return sqlite3.SQLITE_OK
    # Full-text tables look at this counter whenever they are read; it changes nothing and shows nothing.
    if action == sqlite3.SQLITE_PRAGMA and first == "data_version" and second is None:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def connect(
    path: Path,
    *,
    locks: frozenset[Lock] = ALL_LOCKS,
    busy_seconds: float = 2.0,
    lenient: bool = False,
) -> sqlite3.Connection:
    """Open the file with the given locks.

    The connection may be handed between threads, one at a time. A file in write-ahead mode inside a folder that cannot
    be written to is opened as immutable when it has no pending log, since then nobody can be changing it from here.

    :param lenient: replace bytes that are not UTF-8 by U+FFFD instead of failing on them.
    :raises sqlite3.Error: see :mod:`app.databases.failures`.
    """
    mode = "?mode=ro" if Lock.READ_ONLY_FILE in locks else "?mode=rw"
    try:
        return _prepared(path, mode, locks, busy_seconds, lenient)
    except sqlite3.OperationalError as error:
        refused = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if not refused or mode != "?mode=ro" or _has_pending_write(path):
            raise
        return _prepared(path, "?mode=ro&immutable=1", locks, busy_seconds, lenient)


def _open_virtual_tables(connection: sqlite3.Connection) -> None:
    """Full-text and r-tree tables prepare writes when they are opened, which the authorizer refuses: open them now.

    They stay open for as long as the connection; a table whose module is missing cannot be opened or read at all.
    """
    virtual = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
    for (name,) in connection.execute(virtual).fetchall():
        quoted = name.replace('"', '""')
        with suppress(sqlite3.OperationalError):
            connection.execute(f'SELECT 1 FROM main."{quoted}" LIMIT 0').fetchall()


def _has_pending_write(path: Path) -> bool:
    """Whether a log or journal beside the file holds something that belongs into it."""
    logs = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
    return any(log.exists() and log.stat().st_size > 0 for log in logs)


def _prepared(path: Path, query: str, locks: frozenset[Lock], busy_seconds: float, lenient: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path.absolute().as_uri() + query,
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=16,
    )
    try:
        if lenient:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        # Opening is lazy: this reads the header, so that a bad file fails here and not in the middle of a question.
        connection.execute("PRAGMA schema_version").fetchone()
        if Lock.QUERY_ONLY in locks:
            connection.execute("PRAGMA query_only = ON")
        if Lock.UNTRUSTED_SCHEMA in locks:
            connection.execute("PRAGMA trusted_schema = OFF")
        if Lock.NO_ATTACH in locks:
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL_BYTES)
        if Lock.AUTHORIZER in locks:
            _open_virtual_tables(connection)
            connection.set_authorizer(authorize)
    except BaseException:
        connection.close()
        raise
    return connection
