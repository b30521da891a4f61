"""A frozen picture of one database: tables, columns, types, keys, comments, sample values.

A catalog is taken once (see ``app/databases``), hashed, cached and refreshed on demand. It holds no connection. Names
are kept exactly as the database spells them; look-ups ignore case, as SQL does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Kind(StrEnum):
    """What a column's values are, for the engine: finer than storage, coarser than SQL types."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    TEXT = "text"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    BOOLEAN = "boolean"
    BLOB = "blob"
    JSON = "json"
    OTHER = "other"

    @property
    def is_number(self) -> bool:
        return self in (Kind.INTEGER, Kind.DECIMAL)

    @property
    def is_time(self) -> bool:
        return self in (Kind.DATE, Kind.DATETIME)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    :ivar kind: derived from the declared type and, where SQLite declares nothing useful, from the sample values (a
        ``TEXT`` column whose samples are all ISO dates is a ``DATE``).
    :ivar samples: up to ten distinct non-null values, as stored, in first-seen order.
    :ivar distinct: number of distinct values among the rows looked at; ``None`` when not measured.
    :ivar secret: its name or its values say that it holds secrets; it has no samples then.
    """

    name: str
    type: str
    kind: Kind
    nullable: bool = True
    unique: bool = False
    comment: str = ""
    samples: tuple[str | int | float, ...] = ()
    distinct: int | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """``columns`` of the owning table refer to ``ref_columns`` of ``ref_table``; ``inferred`` when not declared."""

    columns: tuple[str, ...]
    ref_table: str
    ref_columns: tuple[str, ...]
    inferred: bool = False
    reason: str = "declared"


@dataclass(frozen=True)
class Table:
    """One table or view. ``rows`` is an estimate (exact where counting is cheap), ``None`` when unknown."""

    name: str
    columns: tuple[Column, ...]
    kind: str = "table"
    schema: str | None = None
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    comment: str = ""
    rows: int | None = None

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name.lower(): column for column in self.columns}

    def column(self, name: str) -> Column:
        """The column of that name (case ignored); :class:`KeyError` when there is none."""
        return self._by_name[name.lower()]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._by_name

    def is_unique(self, columns: tuple[str, ...]) -> bool:
        """Whether the given columns identify at most one row (a key is contained in them)."""
        given = {name.lower() for name in columns}
        keys = [self.primary_key, *self.unique_keys, *((c.name,) for c in self.columns if c.unique)]
        return any(key and {name.lower() for name in key} <= given for key in keys)


@dataclass(frozen=True)
class Catalog:
    """All tables of one connection that a question may touch.

    :ivar name: the connection's short name, shown to people (``shop``).
    :ivar dialect: sqlglot's name of the SQL dialect (``sqlite``).
    """

    name: str
    dialect: str
    tables: tuple[Table, ...] = field(default=())

    @cached_property
    def _by_name(self) -> dict[str, Table]:
        return {table.name.lower(): table for table in self.tables}

    def table(self, name: str) -> Table:
        """The table of that name (case ignored); :class:`KeyError` when there is none."""
        return self._by_name[name.lower()]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._by_name

    def columns(self) -> Iterator[tuple[Table, Column]]:
        """Every column with its table, in catalog order."""
        for table in self.tables:
            for column in table.columns:
                yield table, column

    @cached_property
    def hash(self) -> str:
        """Hex SHA-256 over everything but row estimates: equal catalogs have equal hashes in every process."""
        document = [
            [
                t.schema,
                t.name,
                t.kind,
                t.comment,
                list(t.primary_key),
                sorted([list(k.columns), k.ref_table, list(k.ref_columns), k.inferred] for k in t.foreign_keys),
                sorted(list(key) for key in t.unique_keys),
                [[c.name, c.type, c.kind, c.nullable, c.unique, c.comment, list(c.samples)] for c in t.columns],
            ]
            for t in self.tables
        ]
        text = json.dumps([self.dialect, document], ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode()).hexdigest()
