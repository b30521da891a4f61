"""The schema browser."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.glossary import Glossary
from app.views.schema import schema_measures, schema_tables

CATALOG = Catalog(
    "shop",
    "sqlite",
    (
        Table("orders", (Column("id", "INT", Kind.INTEGER), Column("ordered_at", "TEXT", Kind.DATE, comment="when"))),
        Table("customers", (Column("id", "INT", Kind.INTEGER), Column("country", "TEXT", Kind.TEXT))),
    ),
)
GLOSSARY = Glossary.model_validate(
    {
        "tables": {
            "orders": {
                "names": {"en": ["purchase"], "zh": ["订单"]},
                "columns": {"ordered_at": {"names": {"en": ["date"]}}},
            }
        },
        "measures": {"revenue": {"names": {"zh": ["收入"]}, "expression": "SUM(orders.id)"}},
    }
)


@pytest.mark.parametrize(
    ("query", "lang", "expected"),
    [
        ("", "en", {"orders": ["id", "ordered_at"], "customers": ["id", "country"]}),
        ("ORDERS", "en", {"orders": ["id", "ordered_at"]}),
        ("purch", "en", {"orders": ["id", "ordered_at"]}),
        ("purch", "zh", {}),
        ("订单", "zh", {"orders": ["id", "ordered_at"]}),
        ("date", "en", {"orders": ["ordered_at"]}),
        ("country", "en", {"customers": ["country"]}),
        ("%", "en", {}),
    ],
)
def test_search(query: str, lang: str, expected: dict[str, list[str]]) -> None:
    found = schema_tables(CATALOG, GLOSSARY, lang, query)  # type: ignore[arg-type]
    assert {table.name: [column.name for column in table.columns] for table in found} == expected


SALES = Catalog(
    "sales",
    "sqlite",
    (
        Table(
            "orders",
            (
                Column("id", "INT", Kind.INTEGER),
                Column("customer_id", "INT", Kind.INTEGER),
                Column("vat", "INT", Kind.TEXT),
            ),
            foreign_keys=(ForeignKey(("customer_id",), "customers", ("id",)),),
        ),
        Table("customers", (Column("id", "INT", Kind.INTEGER), Column("name", "TEXT", Kind.TEXT))),
    ),
)


@pytest.mark.parametrize(
    ("glossary", "expected"),
    [
        ({}, "orders: id, customer_id → customers.id, vat; customers ← orders: id, name"),
        (
            {"orders": {"columns": {"VAT": {"hidden": True}}}},
            "orders: id, customer_id → customers.id; customers ← orders: id, name",
        ),
        ({"customers": {"hidden": True}}, "orders: id, customer_id, vat"),
        ({"orders": {"hidden": True}}, "customers: id, name"),
        ({"orders": {"columns": {"customer_id": {"hidden": True}}}}, "orders: id, vat; customers: id, name"),
        (
            {"customers": {"columns": {"id": {"hidden": True}}}},
            "orders: id, customer_id, vat; customers ← orders: name",
        ),
    ],
)
def test_hidden_is_not_listed(glossary: dict[str, object], expected: str) -> None:
    found = schema_tables(SALES, Glossary.model_validate({"tables": glossary}), "en")
    listed = []
    for table in found:
        head = table.name + "".join(f" ← {name}" for name in table.referenced_by)
        columns = (c.name + (f" → {c.references}" if c.references else "") for c in table.columns)
        listed.append(f"{head}: {', '.join(columns)}")
    assert "; ".join(listed) == expected


def test_comments_stand_in_for_descriptions() -> None:
    assert schema_tables(CATALOG, GLOSSARY, "en")[0].columns[1].description == "when"


@pytest.mark.parametrize(("query", "names"), [("", ["revenue"]), ("收", ["revenue"]), ("x", [])])
def test_measures(query: str, names: list[str]) -> None:
    assert [name for name, _, _ in schema_measures(GLOSSARY, "en", query)] == names
