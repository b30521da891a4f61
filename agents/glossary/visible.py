"""What questions may use of a catalog: all but what the glossary hides.

Taken away here, once, instead of being asked for at each use: a table that is not in the catalog can be named, joined,
offered or shown by nothing that works on it. A hidden column stays only where something else could not work without it:
as part of a key that joins, or inside a measure that somebody wrote.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from agents.catalog import Catalog, Table
from agents.glossary.load import measure_expression
from agents.glossary.model import Glossary


def visible(catalog: Catalog, glossary: Glossary) -> tuple[Catalog, Glossary]:
    """The catalog without hidden tables and columns, and the glossary without measures of hidden tables."""
    hides = any(t.hidden or any(c.hidden for c in t.columns.values()) for t in glossary.tables.values())
    if not hides:
        return catalog, glossary
    needed: set[tuple[str, str]] = set()
    measures = {}
    for name, measure in glossary.measures.items():
        used = {
            (column.table.lower(), column.name.lower())
            for column in measure_expression(measure, catalog.dialect).find_all(exp.Column)
        }
        if not any(glossary.is_hidden(table) for table, _ in used):
            measures[name] = measure
            needed |= used
    shown = [table for table in catalog.tables if not glossary.is_hidden(table.name)]
    for table in shown:
        for key in table.foreign_keys:
            needed |= {(key.ref_table.lower(), name.lower()) for name in key.ref_columns}
    tables = tuple(_without_hidden(table, glossary, needed) for table in shown)
    return replace(catalog, tables=tables), glossary.model_copy(update={"measures": measures})


def _without_hidden(table: Table, glossary: Glossary, needed: set[tuple[str, str]]) -> Table:
    entry = glossary.table(table.name)
    keys = tuple(key for key in table.foreign_keys if not glossary.is_hidden(key.ref_table))
    kept = {name.lower() for key in (table.primary_key, *(k.columns for k in keys)) for name in key}
    kept |= {name.lower() for name in (entry.label, entry.default_date) if name}
    columns = tuple(
        column
        for column in table.columns
        if not glossary.is_hidden(table.name, column.name)
        or column.name.lower() in kept
        or (table.name.lower(), column.name.lower()) in needed
    )
    left = {column.name.lower() for column in columns}
    unique = tuple(key for key in table.unique_keys if {name.lower() for name in key} <= left)
    return replace(table, columns=columns, foreign_keys=keys, unique_keys=unique)
