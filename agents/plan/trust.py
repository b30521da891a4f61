"""From which confidence a reading is answered, and what keeps one from being answered whatever its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

from agents.language.ir import ColumnTarget, Mention, PhraseTarget, TimeTarget, ValueTarget
from agents.language.link import Linked
from agents.plan.ir import CountPlan, OneOf, Or, Plan, Select, SetOperator, SetPlan, Source
from agents.plan.read.draft import Draft

SURE_ENOUGH = 0.5
"""Confidence of the rules below which the engine says what it understood instead of answering."""

SURE_OF_WORDS, SURE_OF_SYNONYMS = 0.955, 0.9
"""Confidence of the rules below which a reading is not answered that took a Chinese word for an English name, or a word
for its synonym. Of Chinese training questions over English schemas, 93 % of those above the first were right."""

SURE_OF_DATES = 0.9
"""Confidence of the rules below which a question is not answered that tells a time by bare years alone."""

AGREED_RULES, AGREED_LEARNED = 0.9, 0.7
"""Where rules and ranking put the same reading first, and the rules are this sure, the ranking need only be so sure: of
900 training questions over databases that the ranking had not seen, 92 % of those answered so were right."""

AGREED_TABLES = 3
"""Tables up to which that holds against the doubts of the encoder, too: of 47 of 1,308 unseen questions that it alone
doubted only 79 % were right, but where there are few tables there is little to mistake, and it has seen few such."""


def needed(linked: Linked, mentions: Sequence[Mention]) -> float:
    """The confidence of the rules that a reading with these mentions needs."""
    most = max(map(_needed, mentions), default=SURE_ENOUGH)
    years = _times(linked)
    return max(most, SURE_OF_DATES) if years and all(map(_is_year, years)) else most


def _needed(mention: Mention) -> float:
    """The confidence that a reading with this mention needs."""
    if mention.reason.startswith("means "):
        return SURE_OF_WORDS
    return SURE_OF_SYNONYMS if mention.reason.startswith("synonym ") else SURE_ENOUGH


def is_learned(plan: Plan, draft: Draft) -> bool:
    """Whether the ranking learned from readings like this one: no derived measures, no second places, and neither a
    period of a date nor a comparison with rows of the same group among the conditions."""
    if not isinstance(plan, (Select, SetPlan, CountPlan)) or draft.offset:
        return False
    return all(f.time is None and f.against_same is None for f in draft.filters)


def is_dated(linked: Linked) -> bool:
    """Whether the question tells a time by more than a bare year."""
    return not all(map(_is_year, _times(linked)))


def _times(linked: Linked) -> list[Mention]:
    return [slot[0] for slot in linked.slots if isinstance(slot[0].target, TimeTarget)]


def _is_year(mention: Mention) -> bool:
    return mention.text.strip().isdigit()


def or_said(mentions: Sequence[Mention]) -> str:
    """The "or" between two conditions, as it was said; empty where there is none."""
    for before, mention, behind in zip(mentions, mentions[1:], mentions[2:], strict=False):
        either = isinstance(mention.target, PhraseTarget) and mention.target.concept == "set.either"
        if either and isinstance(behind.target, ValueTarget) and not isinstance(before.target, ColumnTarget):
            return mention.text
    return ""


def keeps_or(node: object) -> bool:
    """Whether a plan holds alternatives anywhere: either condition, one of several values, rows of either side."""
    if isinstance(node, (Or, OneOf)) or (isinstance(node, SetPlan) and node.op is SetOperator.UNION):
        return True
    if isinstance(node, tuple):
        return any(keeps_or(part) for part in node)
    if is_dataclass(node) and not isinstance(node, (Source, type)):
        return any(keeps_or(getattr(node, part.name)) for part in fields(node))
    return False
