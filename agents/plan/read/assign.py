"""Choosing one meaning per mention: a beam search over the slots, best readings first.

A meaning's own score is nudged by its surroundings: columns and values of a table that the question names are likelier,
those one key away a little, and a value beside the name of its column ("city Paris") clearly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from agents.glossary import Glossary, measure_expression
from agents.language.ir import ColumnTarget, MeasureTarget, Mention, PhraseTarget, TableTarget, TimeTarget, ValueTarget
from agents.language.link import Linked
from agents.plan.graph import KeyGraph
from agents.retrieval.analysis import has_han

BEAM = 32
OPTIONS = 7
_SPREAD = 0.5
_SAME_TABLE, _NEIGHBOUR, _SAME_COLUMN, _RETRIEVED = 0.15, 0.04, 0.2, 0.08
_PART_OF_NAMED = 0.12
_COMMON_WORD, _UNREACHABLE, _DROPPED, _WRONG_SORT, _OWN, _FOREIGN = 0.15, 0.6, 0.3, 0.12, 0.2, 0.7

DROPPED = PhraseTarget("dropped")
"""The meaning of a mention that a reading leaves out, as if nothing had been linked to its words."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One meaning per slot, in text order, with the sum of their nudged scores and how far each is from its best."""

    mentions: tuple[Mention, ...]
    score: float
    regret: float


def assignments(
    linked: Linked, graph: KeyGraph, glossary: Glossary, retrieved: Mapping[str, float], dialect: str, limit: int = 16
) -> tuple[Assignment, ...]:
    """The best choices of meanings, best first; at least one, even for a question without mentions.

    :param retrieved: score (0 to 1) of each table, column and measure that schema search found, by its text form.
    """
    anchors = _anchors(linked, glossary, dialect)
    near = {edge.right for anchor in anchors for edge in graph.edges(anchor)}
    columns = {m.target for slot in linked.slots for m in slot[:1] if isinstance(m.target, ColumnTarget)}
    beam: list[tuple[float, float, tuple[Mention, ...], frozenset[str]]] = [(0.0, 0.0, (), frozenset())]
    for slot in linked.slots:
        scored = sorted(
            ((_nudged(m, anchors, near, columns, retrieved) - _as_common_word(m, slot), m) for m in slot),
            key=lambda pair: -pair[0],
        )
        best = scored[0][0]
        options = [(s, m) for s, m in scored if s >= best - _SPREAD][:OPTIONS]
        if table_of(slot[0]) is not None and best > _DROPPED:
            options.append((_DROPPED, replace(slot[0], target=DROPPED, score=0.0, reason="left out")))
        grown = []
        for total, regret, mentions, tables in beam:
            for score, mention in options:
                table = table_of(mention)
                cohesion = 0.05 if table and table in tables else 0.0
                cohesion -= _out_of_place(mention, slot, mentions)
                cohesion += _belonging(linked.text, mention, mentions)
                cohesion -= _misplaced_value(linked, mention, mentions, graph)
                if table and tables and graph.component(table) != graph.component(min(tables)):
                    cohesion -= _UNREACHABLE
                seen = tables | {table} if table else tables
                grown.append(
                    (total + score + cohesion, regret + best - score + max(0.0, -cohesion), (*mentions, mention), seen)
                )
        grown.sort(key=lambda state: -state[0])
        beam = grown[:BEAM]
    return tuple(Assignment(mentions, score, regret) for score, regret, mentions, _ in beam[:limit])


def _as_common_word(mention: Mention, slot: tuple[Mention, ...]) -> float:
    """A stored value that is written like a plain word and is also the name of something ("store", "order") rarely is
    meant."""
    if not isinstance(mention.target, ValueTarget) or mention.target.value == mention.text != mention.text.lower():
        return 0.0
    named = any(isinstance(m.target, (TableTarget, ColumnTarget)) and m.score >= 0.97 for m in slot)
    return _COMMON_WORD if named else 0.0


_OF = re.compile(r"^\s*(of|for|from|in)?\s*(the|all|each|every|any|those|these|all the)?\s*$")


def _belonging(text: str, mention: Mention, before: tuple[Mention, ...]) -> float:
    """ "names of actors", "actors' names", 演员的姓名: a column and a table side by side are likely one's and the
    other's."""
    if not before:
        return 0.0
    last = before[-1]
    counts = isinstance(mention.target, PhraseTarget) and mention.target.concept == "aggregate.count"
    if counts and isinstance(last.target, TableTarget) and not text[last.end : mention.start].strip("的 "):
        # 客户数量: the number of the things just named.
        return _OWN / 2
    if isinstance(mention.target, ColumnTarget) and (head := _head_of_clause_before(text, mention, before)):
        return _OWN if head == mention.target.table else -_OWN / 2
    gap = text[last.end : mention.start].lower()
    pair = (last.target, mention.target)
    if isinstance(pair[0], ValueTarget) and isinstance(pair[1], ValueTarget):
        # "Linda Smith": two columns of one row, not a first name here and a last name there.
        if pair[0].table != pair[1].table:
            return 0.0
        if pair[0].column == pair[1].column:
            # "online vs store": two of a kind.
            return _OWN if gap.strip(" .") in _VERSUS else 0.0
        return _OWN if not gap.strip(" ,") else 0.0
    if isinstance(pair[0], ColumnTarget) and isinstance(pair[1], TableTarget) and _OF.match(gap) and gap.strip():
        bonus = _OWN if pair[0].table == pair[1].table else -_OWN / 2
        for left, right in zip(reversed(before[:-1]), reversed(before[1:]), strict=True):
            # "ids and dates of the logs": the whole list belongs to what follows.
            if not isinstance(left.target, ColumnTarget) or text[left.end : right.start].strip(" ,").lower() not in (
                "and",
                "",
            ):
                break
            bonus += _OWN / 2 if left.target.table == pair[1].table else -_OWN / 4
        return bonus
    if isinstance(pair[0], TableTarget) and isinstance(pair[1], ColumnTarget) and gap.strip() in _OWNERS:
        if pair[0].table == pair[1].table:
            return _OWN
        # 客户数量 is no quantity of order lines: a thing and a number side by side belong together or not at all.
        return -_OWN / 2 if not gap.strip(" 的") and has_han(text) else 0.0
    return 0.0


