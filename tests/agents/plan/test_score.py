"""Confidence of the rules: between 0 and 1 for every score."""

from __future__ import annotations

import pytest

from agents.plan.score import default_weights


@pytest.mark.parametrize(
    ("best", "second", "expected"),
    [
        (2.2, None, "sure"),
        (-3.0, None, "unsure"),
        # A long question of words that name nothing: the exponential would overflow.
        (-5000.0, None, "unsure"),
        (-5000.0, -5000.0, "unsure"),
        (5000.0, -5000.0, "sure"),
    ],
)
def test_confidence(best: float, second: float | None, expected: str) -> None:
    confidence = default_weights().confidence(best, second)
    assert 0.0 <= confidence <= 1.0
    assert (confidence > 0.5) == (expected == "sure")
