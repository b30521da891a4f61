"""Taking the frozen picture of an SQLite file, and keeping it on disk so that a restart does not read it again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.errors import ConnectionFailed
from app.databases.failures import connection_failure
from app.databases.keys import infer_foreign_keys
from app.databases.locks import REFLECTION_LOCKS, connect
from app.databases.reflect import CatalogWarning, reflect_tables
from app.databases.samples import SampleBudget, quoted, sample_tables
from app.databases.unindexed import without_samples, without_secrets

# Part of every cache key: raise it when the stored form or the way kinds are found changes.
FORMAT = 3


@dataclass(frozen=True, slots=True)
class CatalogReport:
    """A catalog and what was left out of it or read with doubt.

    :ivar withheld: columns, as lower-case ``(table, column)``, whose samples were left out at somebody's wish.
    :ivar read_at: when the file was read, in seconds since 1970; from the cache, when that was written.
    """

    catalog: Catalog
    warnings: tuple[CatalogWarning, ...]
    withheld: frozenset[tuple[str, str]] = frozenset()
    read_at: float = 0.0


Withhold: TypeAlias = Callable[[Catalog], frozenset[tuple[str, str]]]
"""Says of which columns no samples are to be kept, as lower-case ``(table, column)``."""


def nothing_withheld(catalog: Catalog) -> frozenset[tuple[str, str]]:
    return frozenset()


def file_stamp(path: Path) -> str:
    """Changes whenever the file may hold something else: path, size, times, and the same of its write-ahead log."""
    parts: list[object] = [FORMAT, str(path.absolute())]
    for part in (path, path.with_name(path.name + "-wal")):
        try:
            state = part.stat()
        except OSError:
            parts.append(None)
        else:
            parts.append((state.st_size, state.st_mtime_ns, state.st_ino) if state.st_size else None)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def write_atomically(target: Path, text: str) -> None:
    """Write a whole file or nothing; readers in other processes see the old or the new one, never a part."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(scratch, target)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def take_catalog(
    path: Path,
    name: str,
    *,
    busy_seconds: float = 2.0,
    budget: SampleBudget | None = None,
) -> CatalogReport:
    """Read structure and samples from the file.

    :raises ConnectionFailed: ``database.locked``, ``database.corrupt``, ``database.not_sqlite``,
        ``database.needs_recovery``, ``database.no_permission``, ``database.no_tables``.
    """
    shown = f"The database {path.name}"
    try:
        with closing(connect(path, locks=REFLECTION_LOCKS, busy_seconds=busy_seconds, lenient=True)) as connection:
            tables, structure = reflect_tables(connection)
            sampled, doubts = sample_tables(connection, tables, path.stat().st_size, budget or SampleBudget())
            kept = {table.name for table in sampled}
            whole = Catalog(
                name,
                "sqlite",
                tuple(_without_dangling(table, kept) for table in sampled),
            )
            catalog = without_secrets(infer_foreign_keys(whole, _Containment(connection)))
    except sqlite3.Error as error:
        raise connection_failure(error, shown) from error
    if not catalog.tables:
        raise ConnectionFailed(
            "database.no_tables",
            f"{shown} has no tables that can be read.",
            "Check that it is the right file; the program that fills it may not have run yet.",
        )
    return CatalogReport(catalog, (*structure, *doubts), read_at=time.time())


def _without_dangling(table: Table, kept: set[str]) -> Table:
    return dataclasses.replace(table, foreign_keys=tuple(k for k in table.foreign_keys if k.ref_table in kept))


