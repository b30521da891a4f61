"""Places in a ranking: "the second highest salary", "third most expensive product", 销售额第二高的客户.

What a place is counted by is read as the first one would be ("the highest salary"); then the rows before it are passed
over.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agents.language.ir import ColumnTarget, PhraseTarget
from agents.language.lexicon import load_lexicon
from agents.language.numbers import NumberMention, find_numbers
from agents.language.text import tokenize
from agents.plan.ir import Function
from agents.plan.read.draft import Item, OrderDraft, Reading
from agents.plan.read.rankings import rank_by

_DIRECTIONS = {Function.MAX: True, Function.MIN: False}


def read_places(reading: Reading) -> None:
    """Each phrase with an ordinal becomes the superlative that it holds, with an offset."""
    for item in reading.items:
        if not item.is_concept("rank.nth") or not reading.free(item):
            continue
        place = _place(reading, item)
        first = _superlative(reading, item)
        if place is None or first is None:
            continue
        draft = reading.draft
        before = len(draft.measures)
        rank_by(reading, first)
        if len(draft.measures) == before and not draft.order and any(o.is_concept("group.by") for o in reading.items):
            # "the third largest product by price": what makes it large is said behind.
            upward = first.is_concept("superlative.least") or _payload(first) == "asc"
            rank_by(reading, Item(item.at, replace(item.mention, target=PhraseTarget("bottom" if upward else "top"))))
        if len(draft.measures) == before + 1 and not draft.order:
            # "the second highest salary": the values themselves are ranked, each once.
            extreme = draft.measures.pop()
            if not isinstance(extreme.target, ColumnTarget) or extreme.function not in _DIRECTIONS:
                draft.problems.append("not_expressible")
                continue
            draft.projections.append((item.at, extreme.target))
            draft.order.append(OrderDraft(extreme.target, _DIRECTIONS[extreme.function]))
            draft.distinct = True
        if draft.order:
            draft.limit, draft.offset = 1, place - 1


def _payload(item: Item) -> object:
    return item.mention.target.get("direction") if isinstance(item.mention.target, PhraseTarget) else None


def _place(reading: Reading, item: Item) -> int | None:
    number = _ordinal(reading, item)
    return int(number.value) if number is not None and number.value >= 1 else None


def _ordinal(reading: Reading, item: Item) -> NumberMention | None:
    said, lang = item.mention.text, reading.linked.lang
    return next((n for n in find_numbers(said, tokenize(said, lang), lang) if n.ordinal), None)


def _superlative(reading: Reading, item: Item) -> Item | None:
    """The same phrase without its number: "the most expensive", 最高的."""
    lang = reading.linked.lang
    said = item.mention.text
    number = _ordinal(reading, item)
    if number is None:
        return None
    filler = "最" if lang == "zh" else ""
    bare = re.sub(r"\s+", " ", said[: number.start] + filler + said[number.end :]).strip()
    for hit in load_lexicon(lang).match(tokenize(bare, lang), bare):
        if hit.concept.startswith("superlative"):
            target = PhraseTarget(hit.concept, tuple(sorted(hit.payload.items(), key=lambda pair: pair[0])))
            return Item(item.at, replace(item.mention, target=target))
    return None
