"""Made questions: the same every time, with SQL that runs or none at all."""

from __future__ import annotations

import sqlglot

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from app.training.made import MEASURES, Made, Maker

SHOP = Catalog(
    "shop",
    "sqlite",
    (
        Table(
            "region",
            (
                Column("id", "INTEGER", Kind.INTEGER, unique=True),
                Column("name", "TEXT", Kind.TEXT),
                Column("x", "TEXT", Kind.TEXT),
            ),
            primary_key=("id",),
        ),
        Table(
            "bill",
            (
                Column("id", "INTEGER", Kind.INTEGER, unique=True),
                Column("region_id", "INTEGER", Kind.INTEGER),
                Column("paid_on", "DATE", Kind.DATE, samples=("2021-03-04", "2022-01-01")),
                Column("amount", "REAL", Kind.DECIMAL, samples=(3.5, 10.0)),
                Column("status", "TEXT", Kind.TEXT),
            ),
            primary_key=("id",),
            foreign_keys=(ForeignKey(("region_id",), "region", ("id",)),),
        ),
    ),
)
VALUES = {("bill", "status"): ("open", "paid"), ("region", "name"): ("North", "South")}


def made(seed: str = "shop", count: int = 60) -> list[Made]:
    return Maker(SHOP, VALUES, seed).questions(count)


def test_the_same_seed_gives_the_same_questions() -> None:
    assert made() == made()
    assert made() != made("other")


def test_questions_differ_and_their_sql_can_be_parsed() -> None:
    found = made()
    assert len({m.text for m in found}) == len(found) > 40
    assert all(sqlglot.parse_one(m.gold, dialect="sqlite") for m in found if m.gold)


def test_some_questions_have_no_answer() -> None:
    share = sum(not m.gold for m in made()) / len(made())
    assert 0.03 < share < 0.4


def test_measures_have_names_that_the_schema_does_not_use() -> None:
    glossary = Maker(SHOP, VALUES, "shop").glossary
    assert glossary.measures
    assert set(glossary.measures) <= set(MEASURES)


def test_a_schema_with_nothing_to_ask_about() -> None:
    assert Maker(Catalog("empty", "sqlite", ()), {}, "x").questions(5) == []
