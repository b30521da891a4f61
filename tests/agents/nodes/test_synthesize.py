"""What answers say of the demo databases, by the real services."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from app.services import Services

NOW = datetime(2026, 11, 30, 10)

TOTALS = [
    ("shop", "total amount by payment method", "Together that is"),
    ("shop", "number of returns by reason", "Together that is"),
    ("shop", "total list price by category", ""),
    ("vega", "total yield by variety", ""),
    ("vega", "total price by company", ""),
]


BEYOND = [
    ("shop", "revenue this month", "Revenue has no value. The latest order date in the data is Dec 31, 2025."),
    ("shop", "本月销售额", "销售额没有数值。数据中最晚的下单日期是2025年12月31日。"),
    ("shop", "number of orders this year", "Number of orders is 0. The latest order date in the data is Dec 31, 2025."),
    ("shop", "revenue in 2020", "Revenue has no value. The earliest order date in the data is Jan 1, 2022."),
    ("vega", "average yield in 2020", "Average yield has no value. The latest year in the data is 1932."),
]


def narrative(services: Services, connection: str, question: str) -> str:
    from app.terminal.asking import ask

    asked = ask(services, connection, question, now=NOW, seconds=60.0)
    assert asked.answer.status == "answered"
    return asked.answer.narrative


@pytest.mark.parametrize(("connection", "question", "expected"), TOTALS, ids=[case[1] for case in TOTALS])
def test_only_amounts_are_added_up(services: Services, connection: str, question: str, expected: str) -> None:
    text = narrative(services, connection, question)
    assert expected in text
    assert bool(expected) == ("Together" in text)


@pytest.mark.parametrize(("connection", "question", "expected"), BEYOND, ids=[case[1] for case in BEYOND])
def test_says_where_the_data_ends(services: Services, connection: str, question: str, expected: str) -> None:
    assert narrative(services, connection, question) == expected
