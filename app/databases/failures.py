"""SQLite's error codes as typed errors that a person can act on."""

from __future__ import annotations

import sqlite3

from agents.errors import ConnectionFailed, ExecutionError


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, or 0 where the module itself raised."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def is_too_big(error: sqlite3.Error) -> bool:
    """Whether a value was larger than the connection may load."""
    return primary_code(error) == sqlite3.SQLITE_TOOBIG


def connection_failure(error: sqlite3.Error, shown: str) -> ConnectionFailed:
    """What a failure while opening or reading the schema means. ``shown`` is how the database is named to people."""
    code = primary_code(error)
    extended = str(getattr(error, "sqlite_errorname", "") or "")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConnectionFailed(
            "database.locked",
            f"{shown} is locked by another program.",
            "Wait until that program has finished writing, or close it, then try again.",
        )
    if code == sqlite3.SQLITE_NOTADB:
        return ConnectionFailed(
            "database.not_sqlite",
            f"{shown} is not an SQLite database, or it is encrypted.",
            "Give the path of an SQLite file; for other databases give a URL such as postgresql://user@host/name.",
        )
    if code == sqlite3.SQLITE_CORRUPT:
        return ConnectionFailed(
            "database.corrupt",
            f"{shown} is damaged: {error}.",
            "Restore it from a backup, or save what is left with the sqlite3 program's .recover command.",
        )
    if extended in (
        "SQLITE_READONLY_ROLLBACK",
        "SQLITE_READONLY_RECOVERY",
        "SQLITE_READONLY_CANTINIT",
    ):
        return ConnectionFailed(
            "database.needs_recovery",
            f"{shown} was left in the middle of a write and cannot be read safely.",
            "Open it once with a program that may write to it, so that SQLite can finish or undo that write.",
        )
    if code in (sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        return ConnectionFailed(
            "database.no_permission",
            f"{shown} cannot be opened for reading: {error}.",
            "Check the rights of the file and of its folder for the account that runs Starchart.",
        )
    return ConnectionFailed(
        "database.failed",
        f"{shown} cannot be read: {error}.",
        "Check the file with the sqlite3 program.",
    )


def execution_failure(error: sqlite3.Error) -> ExecutionError:
    """What a failure while running a statement means (timeouts and cancelling are told apart by the caller)."""
    code = primary_code(error)
    text = str(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ExecutionError(
            "execute.locked",
            "The database is locked by another program that is writing to it.",
            "Try again in a moment; if it stays locked, close the other program.",
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return ExecutionError(
            "execute.corrupt",
            f"The database file is damaged: {text}.",
            "Restore it from a backup before asking again.",
        )
    if is_too_big(error):
        return ExecutionError(
            "execute.cell_too_big",
            "A value in the result is larger than Starchart reads.",
            "Leave that column out, or ask for its length or its first characters.",
        )
    if code == sqlite3.SQLITE_AUTH:
        return ExecutionError(
            "execute.denied",
            f"The database refused the statement: {text}.",
            "Only reading of tables is allowed on this connection.",
        )
    if code == sqlite3.SQLITE_NOMEM:
        return ExecutionError(
            "execute.out_of_memory",
            "The statement needs more memory than there is.",
            "Narrow the question down.",
        )
    if text.startswith(("no such table", "no such column")):
        return ExecutionError(
            "execute.schema_changed",
            f"The database has changed: {text}.",
            "Refresh the schema, then ask again.",
        )
    return ExecutionError(
        "execute.failed",
        f"The database could not run the statement: {text}.",
        "Rephrase it.",
    )
