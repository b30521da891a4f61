"""Two scores into one: ``0.56 * semantic + 0.44 * lexical`` by default, each brought to 0..1 within the query first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float64]

WEIGHTS = (0.56, 0.44)
"""Semantic, lexical."""


def normalise_semantic(cosines: NDArray[np.float32]) -> Scores:
    """Cosines to 0..1 by their least and greatest within the query; all 0 when they are equal.

    e5's cosines sit in a narrow band high up, so that unnormalised they would only add a constant.
    """
    values = cosines.astype(np.float64)
    if not values.size or np.ptp(values) == 0:
        return np.zeros(values.shape)
    scaled: Scores = (values - values.min()) / np.ptp(values)
    return scaled


def normalise_lexical(found: Mapping[int, float], count: int) -> Scores:
    """BM25F scores by position to ``count`` values in 0..1: divided by the best; 0 where no term is common."""
    values = np.zeros(count)
    for position, score in found.items():
        values[position] = score
    best = values.max(initial=0.0)
    return values / best if best > 0 else values


def fuse(semantic: Scores | None, lexical: Scores | None, weights: tuple[float, float] = WEIGHTS) -> Scores:
    """The weighted mean of the sides that are there.

    :raises ValueError: when both are missing or a weight is negative.
    """
    sides = [(weight, side) for weight, side in zip(weights, (semantic, lexical), strict=True) if side is not None]
    if not sides or min(weights) < 0:
        raise ValueError("nothing to fuse, or a negative weight")
    total = sum(weight for weight, _ in sides)
    if total == 0:  # A single side works alone, whatever its weight.
        sides, total = [(1.0, side) for _, side in sides], float(len(sides))
    fused = np.zeros_like(sides[0][1])
    for weight, side in sides:
        fused += weight / total * side
    return fused
