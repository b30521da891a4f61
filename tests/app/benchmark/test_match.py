"""Results that are the same, and those that are not; the pairs are those of the referee's own self-test and more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmark.match import is_ordered, same_result

Rows = list[tuple[Any, ...]]


@pytest.mark.parametrize(
    ("gold", "got", "ordered", "same"),
    [
        ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], False, True),
        ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], True, False),
        ([(1, "a"), (2, "b")], [("a", 1), ("b", 2)], True, True),
        ([(1, 2), (2, 1)], [(1, 1), (2, 2)], False, False),
        ([(1, 2), (3, 4)], [(2, 1), (4, 3)], False, True),
        ([(1,), (1,)], [(1,)], False, False),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False, False),
        ([(0.1 + 0.2,)], [(0.3,)], False, True),
        ([(1,)], [(1.0,)], False, True),
        ([(0.0,)], [(-0.0,)], False, True),
        ([(1,)], [("1",)], False, False),
        ([("a",)], [("A",)], False, False),
        ([(None,)], [(None,)], False, True),
        ([(None,)], [(0,)], False, False),
        ([(b"a",)], [("a",)], False, True),
        ([], [], False, True),
        ([(1.0000000005,), (2,)], [(2,), (1.0,)], False, True),
        ([(1.0000005,), (1.0,)], [(0.9999996,), (1.0000004,)], False, True),
        ([(1.00001,)], [(1.0,)], False, False),
        ([(1, 1)], [(1,)], False, False),
        ([(5, 5, 6)], [(5, 6, 6)], True, False),
        ([(5, 6, 5)], [(5, 5, 6)], True, True),
    ],
)
def test_same_result(gold: Rows, got: Rows, ordered: bool, same: bool) -> None:
    widths = (len(gold[0]) if gold else 1), (len(got[0]) if got else 1)
    assert same_result(gold, got, *widths, ordered=ordered) is same


def test_no_rows_need_as_many_columns() -> None:
    assert not same_result([], [], 1, 2, ordered=False)


cells = st.one_of(st.none(), st.integers(-3, 3), st.floats(-2, 2), st.sampled_from("ab"))


@given(st.data(), st.integers(1, 4))
def test_neither_order_matters(data: st.DataObject, width: int) -> None:
    rows = data.draw(st.lists(st.tuples(*[cells] * width), max_size=8))
    columns = data.draw(st.permutations(range(width)))
    turned = [tuple(row[i] for i in columns) for row in data.draw(st.permutations(rows))]
    assert same_result(rows, turned, width, width, ordered=False)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=6))
def test_one_more_row_is_another_result(rows: Rows) -> None:
    assert not same_result(rows, [*rows, rows[0]], 2, 2, ordered=False)


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("select a from t order by a", True),
        ("SELECT a FROM t ORDER  BY a;", True),
        ("select a from (select a from t order by a limit 3)", False),
        ("select a from t union select b from u order by 1", True),
        ("select 'order by' from t", False),
        ('select "order by" from t -- order by a', False),
        ("select row_number() over (order by a) from t", False),
        ("((select a from t order by a))", True),
        ("with c as (select a from t order by a) select * from c", False),
        ("values (1)", False),
    ],
)
def test_is_ordered(sql: str, ordered: bool) -> None:
    assert is_ordered(sql) is ordered
