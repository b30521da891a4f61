"""Near-synonyms of everyday database words, from ``lexicon/synonyms.yaml``: tried where a word names nothing itself."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import yaml

from agents.language.text import Language, fold, lemma_of_name

Phrase = tuple[str, ...]

SYNONYM = 0.8
"""What a name found under another word loses: the factor on its score."""


@lru_cache(maxsize=2)
def synonyms(lang: Language) -> dict[Phrase, tuple[Phrase, ...]]:
    """Other ways of saying a word or phrase, as dictionary forms; Chinese words stay whole."""
    text = resources.files("agents.language.lexicon").joinpath("synonyms.yaml").read_text(encoding="utf-8")
    found: dict[Phrase, list[Phrase]] = {}
    for line in yaml.safe_load(text)[lang]:
        group = [_phrase(word, lang) for word in str(line).split()]
        for one in group:
            known = found.setdefault(one, [])
            known += [other for other in group if other != one and other not in known]
    return {phrase: tuple(others) for phrase, others in found.items()}


def said_otherwise(words: Phrase, lang: Language) -> tuple[Phrase, ...]:
    """The phrase with one of its words (or all of it) replaced by a synonym."""
    known = synonyms(lang)
    found = list(known.get(words, ()))
    if len(words) > 1:
        for at, word in enumerate(words):
            found += [(*words[:at], *other, *words[at + 1 :]) for other in known.get((word,), ())]
    return tuple(dict.fromkeys(found))


def _phrase(word: str, lang: Language) -> Phrase:
    if lang == "zh":
        return (fold(word),)
    return tuple(lemma_of_name(part) for part in word.split("_"))
