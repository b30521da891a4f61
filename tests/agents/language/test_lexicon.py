from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.language.lexicon import Rule, load_lexicon
from agents.language.lexicon.pattern import Automaton, PatternError, Unit
from agents.language.text import Language, tokenize

LANGUAGES: tuple[Language, ...] = ("en", "zh")
RULES = [(lang, rule) for lang in LANGUAGES for rule in load_lexicon(lang).rules]


def hits_of(rule: Rule, sentence: str, lang: Language) -> list[tuple[int, int]]:
    found = load_lexicon(lang).match(tokenize(sentence, lang), sentence)
    return [(hit.start, hit.end) for hit in found if hit.rule_id == rule.id]


def unmark(example: str) -> tuple[str, list[tuple[int, int]]]:
    """Take the ``[[…]]`` out of an example; gives the sentence and the marked spans."""
    spans: list[tuple[int, int]] = []
    sentence = ""
    for piece in re.split(r"(\[\[.*?\]\])", example):
        if piece.startswith("[["):
            spans.append((len(sentence), len(sentence) + len(piece) - 4))
            piece = piece[2:-2]
        sentence += piece
    return sentence, spans


@pytest.mark.parametrize(("lang", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_examples_match_and_near_misses_do_not(lang: Language, rule: Rule) -> None:
    assert rule.examples, "a rule needs an example"
    assert rule.near_misses or ".adjective." in rule.id, "a rule needs a near miss"
    for example in rule.examples:
        sentence, spans = unmark(example)
        assert spans, f"{example!r} marks nothing"
        assert hits_of(rule, sentence, lang) == spans, sentence
    for sentence in rule.near_misses:
        assert hits_of(rule, sentence, lang) == [], sentence


def concepts(sentence: str, lang: Language) -> str:
    found = load_lexicon(lang).match(tokenize(sentence, lang), sentence)
    kept = [h for h in found if h.concept.partition(".")[0] not in ("list", "question")]
    return " ".join(f"{sentence[h.start : h.end]}={h.concept}" for h in kept)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("How many heads of the departments are older than 56 ?", "How many=aggregate.count older than=compare.gt"),
        ("names sorted by age in descending order", "sorted by=order.by in descending order=order.desc"),
        ("the 3 most expensive products", "3 most expensive=superlative.adjective"),
        ("customers with at least two orders", "at least=compare.gte"),
        ("price over 500 by region", "over=compare.gt by=group.by"),
    ],
)
def test_whole_questions(sentence: str, expected: str) -> None:
    assert concepts(sentence, "en") == expected


@pytest.mark.parametrize(
    ("lang", "sentence", "n"),
    [
        ("en", "top 5 products", 5),
        ("en", "the three oldest people", 3),
        ("en", "two or more rooms", 2),
        ("zh", "前十名客户", 10),
        ("zh", "评分最高的三首歌", 3),
    ],
)
def test_numbers_reach_the_payload(lang: Language, sentence: str, n: int) -> None:
    found = load_lexicon(lang).match(tokenize(sentence, lang), sentence)
    assert [hit.payload["n"] for hit in found if "n" in hit.payload] == [n]


def matches(pattern: str, phrase: str, lang: Language) -> bool:
    words = phrase.split() if lang == "en" else list(phrase)
    units = [Unit((word,), at, at + 1) for at, word in enumerate(words)]
    numbers = {("<number>", at): (at + 1, 5.0) for at, word in enumerate(words) if word == "5"}
    return any(after == len(units) for _, after, _ in Automaton([(0, pattern)], lang).walk(units, 0, numbers))


@pytest.mark.parametrize(
    ("pattern", "lang", "accepted", "refused"),
    [
        ("how many|much", "en", ["how many", "how much"], ["how", "many"]),
        ("[the] number of", "en", ["the number of", "number of"], ["the number"]),
        ("(count of|tally) it", "en", ["count of it", "tally it"], ["count it"]),
        ("[in [an|the]] order", "en", ["order", "in order", "in the order"], ["the order"]),
        ("top <number>", "en", ["top 5"], ["top", "5"]),
        ("前<number>[名|个]", "zh", ["前5名", "前5个", "前5"], ["5名", "前名"]),
    ],
)
def test_patterns(pattern: str, lang: Language, accepted: list[str], refused: list[str]) -> None:
    assert [p for p in accepted if not matches(pattern, p, lang)] == []
    assert [p for p in refused if matches(pattern, p, lang)] == []


@pytest.mark.parametrize("pattern", ["[a", "a]", "[a] [b]", "(a|b", ""])
def test_broken_patterns(pattern: str) -> None:
    with pytest.raises(PatternError):
        Automaton([(0, pattern)], "en")


@given(st.text(max_size=50))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_matched(text: str) -> None:
    for lang in LANGUAGES:
        for hit in load_lexicon(lang).match(tokenize(text, lang), text):
            assert 0 <= hit.start < hit.end <= len(text)
