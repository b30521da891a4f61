"""Ties: the first of those left out may be as good as the last one shown; then they are shown too, or said."""

from __future__ import annotations

from dataclasses import replace

from agents.nodes.base import Tools
from agents.nodes.probe import probe
from agents.plan.ir import Item, Order, Plan, Select, is_aggregate

SECONDS = 0.5
"""How long looking beyond the last row may take."""
MOST = 50
"""Rows of a ranking up to which it is looked at."""
SHOWN = 20
"""Tied rows that are shown beyond those asked for; more are only said."""


def with_ties(plan: Plan, tools: Tools, lang: str) -> tuple[Select, str] | None:
    """The same ranking with the rows that tie with its last one, and a sentence that says so; ``None`` where none do,
    or so many that the ranking says little."""
    if not isinstance(plan, Select) or plan.limit is None or not plan.order or plan.limit > MOST:
        return None
    if plan.offset:
        return _around(plan, plan.offset, tools, lang)
    more, names = _tied(plan, tools)
    if not 0 < more <= SHOWN:
        return None
    one, named = more == 1, _named(names, more, lang)
    wider = replace(plan, limit=plan.limit + more, order=(*plan.order, *_by_name(plan)))
    if lang == "zh":
        return wider, f"另有 {more} 行{named}与第 {plan.limit} 名并列，一并显示。"
    text = f"{more} more row{'' if one else 's'}{named} tie{'s' if one else ''} with number {plan.limit}"
    return wider, f"{text} and {'is' if one else 'are'} shown too."


def _around(plan: Select, offset: int, tools: Tools, lang: str) -> tuple[Select, str] | None:
    """The row in one place of a ranking ("the third highest") with all that have the same value."""
    if plan.limit != 1 or offset > MOST:
        return None
    items, place = _with_key(plan)
    wider = replace(plan, items=items, offset=0, limit=offset + MOST, order=(*plan.order, *_by_name(plan)))
    found = probe(wider, tools, seconds=SECONDS, limit=offset + MOST)
    values = found.column(place).to_pylist() if found is not None else []
    if len(values) <= offset or values[offset] is None:
        return None
    tied = [at for at, value in enumerate(values) if value == values[offset]]
    if not 1 < len(tied) <= SHOWN:
        return None
    whole = replace(plan, offset=tied[0], limit=len(tied), order=(*plan.order, *_by_name(plan)))
    if lang == "zh":
        return whole, f"第 {tied[0] + 1} 至第 {tied[-1] + 1} 名并列，共 {len(tied)} 行，一并显示。"
    return whole, f"{len(tied)} rows tie for the places {tied[0] + 1} to {tied[-1] + 1}; all are shown."


def _with_key(plan: Select) -> tuple[tuple[Item, ...], int]:
    """What is shown and what is ranked by, and where the second stands."""
    key = plan.order[0].expr
    items = plan.items if any(item.expr == key for item in plan.items) else (*plan.items, Item(key, "ranked by"))
    return items, next(n for n, item in enumerate(items) if item.expr == key)


def _by_name(plan: Select) -> tuple[Order, ...]:
    """Those that tie come in the order of what is shown first, the same one every time."""
    first = plan.items[0].expr
    known = any(order.expr == first for order in plan.order) or is_aggregate(first)
    return () if known or (plan.group and first not in plan.group) else (Order(first),)


def tie_text(plan: Plan | None, rows: int, tools: Tools, lang: str) -> str:
    """A sentence when the first row that is left out has the same value as the last one shown, else an empty text.

    :param rows: how many rows came back.
    """
    if not isinstance(plan, Select) or plan.limit is None or not plan.order or rows < plan.limit or plan.limit > MOST:
        return ""
    more, names = _tied(plan, tools)
    if not more:
        return ""
    named = _named(names, more, lang)
    if lang == "zh":
        return f"还有 {more} 行{named}与最后一行并列，没有显示。"
    return f"{more} more row{'s' if more > 1 else ''}{named} tie{'' if more > 1 else 's'} with the last one shown."


def _tied(plan: Select, tools: Tools) -> tuple[int, list[str]]:
    """How many of the rows behind the last one tie with it, and what the first of them are called."""
    assert plan.limit is not None
    items, place = _with_key(plan)
    if plan.distinct and items is not plan.items:
        return 0, []
    wider = replace(plan, items=items, limit=plan.limit + MOST, order=(*plan.order, *_by_name(plan)))
    found = probe(wider, tools, seconds=SECONDS, limit=plan.limit + MOST)
    values = found.column(place).to_pylist() if found is not None else []
    if found is None or len(values) <= plan.limit or values[plan.limit - 1] is None:
        return 0, []
    more = sum(value == values[plan.limit - 1] for value in values[plan.limit :])
    names = found.column(0).to_pylist()[plan.limit : plan.limit + min(more, 3)] if place != 0 else []
    return more, [str(name) for name in names if name is not None]


def _named(names: list[str], more: int, lang: str) -> str:
    if not names:
        return ""
    if lang == "zh":
        return f"（{'、'.join(names)}{' 等' if more > len(names) else ''}）"
    return f" ({', '.join(names)}{', …' if more > len(names) else ''})"
