"""Gradient boosted trees evaluated with numpy: all trees and all rows walk down one level at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trees:
    """An ensemble whose raw score is ``base`` plus one leaf of each tree.

    Nodes of all trees lie in one array each; a leaf is its own child, so a walk of ``depth`` steps always ends right.

    :ivar roots: index of each tree's first node.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int16]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: Floats
    depth: int
    base: float

    def score(self, rows: Floats) -> Floats:
        """Raw scores (log-odds for a classifier) of rows of shape ``(n, features)``."""
        if not len(rows):
            return np.zeros(0)
        at = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            at = np.where(rows[row, self.feature[at]] <= self.threshold[at], self.left[at], self.right[at])
        return np.asarray(self.base + self.value[at].sum(axis=1), dtype=np.float64)

    def probability(self, rows: Floats) -> Floats:
        return sigmoid(self.score(rows))

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The ensemble as arrays for one ``.npz`` file; thresholds and leaves in single precision."""
        return {
            f"{prefix}.roots": self.roots,
            f"{prefix}.feature": self.feature,
            f"{prefix}.threshold": self.threshold.astype(np.float32),
            f"{prefix}.left": self.left,
            f"{prefix}.right": self.right,
            f"{prefix}.value": self.value.astype(np.float32),
            f"{prefix}.shape": np.array([self.depth, self.base]),
        }

    @classmethod
    def of(cls, data: Mapping[str, NDArray[Any]], prefix: str) -> Trees:
        """:raises KeyError: when an array is missing."""
        depth, base = data[f"{prefix}.shape"]
        return cls(
            data[f"{prefix}.roots"],
            data[f"{prefix}.feature"],
            data[f"{prefix}.threshold"].astype(np.float64),
            data[f"{prefix}.left"],
            data[f"{prefix}.right"],
            data[f"{prefix}.value"].astype(np.float64),
            int(depth),
            float(base),
        )


def sigmoid(scores: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -40.0, 40.0))), dtype=np.float64)
