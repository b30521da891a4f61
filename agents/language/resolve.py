"""Which spans of a question to believe: the set that explains most of it, where spans overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.language.ir import Mention, PhraseTarget, TimeTarget, ValueTarget

_LATIN = re.compile(r"[^\W_\u2e80-\uffff]+(?:['.-][^\W_\u2e80-\uffff]+)*")


def resolve(mentions: Sequence[Mention]) -> tuple[tuple[tuple[Mention, ...], ...], tuple[Mention, ...]]:
    """Pick the non-overlapping spans with the largest total weight (weighted interval scheduling, Kleinberg and Tardos,
    *Algorithm Design*, 6.1); every meaning of a picked span stays, best first.

    :returns: slots in text order, and the mentions of the spans that lost.
    """
    spans: dict[tuple[int, int], list[Mention]] = {}
    for mention in mentions:
        spans.setdefault((mention.start, mention.end), []).append(mention)
    ordered = sorted(spans, key=lambda span: (span[1], span[0]))
    best: list[tuple[float, int, bool]] = [(0.0, 0, False)]
    for number, span in enumerate(ordered, start=1):
        weight = max(_weight(m) for m in spans[span])
        before = number - 1
        while before and ordered[before - 1][1] > span[0]:
            before -= 1
        with_it = best[before][0] + weight
        # On a tie the span that was there first (the shorter end) stays out: the later, longer one explains more.
        best.append(
            (with_it, before, True) if with_it >= best[number - 1][0] else (best[number - 1][0], number - 1, False)
        )
    picked: list[tuple[int, int]] = []
    at = len(ordered)
    while at:
        _, before, taken = best[at]
        if taken:
            picked.append(ordered[at - 1])
        at = before
    slots = [tuple(sorted(spans[span], key=lambda m: -m.score)) for span in sorted(picked)]
    chosen = set(picked)
    losers = [m for span, group in spans.items() if span not in chosen for m in group]
    return tuple(slots), tuple(sorted(losers, key=lambda m: (m.start, m.end, -m.score)))


def _weight(mention: Mention) -> float:
    """How much of the question a mention explains: its words (Chinese: half its characters), by its score."""
    if isinstance(mention.target, PhraseTarget) and mention.text.endswith(" of"):
        # "counts of" weighs little more than "counts": a name such as "access count" comes first.
        return float(max(1.0, len(_LATIN.findall(mention.text)) - 0.5) ** 1.08) * mention.score**2
    length = sum(0.5 if ord(c) > 0x2E7F else 0.0 for c in mention.text) + len(_LATIN.findall(mention.text))
    bonus = 0.02 if isinstance(mention.target, (ValueTarget, TimeTarget)) else 0.0
    # A longer name explains a little more than its words apart: "profit margin" is not profit and margin.
    return float(max(1.0, length) ** 1.08) * (mention.score**2 + bonus)
