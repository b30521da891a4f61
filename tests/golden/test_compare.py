from __future__ import annotations

import random
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden.compare import Table, difference, paired

Rows = list[tuple[Any, ...]]


def table(rows: Rows) -> Table:
    return Table.of([f"c{i}" for i in range(len(rows[0]))] if rows else ["c0"], rows)


def check(expected: Rows, got: Rows, same: bool, **options: bool) -> None:
    problem = difference(table(expected), table(got), **options)
    assert (problem is None) is same, problem


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ([], []),
        ([(1,)], [(1,)]),
        ([(1,)], [(1.0,)]),
        ([(100.0,)], [(100.00001,)]),
        ([(0.0,)], [(1e-12,)]),
        ([(None,)], [(None,)]),
        ([(None,)], [(float("nan"),)]),
        ([(1,)], [(True,)]),
        ([(12.5,)], [(Decimal("12.50"),)]),
        ([(2023,)], [("2023",)]),
        ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)]),
        ([("a", 1), ("b", 2)], [(1, "a"), (2, "b")]),
        ([("a", 1), ("a", 1), ("b", 2)], [("b", 2), ("a", 1), ("a", 1)]),
        ([(1, 2), (2, 1)], [(2, 1), (1, 2)]),
        ([("2023-05-01",)], [(date(2023, 5, 1),)]),
        ([("2023-05-01",)], [(datetime(2023, 5, 1),)]),
        ([("2023-05-01 10:30:00",)], [(datetime(2023, 5, 1, 10, 30),)]),
        ([("2023-05", 1), ("2023-06", 2)], [("2023-05-01", 1), ("2023-06-01", 2)]),
        ([("2023-05", 1), ("2023-06", 2)], [(date(2023, 5, 1), 1), (date(2023, 6, 1), 2)]),
        ([(2022, 1), (2023, 2)], [("2022-01-01", 1), ("2023-01-01", 2)]),
        ([("2023-Q1",), ("2023-Q2",)], [("2023-01-01",), ("2023-04-01",)]),
        # sums of the same numbers in another order differ in the last digits and may sort differently
        ([(0.3, 1), (0.30000000000000004, 2)], [(0.3, 2), (0.30000000000000004, 1)]),
    ],
)
def test_same(expected: Rows, got: Rows) -> None:
    check(expected, got, True)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ([(1,)], []),
        ([(1,)], [(1,), (1,)]),
        ([(1,)], [(2,)]),
        ([(2_000_000,)], [(2_000_001,)]),
        ([(100.0,)], [(100.001,)]),
        ([(None,)], [(0,)]),
        ([("",)], [(None,)]),
        ([("a",)], [("A",)]),
        ([("a", 1)], [("a",)]),
        ([("a",)], [("a", 1)]),
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)]),
        ([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)]),
        ([("2023-05",)], [("2023-05-02",)]),
        ([("2023-05", 1)], [("2023-06-01", 1)]),
        ([(2023,)], [("2023-02-01",)]),
        ([("2023-Q1",)], [("2023-02-01",)]),
        # each column fits, the rows do not
        ([(1, 1), (2, 2)], [(1, 2), (2, 1)]),
        ([("a", 1, 1), ("a", 2, 2)], [("a", 1, 2), ("a", 2, 1)]),
    ],
)
def test_different(expected: Rows, got: Rows) -> None:
    check(expected, got, False)


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ([(1,), (2,)], [(1,), (2,)], True),
        ([(1,), (2,)], [(2,), (1,)], False),
        ([("a", 2), ("b", 1)], [(2, "a"), (1, "b")], True),
        ([("2023-05",), ("2023-06",)], [("2023-05-01",), ("2023-06-01",)], True),
    ],
)
def test_order(expected: Rows, got: Rows, same: bool) -> None:
    check(expected, got, same, order=True)


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ([("a",), ("b",)], [(1, "a"), (2, "b")], True),
        ([("a",), ("b",)], [(1, "a"), (2, "c")], False),
        ([("a", 1)], [("a",)], False),
        ([(1, 2)], [(1, 9, 2)], True),
    ],
)
def test_extra_columns(expected: Rows, got: Rows, same: bool) -> None:
    check(expected, got, same, extra_ok=True)


CELLS = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from(["a", "b", "中文"]), st.floats(-10, 10, width=16))
TABLES = st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), max_size=8))


@given(TABLES, st.randoms(use_true_random=False))
def test_shuffled_rows_and_columns_say_the_same(rows: Rows, chance: random.Random) -> None:
    width = len(rows[0]) if rows else 1
    columns = chance.sample(range(width), width)
    shuffled = [tuple(row[i] for i in columns) for row in chance.sample(rows, len(rows))]
    check(rows, shuffled, True)


@given(TABLES, TABLES)
def test_the_comparison_has_no_sides(left: Rows, right: Rows) -> None:
    assert (difference(table(left), table(right)) is None) is (difference(table(right), table(left)) is None)


@pytest.mark.parametrize(
    ("rows", "others", "expected"),
    [
        ([], [], True),
        ([1.0, 2.0], [2.05, 1.05], True),
        ([1.0, 1.0], [1.05, 2.0], False),
        ([1.0], [], False),
        ([1.0, 3.0], [1.0, 2.0, 3.0], True),
    ],
)
def test_each_row_finds_a_partner_of_its_own(rows: list[float], others: list[float], expected: bool) -> None:
    given = list(others)
    assert paired(rows, others, lambda one, other: abs(one - other) < 0.1) is expected
    assert others == given
