"""Boosted trees fitted by scikit-learn, brought into the form that the run time evaluates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from agents.learn.trees import Trees

Floats = NDArray[np.float64]


def fit_trees(
    rows: NDArray[np.floating[Any]],
    labels: NDArray[np.bool_],
    trees: int,
    *,
    leaves: int = 16,
    rate: float = 0.1,
    weight: Floats | None = None,
    smallest: int = 30,
    l2: float = 1.0,
) -> Trees:
    """A binary classifier; a label that never or always holds gives an ensemble without trees."""
    share = float(labels.mean())
    if share in (0.0, 1.0):
        base = 20.0 if share else -20.0
        nothing = np.zeros(0, dtype=np.int32)
        return Trees(nothing, np.zeros(0, dtype=np.int16), np.zeros(0), nothing, nothing, np.zeros(0), 0, base)
    model = HistGradientBoostingClassifier(
        max_iter=trees,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        max_depth=8,
        min_samples_leaf=smallest,
        l2_regularization=l2,
        early_stopping=False,
        random_state=0,
    )
    # Fits run side by side in processes; threads inside each would only wait for one another.
    with threadpool_limits(limits=1):
        model.fit(rows, labels, sample_weight=weight)
    return _exported(model)


def _exported(model: HistGradientBoostingClassifier) -> Trees:
    nodes: list[Any] = [predictors[0].nodes for predictors in model._predictors]
    starts = np.cumsum([0, *(len(n) for n in nodes)])[:-1].astype(np.int32)
    joined = np.concatenate(nodes)
    shift = np.repeat(starts, [len(n) for n in nodes])
    leaf = joined["is_leaf"].astype(bool)
    own = np.arange(len(joined), dtype=np.int32)
    return Trees(
        roots=starts,
        feature=np.where(leaf, 0, joined["feature_idx"]).astype(np.int16),
        # Single precision is what is stored; rounding up keeps "smaller or equal" true for the value itself.
        threshold=np.nextafter(joined["num_threshold"].astype(np.float32), np.float32(np.inf)).astype(np.float64),
        left=np.where(leaf, own, joined["left"] + shift).astype(np.int32),
        right=np.where(leaf, own, joined["right"] + shift).astype(np.int32),
        value=np.where(leaf, joined["value"], 0.0),
        depth=int(joined["depth"].max()),
        base=float(np.ravel(model._baseline_prediction)[0]),
    )
