"""A question as features for the sketch: word patterns with everything that belongs to one schema masked.

"Show the name of singers older than 30" becomes ``show the <C> of <T> old than <N>``; the patterns then say the same on
every database. Beside them stand the words themselves (those of a single schema do not get into the vocabulary), the
concepts of the lexicon, and how many names, values and numbers there are.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from agents.language.ir import (
    ColumnTarget,
    MeasureTarget,
    NumberTarget,
    PhraseTarget,
    TableTarget,
    TextTarget,
    TimeTarget,
    ValueTarget,
)
from agents.language.link import Linked

_MASKS: dict[type, str] = {
    TableTarget: "<T>",
    ColumnTarget: "<C>",
    MeasureTarget: "<M>",
    ValueTarget: "<V>",
    TextTarget: "<V>",
    NumberTarget: "<N>",
    TimeTarget: "<D>",
}
_LONGEST = 3
_MOST = 4


def masked(linked: Linked) -> list[str]:
    """The question's lemmas in order, linked spans as one mask each."""
    words: list[str] = []
    at, last = 0, -1
    slots = linked.slots
    for token in linked.tokens:
        while at < len(slots) and slots[at][0].end <= token.start:
            at += 1
        inside = at < len(slots) and slots[at][0].start <= token.start
        mask = _MASKS.get(type(slots[at][0].target)) if inside else None
        if mask is None:
            words.append("<N>" if token.kind == "number" else token.lemma)
        elif at != last:
            words.append(mask)
            last = at
    return words


def patterns(linked: Linked) -> set[str]:
    """All features of the question, by name."""
    words = masked(linked)
    framed = ["^", *words, "$"]
    found = {
        " ".join(framed[start : start + length])
        for length in range(1, _LONGEST + 1)
        for start in range(len(framed) - length + 1)
    }
    plain = ["^", *(token.lemma for token in linked.tokens if token.kind in ("word", "cjk")), "$"]
    found |= {
        "_" + "_".join(plain[start : start + length]) for length in (1, 2) for start in range(len(plain) - length + 1)
    }
    concepts = [slot[0].target.concept for slot in linked.slots if isinstance(slot[0].target, PhraseTarget)]
    found |= {f"~{concept}" for concept in concepts}
    found |= {f"~{a}~{b}" for a, b in pairwise(concepts)}
    for mask, number in Counter(word for word in words if word.startswith("<")).items():
        found |= {f"#{mask}{least}" for least in range(1, min(number, _MOST) + 1)}
    return found
