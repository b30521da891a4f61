"""Fitting the confidence that looks at what the encoder says, on the databases that the encoder was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from agents.catalog import Catalog
from agents.learn.confidence import FEATURES, ConfidenceModel, Ranked, confidence_features, digest
from agents.learn.encoder import Encoder
from agents.learn.facts import Facts
from agents.learn.links import Links
from agents.learn.ranker import LIMIT
from agents.learn.trees import Floats
from app.training.ranking import Bools, threshold

HELD_FOLD = 0
"""The fold of databases that the encoder is not trained on."""

STRENGTH = 0.01
"""Of the fit: the inverse of how much large weights cost. A thousand questions and fifty features leave little room."""

MADE_WEIGHT = 0.3
PARTS = 6
"""Into so many parts the databases are cut, to tell of each question by a fit that knows nothing of its database."""


@dataclass(frozen=True)
class Asked:
    """A question over a database that the encoder was not shown.

    :ivar right: whether the candidate that the ranking puts first is right.
    :ivar made: whether the question was made from a template.
    """

    db_id: str
    made: bool
    links: Links
    catalog: Catalog
    facts: tuple[Facts, ...]
    ranked: Ranked
    right: bool


@dataclass(frozen=True)
class Learned:
    """The confidence, and what it says of the questions that it was fitted on, each by a fit without its database."""

    model: ConfidenceModel
    confidence: Floats


def learn_confidence(encoder: Path, asked: Sequence[Asked], precision: float) -> Learned:
    """Fit it for the encoder of a folder.

    :raises OSError: when there is none. :raises ValueError: when it is broken.
    """
    reader = Encoder(encoder, threads=2)
    rows: list[Floats] = []
    for one in asked:
        agreement = reader.agreement(one.links, one.catalog, one.facts)
        rows.append(np.zeros(len(FEATURES)) if agreement is None else confidence_features(one.ranked, agreement))
    features, right = np.array(rows), np.array([one.right for one in asked])
    made = np.array([one.made for one in asked])
    weight = np.where(made, MADE_WEIGHT, 1.0)
    names = sorted({one.db_id for one in asked})
    part = np.array([names.index(one.db_id) % PARTS for one in asked])
    confidence = np.zeros(len(asked))
    for number in range(PARTS):
        kept = part != number
        if not kept.all():
            confidence[~kept] = _fit(features[kept], right[kept], weight[kept]).probability(features[~kept])
    answer_above = threshold(confidence[~made], right[~made], precision)
    return Learned(_fit(features, right, weight, answer_above, digest(encoder)), confidence)


def _fit(
    rows: Floats, right: Bools, weight: NDArray[np.float64], answer_above: float = 1.0, encoder: str = ""
) -> ConfidenceModel:
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    standard = np.clip((rows - mean) / scale, -LIMIT, LIMIT)
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit(standard, right, sample_weight=weight)
    return ConfidenceModel(mean, scale, np.append(model.coef_[0], model.intercept_[0]), answer_above, encoder)


def curve(confidence: Floats, right: Bools, asked: int) -> dict[str, float]:
    """How many of ``asked`` questions could be answered at each precision, in percent."""
    order = np.argsort(-confidence, kind="stable")
    kept = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    found = {}
    for precision in (0.9, 0.925, 0.95):
        good = np.flatnonzero(kept >= precision)
        found[f"{precision:.1%}"] = round(100 * (int(good[-1]) + 1) / asked, 1) if len(good) else 0.0
    return found
