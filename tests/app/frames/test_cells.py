"""Values as cells that JSON and JavaScript hold without loss."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from agents.artifacts import Cell
from app.frames.cells import to_cell


@pytest.mark.parametrize(
    ("value", "clip", "expected"),
    [
        (None, None, None),
        (True, None, True),
        (2**53 - 1, None, 2**53 - 1),
        (2**53, None, "9007199254740992"),
        (-(2**53), None, "-9007199254740992"),
        (1456789012345678901, None, "1456789012345678901"),
        (0.5, None, 0.5),
        (0.0, None, 0.0),
        (float("nan"), None, "NaN"),
        (float("inf"), None, "∞"),
        (float("-inf"), None, "-∞"),
        (Decimal("12345678901234567890.123456789"), None, "12345678901234567890.123456789"),
        (Decimal("1E+3"), None, "1000"),
        ("text", None, "text"),
        ("", 5, ""),
        ("12345", 5, "12345"),
        ("123456", 5, "1234…"),
        ("<b>&</b>", None, "<b>&</b>"),
        (b"\xff\x00", None, "0xff00"),
        (b"", None, "0x"),
        (bytes(40), None, "0x" + "00" * 40),
        (b"hello", 100, "0x68656c6c6f (5 bytes)"),
        (b"\xff", 100, "0xff (1 byte)"),
        (bytes(40), 100, "0x" + "00" * 32 + "… (40 bytes)"),
        (date(9999, 12, 31), None, "9999-12-31"),
        (date(1000, 1, 1), None, "1000-01-01"),
        (datetime(1969, 7, 20, 20, 17, 40), None, "1969-07-20 20:17:40"),
        (datetime(2024, 1, 1, 0, 0, 0, 500000), None, "2024-01-01 00:00:00.500000"),
        (time(9, 30), None, "09:30:00"),
        (timedelta(days=1, hours=2), None, "1 day, 2:00:00"),
        ([1, "é"], None, '[1, "é"]'),
    ],
)
def test_to_cell(value: Any, clip: int | None, expected: Cell) -> None:
    cell = to_cell(value, clip)
    assert cell == expected
    assert type(cell) is type(expected)
    json.dumps(cell, allow_nan=False)
