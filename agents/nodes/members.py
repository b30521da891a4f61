"""Absent members: "number of orders for each customer" lists customers that have orders; how many have none is said."""

from __future__ import annotations

from agents.language.ir import TableTarget
from agents.nodes.base import Tools
from agents.nodes.probe import probed_value
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    Exists,
    Function,
    Item,
    Not,
    Plan,
    Select,
    Source,
    TableRef,
)
from agents.plan.labels import plural, table_label

SECONDS = 0.5
"""How long counting them may take."""


def absent_text(plan: Plan | None, tools: Tools, lang: str) -> str:
    """A sentence when things that were counted for have nothing to count, else an empty text."""
    counting = _without(plan)
    if counting is None:
        return ""
    query, member, counted = counting
    number = probed_value(query, tools, seconds=SECONDS)
    if not number:
        return ""
    glossary = tools.connection.glossary
    who = table_label(TableTarget(member), glossary, lang)
    what = table_label(TableTarget(counted), glossary, lang)
    if lang == "zh":
        return f"另有 {number} 个{who}没有{what}，未列出。"
    verbs = ("has", "is") if number == 1 else ("have", "are")
    return f"{number} of the {plural(who)} {verbs[0]} no {plural(what)} and {verbs[1]} not listed."


def _without(plan: Plan | None) -> tuple[Select, str, str] | None:
    """Counts the members without a row; with their table, and the table whose rows were counted. ``None`` where the
    plan is not a plain count of rows for each member of another table."""
    if not isinstance(plan, Select) or plan.where is not None or plan.having is not None or plan.limit is not None:
        return None
    measures = [i.expr for i in plan.items if isinstance(i.expr, Aggregate)]
    groups = [expr for expr in plan.group if isinstance(expr, ColumnRef)]
    if len(measures) != 1 or measures[0].function is not Function.COUNT or len(groups) != len(plan.group):
        return None
    if len(plan.source.joins) != 1 or len(plan.items) != len(groups) + 1:
        return None
    join = plan.source.joins[0]
    root, member = plan.source.root, join.right
    named = {g.column for g in groups if g.alias == member.alias} | {
        k.column for k in plan.group_keys if k.alias == member.alias
    }
    whole = member.table.is_unique(tuple(sorted(named))) or set(member.table.primary_key) <= named
    if any(g.alias != member.alias for g in groups) or not whole or len(join.left_columns) != 1 or join.many:
        return None
    inner = Select(Source(TableRef(root.alias, root.table)), (Item(Aggregate(Function.COUNT, None), "count"),))
    outer = ColumnRef(member.alias, join.right_columns[0], member.table.column(join.right_columns[0]).kind)
    key = ColumnRef(root.alias, join.left_columns[0], root.table.column(join.left_columns[0]).kind)
    missing = Not(Exists(outer, inner, key))
    counted = Select(Source(member), (Item(Aggregate(Function.COUNT, None), "count"),), where=missing)
    return counted, member.table.name, root.table.name
