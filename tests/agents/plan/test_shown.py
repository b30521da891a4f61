"""What is shown, over names that are written short, in parts, or in several tables: pairs of question and SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.catalog import Catalog, ForeignKey, Kind, Table
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import NOW, engine_over, sql_of

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
        Table(
            "building",
            (
                column("BLD_ID"),
                column("BLD_NAME", Kind.TEXT),
                column("BLD_FLOORS"),
                column("OTHER_DETAILS", Kind.TEXT),
                column("RENT", Kind.DECIMAL),
                column("MIN_RENT", Kind.DECIMAL),
            ),
            primary_key=("BLD_ID",),
        ),
    ),
)

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("shown.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_shows(question: str, sql: str) -> None:
    assert sql_of(engine_over(SCHOOL, "", VALUES), question) == sql


VALUES = (("building", "BLD_NAME", ("North", "South")),)

COMPETES: list[tuple[str, str]] = [
    (
        "the number of floors of each building",
        "SELECT BLD_FLOORS FROM building",
    ),
    (
        "average rent of North and South",
        "SELECT BLD_NAME, AVG(RENT) AS average_rent FROM building WHERE BLD_NAME IN ('North', 'South') "
        "GROUP BY BLD_NAME ORDER BY average_rent DESC, BLD_NAME NULLS LAST",
    ),
    ("minimum rent", "SELECT MIN(RENT) AS lowest_rent FROM building"),
]


@pytest.mark.parametrize(("question", "sql"), COMPETES, ids=[question for question, _ in COMPETES])
def test_competes(question: str, sql: str) -> None:
    """An honest other reading is among the candidates."""
    found = engine_over(SCHOOL, "", VALUES).read(question, "en", NOW).candidates
    assert sql in [" ".join(one.sql.split()) for one in found]
