"""The index of stored values: which text columns hold "Japan", in whatever case, accent or spacing it is asked.

Built from the distinct values of text columns (collected under a budget by ``app/databases``) and from the value aliases
of the glossary. Look-ups go by the folded text; a value may live in several columns, and all of them are returned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agents.glossary import Glossary
from agents.language.ir import ValueTarget
from agents.language.text import fold, lemmatize

MAX_WORDS = 8
"""Longest value, in words, that is looked for in a question without quotes."""


@dataclass(frozen=True, slots=True)
class Found:
    """A stored value with how it was recognised: score 1 for the very text, less for a variant."""

    target: ValueTarget
    score: float
    reason: str


class ValueIndex:
    """Folded text to stored values. Immutable after construction; safe to share between threads.

    :param columns: ``(table, column, distinct values)`` triples.
    """

    def __init__(self, columns: Iterable[tuple[str, str, Iterable[str]]], glossary: Glossary | None = None) -> None:
        self._by_text: dict[str, list[Found]] = {}
        self._by_lemma: dict[str, list[Found]] = {}
        self._cjk_lengths: set[int] = set()
        self.size = 0
        for table, column, values in columns:
            if glossary and glossary.column(table, column).hidden:
                continue
            for value in values:
                folded = fold(value)
                if not folded or len(folded.split()) > MAX_WORDS * 2:
                    continue
                self.size += 1
                target = ValueTarget(table, column, value)
                self._add(self._by_text, folded, Found(target, 1.0, "stored value"))
                lemma = _lemmas(folded)
                if lemma != folded:
                    self._add(self._by_lemma, lemma, Found(target, 0.85, "stored value, other form"))
        if glossary:
            self._add_aliases(glossary)

    def _add_aliases(self, glossary: Glossary) -> None:
        for table, entry in glossary.tables.items():
            for column, column_entry in entry.columns.items():
                for value, words in column_entry.values.items():
                    target = ValueTarget(table, column, str(value))
                    for word in words.all():
                        self._add(self._by_text, fold(word), Found(target, 0.98, "glossary"))
                        lemma = _lemmas(fold(word))
                        if lemma != fold(word):
                            self._add(self._by_lemma, lemma, Found(target, 0.9, "glossary"))

    def _add(self, index: dict[str, list[Found]], key: str, found: Found) -> None:
        entries = index.setdefault(key, [])
        if all(entry.target != found.target for entry in entries):
            entries.append(found)
        if any(ord(character) > 0x2E7F for character in key):
            self._cjk_lengths.add(len(key))

    def lookup(self, text: str) -> tuple[Found, ...]:
        """Every stored value that the text names, exact spellings before variants."""
        folded = fold(text)
        found = list(self._by_text.get(folded, ()))
        lemma = _lemmas(folded)
        known = {entry.target for entry in found}
        for entry in (*self._by_lemma.get(lemma, ()), *(self._by_text.get(lemma, ()) if lemma != folded else ())):
            if entry.target not in known:
                known.add(entry.target)
                found.append(Found(entry.target, min(entry.score, 0.85), "stored value, other form"))
        return tuple(found)

    @property
    def cjk_lengths(self) -> tuple[int, ...]:
        """Lengths, in characters, of the values and aliases that contain Chinese, longest first."""
        return tuple(sorted(self._cjk_lengths, reverse=True))


def _lemmas(folded: str) -> str:
    return " ".join(lemmatize(word) for word in folded.split())
