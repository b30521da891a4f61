"""The sketch: from the words of a question, how likely its query counts, groups, orders, nests (one softmax each).

A multinomial logistic regression over :func:`agents.learn.question.patterns`, trained on questions with known SQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.language.link import Linked
from agents.learn.facts import HEADS
from agents.learn.question import patterns

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sketcher:
    """Predicts sketches.

    :ivar vocabulary: row of the weights by pattern.
    :ivar weights: patterns by outputs; the classes of all heads lie beside each other in the order of :data:`HEADS`.
    """

    vocabulary: dict[str, int]
    weights: NDArray[np.float16]
    bias: Floats

    def predict(self, linked: Linked) -> list[Floats]:
        """Log-probabilities of the classes of each head."""
        rows = sorted(row for name in patterns(linked) if (row := self.vocabulary.get(name)) is not None)
        return split_heads(self.weights[rows].astype(np.float64).sum(axis=0) + self.bias)

    def save(self, path: Path) -> None:
        names = "\n".join(sorted(self.vocabulary, key=self.vocabulary.__getitem__)).encode()
        np.savez_compressed(
            path,
            names=np.frombuffer(names, dtype=np.uint8),
            weights=self.weights,
            bias=self.bias,
            heads=np.array(list(HEADS)),
        )

    @classmethod
    def load(cls, path: Path) -> Sketcher:
        """:raises ValueError: when the file was made for other heads. :raises OSError: when it cannot be read."""
        with np.load(path) as data:
            if data["heads"].tolist() != list(HEADS):
                raise ValueError("the sketch model was trained for other heads")
            names = data["names"].tobytes().decode().split("\n")
            return cls({name: row for row, name in enumerate(names)}, data["weights"], data["bias"])


def split_heads(scores: Floats) -> list[Floats]:
    """One vector of all outputs cut into heads, each normalised to log-probabilities."""
    found: list[Floats] = []
    start = 0
    for classes in HEADS.values():
        part = scores[start : start + len(classes)]
        part = part - part.max()
        found.append(part - np.log(np.exp(part).sum()))
        start += len(classes)
    return found
