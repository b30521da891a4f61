"""What counted and aggregated things are called."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
from agents.glossary import Glossary, load_glossary
from agents.plan.labels import adds_up, aggregate_label, plural

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


ADDS_UP: list[tuple[str, str | None, bool]] = [
    ("quantity", None, True),
    ("amount", "EUR", True),
    ("price", "EUR", False),
    ("unit_price", None, False),
    ("yield", None, False),
    ("growth", "%", False),
    ("wind", "m/s", False),
    ("heat", "°C", False),
    ("rating", None, False),
    ("退货率", None, False),
    ("金额", None, True),
]


@pytest.mark.parametrize(("column", "unit", "expected"), ADDS_UP)
def test_adds_up(column: str, unit: str | None, expected: bool) -> None:
    assert adds_up("t", column, unit, Glossary()) is expected


def test_the_glossary_says_what_adds_up(catalog: Catalog) -> None:
    text = "tables: {orders: {columns: {shipping: {aggregation: avg}, id: {aggregation: sum}}}}"
    glossary = load_glossary(text, catalog)
    assert not adds_up("orders", "shipping", "EUR", glossary)
    assert adds_up("orders", "id", "%", glossary)
