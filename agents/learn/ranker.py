"""Ranking a question's candidates, and how sure the first one is.

Two scorers are added: boosted trees that judge each candidate alone (right or wrong), and a conditional logit
(McFadden, 1974) over the same numbers, which was trained to put a right candidate above the others of its question. The
confidence is a logistic regression over both scores of the winner and its lead, fitted on questions over databases that
the scorers had not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.learn.candidates import feature_names
from agents.learn.trees import Floats, Trees, sigmoid

LIMIT = 5.0
"""Standardised values are cut here, so that no odd number rules the linear score."""

CONFIDENCE_FEATURES = ("trees", "linear", "lead", "share", "spread", "alone")


@dataclass(frozen=True)
class Ranker:
    """The two scorers and the confidence.

    :ivar engine: names of the engine's own features that were there in training.
    :ivar mix: how much of the linear score is added to that of the trees.
    :ivar confidence: weights of :data:`CONFIDENCE_FEATURES`, the bias last.
    :ivar answer_above: the confidence from which answers were right often enough in training.
    """

    engine: tuple[str, ...]
    trees: Trees
    mean: Floats
    scale: Floats
    linear: Floats
    mix: float
    confidence: Floats
    answer_above: float

    def scores(self, rows: Floats) -> tuple[Floats, Floats]:
        """The two scores of each candidate."""
        standard = np.clip((rows - self.mean) / self.scale, -LIMIT, LIMIT)
        return self.trees.score(rows), standard @ self.linear

    def order(self, trees: Floats, linear: Floats) -> Floats:
        return trees + self.mix * linear

    def sure(self, trees: Floats, linear: Floats) -> float:
        """Probability that the best candidate is right."""
        found = confidence_row(trees, linear, self.mix)
        return float(sigmoid(np.array([found @ self.confidence[:-1] + self.confidence[-1]]))[0])

    def save(self, path: Path) -> None:
        arrays = self.trees.arrays("trees") | {
            "columns": np.array(feature_names(self.engine)),
            "engine": np.array(self.engine),
            "mean": self.mean,
            "scale": self.scale,
            "linear": self.linear,
            "confidence": self.confidence,
            "numbers": np.array([self.mix, self.answer_above]),
        }
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> Ranker:
        """:raises ValueError: when the file was made for other features. :raises OSError: when it cannot be read."""
        with np.load(path) as data:
            engine = tuple(data["engine"].tolist())
            if data["columns"].tolist() != list(feature_names(engine)):
                raise ValueError("the ranker was trained for other features")
            mix, answer_above = data["numbers"].tolist()
            return cls(
                engine,
                Trees.of(data, "trees"),
                data["mean"],
                data["scale"],
                data["linear"],
                mix,
                data["confidence"],
                answer_above,
            )


def confidence_row(trees: Floats, linear: Floats, mix: float) -> Floats:
    """:data:`CONFIDENCE_FEATURES` of one question's candidates."""
    scores = trees + mix * linear
    best = int(np.argmax(scores))
    others: Sequence[float] = [float(s) for n, s in enumerate(scores) if n != best]
    lead = float(scores[best]) - max(others) if others else LIMIT
    weights = np.exp(scores - scores[best])
    share = weights / weights.sum()
    spread = float(-(share * np.log(share + 1e-12)).sum())
    return np.array([trees[best], linear[best], min(lead, LIMIT), share[best], spread, float(not others)])
