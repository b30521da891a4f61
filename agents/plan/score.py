"""Scoring: each candidate plan has named features; a linear scorer ranks them, and its margin becomes the confidence.

The weights are data (``weights.json``), so that a training script can replace them without touching this code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import exp

# The exponential of more than about 709 overflows; from 40 on nothing is left of the confidence anyhow.
_STEEPEST = 40.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Linear weights by feature name, and the two numbers that turn score and margin into a confidence."""

    features: Mapping[str, float]
    sharpness: float
    middle: float

    def score(self, features: Mapping[str, float]) -> float:
        return sum(self.features.get(name, 0.0) * value for name, value in features.items())

    def confidence(self, best: float, second: float | None) -> float:
        """Between 0 and 1: a logistic of the best score, lowered where the second reading is close."""
        sure = 1.0 / (1.0 + exp(min(_STEEPEST, -self.sharpness * (best - self.middle))))
        if second is None:
            return sure
        margin = max(0.0, best - second)
        return sure * (1.0 - 0.5 * exp(-margin * self.sharpness * 2))


@lru_cache(maxsize=1)
def default_weights() -> Weights:
    """The weights that come with the package."""
    data = json.loads(resources.files("agents.plan").joinpath("weights.json").read_text(encoding="utf-8"))
    return Weights(data["features"], data["sharpness"], data["middle"])
