"""A glossary's names as the database spells them, whatever case they were typed in."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from agents.catalog import Catalog
from agents.glossary.model import Glossary, Meaning, MeasureEntry, TableEntry


def spelled(glossary: Glossary, catalog: Catalog) -> Glossary:
    """The glossary with the catalog's spelling of tables and columns; all of them are known."""
    tables = {catalog.table(name).name: _table(name, entry, catalog) for name, entry in glossary.tables.items()}
    measures = {name: _measure(entry, catalog) for name, entry in glossary.measures.items()}
    remembered = tuple(one.model_copy(update={"means": _meaning(one.means, catalog)}) for one in glossary.remembered)
    kept = {name: getattr(glossary, name) for name in Glossary.model_fields}
    return Glossary(**{**kept, "tables": tables, "measures": measures, "remembered": remembered})


def _table(name: str, entry: TableEntry, catalog: Catalog) -> TableEntry:
    table = catalog.table(name)
    columns = {table.column(column).name: about for column, about in entry.columns.items()}
    named = {
        key: table.column(chosen).name if chosen else chosen
        for key, chosen in (("label", entry.label), ("default_date", entry.default_date))
    }
    return entry.model_copy(update={"columns": columns, **named})


def _measure(entry: MeasureEntry, catalog: Catalog) -> MeasureEntry:
    tree = sqlglot.parse_one(entry.expression, dialect=catalog.dialect)
    expression, date = entry.expression, entry.date
    if _respelled(tree, catalog):
        # Only what is spelt in another way is written anew: the text stays as somebody wrote it.
        expression = tree.sql(dialect=catalog.dialect)
    if date:
        table, _, column = date.partition(".")
        date = f"{catalog.table(table).name}.{catalog.table(table).column(column).name}"
    if (expression, date) == (entry.expression, entry.date):
        return entry
    return entry.model_copy(update={"expression": expression, "date": date})


def _respelled(tree: exp.Expr, catalog: Catalog) -> bool:
    changed = False
    for column in list(tree.find_all(exp.Column)):
        table = catalog.table(column.table)
        right = (table.name, table.column(column.name).name)
        if (column.table, column.name) != right:
            column.set("table", exp.to_identifier(right[0], quoted=True))
            column.set("this", exp.to_identifier(right[1], quoted=True))
            changed = True
    return changed


def _meaning(means: Meaning, catalog: Catalog) -> Meaning:
    if means.table is None:
        return means
    table = catalog.table(means.table)
    column = table.column(means.column).name if means.column is not None else None
    return means.model_copy(update={"table": table.name, "column": column})
