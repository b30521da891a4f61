"""Absent values: nothing matches because no row has the text that was asked for, and which known ones are near it."""

from __future__ import annotations

from collections.abc import Iterator

from agents.catalog import Kind, Table
from agents.language.ir import ColumnTarget
from agents.nodes.base import Tools
from agents.nodes.probe import probed_value
from agents.plan.conditions import conditions
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    Compare,
    CountPlan,
    Function,
    Item,
    OneOf,
    Operator,
    Plan,
    Select,
    SetPlan,
    Source,
    TableRef,
)
from agents.plan.labels import column_label

MOST = 3
"""Texts that are looked for."""

NEAR = 5
"""Known values that are told beside one that is absent."""


SECONDS = 0.3
"""How long looking for one text may take."""


def absent_values(plan: Plan, tools: Tools, lang: str) -> tuple[str, ...]:
    """A sentence for each text that rows must have and that its column does not hold; asked of the database, since the
    index of values may have stopped before it."""
    glossary, values = tools.connection.glossary, tools.connection.values
    found: list[str] = []
    for table, column, text in list(dict.fromkeys(_texts(plan)))[:MOST]:
        if _is_absent(table, column, text, tools):
            label = column_label(ColumnTarget(table.name, column), glossary, lang)
            found.append(_sentence(label, text, values.near_in(table.name, column, text, NEAR), lang))
    return tuple(found)


def _is_absent(table: Table, column: str, text: str, tools: Tools) -> bool:
    ref = TableRef(table.name, table)
    where = Compare(ColumnRef(ref.alias, column, Kind.TEXT), Operator.EQ, text)
    plan = Select(Source(ref), (Item(Aggregate(Function.COUNT, None), "rows"),), where=where)
    return probed_value(plan, tools, seconds=SECONDS) == 0


def _sentence(label: str, text: str, near: tuple[str, ...], lang: str) -> str:
    if lang == "zh":
        known = f"已有的值：{'、'.join(near)}。" if near else ""
        return f"没有“{label}”为“{text}”的记录。{known}"
    known = f" Known values: {', '.join(near)}." if near else ""
    return f"No row has “{text}” as {label}.{known}"


def _texts(plan: Plan) -> Iterator[tuple[Table, str, str]]:
    if not isinstance(plan, (Select, SetPlan, CountPlan)):
        # A derived figure without a value tells its own reason.
        return
    for condition, tables in conditions(plan):
        match condition:
            case Compare(ColumnRef(alias, column, Kind.TEXT), Operator.EQ, str(text)) if alias in tables:
                yield tables[alias], column, text
            case OneOf(ColumnRef(alias, column, Kind.TEXT), texts) if alias in tables:
                yield from ((tables[alias], column, text) for text in texts if isinstance(text, str))
