"""Questions as masked patterns."""

from __future__ import annotations

import pytest

from agents.language.ir import ColumnTarget, Mention, NumberTarget, PhraseTarget, TableTarget, Target, ValueTarget
from agents.language.link import Linked
from agents.language.text import detect_language, tokenize
from agents.learn.question import masked, patterns

NAMES: dict[str, Target] = {
    "name": ColumnTarget("singer", "name"),
    "release year": ColumnTarget("singer", "year"),
    "singers": TableTarget("singer"),
    "France": ValueTarget("singer", "country", "France"),
    "30": NumberTarget(30),
    "older than": PhraseTarget("compare.more"),
    "how many": PhraseTarget("aggregate.count"),
}


def linked(text: str) -> Linked:
    lang = detect_language(text)
    found = [(text.lower().find(words.lower()), words) for words in NAMES]
    slots = sorted((at, words) for at, words in found if at >= 0)
    mentions = [(Mention(at, at + len(words), words, NAMES[words], 1.0, "exact"),) for at, words in slots]
    kept = [
        m for m in mentions if not any(m is not o and m[0].overlaps(o[0]) and m[0].end <= o[0].end for o in mentions)
    ]
    return Linked(text, lang, tokenize(text, lang), tuple(kept), (), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Show the name of singers older than 30", "show the <C> of <T> old than <N>"),
        ("How many singers are from France?", "how many <T> be from <V> ?"),
        ("the release year", "the <C>"),
        ("top 3", "top <N>"),
    ],
)
def test_masked(text: str, expected: str) -> None:
    assert " ".join(masked(linked(text))) == expected


def test_patterns_hold_words_masks_concepts_and_counts() -> None:
    found = patterns(linked("How many singers are older than 30?"))
    assert {"^ how many", "many <T> be", "_how_many", "~aggregate.count", "~aggregate.count~compare.more"} <= found
    assert {"#<T>1", "#<N>1"} <= found
    assert "#<T>2" not in found
