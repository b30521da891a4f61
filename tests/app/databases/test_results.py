"""Rows as Arrow: types from values, nothing rounded, names made unique."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.databases.results import to_array, to_table, unique_names


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, None, 3], "int64", [1, None, 3]),
        ([1456789012345678901, 9007199254740993], "int64", [1456789012345678901, 9007199254740993]),
        ([2**63, 1], "decimal128(38, 0)", [Decimal(2**63), Decimal(1)]),
        ([10**40], "string", [str(10**40)]),
        ([1, 2.5, None], "double", [1.0, 2.5, None]),
        ([2**60 + 1, 0.5], "string", [str(2**60 + 1), "0.5"]),
        ([float("inf"), -1.0], "double", [float("inf"), -1.0]),
        (["a", None, ""], "string", ["a", None, ""]),
        (["2024-01-31", None], "date32[day]", [date(2024, 1, 31), None]),
        (["9999-12-31", "1000-01-01"], "date32[day]", [date(9999, 12, 31), date(1000, 1, 1)]),
        (["9999-12-31", "1969-07-20 20:17:40"], "string", ["9999-12-31", "1969-07-20 20:17:40"]),
        (["2024-01-31 10:00:00.25"], "timestamp[us]", [datetime(2024, 1, 31, 10, 0, 0, 250000)]),
        (["9999-12-31 23:59:59"], "timestamp[us]", [datetime(9999, 12, 31, 23, 59, 59)]),
        (["2024-01-31T10:00Z"], "string", ["2024-01-31T10:00Z"]),
        (["2024-01-31", "2024-02-30"], "string", ["2024-01-31", "2024-02-30"]),
        (["2024-01-31", "0000-01-01"], "string", ["2024-01-31", "0000-01-01"]),
        (["2024-01-31", "2024-01-31\n"], "string", ["2024-01-31", "2024-01-31\n"]),
        (["2024-01-31 24:00"], "string", ["2024-01-31 24:00"]),
        (
            ["2024-01-31 23:59", None, "2024-01-31T00:00:01"],
            "timestamp[us]",
            [datetime(2024, 1, 31, 23, 59), None, datetime(2024, 1, 31, 0, 0, 1)],
        ),
        (["2024-01", "2024-02"], "string", ["2024-01", "2024-02"]),
        (["2024-01-31", ""], "string", ["2024-01-31", ""]),
        ([b"\xff\x00", None], "binary", [b"\xff\x00", None]),
        ([1, "x", 2.0, None], "string", ["1", "x", "2.0", None]),
        ([b"\xff", "x"], "string", ["0xff", "x"]),
        ([None, None], "null", [None, None]),
        ([], "null", []),
    ],
)
def test_to_array(values: list[Any], kind: str, expected: list[Any]) -> None:
    array = to_array(values)
    assert str(array.type) == kind
    assert array.to_pylist() == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["id", "name", "id", "a_id", "name"], ["id", "name", "id_2", "a_id", "name_2"]),
        (["id", "ID"], ["id", "ID_2"]),
        (["x", "x_2", "x"], ["x", "x_2", "x_3"]),
        (["x", "x", "x_2"], ["x", "x_3", "x_2"]),
        (["", " ", "count(*)"], ["column_1", "column_2", "count(*)"]),
        (["column_2", ""], ["column_2", "column_2_2"]),
    ],
)
def test_unique_names(names: list[str], expected: list[str]) -> None:
    assert unique_names(names) == expected


@given(st.lists(st.sampled_from(["a", "A", "a_2", "a_3", "", " ", "b"]), max_size=8))
def test_unique_names_are_unique_and_as_many(names: list[str]) -> None:
    unique = unique_names(names)
    assert len({name.lower() for name in unique}) == len(names)


def test_no_rows_keep_the_columns() -> None:
    table = to_table(["d", "v"], [])
    assert (table.column_names, table.num_rows) == (["d", "v"], 0)


@given(
    st.lists(
        st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(), st.binary()),
        max_size=6,
    )
)
def test_any_mixture_of_stored_values_fits(values: list[Any]) -> None:
    array = to_array(values)
    assert len(array) == len(values)
    assert [cell is None for cell in array.to_pylist()] == [value is None for value in values]
