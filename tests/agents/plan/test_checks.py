"""Checks are told in the language of the answer."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
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
