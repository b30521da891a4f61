"""How sure the first candidate is, where the encoder has read question and schema too.

A logistic regression over what the ranker's own confidence looks at and over how well the candidate agrees with the
encoder. It is fitted on questions over databases that neither the ranker nor the encoder had seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.catalog import Catalog
from agents.learn.candidates import feature_names
from agents.learn.encoder import AGREEMENT, MODEL, Encoder
from agents.learn.facts import Facts
from agents.learn.links import Links
from agents.learn.ranker import CONFIDENCE_FEATURES, LIMIT, confidence_row
from agents.learn.trees import Floats, sigmoid

FILE = "confidence.npz"
_OF_ROW = ("rank", "score", "score_gap")
FEATURES = (*CONFIDENCE_FEATURES, *(f"encoder.{name}" for name in AGREEMENT), "encoder.lead", *_OF_ROW, "candidates")


@dataclass(frozen=True)
class ConfidenceModel:
    """Weights of :data:`FEATURES`.

    :ivar mean: subtracted from each feature, which is then divided by ``scale``.
    :ivar weights: of the standardised features, the bias last.
    :ivar answer_above: the confidence from which answers were right often enough in training.
    :ivar encoder: SHA-256 of the encoder's file that it was fitted for.
    """

    mean: Floats
    scale: Floats
    weights: Floats
    answer_above: float
    encoder: str

    def probability(self, rows: Floats) -> Floats:
        """Of each row of features that the first candidate is right."""
        standard = np.clip((rows - self.mean) / self.scale, -LIMIT, LIMIT)
        return sigmoid(standard @ self.weights[:-1] + self.weights[-1])

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            columns=np.array(FEATURES),
            mean=self.mean,
            scale=self.scale,
            weights=self.weights,
            answer_above=np.array(self.answer_above),
            encoder=np.array(self.encoder),
        )

    @classmethod
    def load(cls, path: Path) -> ConfidenceModel:
        """:raises ValueError: when the file was made for other features. :raises OSError: when it cannot be read."""
        with np.load(path) as data:
            if tuple(data["columns"].tolist()) != FEATURES:
                raise ValueError("the confidence was trained for other features")
            return cls(
                data["mean"],
                data["scale"],
                data["weights"],
                float(data["answer_above"]),
                str(data["encoder"]),
            )


@dataclass(frozen=True)
class EncodedConfidence:
    """The encoder with the confidence that was fitted for it. Safe to share between threads."""

    encoder: Encoder
    model: ConfidenceModel

    @classmethod
    def load(cls, folder: Path) -> EncodedConfidence:
        """:raises ValueError: when the files are broken or do not belong together. :raises OSError: as when one is not
        there."""
        model = ConfidenceModel.load(folder / FILE)
        if model.encoder != digest(folder):
            raise ValueError("the confidence was trained for another encoder, or the encoder's file is damaged")
        return cls(Encoder(folder), model)

    def sure(self, links: Links, catalog: Catalog, facts: Sequence[Facts], ranked: Ranked) -> float | None:
        """Probability that the best candidate is right; ``None`` for a schema that the encoder can read nothing of."""
        agreement = self.encoder.agreement(links, catalog, facts)
        return (
            None
            if agreement is None
            else float(self.model.probability(confidence_features(ranked, agreement)[None])[0])
        )


@dataclass(frozen=True)
class Ranked:
    """One question's candidates as the ranker saw and scored them.

    :ivar rows: shape ``(candidates, features)``.
    :ivar engine: names of the engine's own features among them.
    :ivar mix: how much of the linear score is added to that of the trees.
    """

    rows: Floats
    engine: Sequence[str]
    trees: Floats
    linear: Floats
    mix: float


def confidence_features(ranked: Ranked, agreement: Floats) -> Floats:
    """:data:`FEATURES` of a question.

    :param agreement: shape ``(candidates, len(AGREEMENT))``.
    """
    best = int(np.argmax(ranked.trees + ranked.mix * ranked.linear))
    names = feature_names(ranked.engine)
    return np.array(
        [
            *confidence_row(ranked.trees, ranked.linear, ranked.mix),
            *agreement[best],
            agreement[best, -1] - agreement[:, -1].max(),
            *(ranked.rows[best, names.index(name)] for name in _OF_ROW),
            np.log1p(len(agreement)),
        ]
    )


def digest(folder: Path) -> str:
    """SHA-256 of the encoder's file."""
    return hashlib.sha256((folder / MODEL).read_bytes()).hexdigest()
