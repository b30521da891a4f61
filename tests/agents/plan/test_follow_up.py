"""Follow-ups: which questions are fragments, and what they make of the question before them."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
from agents.plan.read.follow_up import is_fragment
from tests.agents.plan.reading import NOW, engine_over


@pytest.mark.parametrize(
    ("question", "lang", "expected"),
    [
        ("and for 2023?", "en", True),
        ("what about Germany?", "en", True),
        ("only the top 3", "en", True),
        ("by month instead", "en", True),
        ("show their emails", "en", True),
        ("and the average?", "en", True),
        ("total order amount in February 2024", "en", False),
        ("how many orders were there in 2023?", "en", False),
        ("and how many orders were there in 2023?", "en", False),
        ("for each country, the number of customers and their orders", "en", False),
        ("那2023年呢？", "zh", True),
        ("法国呢", "zh", True),
        ("只看前3名", "zh", True),
        ("按月看", "zh", True),
        ("2024年2月的销售额", "zh", False),
        ("德国有多少客户", "zh", False),
    ],
)
def test_fragment(question: str, lang: str, expected: bool) -> None:
    assert is_fragment(question, lang) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("earlier", "question", "chain"),
    [
        ((), "and for 2023?", ()),
        (("orders in 2022",), "and for 2023?", ("orders in 2022",)),
        (("customers", "orders in 2022", "by month"), "and 2023?", ("orders in 2022", "by month")),
        (("orders in 2022",), "total revenue in 2023", ()),
        (("by month",), "and 2023?", ()),
    ],
)
def test_what_a_question_goes_on_from(
    catalog: Catalog, earlier: tuple[str, ...], question: str, chain: tuple[str, ...]
) -> None:
    assert engine_over(catalog).continues(question, earlier) == chain


FRANCE = "SELECT COUNT(*) AS number_of_customers FROM customers WHERE country = 'France'"
BY_COUNTRY = (
    "SELECT country, COUNT(*) AS number_of_customers FROM customers GROUP BY country "
    "ORDER BY number_of_customers DESC, country NULLS LAST"
)


@pytest.mark.parametrize(
    ("turns", "sql"),
    [
        (("how many customers are from Germany", "what about France?"), FRANCE),
        (("number of customers", "by country"), BY_COUNTRY),
        (
            ("number of customers by country", "only the top 2"),
            "SELECT country, COUNT(*) AS number_of_customers FROM customers GROUP BY country "
            "ORDER BY number_of_customers DESC LIMIT 2",
        ),
        (
            ("total shipping cost in 2022", "and for 2023?"),
            "SELECT SUM(shipping) AS total_shipping_cost FROM orders "
            "WHERE ordered_on >= '2023-01-01' AND ordered_on < '2024-01-01'",
        ),
    ],
)
def test_merges(catalog: Catalog, turns: tuple[str, ...], sql: str) -> None:
    engine = engine_over(catalog)
    *earlier, question = turns
    understood = engine.read_on(question, engine.continues(question, earlier), "en", NOW)
    assert " ".join(understood.candidates[0].sql.split()) == sql
