"""The schema browser."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, Kind, Table
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


def test_comments_stand_in_for_descriptions() -> None:
    assert schema_tables(CATALOG, GLOSSARY, "en")[0].columns[1].description == "when"


@pytest.mark.parametrize(("query", "names"), [("", ["revenue"]), ("收", ["revenue"]), ("x", [])])
def test_measures(query: str, names: list[str]) -> None:
    assert [name for name, _, _ in schema_measures(GLOSSARY, "en", query)] == names
