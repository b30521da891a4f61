"""What the patterns are matched against: words of an English question, characters of a Chinese one."""

from __future__ import annotations

from collections.abc import Sequence

from agents.language.lexicon.pattern import NUMBER, ORDINAL, QUOTED, Unit
from agents.language.numbers import find_numbers
from agents.language.text import Language, Token, shadow

PAST, PUNCT = "<past>", "<punct>"
"""Keys that guards may name: a verb in the past or a participle ("reserved by" is no group), and any punctuation."""


def words_of(tokens: Sequence[Token]) -> list[Unit]:
    units: list[Unit] = []
    for token in tokens:
        if token.kind == "quoted":
            units.append(Unit((QUOTED,), token.start, token.end))
        elif token.kind == "word" and "-" in token.norm and " " in token.lemma and "_" not in token.norm:
            for norm, lemma in zip(token.norm.split("-"), token.lemma.split(" "), strict=False):
                units.append(Unit(_keys(norm, lemma), token.start, token.end))
        else:
            extra = (PUNCT,) if token.kind == "punct" else ()
            units.append(Unit(_keys(token.norm, token.lemma) + extra, token.start, token.end))
    return units


_PAST_ENDINGS = tuple("ed wn ken ten ven ght ung old one orn ent ade eld aid sen ilt ook".split())


def _keys(norm: str, lemma: str) -> tuple[str, ...]:
    if norm == lemma:
        return (f"={norm}", norm)
    past = (PAST,) if norm.endswith(_PAST_ENDINGS) else ()
    return (f"={norm}", norm, lemma, *past)


def characters_of(tokens: Sequence[Token], text: str) -> list[Unit]:
    units: list[Unit] = []
    ends = {token.start: token.end for token in tokens if token.kind == "quoted"}
    folded, at = shadow(text), 0
    while at < len(text):
        end = ends.get(at, at + 1)
        if not folded[at].isspace():
            units.append(Unit((QUOTED if at in ends else folded[at],), at, end))
        at = end
    return units


def numbers_at(
    tokens: Sequence[Token], text: str, lang: Language, units: Sequence[Unit]
) -> dict[tuple[str, int], tuple[int, float]]:
    starts = {unit.start: index for index, unit in reversed(list(enumerate(units)))}
    ends = {unit.end: index + 1 for index, unit in enumerate(units)}
    found: dict[tuple[str, int], tuple[int, float]] = {}
    for mention in find_numbers(text, tokens, lang):
        if mention.start in starts and mention.end in ends:
            symbol = ORDINAL if mention.ordinal else NUMBER
            found[(symbol, starts[mention.start])] = (ends[mention.end], mention.value)
    return found
