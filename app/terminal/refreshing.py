"""What a refreshed connection holds, for the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.opened import WHY_LEFT_OUT, Opened


def refreshed(opened: Opened) -> RenderableType:
    """Counts, and a table of the text columns whose values are not indexed."""
    catalog, connection = opened.database.catalog, opened.connection
    inferred = sum(key.inferred for table in catalog.tables for key in table.foreign_keys)
    keys = sum(len(table.foreign_keys) for table in catalog.tables)
    lines: list[RenderableType] = [
        Text(
            f"{connection.name}: {len(catalog.tables)} tables, {keys} keys ({inferred} inferred), "
            f"{connection.values.size:,} values of {opened.indexed} text columns."
        )
    ]
    lines += [Text(sentence) for sentence in opened.database.report.changes.sentences()]
    if opened.left_out:
        table = Table(box=box.SIMPLE_HEAD, title="Values that are not read", title_justify="left")
        table.add_column("column")
        table.add_column("why")
        for one in opened.left_out:
            table.add_row(Text(f"{one.table}.{one.column}"), WHY_LEFT_OUT[one.why])
        lines.append(table)
        lines.append(Text("Change it with `indexed: true` or `indexed: false` at the column in the glossary."))
    return Group(*lines)
