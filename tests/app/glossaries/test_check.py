"""What only the database can say about a measure is said when the glossary is saved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.databases.sqlite import SqliteDatabase
from app.glossaries.check import checked


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    path = tmp_path / "sales.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE customers(id INTEGER PRIMARY KEY, city TEXT);"
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL);"
        )
    return SqliteDatabase(path, "sales")


CASES = [
    ("SUM(orders.total)", ""),
    ("SUM(Orders.TOTAL) / COUNT(DISTINCT customers.id)", ""),
    ("ROUND(SUM(orders.total), 1, 2)", "Measure 'm'|The database cannot compute measure 'm'"),
    ("SUM(orders.total) + SUM(customers.id)", "would count rows of customers more than once"),
    ("MEDIAN(orders.total)", "Measure 'm' "),
]


@pytest.mark.parametrize(("expression", "said"), CASES)
def test_measures(expression: str, said: str, database: SqliteDatabase) -> None:
    _glossary, problems = checked(f"measures:\n  m:\n    expression: {expression}", database.catalog, database)
    assert [(problem.line, problem.code) for problem in problems] == ([(3, "glossary.measure")] if said else [])
    assert not said or any(part in problems[0].message for part in said.split("|"))
