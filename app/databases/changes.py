"""What is different between two catalogs of one database, for the people who had it read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agents.catalog import Catalog

SHOWN = 8
"""Names of one kind that are told; of more only how many there are."""

NEW_TABLES = "New tables: %(names)s."
GONE_TABLES = "Tables that are gone: %(names)s."
NEW_COLUMNS = "New columns: %(names)s."
GONE_COLUMNS = "Columns that are gone: %(names)s."
ROWS = "Rows: %(names)s."
MORE = "%(names)s and %(count)s more"


@dataclass(frozen=True, slots=True)
class Changes:
    """Each a list of names: tables, ``table.column``, and ``table 3 → 5`` for counts of rows. False when empty."""

    new_tables: tuple[str, ...] = ()
    gone_tables: tuple[str, ...] = ()
    new_columns: tuple[str, ...] = ()
    gone_columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.new_tables, self.gone_tables, self.new_columns, self.gone_columns, self.rows))

    def templates(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Sentences to be translated, each with the names that belong into it."""
        for template, names in (
            (NEW_TABLES, self.new_tables),
            (GONE_TABLES, self.gone_tables),
            (NEW_COLUMNS, self.new_columns),
            (GONE_COLUMNS, self.gone_columns),
            (ROWS, self.rows),
        ):
            if names:
                yield template, names

    def sentences(self) -> tuple[str, ...]:
        """In English."""
        return tuple(template % {"names": listed(names, MORE)} for template, names in self.templates())


NO_CHANGES = Changes()


def listed(names: tuple[str, ...], more: str) -> str:
    """Names with commas; ``more`` is the template for those beyond :data:`SHOWN`."""
    shown = ", ".join(names[:SHOWN])
    return more % {"names": shown, "count": len(names) - SHOWN} if len(names) > SHOWN else shown


def compare(before: Catalog, after: Catalog) -> Changes:
    """What came and went, by names as SQL compares them; in catalog order."""
    rows = []
    new_columns: list[str] = []
    gone_columns: list[str] = []
    for table in after.tables:
        if table.name not in before:
            continue
        earlier = before.table(table.name)
        new_columns += [f"{table.name}.{column.name}" for column in table.columns if column.name not in earlier]
        gone_columns += [f"{table.name}.{column.name}" for column in earlier.columns if column.name not in table]
        if table.rows != earlier.rows and table.rows is not None and earlier.rows is not None:
            rows.append(f"{table.name} {earlier.rows:,} → {table.rows:,}")
    return Changes(
        tuple(table.name for table in after.tables if table.name not in before),
        tuple(table.name for table in before.tables if table.name not in after),
        tuple(new_columns),
        tuple(gone_columns),
        tuple(rows),
    )