class _Containment:
    """Whether a column's samples all occur in a key column, asked of the database by key look-up."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __call__(self, table: Table, column: Column, other: Table, key: Column) -> bool:
        values = list(column.samples)
        marks = ", ".join("?" * len(values))
        statement = f"SELECT count(*) FROM main.{quoted(other.name)} WHERE {quoted(key.name)} IN ({marks})"
        try:
            found = self._connection.execute(statement, values).fetchone()[0]
        except (sqlite3.OperationalError, sqlite3.DataError):  # DataError: a key larger than can be loaded
            return False
        return bool(found >= len(values))


def _table_from(stored: dict[str, Any]) -> Table:
    columns = tuple(
        Column(
            **{
                **column,
                "kind": Kind(column["kind"]),
                "samples": tuple(column["samples"]),
            }
        )
        for column in stored["columns"]
    )
    keys = tuple(
        ForeignKey(
            **{
                **key,
                "columns": tuple(key["columns"]),
                "ref_columns": tuple(key["ref_columns"]),
            }
        )
        for key in stored["foreign_keys"]
    )
    unique = tuple(tuple(key) for key in stored["unique_keys"])
    frozen = {
        "columns": columns,
        "foreign_keys": keys,
        "unique_keys": unique,
        "primary_key": tuple(stored["primary_key"]),
    }
    return Table(**{**stored, **frozen})


def _report_from(stored: dict[str, Any], name: str) -> CatalogReport:
    tables = tuple(_table_from(table) for table in stored["catalog"]["tables"])
    warnings = tuple(CatalogWarning(**warning) for warning in stored["warnings"])
    withheld = frozenset((table, column) for table, column in stored["withheld"])
    return CatalogReport(
        Catalog(name, stored["catalog"]["dialect"], tables), warnings, withheld, float(stored["read_at"])
    )


def _stored(report: CatalogReport) -> dict[str, Any]:
    return {**dataclasses.asdict(report), "withheld": sorted(report.withheld)}


def _withholding(report: CatalogReport, places: frozenset[tuple[str, str]]) -> CatalogReport:
    return dataclasses.replace(report, catalog=without_samples(report.catalog, places), withheld=places)


class FileCache:
    """What was read from a database file, kept as JSON until the file changes. One entry per file and kind.

    A cache that cannot be read or written costs time, never an answer.

    :param folder: ``None`` keeps nothing.
    """

    def __init__(self, folder: Path | None, kind: str, path: Path) -> None:
        self._path = path
        place = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
        self._file = None if folder is None else folder / f"{kind}-{place}.json"

    def load(self) -> Any:
        """The stored document, or ``None`` when there is none or the file has changed since."""
        if self._file is None:
            return None
        try:
            entry = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        current = isinstance(entry, dict) and entry.get("stamp") == file_stamp(self._path)
        return entry.get("document") if current else None

    def remove_others(self, like: str) -> None:
        """Remove what is kept of the same file under other kinds that begin with ``like``: it was read by other
        settings, and may hold what is not to be kept any more."""
        if self._file is None:
            return
        place = self._file.stem.rsplit("-", 1)[1]
        with suppress(OSError):
            for other in self._file.parent.glob(f"{like}*-{place}.json"):
                if other != self._file:
                    other.unlink(missing_ok=True)

    def save(self, stamp: str, document: object) -> None:
        """:param stamp: :func:`file_stamp` from before the file was read."""
        if self._file is not None:
            with suppress(OSError, UnicodeError):
                write_atomically(self._file, json.dumps({"stamp": stamp, "document": document}, ensure_ascii=False))


def load_catalog(
    path: Path,
    name: str,
    *,
    cache_dir: Path | None,
    fresh: bool = False,
    busy_seconds: float = 2.0,
    withhold: Withhold = nothing_withheld,
) -> CatalogReport:
    """The catalog from the cache when the file has not changed, else taken anew and stored.

    :param fresh: ignore what is cached.
    :param withhold: of which columns no samples are to be kept, neither in the catalog nor in the cache.
    :raises ConnectionFailed: see :func:`take_catalog`.
    """
    cache = FileCache(cache_dir, "catalog", path)
    stamp = file_stamp(path)
    if not fresh:
        with suppress(KeyError, TypeError, ValueError):
            stored = cache.load()
            if stored is not None:
                known = _report_from(stored, name)
                wanted = withhold(known.catalog)
                if known.withheld < wanted:
                    known = _withholding(known, wanted)
                    cache.save(stamp, _stored(known))
                # What may be shown again has to be read again.
                if known.withheld == wanted:
                    return known
    report = take_catalog(path, name, busy_seconds=busy_seconds)
    report = _withholding(report, withhold(report.catalog))
    cache.save(stamp, _stored(report))
    return report
