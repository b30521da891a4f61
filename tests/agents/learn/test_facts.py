"""Facts of queries: the same for each way to write the same thing."""

from __future__ import annotations

import pytest
import sqlglot

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.learn.facts import HEADS, Facts, facts_of

SINGER = Table(
    "singer",
    (
        Column("id", "INTEGER", Kind.INTEGER, unique=True),
        Column("name", "TEXT", Kind.TEXT),
        Column("age", "INTEGER", Kind.INTEGER),
        Column("country", "TEXT", Kind.TEXT),
    ),
    primary_key=("id",),
)
CONCERT = Table(
    "concert",
    (
        Column("id", "INTEGER", Kind.INTEGER, unique=True),
        Column("singer_id", "INTEGER", Kind.INTEGER),
        Column("year", "INTEGER", Kind.INTEGER),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("singer_id",), "singer", ("id",)),),
)
CATALOG = Catalog("music", "sqlite", (SINGER, CONCERT))


def facts(sql: str) -> Facts:
    return facts_of(sqlglot.parse_one(sql, dialect="sqlite"), CATALOG)


def classes(sql: str) -> dict[str, str]:
    """The classes of the sketch that are not the first of their head."""
    found = zip(HEADS.items(), facts(sql).sketch, strict=True)
    return {head: names[number] for (head, names), number in found if number}


SKETCHES: list[tuple[str, dict[str, str]]] = [
    ("SELECT name FROM singer", {}),
    ("SELECT name, age, country, id FROM singer", {"items": "4"}),
    ("SELECT count(*) FROM singer", {"count": "yes"}),
    ("SELECT avg(age), max(age) FROM singer", {"items": "2", "avg": "yes", "max": "yes"}),
    ("SELECT DISTINCT country FROM singer", {"distinct": "yes"}),
    ("SELECT name FROM singer WHERE age > 30", {"where": "1", "more": "yes"}),
    ("SELECT name FROM singer WHERE age BETWEEN 20 AND 30", {"where": "1", "more": "yes"}),
    ("SELECT name FROM singer WHERE age >= 20 AND age < 30", {"where": "1", "more": "yes", "less": "yes"}),
    ("SELECT name FROM singer WHERE country = 'F' AND name LIKE 'A%'", {"where": "2", "like": "yes"}),
    ("SELECT name FROM singer WHERE country <> 'F'", {"where": "1", "differs": "yes"}),
    ("SELECT name FROM singer WHERE NOT country = 'F'", {"where": "1", "differs": "yes"}),
    ("SELECT name FROM singer WHERE country = 'F' OR country = 'D'", {"where": "2", "or": "yes"}),
    ("SELECT name FROM singer WHERE country IN ('F', 'D')", {"where": "2", "or": "yes"}),
    ("SELECT name FROM singer ORDER BY age DESC LIMIT 1", {"order": "desc", "limit": "one"}),
    ("SELECT name FROM singer ORDER BY age LIMIT 3", {"order": "asc", "limit": "more"}),
    (
        "SELECT country FROM singer GROUP BY country ORDER BY count(*) DESC LIMIT 1",
        {"group": "yes", "order": "desc", "order_aggregate": "yes", "limit": "one"},
    ),
    (
        "SELECT country, count(*) AS n FROM singer GROUP BY country ORDER BY n",
        {"items": "2", "count": "yes", "group": "yes", "order": "asc", "order_aggregate": "yes"},
    ),
    (
        "SELECT country FROM singer GROUP BY country HAVING count(*) > 2",
        {"group": "yes", "having": "yes", "more": "yes"},
    ),
    ("SELECT name FROM singer JOIN concert ON singer.id = concert.singer_id", {"tables": "2"}),
    ("SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM concert)", {"nested": "anti", "tables": "2"}),
    (
        "SELECT name FROM singer WHERE NOT EXISTS (SELECT 1 FROM concert WHERE concert.singer_id = singer.id)",
        {"nested": "anti", "tables": "2"},
    ),
    ("SELECT id FROM singer EXCEPT SELECT singer_id FROM concert", {"nested": "anti", "tables": "2"}),
    (
        "SELECT name FROM singer WHERE age = 1 INTERSECT SELECT name FROM singer WHERE age = 2",
        {"nested": "both", "where": "2"},
    ),
    (
        "SELECT name FROM singer WHERE age = 1 UNION SELECT name FROM singer WHERE age = 2",
        {"or": "yes", "where": "2"},
    ),
    (
        "SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer)",
        {"where": "1", "more": "yes", "nested": "scalar"},
    ),
]


@pytest.mark.parametrize(("sql", "expected"), SKETCHES)
def test_sketch(sql: str, expected: dict[str, str]) -> None:
    assert classes(sql) == expected


ROLES: list[tuple[str, dict[str, set[str]]]] = [
    ("SELECT s.name FROM singer AS s WHERE s.age = 3", {"select": {"singer.name"}, "where": {"singer.age"}}),
    ("SELECT NAME FROM singer ORDER BY AGE", {"select": {"singer.name"}, "order": {"singer.age"}}),
    (
        "SELECT country, avg(age) FROM singer GROUP BY country",
        {"select": {"singer.country", "singer.age"}, "group": {"singer.country"}},
    ),
    (
        "SELECT name FROM singer WHERE id IN (SELECT singer_id FROM concert WHERE year = 2014)",
        {"select": {"singer.name"}, "where": {"singer.id", "concert.year"}},
    ),
    (
        "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM concert WHERE concert.singer_id = singer.id AND year = 1)",
        {"select": {"singer.name"}, "where": {"concert.year"}},
    ),
]


@pytest.mark.parametrize(("sql", "expected"), ROLES)
def test_roles(sql: str, expected: dict[str, set[str]]) -> None:
    found = {role: {".".join(c) for c in columns} for role, columns in facts(sql).roles.items() if columns}
    assert found == expected


@pytest.mark.parametrize(
    ("sql", "clash"),
    [
        ("SELECT name FROM singer WHERE country = 'F' AND country = 'D'", True),
        ("SELECT name FROM singer WHERE country = 'F' OR country = 'D'", False),
        ("SELECT name FROM singer WHERE country = 'F' AND age = 3", False),
    ],
)
def test_one_column_cannot_equal_two_values(sql: str, clash: bool) -> None:
    assert facts(sql).clash is clash


def test_shown_items_in_order() -> None:
    shown = facts("SELECT name, count(*), max(age) FROM singer").shown
    assert shown == ((("singer", "name"), ""), (None, "count"), (("singer", "age"), "max"))
