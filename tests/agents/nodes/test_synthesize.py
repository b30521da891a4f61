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
