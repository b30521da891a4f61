from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.retrieval.fuse import fuse, normalise_lexical, normalise_semantic

FUSED = [
    ([1.0, 0.0], [0.0, 1.0], (0.56, 0.44), [0.56, 0.44]),
    ([1.0, 0.5], [1.0, 1.0], (0.56, 0.44), [1.0, 0.72]),
    ([1.0, 0.0], [0.0, 1.0], (3.0, 1.0), [0.75, 0.25]),
    ([0.3, 0.9], None, (0.56, 0.44), [0.3, 0.9]),
    (None, [0.2, 0.8], (0.56, 0.44), [0.2, 0.8]),
    (None, [0.2, 0.8], (1.0, 0.0), [0.2, 0.8]),
]


def _array(values: list[float] | None) -> np.ndarray | None:
    return None if values is None else np.array(values)


@pytest.mark.parametrize(("semantic", "lexical", "weights", "expected"), FUSED)
def test_fuse(
    semantic: list[float] | None, lexical: list[float] | None, weights: tuple[float, float], expected: list[float]
) -> None:
    assert fuse(_array(semantic), _array(lexical), weights) == pytest.approx(expected)


@pytest.mark.parametrize(("semantic", "weights"), [(None, (0.5, 0.5)), ([1.0], (-1.0, 2.0))])
def test_fuse_refuses(semantic: list[float] | None, weights: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="nothing to fuse"):
        fuse(_array(semantic), None, weights)


def test_normalise() -> None:
    assert normalise_semantic(np.array([0.8, 0.9, 0.85], np.float32)) == pytest.approx([0, 1, 0.5], abs=1e-5)
    assert normalise_semantic(np.array([0.8, 0.8], np.float32)) == pytest.approx([0, 0])
    assert normalise_lexical({1: 5.0, 2: 20.0}, 4) == pytest.approx([0, 0.25, 1, 0])
    assert normalise_lexical({}, 2) == pytest.approx([0, 0])


@given(st.lists(st.tuples(st.floats(-1, 1, width=32), st.floats(0, 50)), min_size=1))
def test_scores_stay_between_0_and_1(pairs: list[tuple[float, float]]) -> None:
    semantic = normalise_semantic(np.array([cosine for cosine, _ in pairs], np.float32))
    lexical = normalise_lexical(dict(enumerate(score for _, score in pairs)), len(pairs))
    fused = fuse(semantic, lexical)
    assert ((fused >= 0) & (fused <= 1 + 1e-9)).all()
