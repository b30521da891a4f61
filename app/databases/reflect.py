"""The structure of an SQLite database: tables, views, columns, declared types, keys. No data is read here.

SQLAlchemy's inspector gives columns, primary and foreign keys. Two things are asked of SQLite itself: declared types as
they were written (the inspector maps them to its own) and uniqueness (the inspector guesses from the DDL which unique
indexes are partial; a wrong guess would make a join look safe that counts rows twice).
"""

from __future__ import annotations

import sqlite3
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import Inspector
from sqlalchemy.exc import DBAPIError, NoSuchTableError
from sqlalchemy.pool import StaticPool

from agents.catalog import Column, ForeignKey, Kind, Table
from agents.dialects.sqlite import is_system_table
from app.databases.failures import primary_code
from app.databases.kinds import declared_kind


@dataclass(frozen=True, slots=True)
class CatalogWarning:
    """Something in the schema that was left out or read with doubt. ``table`` and ``column`` may be empty."""

    code: str
    table: str
    column: str
    message: str


@contextmanager
def _inspector(connection: sqlite3.Connection) -> Iterator[Inspector]:
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with engine.connect() as bound:
            yield inspect(bound)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def table_names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """``(name, "table" | "view")`` of everything a person made, in the order it was made.

    Left out: SQLite's own tables and the shadow tables in which virtual tables keep their insides.
    """
    listed = connection.execute("PRAGMA main.table_list").fetchall()
    shadows = {row[1] for row in listed if row[2] == "shadow"}
    made = connection.execute(
        "SELECT name, type FROM main.sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid"
    )
    return [(name, kind) for name, kind in made.fetchall() if name not in shadows and not is_system_table(name)]


def _declared_types(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    return {row[1]: row[2] or "" for row in connection.execute(f"PRAGMA main.table_xinfo({_quoted(table)})")}


def _unique_keys(connection: sqlite3.Connection, table: str) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    for _, index, unique, _origin, partial in connection.execute(
        f"PRAGMA main.index_list({_quoted(table)})"
    ).fetchall():
        if not unique or partial:
            continue
        names = [row[2] for row in connection.execute(f"PRAGMA main.index_info({_quoted(index)})")]
        if names and None not in names:  # None stands for an expression
            keys.append(tuple(names))
    return sorted(set(keys))


def _foreign_keys(found: list[Any], table: str, notes: list[CatalogWarning]) -> tuple[ForeignKey, ...]:
    keys: list[ForeignKey] = []
    for key in found:
        columns, referred = (
            tuple(key["constrained_columns"]),
            tuple(key["referred_columns"]),
        )
        if len(columns) != len(referred) or not columns:
            message = f"a foreign key to {key['referred_table']} names no usable columns and was left out"
            notes.append(CatalogWarning("catalog.foreign_key_broken", table, ", ".join(columns), message))
            continue
        keys.append(ForeignKey(columns, key["referred_table"], referred))
    return tuple(sorted(keys, key=lambda key: (key.columns, key.ref_table)))


def _table(
    inspector: Inspector,
    connection: sqlite3.Connection,
    name: str,
    kind: str,
    notes: list[CatalogWarning],
) -> Table:
    found = inspector.get_columns(name)
    types = _declared_types(connection, name)
    primary: tuple[str, ...] = ()
    keys: tuple[ForeignKey, ...] = ()
    unique: list[tuple[str, ...]] = []
    if kind == "table":
        primary = tuple(inspector.get_pk_constraint(name)["constrained_columns"])
        keys = _foreign_keys(list(inspector.get_foreign_keys(name)), name, notes)
        unique = [key for key in _unique_keys(connection, name) if key != primary]
    single = {key[0] for key in [*unique, primary] if len(key) == 1}
    columns: list[Column] = []
    taken: Counter[str] = Counter()
    for column in found:
        spelled = column["name"]
        taken[spelled.lower()] += 1
        if taken[spelled.lower()] > 1:
            message = "a second column of that name cannot be reached and was left out"
            notes.append(CatalogWarning("catalog.duplicate_column", name, spelled, message))
            continue
        declared = types.get(spelled, "")
        columns.append(
            Column(
                name=spelled,
                type=declared,
                kind=declared_kind(declared) or Kind.OTHER,
                nullable=bool(column["nullable"]) and spelled not in primary,
                unique=spelled in single,
                comment=column.get("comment") or "",
            )
        )
    return Table(name, tuple(columns), kind, None, primary, keys, tuple(unique))


def _existing_keys(table: Table, known: dict[str, Table], notes: list[CatalogWarning]) -> Table:
    """Foreign keys spelled as the referred table spells them; those that lead nowhere are dropped with a warning."""
    kept: list[ForeignKey] = []
    for key in table.foreign_keys:
        target = known.get(key.ref_table.lower())
        if target is None or any(name not in target for name in key.ref_columns):
            missing = key.ref_table if target is None else f"{key.ref_table}({', '.join(key.ref_columns)})"
            message = f"a foreign key refers to {missing}, which does not exist, and was left out"
            notes.append(
                CatalogWarning(
                    "catalog.foreign_key_broken",
                    table.name,
                    ", ".join(key.columns),
                    message,
                )
            )
            continue
        spelled = tuple(target.column(name).name for name in key.ref_columns)
        own = tuple(table.column(name).name for name in key.columns)
        kept.append(replace(key, columns=own, ref_table=target.name, ref_columns=spelled))
    return replace(table, foreign_keys=tuple(kept))


def reflect_tables(
    connection: sqlite3.Connection,
) -> tuple[list[Table], list[CatalogWarning]]:
    """All tables and views with their keys; what cannot be read is left out with a warning.

    :param connection: opened with :data:`app.databases.locks.REFLECTION_LOCKS`.
    :raises sqlite3.Error: when the file itself is unreadable (locked, damaged).
    """
    notes: list[CatalogWarning] = []
    tables: list[Table] = []
    with _inspector(connection) as inspector:
        for name, kind in table_names(connection):
            try:
                table = _table(inspector, connection, name, kind, notes)
            except DBAPIError as error:
                if isinstance(error.orig, sqlite3.Error) and primary_code(error.orig) != sqlite3.SQLITE_ERROR:
                    raise error.orig from None
                notes.append(CatalogWarning("catalog.unreadable", name, "", f"left out: {error.orig}"))
                continue
            except NoSuchTableError:
                notes.append(
                    CatalogWarning(
                        "catalog.unreadable",
                        name,
                        "",
                        "left out: it has no readable columns",
                    )
                )
                continue
            if table.columns:
                tables.append(table)
            else:
                notes.append(
                    CatalogWarning(
                        "catalog.unreadable",
                        name,
                        "",
                        "left out: it has no readable columns",
                    )
                )
    known = {table.name.lower(): table for table in tables}
    return [_existing_keys(table, known, notes) for table in tables], notes
