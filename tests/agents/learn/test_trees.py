"""Trees walked with numpy give what walking node by node gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.learn.trees import Trees

STUMP = Trees(
    roots=np.array([0, 3], dtype=np.int32),
    feature=np.array([0, 0, 0, 1, 0, 0, 0, 0], dtype=np.int16),
    threshold=np.array([0.5, 0, 0, -1.0, 2.0, 0, 0, 0]),
    left=np.array([1, 1, 2, 4, 5, 5, 6, 7], dtype=np.int32),
    right=np.array([2, 1, 2, 7, 6, 5, 6, 7], dtype=np.int32),
    value=np.array([0, -1.0, 1.0, 0, 0, 10.0, 20.0, 30.0]),
    depth=2,
    base=0.25,
)


def walk(row: list[float]) -> float:
    total = STUMP.base
    for root in STUMP.roots:
        at = int(root)
        while STUMP.left[at] != at:
            at = int(STUMP.left[at] if row[STUMP.feature[at]] <= STUMP.threshold[at] else STUMP.right[at])
        total += float(STUMP.value[at])
    return total


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), max_size=8))
@settings(max_examples=50, deadline=None)
def test_all_rows_at_once(rows: list[tuple[float, float]]) -> None:
    found = STUMP.score(np.array(rows, dtype=np.float64).reshape(len(rows), 2))
    assert found.tolist() == [walk(list(row)) for row in rows]


def test_arrays_and_back() -> None:
    again = Trees.of(STUMP.arrays("x"), "x")
    rows = np.array([[0.0, 0.0], [1.0, -2.0], [3.0, 3.0]])
    assert again.score(rows).tolist() == STUMP.score(rows).tolist()


def test_an_ensemble_without_trees_says_its_base() -> None:
    none = np.zeros(0, dtype=np.int32)
    empty = Trees(none, none.astype(np.int16), np.zeros(0), none, none, np.zeros(0), 0, -20.0)
    assert empty.score(np.zeros((2, 3))).tolist() == [-20.0, -20.0]
