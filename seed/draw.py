"""Chance with a fixed seed, built on ``random.random()`` alone: the one call whose sequence Python promises to keep."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Items with weights, prepared for many draws."""

    def __init__(self, items: Sequence[T], weights: Sequence[float]) -> None:
        self.items = items
        self.sums = list(accumulate(weights))


class Draw:
    """Draws that repeat on every machine and Python version."""

    def __init__(self, seed: int) -> None:
        self.unit = random.Random(seed).random
        """A number in [0, 1)."""

    def chance(self, probability: float) -> bool:
        return self.unit() < probability

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.unit()

    def integer(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.unit() * (high - low + 1))

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self.unit() * len(items))]

    def weighted(self, choices: Weighted[T]) -> T:
        return choices.items[bisect(choices.sums, self.unit() * choices.sums[-1])]
