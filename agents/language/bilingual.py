"""Chinese words for what English identifiers say: ``lexicon/bilingual.yaml``, read the other way round.

Chinese puts no blanks between words, so a run of characters is cut into known words in every way that fits, and the
English of the words, in their order, is looked up as one name: 公寓类型代码 is *apartment type code*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import islice, product

import yaml

from agents.language.text import lemma_of_name

MAX_CHAIN = 5
"""Words of one compound at most."""
_MAX_READINGS = 96


@dataclass(frozen=True, slots=True)
class Compound:
    """A run of known words: where it ends, how many words it is, and what it may be in English."""

    end: int
    words: int
    readings: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=1)
def english_of() -> dict[str, tuple[tuple[str, ...], ...]]:
    """English phrases, as dictionary forms, by Chinese word."""
    text = resources.files("agents.language.lexicon").joinpath("bilingual.yaml").read_text(encoding="utf-8")
    found: dict[str, list[tuple[str, ...]]] = {}
    for english, chinese in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)).items():
        phrase = tuple(lemma_of_name(word) for word in str(english).split())
        for word in str(chinese).split():
            known = found.setdefault(word, [])
            if phrase not in known:
                known.append(phrase)
    return {word: tuple(phrases) for word, phrases in found.items()}


@lru_cache(maxsize=1)
def _lengths() -> tuple[int, ...]:
    return tuple(sorted({len(word) for word in english_of()}, reverse=True))


def compounds(text: str, start: int) -> Iterator[Compound]:
    """Every chain of known words that begins at ``start``."""

    def grow(at: int, chain: tuple[str, ...]) -> Iterator[Compound]:
        if len(chain) == MAX_CHAIN:
            return
        for length in _lengths():
            word = text[at : at + length]
            if len(word) < length or word not in english_of():
                continue
            longer = (*chain, word)
            options = product(*(english_of()[one] for one in longer))
            readings = tuple(dict.fromkeys(_joined(parts) for parts in islice(options, _MAX_READINGS)))
            yield Compound(at + length, len(longer), readings)
            yield from grow(at + length, longer)

    yield from grow(start, ())


def _joined(parts: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The words in order; one that is said twice in a row ("number number") counts once."""
    words: list[str] = []
    for part in parts:
        words += [word for word in part if not words or word != words[-1]]
    return tuple(words)
