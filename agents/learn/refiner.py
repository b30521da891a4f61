"""The second ranking: what the encoder says of each candidate, beside the score of the first ranker.

A conditional logit (McFadden, 1974) over a few numbers. It is trained on questions over databases that neither the
encoder nor the first ranker had seen, so that it knows how far either can be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.learn.encoder import OUTPUTS, EncoderScores
from agents.learn.facts import HEADS, ROLES, Facts
from agents.learn.trees import Floats, sigmoid

LIMIT = 5.0
_FITS = ("fit", "worst", "missed")

REFINED_FEATURES = (
    "first",
    "first_gap",
    *(f"{role}.{name}" for role in ROLES for name in _FITS),
    *(f"tables.{name}" for name in _FITS),
    *(f"sketch.{head}" for head in HEADS),
    "sketch.sum",
    "sketch.least",
    "all.sum",
    "all.gap",
    "proposed",
    "problem",
)

SURE_FEATURES = ("score", "first", "all", "lead", "share", "alone")


def refined_rows(
    facts: Sequence[Facts], first: Floats, encoded: EncoderScores, flags: Sequence[tuple[float, float]]
) -> Floats:
    """Shape ``(candidates, len(REFINED_FEATURES))``.

    :param first: the first ranker's score of each candidate.
    :param flags: of each candidate whether it was proposed, and whether the rules know of a problem.
    """
    rows = []
    for one, score, (proposed, problem) in zip(facts, first.tolist(), flags, strict=True):
        fits = [value for number, role in enumerate(ROLES) for value in encoded.fit(number, one.roles[role])]
        tables = encoded.fit(OUTPUTS.index("used"), [(table, "") for table in one.tables], tables=True)
        agree = [float(p[c] - p.max()) for p, c in zip(encoded.sketch, one.sketch, strict=True)]
        whole = sum(fits[:: len(_FITS)]) + tables[0] + sum(agree)
        rows.append([score, 0.0, *fits, *tables, *agree, sum(agree), min(agree), whole, 0.0, proposed, problem])
    found = np.array(rows, dtype=np.float64)
    names = list(REFINED_FEATURES)
    for key, gap in (("first", "first_gap"), ("all.sum", "all.gap")):
        found[:, names.index(gap)] = found[:, names.index(key)] - found[:, names.index(key)].max()
    return found


@dataclass(frozen=True)
class Refiner:
    """Weights of the second ranking and of its confidence.

    :ivar sure: weights of :data:`SURE_FEATURES`, the bias last.
    :ivar answer_above: the confidence from which answers were right often enough.
    """

    mean: Floats
    scale: Floats
    linear: Floats
    sure: Floats
    answer_above: float

    def scores(self, rows: Floats) -> Floats:
        found: Floats = np.clip((rows - self.mean) / self.scale, -LIMIT, LIMIT) @ self.linear
        return found

    def confidence(self, rows: Floats, scores: Floats) -> float:
        found = sure_row(rows, scores)
        return float(sigmoid(np.array([found @ self.sure[:-1] + self.sure[-1]]))[0])

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            columns=np.array(REFINED_FEATURES),
            mean=self.mean,
            scale=self.scale,
            linear=self.linear,
            sure=self.sure,
            answer_above=np.array(self.answer_above),
        )

    @classmethod
    def load(cls, path: Path) -> Refiner:
        """:raises ValueError: when the file was made for other features. :raises OSError: when it cannot be read."""
        with np.load(path) as data:
            if data["columns"].tolist() != list(REFINED_FEATURES):
                raise ValueError("the second ranking was trained for other features")
            return cls(data["mean"], data["scale"], data["linear"], data["sure"], float(data["answer_above"]))


def sure_row(rows: Floats, scores: Floats) -> Floats:
    """:data:`SURE_FEATURES` of one question's candidates."""
    best = int(np.argmax(scores))
    others = [float(s) for n, s in enumerate(scores) if n != best]
    lead = min(float(scores[best]) - max(others), LIMIT) if others else LIMIT
    weights = np.exp(scores - scores[best])
    names = list(REFINED_FEATURES)
    first, whole = rows[best, names.index("first")], rows[best, names.index("all.sum")]
    return np.array([scores[best], first, whole, lead, 1.0 / weights.sum(), float(not others)])
