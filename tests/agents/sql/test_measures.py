"""Measures that the guard or the keys make impossible are refused before anybody asks for them."""

from __future__ import annotations

import pytest

from agents.sql.measures import MeasureCheck
from tests.agents.plan.conftest import CATALOG

FINE = [
    "SUM(orders.shipping)",
    "SUM(ORDERS.SHIPPING)",
    "ROUND(100.0 * SUM(orders.shipping) / COUNT(DISTINCT customers.id), 2)",
    'SUM("order lines".quantity * "order lines".price) / COUNT(DISTINCT orders.id)',
    'SUM("order lines".quantity * products.id)',
    'MAX(orders.ordered_on) - MIN("order lines".price)',
    "SUM(orders.shipping) FILTER (WHERE orders.shipping > 3)",
    "SUM(orders.shipping) / 0",
]

REFUSED = [
    ("SUM(orders.shipping) + load_extension('x')", "uses a function that is not available here"),
    ("MAX(randomblob(1000000000)) + SUM(orders.shipping)", "uses a function that is not available here"),
    ("SUM(orders.shipping) + LENGTH(readfile('/etc/passwd'))", "uses a function that is not available here"),
    ("STDDEV(orders.shipping)", "uses a function that is not available here"),
    ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY orders.shipping)", "Measure 'm'"),
    ("SUM(? + orders.shipping)", "has an open parameter"),
    ("SUM(:x + orders.shipping)", "has an open parameter"),
    ("SUM(orders.shipping) + SUM(island.id)", "no key leads from one to the other"),
    ("SUM(orders.shipping) + SUM(customers.id)", "would count rows of customers more than once"),
    ('SUM(orders.shipping) / SUM("order lines".quantity)', "would count rows of orders more than once"),
    ('AVG(orders.shipping) - AVG("order lines".price)', "would count rows of orders more than once"),
]


@pytest.mark.parametrize("expression", FINE)
def test_fine(expression: str) -> None:
    assert MeasureCheck(CATALOG)("m", expression) is None


@pytest.mark.parametrize(("expression", "said"), REFUSED)
def test_refused(expression: str, said: str) -> None:
    problem = MeasureCheck(CATALOG)("m", expression)
    assert problem is not None
    assert said in problem.message and "%" not in problem.message
    assert problem.advice and problem.path == ("measures", "m", "expression")
