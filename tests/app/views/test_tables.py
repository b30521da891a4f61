"""Cells as words."""

from __future__ import annotations

from typing import Any

import pytest

from agents.artifacts import FrameColumn
from agents.catalog import Kind
from app.views.tables import _cells, cut_to_grain


def check(values: list[Any], expected: list[str], lang: Any = "en", **column: Any) -> None:
    given = {"name": "x", "label": "X", "kind": Kind.DECIMAL, **column}
    assert [cell.text for cell in _cells(values, FrameColumn(**given), lang)] == expected


@pytest.mark.parametrize(
    ("values", "column", "expected"),
    [
        ([1234567, -5], {"kind": Kind.INTEGER}, ["1,234,567", "-5"]),
        ([2023, 2024], {"kind": Kind.INTEGER, "name": "model_year"}, ["2023", "2024"]),
        ([1234], {"kind": Kind.INTEGER, "name": "order_id"}, ["1234"]),
        ([1234], {"kind": Kind.INTEGER, "name": "year", "role": "measure"}, ["1,234"]),
        ([119.048913, 80.5], {}, ["119.05", "80.50"]),
        ([1.5, 2.25], {}, ["1.50", "2.25"]),
        ([0.123456789], {}, ["0.123457"]),
        ([1e-9], {}, ["0.000000"]),
        ([10.0, 20.0], {}, ["10", "20"]),
        ([1234.5, 3], {"unit": "EUR"}, ["1,234.50", "3.00"]),
        ([1200, 3], {"unit": "EUR"}, ["1,200", "3"]),
        (["12345678901234567890.12"], {}, ["12,345,678,901,234,567,890.12"]),
        (["9007199254740993"], {"kind": Kind.INTEGER}, ["9,007,199,254,740,993"]),
        (["NaN", "∞", None, "abc"], {}, ["NaN", "∞", "", "abc"]),
        ([True, False, 1, None], {"kind": Kind.BOOLEAN}, ["yes", "no", "yes", ""]),
        (["2023-04-01"], {"kind": Kind.DATE, "grain": "quarter"}, ["Q2 2023"]),
        (["0xff"], {"kind": Kind.BLOB}, ["0xff"]),
        (["", "<b>"], {"kind": Kind.TEXT}, ["", "<b>"]),
    ],
)
def test_cells(values: list[Any], column: dict[str, Any], expected: list[str]) -> None:
    check(values, expected, **column)


@pytest.mark.parametrize(
    ("text", "grain", "expected"),
    [
        ("2023-04-01", None, "2023-04-01"),
        ("2023-04-01", "year", "2023"),
        ("2023-04-01 00:00:00", "month", "2023-04"),
        ("2023-12-31", "quarter", "2023 Q4"),
        ("2023-04-01 13:00:00", "hour", "2023-04-01 13:00"),
        ("2023-04-03", "week", "2023-04-03"),
        ("2023-04", "month", "2023-04"),
        ("noon", "day", "noon"),
    ],
)
def test_moments(text: str, grain: str | None, expected: str) -> None:
    assert cut_to_grain(text, grain) == expected


def test_a_long_text_is_marked_as_cut() -> None:
    cell = _cells(["x" * 299 + "…"], FrameColumn(name="x", label="X", kind=Kind.TEXT), "en")[0]
    assert cell.clipped and cell.text == "x" * 299
