"""What people did, did not do and how often, over a campus: pairs of question and SQL."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import engine_over, sql_of


def _sampled(name: str, kind: Kind, *samples: int | float) -> Column:
    return replace(column(name, kind), samples=samples)


def _key(column: str, table: str) -> ForeignKey:
    return ForeignKey((column,), table, ("id",))


CAMPUS = Catalog(
    "campus",
    "sqlite",
    (
        Table(
            "person",
            (column("id"), column("name", Kind.TEXT), column("height", Kind.DECIMAL), column("age")),
            primary_key=("id",),
        ),
        Table(
            "student",
            (column("id"), column("name", Kind.TEXT), column("sex", Kind.TEXT), column("major", Kind.TEXT)),
            primary_key=("id",),
        ),
        Table("course", (column("id"), column("title", Kind.TEXT)), primary_key=("id",)),
        Table(
            "enrolment",
            (column("student_id"), column("course_id"), column("grade")),
            primary_key=("student_id", "course_id"),
            foreign_keys=(_key("student_id", "student"), _key("course_id", "course")),
        ),
        Table(
            "school",
            (column("id"), column("name", Kind.TEXT), _sampled("founded", Kind.DECIMAL, 1743.0, 1866.0)),
            primary_key=("id",),
        ),
        Table(
            "endowment",
            (column("id"), column("school_id"), column("amount", Kind.DECIMAL)),
            primary_key=("id",),
            foreign_keys=(_key("school_id", "school"),),
        ),
        Table("movie", (column("id"), column("title", Kind.TEXT)), primary_key=("id",)),
        Table(
            "rating",
            (column("movie_id"), column("stars"), column("rated_on", Kind.DATE)),
            foreign_keys=(_key("movie_id", "movie"),),
        ),
        Table(
            "founder",
            (column("id"), column("person_id"), column("money_requested", Kind.DECIMAL)),
            primary_key=("id",),
            foreign_keys=(_key("person_id", "person"),),
        ),
        Table(
            "gas station",
            (column("id"), column("manager_name", Kind.TEXT), _sampled("open_year", Kind.INTEGER, 1999, 2004)),
            primary_key=("id",),
        ),
        Table("phone", (column("id"), column("model", Kind.TEXT), column("wifi", Kind.TEXT)), primary_key=("id",)),
        Table(
            "film",
            (column("id"), column("director", Kind.TEXT), _sampled("year", Kind.INTEGER, 1999, 2000)),
            primary_key=("id",),
        ),
        Table(
            "vote",
            (column("id"), column("student_id"), column("president_vote")),
            primary_key=("id",),
            foreign_keys=(_key("student_id", "student"), _key("president_vote", "student")),
        ),
    ),
)

VALUES = (
    ("student", "sex", ("F", "M")),
    ("phone", "wifi", ("Yes", "No")),
)

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("campus.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_campus(question: str, sql: str) -> None:
    assert sql_of(engine_over(CAMPUS, "", VALUES), question) == sql
