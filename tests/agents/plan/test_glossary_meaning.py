"""What a glossary says is what questions mean: when a business year begins, a measure in whatever case it is typed."""

from __future__ import annotations

import pytest

from tests.agents.plan.conftest import CATALOG
from tests.agents.plan.reading import GLOSSARY, engine_over, sql_of

READS = [
    ("orders in FY2026", "2025-04-01", "2026-04-01"),
    ("orders this fiscal year", "2026-04-01", "2027-04-01"),
    ("total shipping cost this fiscal quarter", "2026-10-01", "2027-01-01"),
    ("revenue in Q1 FY26", "2025-04-01", "2025-07-01"),
    ("2026财年的销售额", "2025-04-01", "2026-04-01"),
    ("上一财年的订单数", "2025-04-01", "2026-04-01"),
]


@pytest.mark.parametrize(("question", "start", "end"), READS)
def test_fiscal_year_start_of_the_glossary(question: str, start: str, end: str) -> None:
    engine = engine_over(CATALOG, f"fiscal_year_start: 4\n{GLOSSARY}")
    read = sql_of(engine, question).replace("orders.ordered_on", "ordered_on")
    assert f"ordered_on >= '{start}' AND ordered_on < '{end}'" in read


def test_a_measure_in_other_case() -> None:
    typed = 'measures: {n: {names: {en: [revenue]}, expression: SUM("Order Lines".PRICE), date: Orders.ORDERED_ON}}'
    read = sql_of(engine_over(CATALOG, typed), "revenue in 2025 by country")
    assert 'SUM("order lines".price) AS revenue' in read and "orders.ordered_on >= '2025-01-01'" in read
