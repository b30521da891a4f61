"""What is shown, over names that are written short, in parts, or in several tables: pairs of question and SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.catalog import Catalog, ForeignKey, Kind, Table
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import engine_over, sql_of

SCHOOL = Catalog(
    "school",
    "sqlite",
    (
        Table(
            "employee",
            (
                column("eid"),
                column("first_name", Kind.TEXT),
                column("last_name", Kind.TEXT),
                column("salary", Kind.DECIMAL),
            ),
            primary_key=("eid",),
        ),
        Table(
            "course",
            (
                column("cno"),
                column("title", Kind.TEXT),
                column("eid"),
                column("start_date", Kind.DATE),
                column("end_date", Kind.DATE),
            ),
            primary_key=("cno",),
            foreign_keys=(ForeignKey(("eid",), "employee", ("eid",)),),
        ),
    ),
)

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("shown.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_shows(question: str, sql: str) -> None:
    assert sql_of(engine_over(SCHOOL, "", ()), question) == sql
