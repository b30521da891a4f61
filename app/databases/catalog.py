"""Taking the frozen picture of an SQLite file, and keeping it on disk so that a restart does not read it again."""

from __future__ import annotations

import dataclasses
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.errors import ConnectionFailed
from app.databases.cache import FileCache, Identity, file_stamp
from app.databases.changes import NO_CHANGES, Changes, compare
from app.databases.failures import connection_failure
from app.databases.keys import infer_foreign_keys
from app.databases.locks import REFLECTION_LOCKS, connect
from app.databases.reflect import CatalogWarning, reflect_tables
from app.databases.samples import SampleBudget, quoted, sample_tables
from app.databases.unindexed import without_samples, without_secrets


@dataclass(frozen=True, slots=True)
class CatalogReport:
    """A catalog and what was left out of it or read with doubt.

    :ivar withheld: columns, as lower-case ``(table, column)``, whose samples were left out at somebody's wish.
    :ivar read_at: when the file was read, in seconds since 1970.
    :ivar stamp: of the file when it was read, see :func:`app.databases.cache.file_stamp`.
    :ivar changes: what is different from the time before.
    :ivar kept: the entry of the cache that holds it.
    """

    catalog: Catalog
    warnings: tuple[CatalogWarning, ...]
    withheld: frozenset[tuple[str, str]] = frozenset()
    read_at: float = 0.0
    stamp: str = ""
    changes: Changes = NO_CHANGES
    kept: Identity = None


Withhold: TypeAlias = Callable[[Catalog], frozenset[tuple[str, str]]]
"""Says of which columns no samples are to be kept, as lower-case ``(table, column)``."""


def nothing_withheld(catalog: Catalog) -> frozenset[tuple[str, str]]:
    return frozenset()


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
    return CatalogReport(
        Catalog(name, stored["catalog"]["dialect"], tables),
        warnings,
        frozenset((table, column) for table, column in stored["withheld"]),
        float(stored["read_at"]),
        str(stored["stamp"]),
        Changes(**{kind: tuple(names) for kind, names in stored["changes"].items()}),
    )


def _stored(report: CatalogReport) -> dict[str, Any]:
    document = {**dataclasses.asdict(report), "withheld": sorted(report.withheld)}
    del document["kept"]
    return document


def _withholding(report: CatalogReport, places: frozenset[tuple[str, str]]) -> CatalogReport:
    return dataclasses.replace(report, catalog=without_samples(report.catalog, places), withheld=places)


def load_catalog(
    path: Path,
    name: str,
    *,
    cache_dir: Path | None,
    fresh: bool = False,
    outdated: bool = False,
    busy_seconds: float = 2.0,
    withhold: Withhold = nothing_withheld,
) -> CatalogReport:
    """The catalog from the cache when the file has not changed, else taken anew and stored.

    :param fresh: ignore what is cached.
    :param outdated: take what is cached although the file has changed since.
    :param withhold: of which columns no samples are to be kept, neither in the catalog nor in the cache.
    :raises ConnectionFailed: see :func:`take_catalog`.
    """
    cache = catalog_cache(path, cache_dir)
    identity, known = cache.identity, _cached(cache, name)
    if known is not None and not fresh and (outdated or known.stamp == file_stamp(path)):
        wanted = withhold(known.catalog)
        if known.withheld < wanted:
            known = _withholding(known, wanted)
            cache.save(known.stamp, _stored(known))
            identity = cache.identity
        # What may be shown again has to be read again.
        if known.withheld == wanted:
            return dataclasses.replace(known, kept=identity)
    stamp = file_stamp(path)
    report = take_catalog(path, name, busy_seconds=busy_seconds)
    report = _withholding(report, withhold(report.catalog))
    changes = compare(known.catalog, report.catalog) if known is not None else NO_CHANGES
    report = dataclasses.replace(report, stamp=stamp, changes=changes)
    cache.save(stamp, _stored(report))
    return dataclasses.replace(report, kept=cache.identity)


def catalog_cache(path: Path, cache_dir: Path | None) -> FileCache:
    """Where the catalog of a file is kept."""
    return FileCache(cache_dir, "catalog", path)


def _cached(cache: FileCache, name: str) -> CatalogReport | None:
    with suppress(KeyError, TypeError, ValueError):
        stored = cache.load(outdated=True)
        if stored is not None:
            return _report_from(stored, name)
    return None