def _head_of_clause_before(text: str, mention: Mention, before: tuple[Mention, ...]) -> str | None:
    """有照片的山，ID和名称: a Chinese clause ends in the thing that it is about; what the next one names is the
    thing's."""
    comma = max(text.rfind("，", 0, mention.start), text.rfind(",", 0, mention.start))
    if comma < 0 or not has_han(text):
        return None
    for other in reversed(before):
        if isinstance(other.target, TableTarget):
            return other.target.table if other.start < comma and not text[other.end : comma].strip("们中里 ") else None
    return None


def _misplaced_value(linked: Linked, mention: Mention, before: tuple[Mention, ...], graph: KeyGraph) -> float:
    """A value right before a thing that has no such value ("active employees" where products are active), and a value
    where the date of the same name is meant ("shipped in 2025")."""
    if not before or not isinstance(before[-1].target, ValueTarget):
        return 0.0
    value, last = before[-1].target, before[-1]
    gap = linked.text[last.end : mention.start].strip().lower()
    if isinstance(mention.target, TableTarget) and not gap and value.table != mention.target.table:
        near = any(not edge.many and edge.right == value.table for edge in graph.edges(mention.target.table))
        return 0.0 if near else _FOREIGN
    if isinstance(mention.target, TimeTarget) and len(gap.split()) <= 1:
        slot = next((s for s in linked.slots if s[0].start == last.start and s[0].end == last.end), ())
        dated = any(isinstance(m.target, ColumnTarget) and m.score >= 0.8 for m in slot)
        return _FOREIGN if dated else 0.0
    return 0.0


_VERSUS = frozenset({"vs", "versus", "compared to", "compared with", "and", "or", "&", "/"})
_OWNERS = frozenset(
    {
        "",
        "'s",
        "'",
        "’s",
        "的",
        "whose",
        "with",
        "with the",
        "having",
        "where",
        "where the",
        "that has",
        "that have",
        "who have",
        "and their",
        "and its",
    }
)
_QUANTITIES = (
    "aggregate.avg",
    "aggregate.sum",
    "aggregate.min",
    "aggregate.max",
    "superlative.most",
    "superlative.least",
)


def _out_of_place(mention: Mention, slot: tuple[Mention, ...], before: tuple[Mention, ...]) -> float:
    """Where one word names a thing and its number ("stocks"): averages and extremes want the number, counts the
    thing."""
    phrase = before[-1].target if before else None
    if not isinstance(phrase, PhraseTarget) or len(slot) < 2:
        return 0.0
    if phrase.concept in _QUANTITIES and isinstance(mention.target, TableTarget):
        return (
            _WRONG_SORT
            if any(isinstance(m.target, (ColumnTarget, MeasureTarget)) and m.score >= 0.9 for m in slot)
            else 0.0
        )
    if phrase.concept == "aggregate.count" and isinstance(mention.target, ColumnTarget):
        return _WRONG_SORT if any(isinstance(m.target, TableTarget) and m.score >= 0.9 for m in slot) else 0.0
    return 0.0


def table_of(mention: Mention) -> str | None:
    target = mention.target
    return target.table if isinstance(target, (TableTarget, ColumnTarget, ValueTarget)) else None


def _anchors(linked: Linked, glossary: Glossary, dialect: str) -> frozenset[str]:
    """Tables that the question names, by themselves or through a measure."""
    found: set[str] = set()
    for slot in linked.slots:
        target = slot[0].target
        if isinstance(target, TableTarget) and slot[0].score >= 0.8:
            found.add(target.table)
        elif isinstance(target, MeasureTarget):
            tree = measure_expression(glossary.measures[target.name], dialect)
            found |= {column.table for column in tree.find_all(exp.Column)}
    return frozenset(found)


def _nudged(
    mention: Mention,
    anchors: frozenset[str],
    near: set[str],
    columns: set[ColumnTarget],
    retrieved: Mapping[str, float],
) -> float:
    score = mention.score
    table = table_of(mention)
    if table is not None:
        score += _SAME_TABLE if table in anchors else _NEIGHBOUR if table in near else 0.0
        if table in anchors and mention.reason == "part of the name":
            # "details of the staff" are the staff's other_details before another thing's details.
            score += _PART_OF_NAMED
    if isinstance(mention.target, ValueTarget) and ColumnTarget(mention.target.table, mention.target.column) in columns:
        score += _SAME_COLUMN
    if not isinstance(mention.target, ValueTarget):
        score += _RETRIEVED * retrieved.get(str(mention.target), 0.0)
    return score
