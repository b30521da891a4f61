"""Chinese questions over a schema with English names that nobody has written a glossary for."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.engine import Engine
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import engine_over, sql_of

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("reads_zh.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]

_TEXT = Kind.TEXT
CATALOG = Catalog(
    "school",
    "sqlite",
    (
        Table(
            "departments",
            (
                column("dept_id"),
                column("dept_name", _TEXT, unique=True),
                column("building", _TEXT),
                column("budget", Kind.DECIMAL),
                Column("founded", "INTEGER", Kind.INTEGER, samples=(1987, 1992, 2004)),
            ),
            primary_key=("dept_id",),
        ),
        Table(
            "teachers",
            (
                column("teacher_id"),
                column("first_name", _TEXT),
                column("last_name", _TEXT),
                column("dept_id"),
                column("salary", Kind.DECIMAL),
                column("age"),
                column("phone_number", _TEXT),
            ),
            primary_key=("teacher_id",),
            foreign_keys=(ForeignKey(("dept_id",), "departments", ("dept_id",)),),
        ),
        Table(
            "courses",
            (
                column("course_id"),
                column("title", _TEXT),
                column("credits"),
                column("teacher_id"),
                column("room_type", _TEXT),
            ),
            primary_key=("course_id",),
            foreign_keys=(ForeignKey(("teacher_id",), "teachers", ("teacher_id",)),),
        ),
    ),
)
VALUES = (
    ("departments", "building", ("East Hall", "North Hall")),
    ("departments", "dept_name", ("History", "Biology")),
    ("courses", "room_type", ("Lab", "Lecture hall")),
)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return engine_over(CATALOG, "{}", VALUES)


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_reads_as(engine: Engine, question: str, sql: str) -> None:
    assert sql_of(engine, question) == sql
