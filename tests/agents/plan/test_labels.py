"""What counted and aggregated things are called."""

from __future__ import annotations

import pytest

from agents.plan.labels import aggregate_label, plural

PLURALS = [
    ("customer", "customers"),
    ("order line", "order lines"),
    ("country", "countries"),
    ("branch", "branches"),
    ("person", "people"),
    ("series", "series"),
    ("orders", "orders"),
    ("order id", "order ids"),
    ("Seattle weather", "Seattle weather rows"),
    ("price history", "price history rows"),
    ("b x b", "b x b rows"),
    ("sales 2023", "sales 2023 rows"),
    ("订单", "订单"),
]


@pytest.mark.parametrize(("name", "expected"), PLURALS)
def test_plural(name: str, expected: str) -> None:
    assert plural(name) == expected


def test_values_of_a_column_without_a_plural() -> None:
    assert plural("weather", "values") == "weather values"


AGGREGATES = [
    ("total {}", "amount", "total amount"),
    ("total {}", "total", "total"),
    ("total {}", "Total amount", "Total amount"),
    ("total {}", "totally paid", "total totally paid"),
    ("highest {}", "total amount", "highest total amount"),
    ("highest {}", "maximum temperature", "maximum temperature"),
    ("average {}", "maximum temperature", "average maximum temperature"),
    ("number of {}", "number of rooms", "number of number of rooms"),
    ("{}合计", "金额", "金额合计"),
    ("{}合计", "总额", "总额"),
    ("最高{}", "最高气温", "最高气温"),
    ("平均{}", "最高气温", "平均最高气温"),
]


@pytest.mark.parametrize(("pattern", "name", "expected"), AGGREGATES)
def test_aggregate_label(pattern: str, name: str, expected: str) -> None:
    assert aggregate_label(pattern, name) == expected
