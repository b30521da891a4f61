"""Known SQL: text in double quotes is text unless a column is called so."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, Kind, Table
from agents.learn.facts import HEADS
from app.training.gold import known_facts

CATALOG = Catalog("x", "sqlite", (Table("t", (Column("a", "TEXT", Kind.TEXT), Column("b", "TEXT", Kind.TEXT))),))


@pytest.mark.parametrize(
    ("sql", "conditions"),
    [
        ('SELECT a FROM t WHERE b = "red"', 1),
        ("SELECT a FROM t WHERE b = 'red'", 1),
        ('SELECT a FROM t WHERE T.b = "red" AND "a" = "b"', 1),
    ],
)
def test_conditions(sql: str, conditions: int) -> None:
    sketch = dict(zip(HEADS, known_facts(sql, CATALOG).sketch, strict=True))
    assert sketch["where"] == conditions
