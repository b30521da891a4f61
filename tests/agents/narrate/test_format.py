from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.artifacts import FrameColumn
from agents.narrate.format import decimals_for, format_cell, format_number, format_percent
from agents.narrate.periods import format_period

CELLS = [
    ("measure dec x", 214634.5, "214,634.5", "214,634.5"),
    ("measure dec x", 104.46938775510205, "104.47", "104.47"),
    ("measure dec x", 2.0, "2", "2"),
    ("measure dec x", 0.0123456, "0.01235", "0.01235"),
    ("measure dec x", -0.0, "0", "0"),
    ("measure dec x", float("nan"), "—", "—"),
    ("measure dec x", float("-inf"), "-∞", "-∞"),
    ("measure dec x", "123456789012345678901.5", "123,456,789,012,345,678,901.5", "123,456,789,012,345,678,901.5"),
    ("measure dec x", Decimal("12.30"), "12.3", "12.3"),
    ("measure int x", 9007199254740993, "9,007,199,254,740,993", "9,007,199,254,740,993"),
    ("measure dec x unit=EUR", 214634.0, "214,634\xa0€", "214,634\xa0€"),
    ("measure dec x unit=EUR", 12.5, "12.50\xa0€", "12.50\xa0€"),
    ("measure dec x unit=%", 18.2, "18.2\xa0%", "18.2%"),
    ("measure dec x unit=kg", 80.0, "80\xa0kg", "80\xa0kg"),
    ("detail int customer_id", 12345, "12345", "12345"),
    ("detail int customerId", 12345, "12345", "12345"),
    ("detail int year", 2023, "2023", "2023"),
    ("detail int 年份", 2023, "2023", "2023"),
    ("detail int paid", 12345, "12,345", "12,345"),
    ("measure int count_id", 12345, "12,345", "12,345"),
    ("dimension int year grain=year", 2023, "2023", "2023年"),
    ("dimension text month grain=month", "2023-05", "May 2023", "2023年5月"),
    ("dimension text quarter grain=quarter", "2023-Q2", "Q2 2023", "2023年第2季度"),
    ("dimension date week grain=week", date(2023, 5, 1), "week of May 1, 2023", "2023年5月1日起的一周"),
    ("dimension date day grain=day", "2023-05-01", "May 1, 2023", "2023年5月1日"),
    ("dimension text hour grain=hour", "2023-05-01 14:00", "May 1, 2023 14:00", "2023年5月1日 14:00"),
    ("dimension int weekday grain=weekday", 0, "Sunday", "星期日"),
    ("dimension int month grain=month_of_year", 12, "December", "12月"),
    ("dimension int hour grain=hour_of_day", 7, "07:00", "07:00"),
    ("dimension text month grain=month", "soon", "soon", "soon"),
    ("detail time at", datetime(2023, 5, 1, 14, 5, 9), "May 1, 2023 14:05:09", "2023年5月1日 14:05:09"),
    ("detail date at", date(2023, 5, 1), "May 1, 2023", "2023年5月1日"),
    ("detail text x", None, "—", "—"),
    ("detail text x", True, "yes", "是"),
    ("detail text x", b"\x00\xff", "0x00ff", "0x00ff"),
    ("detail text x", "<b>", "<b>", "<b>"),
]

DECIMALS = [
    ([1, 2, 3], None, 0),
    ([1.0, 2.0], None, 0),
    ([], None, 0),
    ([1.5, 2.25], None, 2),
    ([119.0489, 80.558], None, 2),
    ([0.5, 0.25, 0.125], None, 3),
    ([0.00012], None, 5),
    ([12.5, 7], "EUR", 2),
    ([123456.78], None, 1),
    ([1e300, 0.5], None, 1),
]

PERCENTS = [
    (0.182, "18.2\xa0%", "18.2%"),
    (0.18, "18\xa0%", "18%"),
    (0.0004, "0.04\xa0%", "0.04%"),
    (12.345, "1,234\xa0%", "1,234%"),
    (0.0, "0\xa0%", "0%"),
]


@pytest.mark.parametrize(("spec", "value", "en", "zh"), CELLS)
def test_cells(make_column: Callable[[str], FrameColumn], spec: str, value: object, en: str, zh: str) -> None:
    column = make_column(spec)
    assert (format_cell(value, column, "en", unit=True), format_cell(value, column, "zh", unit=True)) == (en, zh)


@pytest.mark.parametrize(("numbers", "unit", "expected"), DECIMALS)
def test_decimals(numbers: list[Any], unit: str | None, expected: int) -> None:
    assert decimals_for(numbers, unit) == expected


@pytest.mark.parametrize(("ratio", "en", "zh"), PERCENTS)
def test_percent(ratio: float, en: str, zh: str) -> None:
    assert (format_percent(ratio, "en"), format_percent(ratio, "zh")) == (en, zh)


NUMBERS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=6),
)


@given(NUMBERS)
def test_numbers_keep_their_size(number: Any) -> None:
    shown = Decimal(format_number(number, "en").replace(",", ""))
    with localcontext(prec=400):
        assert abs(shown - Decimal(number)) <= max(abs(Decimal(number)) / 100, Decimal("1e-6"))


@given(
    st.one_of(st.none(), st.text(), st.integers(), st.booleans(), st.floats(), st.dates(), st.datetimes(), st.binary()),
    st.sampled_from(
        [None, "year", "quarter", "month", "week", "day", "hour", "weekday", "month_of_year", "hour_of_day"]
    ),
    st.sampled_from(["en", "zh"]),
)
def test_any_value_is_shown(value: object, grain: str | None, lang: Any) -> None:
    for role in ("measure", "dimension", "detail"):
        for kind in ("integer", "decimal", "text", "date", "blob"):
            column = FrameColumn.model_validate({"name": "x", "label": "x", "kind": kind, "role": role, "grain": grain})
            assert isinstance(format_cell(value, column, lang, unit=True), str)
    assert isinstance(format_period(value, grain, lang), str)
