"""Ties: whether a ranking that was cut cuts between equal rows. Then which of them are shown is chance, and is said."""

from __future__ import annotations

from dataclasses import replace

from agents.nodes.base import Tools
from agents.nodes.probe import probe
from agents.plan.ir import Item, Plan, Select

SECONDS = 0.5
"""How long looking beyond the last row may take."""
MOST = 50
"""Rows of a ranking up to which it is looked at."""


def tie_text(plan: Plan | None, rows: int, tools: Tools, lang: str) -> str:
    """A sentence when the first row that is left out has the same value as the last one shown, else an empty text.

    :param rows: how many rows came back.
    """
    if not isinstance(plan, Select) or plan.limit is None or not plan.order or rows < plan.limit or plan.limit > MOST:
        return ""
    key = plan.order[0].expr
    items = plan.items if any(item.expr == key for item in plan.items) else (*plan.items, Item(key, "ranked by"))
    if plan.distinct and items is not plan.items:
        return ""
    place = next(n for n, item in enumerate(items) if item.expr == key)
    wider = replace(plan, items=items, limit=plan.limit + MOST)
    found = probe(wider, tools, seconds=SECONDS, limit=plan.limit + MOST)
    values = found.column(place).to_pylist() if found is not None else []
    if found is None or len(values) <= plan.limit or values[plan.limit - 1] is None:
        return ""
    last = values[plan.limit - 1]
    more = sum(value == last for value in values[plan.limit :])
    if not more:
        return ""
    names = found.column(0).to_pylist()[plan.limit : plan.limit + 3] if place != 0 else []
    named = [str(name) for name in names if name is not None]
    if lang == "zh":
        also = f"（{'、'.join(named)}{' 等' if more > len(named) else ''}）" if named else ""
        return f"还有 {more} 行{also}与最后一行并列，没有显示。"
    also = f" ({', '.join(named)}{', …' if more > len(named) else ''})" if named else ""
    return f"{more} more row{'s' if more > 1 else ''}{also} tie{'' if more > 1 else 's'} with the last one shown."
