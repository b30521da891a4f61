"""Which spans of a question to believe: the set that explains most of it, where spans overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.language.ir import Mention, PhraseTarget, TimeTarget, ValueTarget

_LATIN = re.compile(r"[^\W_\u2e80-\uffff]+(?:['.-][^\W_\u2e80-\uffff]+)*")

Slots = tuple[tuple[Mention, ...], ...]

_OF = re.compile(r" of( the| all)*$", re.IGNORECASE)


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


def resolve_otherwise(
    mentions: Sequence[Mention], slots: Slots, losers: Sequence[Mention]
) -> tuple[Slots, tuple[Mention, ...], float] | None:
    """The next best way to cut the question: with the losing span that costs least to believe ("minimum" and "salary"
    where the column ``min_salary`` won). ``None`` where no surely named span lost.

    :returns: slots, losers, and how much less of the question they explain.
    """
    won = [(slot[0].start, slot[0].end, max(map(_weight, slot))) for slot in slots]
    best: tuple[float, Mention] | None = None
    for loser in losers:
        if loser.score < _SURE or isinstance(loser.target, (ValueTarget, TimeTarget)):
            continue
        over = [span for span in won if span[0] < loser.end and loser.start < span[1]]
        if len(over) != 1:
            # A longer span that swallows several: only cutting one up anew is tried.
            continue
        rest = [m for m in losers if m.score >= _SURE and over[0][0] <= m.start and m.end <= over[0][1]]
        filled = max((_weight(m) for m in rest if not m.overlaps(loser)), default=0.0)
        lost = over[0][2] - _weight(loser) - filled
        if lost <= _WORTH * over[0][2] and (best is None or lost < best[0]):
            best = lost, loser
    if best is None:
        return None
    lost, wanted = best
    same = (wanted.start, wanted.end)
    kept = [m for m in mentions if (m.start, m.end) == same or not m.overlaps(wanted)]
    others, left = resolve(kept)
    return others, left, lost


_SURE = 0.85
_WORTH = 0.45


def _weight(mention: Mention) -> float:
    """How much of the question a mention explains: its words (Chinese: half its characters), by its score."""
    if isinstance(mention.target, PhraseTarget) and (behind := _OF.search(mention.text)):
        # "counts of the" weighs little more than "counts": a name such as "access count" comes first.
        words = len(_LATIN.findall(mention.text[: behind.start()]))
        return float(max(1.0, words + 0.5) ** 1.08) * mention.score**2
    length = sum(0.5 if ord(c) > 0x2E7F else 0.0 for c in mention.text) + len(_LATIN.findall(mention.text))
    bonus = 0.02 if isinstance(mention.target, (ValueTarget, TimeTarget)) else 0.0
    # A longer name explains a little more than its words apart: "profit margin" is not profit and margin.
    return float(max(1.0, length) ** 1.08) * (mention.score**2 + bonus)
