"""Checks are told in the language of the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.catalog import Catalog, ForeignKey
from tests.agents.plan.reading import NOW, engine_over

CHECKS = [
    ("number of orders by country", "en", "No double counting: joins keep one row per row of “order”."),
    ("按国家统计订单数量", "zh", "没有重复计数：连接后“订单”的每条记录仍只有一行。"),
    ("revenue", "en", 'revenue = SUM("order lines".quantity * "order lines".price)'),
    ("销售额", "zh", '销售额 = SUM("order lines".quantity * "order lines".price)'),
]


@pytest.mark.parametrize(("question", "lang", "expected"), CHECKS, ids=[case[0] for case in CHECKS])
def test_checks(catalog: Catalog, question: str, lang: str, expected: str) -> None:
    best = engine_over(catalog).read(question, "zh" if lang == "zh" else "en", NOW).candidates[0]
    assert expected in best.checks


GUESSED = "Joined by a key that nobody declared, found by its name and values: {}."
INFERRED = [
    ("number of orders by country", "en", GUESSED),
    ("按国家统计订单数量", "zh", "按未声明的键连接（由名称和值推断）：{}。"),
    ("customers with more than 2 orders", "en", GUESSED),
]


@pytest.mark.parametrize(("question", "lang", "expected"), INFERRED, ids=[case[0] for case in INFERRED])
def test_keys_that_nobody_declared_are_told(catalog: Catalog, question: str, lang: str, expected: str) -> None:
    keys = (ForeignKey(("customer_id",), "customers", ("id",), True, "a guess"),)
    tables = tuple(replace(t, foreign_keys=keys) if t.name == "orders" else t for t in catalog.tables)
    engine = engine_over(replace(catalog, tables=tables))
    best = engine.read(question, "zh" if lang == "zh" else "en", NOW).candidates[0]
    assert expected.format("orders.customer_id → customers.id") in best.checks
