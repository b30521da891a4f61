"""What the glossary hides is read, joined, offered and told by nothing; what somebody has settled means one thing."""

from __future__ import annotations

import pytest

from agents.engine import Engine
from agents.glossary import load_glossary, visible
from agents.narrate.talk import greeting
from agents.plan.declined import declined
from agents.plan.starters import starter_questions
from agents.retrieval.documents import build_documents
from agents.understood import mention_evidence
from tests.agents.plan.conftest import CATALOG
from tests.agents.plan.reading import NOW, engine_over, sql_of

HIDING = """
tables:
  customers: {columns: {country: {hidden: true}, name: {names: {en: [client name]}}}}
  products: {hidden: true}
  airports: {hidden: true, columns: {city: {values: {Paris: {en: [city of light]}}}}}
measures:
  revenue: {names: {en: [revenue]}, expression: SUM("order lines".quantity * "order lines".price)}
  groups: {names: {en: [groups]}, expression: COUNT(DISTINCT products."group")}
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return engine_over(CATALOG, HIDING)


def test_only_keys_and_measures_keep_hidden_columns() -> None:
    hiding = """
tables:
  orders: {columns: {id: {hidden: true}, customer_id: {hidden: true}, shipping: {hidden: true}}}
  order lines: {columns: {price: {hidden: true}}}
measures: {revenue: {expression: SUM("order lines".price)}}
"""
    catalog, _ = visible(CATALOG, load_glossary(hiding, CATALOG))
    assert [c.name for c in catalog.table("orders").columns] == ["id", "customer_id", "ordered_on"]
    assert "price" in catalog.table("order lines")


def test_nothing_hidden_is_the_same_catalog() -> None:
    glossary = load_glossary("currency: EUR", CATALOG)
    assert visible(CATALOG, glossary) == (CATALOG, glossary)


@pytest.mark.parametrize(
    "question",
    [
        "how many products are there?",
        "list the city of light",
        "number of airports",
        "customers from Germany",
        "orders by country",
        "number of groups",
        "show everything about order lines of Garden",
        "flights from Paris",
    ],
)
def test_hidden_is_never_read(engine: Engine, question: str) -> None:
    lang, _ = engine.route(question)
    understood = engine.read(question, lang, NOW)
    targets = [one.target for one in mention_evidence(understood.linked, None)]
    statements = [candidate.sql for candidate in understood.candidates]
    hint = declined(understood, engine.connection).hint
    for text in (*targets, *statements, hint):
        for hidden in ("products", "airports", "country", "Germany", "Garden", "city"):
            assert hidden not in text


def test_hidden_is_never_offered(engine: Engine) -> None:
    connection = engine.connection
    told = [*starter_questions(connection, engine, "en", NOW), *greeting("talk.help", connection, "en")]
    told += [str(document) for document in build_documents(CATALOG, connection.glossary)]
    for text in told:
        for hidden in ("products", "airport", "country"):
            assert hidden not in text


SETTLED = """
tables:
  airports: {columns: {city: {names: {en: [town]}}}}
  products: {columns: {group: {names: {en: [product group]}}}}
remembered:
  - {phrase: paris, means: {table: products, column: group, value: Toys}}
  - {phrase: 好东西, means: {table: products, column: group, value: Toys}}
  - {phrase: goods, means: {table: products}}
  - {phrase: town, means: {table: customers, column: country}}
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("products of Paris", "SELECT name FROM products WHERE \"group\" = 'Toys'"),
        ("how many goods are there?", "SELECT COUNT(*) AS number_of_products FROM products"),
        ("number of customers by town", "SELECT country, COUNT(*) AS number_of_customers FROM customers"),
    ],
)
def test_settled_phrases(question: str, expected: str) -> None:
    assert sql_of(engine_over(CATALOG, SETTLED), question).startswith(expected)
