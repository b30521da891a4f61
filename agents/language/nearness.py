"""Texts that are almost a stored one: a word of a longer value, and a value with a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

SHORTEST_TYPO = 5
"""Shorter words are one slip away from too many others."""

SHORTEST_PART = 4
SIMILARITY = 0.8
"""Least optimal string alignment similarity: one slip in five letters, two in ten."""

_MOST_WORDS = 6
_MOST_VALUES = 12
_MOST_KEYS = 5


class Nearness:
    """Made from an index's keys, and the stored texts among them with their numbers."""

    def __init__(self, keys: Iterable[str], named: Iterable[tuple[str, int]]) -> None:
        self._by_shape: dict[tuple[str, int], list[str]] = {}
        for key in keys:
            if len(key) >= SHORTEST_TYPO and key[0].isalpha():
                self._by_shape.setdefault((key[0], len(key)), []).append(key)
        self._by_word: dict[str, list[int]] = {}
        for name, number in named:
            if " " in name:
                self._add_words(number, name)

    def _add_words(self, number: int, name: str) -> None:
        words = name.split()
        if 1 < len(words) <= _MOST_WORDS:
            for word in {words[0], words[-1], " ".join(words[:2]) if len(words) > 2 else words[0]}:
                if len(word) >= SHORTEST_PART and not word.isdigit():
                    numbers = self._by_word.setdefault(word, [])
                    if number not in numbers[-2:]:
                        numbers.append(number)

    def containing(self, name: str) -> Sequence[int]:
        """Numbers of the values that begin or end with the plain text, none when they are too many to choose from."""
        found = self._by_word.get(name, ())
        return found if len(found) <= _MOST_VALUES else ()

    def misspelt(self, name: str) -> list[tuple[str, float]]:
        """Keys that differ from the plain text by a slip or two, nearest first, with their similarity (0 to 1).

        The first letter is taken to be right, as it nearly always is.
        """
        if len(name) < SHORTEST_TYPO or any(c.isdigit() for c in name):
            return []
        spare = 1 if len(name) < 10 else 2
        found: list[tuple[str, float]] = []
        for length in range(len(name) - spare, len(name) + spare + 1):
            keys = self._by_shape.get((name[0], length), ())
            near = process.extract(
                name, keys, scorer=OSA.normalized_similarity, score_cutoff=SIMILARITY, limit=_MOST_KEYS
            )
            found += [(key, similarity) for key, similarity, _ in near if key != name]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:_MOST_KEYS]
