"""Fitting the ranker and its confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from agents.learn.ranker import LIMIT, Ranker, confidence_row
from agents.learn.trees import Floats, Trees, sigmoid
from app.training.boost import fit_trees

MIX = 0.4
TREES, LEAVES, RATE = 150, 16, 0.08
PENALTY = 3.0

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Table:
    """Candidates of many questions below each other.

    :ivar question: number of the question of each row; rows of one question follow each other.
    """

    rows: Floats
    labels: Bools
    question: NDArray[np.int64]

    def where(self, kept: Bools) -> Table:
        return Table(self.rows[kept], self.labels[kept], self.question[kept])

    @property
    def groups(self) -> list[NDArray[np.int64]]:
        """Row numbers of each question."""
        starts = np.flatnonzero(np.diff(self.question)) + 1
        return np.split(np.arange(len(self.question)), starts)


@dataclass(frozen=True)
class Scorers:
    trees: Trees
    mean: Floats
    scale: Floats
    linear: Floats

    def scores(self, rows: Floats) -> tuple[Floats, Floats]:
        return self.trees.score(rows), np.clip((rows - self.mean) / self.scale, -LIMIT, LIMIT) @ self.linear


def fit_scorers(table: Table) -> Scorers:
    mean, scale = table.rows.mean(axis=0), table.rows.std(axis=0) + 1e-6
    trees = fit_trees(table.rows, table.labels, trees=TREES, leaves=LEAVES, rate=RATE)
    standard = np.clip((table.rows - mean) / scale, -LIMIT, LIMIT)
    return Scorers(trees, mean, scale, fit_logit(Table(standard, table.labels, table.question)))


def fit_logit(table: Table) -> Floats:
    """A conditional logit: the likelihood that the one drawn from a question's candidates is a right one."""
    solvable = {int(table.question[g[0]]) for g in table.groups if table.labels[g].any()}
    table = table.where(np.array([int(q) in solvable for q in table.question]))
    number = np.unique(table.question, return_inverse=True)[1]
    first = np.unique(number, return_index=True)[1]
    rows, right = table.rows, table.labels.astype(np.float64)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows @ weights
        grown = np.exp(scores - np.maximum.reduceat(scores, first)[number])
        total, good = np.add.reduceat(grown, first), np.add.reduceat(grown * right, first)
        slope = rows.T @ (grown / total[number] - grown * right / good[number])
        return float(np.log(total / good).sum() + PENALTY * weights @ weights / 2), slope + PENALTY * weights

    found: Any = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x, dtype=np.float64)


def fit_confidence(table: Table, trees: Floats, linear: Floats) -> Floats:
    """Weights of the confidence from out-of-fold scores, the bias last."""
    rows = np.array([confidence_row(trees[g], linear[g], MIX) for g in table.groups])
    model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, _first_right(table, trees, linear))
    return np.append(model.coef_[0], model.intercept_[0])


def confidences(table: Table, trees: Floats, linear: Floats, weights: Floats) -> tuple[Floats, Bools]:
    """The confidence of each question, and whether its first candidate is right."""
    rows = np.array([confidence_row(trees[g], linear[g], MIX) for g in table.groups])
    return sigmoid(rows @ weights[:-1] + weights[-1]), _first_right(table, trees, linear)


def _first_right(table: Table, trees: Floats, linear: Floats) -> Bools:
    return table.labels[[g[np.argmax(trees[g] + MIX * linear[g])] for g in table.groups]]


def threshold(confidence: Floats, right: Bools, precision: float) -> float:
    """The lowest confidence from which all answers above are right at least that often; 1 when there is none."""
    order = np.argsort(-confidence, kind="stable")
    kept = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(kept >= precision)
    return float(confidence[order[good[-1]]]) if len(good) else 1.0


def build(scorers: Scorers, engine: tuple[str, ...], confidence: Floats, answer_above: float) -> Ranker:
    return Ranker(engine, scorers.trees, scorers.mean, scorers.scale, scorers.linear, MIX, confidence, answer_above)
