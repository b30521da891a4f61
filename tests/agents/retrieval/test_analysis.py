from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.retrieval.analysis import query_terms, spoken, terms

TERMS = [
    ("order_date", "order dat orderdat"),
    ("orderDate", "order dat orderdat"),
    ("HTTPServer", "http server httpserver"),
    ("unit price", "unit pric"),
    ("line2", "lin 2 line2"),
    ("qty", "qty quantity"),
    ("cust_addr", "cust customer addr address custaddr"),
    ("Movies", "movy"),
    ("movie", "movy"),
    ("boxes", "box"),
    ("addresses", "address"),
    ("planned", "plan"),
    ("status", "status"),
    ("产地", "产地"),
    ("平均马力", "平均 均马 马力"),
    ("人", "人"),
    ("2023年revenue", "2023 年 revenu"),
    ("Größe", "größe"),
    ("", ""),
    ("🙂 --", ""),
]

QUERIES = [
    ("How many customers are there?", "customer"),
    ("the birth date of clients", "birth dat client birthdat dateclient"),
    ("各产地的平均马力", "各产 产地 地的 的平 平均 均马 马力"),
    ("price price", "pric pricepric"),
    ("what is it", ""),
]

SPOKEN = [
    ("order_date", "order date"),
    ("unitPrice", "unit price"),
    ("HTTPServer", "http server"),
    ("客户", "客户"),
    ("__", "__"),
]


@pytest.mark.parametrize(("text", "expected"), TERMS)
def test_terms(text: str, expected: str) -> None:
    assert terms(text) == expected.split()


@pytest.mark.parametrize(("question", "expected"), QUERIES)
def test_query_terms(question: str, expected: str) -> None:
    assert query_terms(question) == expected.split()


@pytest.mark.parametrize(("identifier", "expected"), SPOKEN)
def test_spoken(identifier: str, expected: str) -> None:
    assert spoken(identifier) == expected


@given(st.text())
def test_any_text_has_terms_without_space(text: str) -> None:
    assert all(term and not term.isspace() for term in (*terms(text), *query_terms(text)))
