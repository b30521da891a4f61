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
        (("customers in Germany",), "by country, number of customers in 2023", ()),
        (("orders in 2022",), "by country in 2023", ("orders in 2022",)),
        (("德国有多少客户",), "按国家统计2023年的客户数量", ()),
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


@pytest.mark.parametrize(
    ("turns", "where"),
    [
        # Several periods at once: none of them is lost.
        (
            ("number of orders in 2022", "and in 2020 and 2021?"),
            "(ordered_on >= '2020-01-01' AND ordered_on < '2021-01-01') "
            "OR (ordered_on >= '2021-01-01' AND ordered_on < '2022-01-01')",
        ),
        # A declined fragment changes nothing for those after it.
        (
            ("number of orders in 2022", "sort by wizardry", "and for 2023?"),
            "ordered_on >= '2023-01-01' AND ordered_on < '2024-01-01'",
        ),
    ],
)
def test_conditions_that_stand(catalog: Catalog, turns: tuple[str, ...], where: str) -> None:
    engine = engine_over(catalog)
    *earlier, question = turns
    understood = engine.read_on(question, engine.continues(question, earlier), "en", NOW)
    sql = " ".join(understood.candidates[0].sql.split()).replace("( ", "(").replace(" )", ")")
    assert sql.split(" WHERE ")[1] == where


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("only from Germany", None),
        # Whether the shipping still counts is not told.
        ("and in 2023?", ("not_expressible", "")),
    ],
)
def test_or_before_a_fragment(catalog: Catalog, question: str, problem: tuple[str, str] | None) -> None:
    engine = engine_over(catalog)
    before = "number of orders in 2022 or with shipping over 10"
    best = engine.read_on(question, engine.continues(question, (before,)), "en", NOW).candidates[0]
    assert best.problem == problem
    assert problem is not None or " OR " in " ".join(best.sql.split())


@pytest.mark.parametrize("question", ["and for 2023?", "only the top 3", "what about Germany?"])
def test_nothing_goes_on_from_what_was_declined(catalog: Catalog, question: str) -> None:
    engine = engine_over(catalog)
    before = "shoe sizes of the purple wizards"
    assert engine.read(before, "en", NOW).confidence < 0.5
    understood = engine.read_on(question, (before,), "en", NOW)
    assert (understood.candidates, understood.reason) == ((), "no_ground")
