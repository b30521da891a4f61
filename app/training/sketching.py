"""Fitting the sketch: a multinomial logistic regression per part of the query over word patterns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from agents.learn.facts import HEADS
from agents.learn.sketch import Sketcher

LEAST_QUESTIONS, LEAST_DATABASES = 6, 4
STRENGTH = 0.1
"""Inverse of the L2 penalty."""


def vocabulary(patterns: Sequence[set[str]], databases: Sequence[str]) -> dict[str, int]:
    """Patterns that occur on several databases: those of one schema teach nothing about another."""
    counts: Counter[str] = Counter()
    where: defaultdict[str, set[str]] = defaultdict(set)
    for found, database in zip(patterns, databases, strict=True):
        for name in found:
            counts[name] += 1
            where[name].add(database)
    kept = (n for n, c in counts.items() if c >= LEAST_QUESTIONS and len(where[n]) >= LEAST_DATABASES)
    return {name: row for row, name in enumerate(sorted(kept))}


def fit_sketch(patterns: Sequence[set[str]], databases: Sequence[str], sketches: NDArray[np.int64]) -> Sketcher:
    """:param sketches: class numbers, shape ``(questions, heads)``."""
    known = vocabulary(patterns, databases)
    rows = [row for row, found in enumerate(patterns) for name in found if name in known]
    columns = [known[name] for found in patterns for name in found if name in known]
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(patterns), len(known)))
    weights, bias = [], []
    for head, classes in enumerate(HEADS.values()):
        w, b = _fit_head(matrix, sketches[:, head], len(classes))
        weights.append(w)
        bias.append(b)
    return Sketcher(known, np.hstack(weights).astype(np.float16), np.concatenate(bias))


def _fit_head(
    matrix: sparse.csr_matrix, labels: NDArray[np.int64], classes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights ``(patterns, classes)`` and biases; a class that never occurs gets a very low bias."""
    weights, bias = np.zeros((matrix.shape[1], classes)), np.full(classes, -8.0)
    present = np.unique(labels)
    if len(present) == 1:
        bias[present[0]] = 0.0
        return weights, bias
    model = LogisticRegression(C=STRENGTH, max_iter=100, tol=1e-3).fit(matrix, labels)
    if len(present) == 2:
        weights[:, present[1]], bias[present] = model.coef_[0], (0.0, model.intercept_[0])
    else:
        weights[:, present], bias[present] = model.coef_.T, model.intercept_
    return weights, bias
