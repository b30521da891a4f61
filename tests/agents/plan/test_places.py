"""Values named by ordinary words, texts without quotes, alternatives, and several keys of an order: pairs of question
and SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.catalog import Catalog, ForeignKey, Kind, Table
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import engine_over, sql_of

FIRMS = Catalog(
    "firms",
    "sqlite",
    (
        Table(
            "firm",
            (
                column("id"),
                column("name", Kind.TEXT),
                column("city", Kind.TEXT),
                column("state", Kind.TEXT),
                column("email", Kind.TEXT),
            ),
            primary_key=("id",),
        ),
        Table(
            "employee",
            (
                column("id"),
                column("name", Kind.TEXT),
                column("department", Kind.TEXT),
                column("salary", Kind.DECIMAL),
                column("hired_on", Kind.DATE),
                column("manager_id"),
                column("firm_id"),
            ),
            primary_key=("id",),
            foreign_keys=(
                ForeignKey(("manager_id",), "employee", ("id",)),
                ForeignKey(("firm_id",), "firm", ("id",)),
            ),
        ),
        Table(
            "car",
            (column("id"), column("model", Kind.TEXT), column("origin", Kind.TEXT), column("horsepower")),
            primary_key=("id",),
        ),
    ),
)

VALUES = (
    ("firm", "city", ("chicago", "Reno", "Nancy")),
    ("firm", "state", ("CA", "IN", "US", "IT", "NV")),
    ("employee", "department", ("Sales", "Logistics", "IT")),
    ("car", "origin", ("Europe", "Japan", "USA")),
    ("car", "model", ("ford ltd", "ford pinto", "opel inc", "the beetle")),
)

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("places.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_places(question: str, sql: str) -> None:
    assert sql_of(engine_over(FIRMS, "", VALUES), question) == sql
