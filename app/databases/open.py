"""From what a person typed (a path or a URL) to an open database, or a plain reason why not."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from agents.errors import ConnectionFailed
from app.databases.catalog import Withhold, nothing_withheld
from app.databases.sqlite import SqliteDatabase

_HEADER = b"SQLite format 3\x00"


def open_database(
    url: str, *, name: str | None = None, cache_dir: Path | None = None, withhold: Withhold = nothing_withheld
) -> SqliteDatabase:
    """Open a database read-only and take its catalog.

    :param url: ``sqlite:///relative.db``, ``sqlite:////absolute.db`` or a plain path.
    :param name: short name shown to people; the file's stem by default.
    :param cache_dir: where the catalog is kept between runs; nothing is kept without it.
    :param withhold: of which columns the catalog holds no samples.
    :raises ConnectionFailed: ``database.unsupported``, ``database.missing``, ``database.is_directory``,
        ``database.empty_file``, ``database.not_sqlite``, ``database.corrupt``, ``database.locked``,
        ``database.needs_recovery``, ``database.no_permission``, ``database.no_tables``.
    """
    path = sqlite_path(url)
    check_file(path)
    return SqliteDatabase(path, name or path.stem, cache_dir=cache_dir, withhold=withhold)


def sqlite_path(url: str) -> Path:
    """The file that the URL names.

    :raises ConnectionFailed: ``database.unsupported`` for another kind of database, for options, for memory.
    """
    text = url.strip()
    if "\x00" in text:
        raise _unsupported("A path cannot hold a zero byte.")
    if "://" not in text:
        if text.startswith("file:") or not text or text == ":memory:":
            raise _unsupported("No database file was named.")
        return Path(text).expanduser()
    try:
        parsed = make_url(text)
    except (ArgumentError, ValueError):
        raise _unsupported("The database address cannot be read.") from None
    if parsed.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise _unsupported(f"Databases of the kind {parsed.drivername!r} are not supported.")
    if parsed.query or parsed.host or parsed.username:
        raise _unsupported("Options, hosts and users are not allowed in an SQLite address.")
    if not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
        raise _unsupported("No database file was named.")
    return Path(parsed.database).expanduser()


def _unsupported(message: str) -> ConnectionFailed:
    return ConnectionFailed(
        "database.unsupported",
        message,
        "Give the path of an SQLite file, or sqlite:///path/to/file.db.",
    )


def check_file(path: Path) -> None:
    """Look at the file before SQLite does, because SQLite calls most of these "unable to open database file".

    :raises ConnectionFailed: see :func:`open_database`.
    """
    shown = f"The database {path.name or path}"
    try:
        if path.is_dir():
            raise ConnectionFailed(
                "database.is_directory",
                f"{path} is a folder, not a database file.",
                "Name the file inside it.",
            )
        if not path.exists():
            raise ConnectionFailed(
                "database.missing",
                f"There is no file {path}.",
                "Check the path; a relative path starts at the working folder.",
            )
        if not path.is_file():
            raise ConnectionFailed(
                "database.not_sqlite",
                f"{path} is not a regular file.",
                "Name an SQLite file.",
            )
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except PermissionError:
        raise ConnectionFailed(
            "database.no_permission",
            f"{shown} may not be read by this account.",
            "Give the account that runs Starchart the right to read the file and to enter its folder.",
        ) from None
    except OSError as error:
        raise ConnectionFailed(
            "database.unreadable",
            f"{shown} cannot be read: {error.strerror}.",
            "Check the disk and the path.",
        ) from None
    if not header:
        raise ConnectionFailed(
            "database.empty_file",
            f"{shown} is an empty file.",
            "Check that it was copied completely; an SQLite database is never 0 bytes long once it has tables.",
        )
    if header != _HEADER:
        raise ConnectionFailed(
            "database.not_sqlite",
            f"{shown} is not an SQLite database, or it is encrypted.",
            f"Its first bytes should be {_HEADER[:15].decode()!r}; make a database of CSV or Excel files first.",
        )
