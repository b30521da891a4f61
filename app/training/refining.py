"""Fitting the second ranking: on questions over databases that the encoder and the first ranker had not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from agents.learn.refiner import LIMIT, Refiner, sure_row
from agents.learn.trees import Floats, sigmoid
from app.training.ranking import Table, fit_logit, threshold

PARTS = 5


@dataclass(frozen=True)
class Held:
    """One question over a database that was held out.

    :ivar rows: shape ``(candidates, len(REFINED_FEATURES))``.
    """

    db_id: str
    hardness: str
    rows: Floats
    labels: tuple[bool, ...]


def fit_refiner(held: Sequence[Held], precision: float) -> tuple[Refiner, list[tuple[Held, bool, float]]]:
    """The second ranking of all questions; and of each question, by models that had not seen its database, whether the
    first candidate is right and how sure they are."""
    databases = sorted({one.db_id for one in held})
    part = {db: n % PARTS for n, db in enumerate(databases)}
    scored: list[tuple[Held, Floats]] = []
    for fold in range(PARTS):
        model = _fit([one for one in held if part[one.db_id] != fold])
        scored += [(one, model.scores(one.rows)) for one in held if part[one.db_id] == fold]
    rows = np.array([sure_row(one.rows, scores) for one, scores in scored])
    right = np.array([one.labels[int(np.argmax(scores))] for one, scores in scored])
    groups = np.array([part[one.db_id] for one, _ in scored])
    honest = np.zeros(len(scored))
    for fold in range(PARTS):
        honest[groups == fold] = _sure(rows[groups != fold], right[groups != fold], rows[groups == fold])
    sure = LogisticRegression(C=1.0, max_iter=2000).fit(rows, right)
    found = replace(
        _fit(held),
        sure=np.append(sure.coef_[0], sure.intercept_[0]),
        answer_above=threshold(honest, right, precision),
    )
    judged = [(one, bool(r), float(c)) for (one, _), r, c in zip(scored, right, honest, strict=True)]
    return found, judged


def _fit(held: Sequence[Held]) -> Refiner:
    rows = np.vstack([one.rows for one in held])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    labels = np.array([label for one in held for label in one.labels])
    question = np.repeat(np.arange(len(held)), [len(one.labels) for one in held])
    standard = np.clip((rows - mean) / scale, -LIMIT, LIMIT)
    weights = fit_logit(Table(standard, labels, question))
    return Refiner(mean, scale, weights, np.zeros(1), 1.0)


def _sure(rows: Floats, right: NDArray[np.bool_], asked: Floats) -> Floats:
    model = LogisticRegression(C=1.0, max_iter=2000).fit(rows, right)
    return sigmoid(asked @ model.coef_[0] + model.intercept_[0])
