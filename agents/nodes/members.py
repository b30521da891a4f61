"""Members: "number of orders for each customer" is asked of every customer, those without an order too.

Where the question says each, every or all, members without a row are counted as zero; elsewhere how many have none is
said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.language.ir import Mention, PhraseTarget, TableTarget
from agents.nodes.base import Tools
from agents.nodes.probe import probed_value
from agents.plan.graph import reroot
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    Compare,
    CountPlan,
    Exists,
    Expr,
    Function,
    Join,
    Operator,
    Or,
    Plan,
    Predicate,
    Select,
    Source,
    SummaryPlan,
    TableRef,
    column_refs,
)
from agents.plan.labels import plural, table_label

SECONDS = 0.5
"""How long counting them may take."""

_EVERY = re.compile(r"\b(each|every|all)\b|每|各|所有", re.IGNORECASE)


def says_every(mentions: Sequence[Mention]) -> bool:
    """Whether the groups were asked for one and all: "for each customer", 每个客户, but not "by customer"."""
    return any(
        isinstance(m.target, PhraseTarget) and m.target.concept.startswith("group") and _EVERY.search(m.text)
        for m in mentions
    )


def with_every_member(plan: Plan, tools: Tools) -> tuple[Select, int] | None:
    """The same count with the members that have no row, as zero, and how many they are; ``None`` when the plan is no
    such count, or none is missing."""
    whole = _whole(plan)
    number = _absent(whole[0], tools) if whole is not None else 0
    return (whole[0], number) if whole is not None and number else None


def absent_text(plan: Plan | None, tools: Tools, lang: str) -> str:
    """A sentence when things that were counted for have nothing to count, else an empty text."""
    over = isinstance(plan, SummaryPlan)
    counting = plan.inner if isinstance(plan, SummaryPlan) else plan
    whole = _whole(counting)
    if whole is None or not isinstance(counting, Select) or counting.where is not None:
        return ""
    wide, member, counted = whole
    number = _absent(wide, tools)
    if not number:
        return ""
    glossary = tools.connection.glossary
    who = table_label(TableTarget(member), glossary, lang)
    what = table_label(TableTarget(counted), glossary, lang)
    if lang == "zh":
        return f"另有 {number} 个{who}没有{what}，未{'计入' if over else '列出'}。"
    verbs = ("has", "is") if number == 1 else ("have", "are")
    left = "counted" if over else "listed"
    return f"{number} of the {plural(who)} {verbs[0]} no {plural(what)} and {verbs[1]} not {left}."


def _absent(whole: Select, tools: Tools) -> int:
    """How many members have no row."""
    measure = next(item.expr for item in whole.items if isinstance(item.expr, Aggregate))
    bare = replace(whole, having=Compare(measure, Operator.EQ, 0), order=())
    found = probed_value(CountPlan(bare, "members"), tools, seconds=SECONDS)
    return found if isinstance(found, int) else 0


def _whole(plan: Plan | None) -> tuple[Select, str, str] | None:
    """The count over all members, with their table and the one whose rows are counted; ``None`` where the plan is not a
    count of rows for each member of another table."""
    if not isinstance(plan, Select) or plan.having is not None or plan.limit is not None or not plan.source.joins:
        return None
    if any(join.outer or join.where is not None for join in plan.source.joins):
        return None
    measures = [i.expr for i in plan.items if isinstance(i.expr, Aggregate)]
    groups = [expr for expr in plan.group if isinstance(expr, ColumnRef)]
    if len(measures) != 1 or measures[0].function is not Function.COUNT or len(groups) != len(plan.group):
        return None
    if len(plan.items) != len(groups) + 1 or len({g.alias for g in groups}) != 1:
        return None
    member = next(ref for ref in plan.source.refs() if ref.alias == groups[0].alias)
    if member.alias == plan.source.root.alias or not _names_one(member, (*groups, *plan.group_keys)):
        return None
    counted = _counted(measures[0], plan.source)
    conditions = _by_table(plan.where)
    if counted is None or conditions is None:
        return None
    joins = reroot(plan.source, member.alias).joins
    if any(len(join.left_columns) != 1 for join in joins):
        return None
    source = Source(member, tuple(_kept(join, conditions.get(join.right.alias, [])) for join in joins))
    measure = Aggregate(Function.COUNT, counted, measures[0].distinct)

    def swapped(expr: Expr) -> Expr:
        return measure if expr == measures[0] else expr

    return (
        replace(
            plan,
            source=source,
            items=tuple(replace(item, expr=swapped(item.expr)) for item in plan.items),
            where=_and(conditions.get(member.alias, [])),
            order=tuple(replace(order, expr=swapped(order.expr)) for order in plan.order),
        ),
        member.table.name,
        plan.source.root.table.name,
    )


def _names_one(member: TableRef, groups: Sequence[ColumnRef]) -> bool:
    """Whether each group is one row of the member's table."""
    named = {g.column for g in groups if g.alias == member.alias}
    unique = any(member.table.is_unique((name,)) for name in named)
    return unique or (bool(member.table.primary_key) and set(member.table.primary_key) <= named)


def _counted(measure: Aggregate, source: Source) -> ColumnRef | None:
    """A column that every counted row has, and a missing one has not."""
    if measure.argument is not None:
        return measure.argument
    table = source.root.table
    name = table.primary_key[0] if len(table.primary_key) == 1 else source.joins[0].left_columns[0]
    return ColumnRef(source.root.alias, name, table.column(name).kind)


def _by_table(where: Predicate | None) -> dict[str, list[Predicate]] | None:
    """The conditions by the table instance they are about; ``None`` when one is about several."""
    found: dict[str, list[Predicate]] = {}
    for part in where.parts if isinstance(where, And) else (where,) if where is not None else ():
        aliases = {ref.alias for ref in column_refs(part)}
        if len(aliases) != 1 or isinstance(part, (Or, Exists)):
            return None
        found.setdefault(aliases.pop(), []).append(part)
    return found


def _kept(join: Join, conditions: list[Predicate]) -> Join:
    return replace(join, outer=True, where=_and(conditions))


def _and(parts: list[Predicate]) -> Predicate | None:
    return None if not parts else parts[0] if len(parts) == 1 else And(tuple(parts))
