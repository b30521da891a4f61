"""Questions that other tools misread (``tests/cases/language.jsonl`` names the reports), asked of a file without a
glossary, from the words to the rows."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from agents.artifacts import TableArtifact
from app.services import Services, target_for
from app.settings import Settings
from app.terminal.asking import Asked, ask

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases/language.jsonl").read_text("utf-8").splitlines()
]

# Three customers share the second place; two of them are cut off.
TIED = "CREATE TABLE sellers (id INTEGER PRIMARY KEY, who TEXT, units INTEGER);" + "".join(
    f"INSERT INTO sellers VALUES ({n}, '{who}', {units});"
    for n, (who, units) in enumerate([("Ana", 9), ("Cleo", 7), ("Ben", 7), ("Dan", 7), ("Eva", 1)], start=1)
)

Open = Callable[[str], Services]


@pytest.fixture
def open_file(tmp_path: Path, demo_settings: Settings) -> Open:
    def opened(setup: str) -> Services:
        path = tmp_path / "data.sqlite"
        with sqlite3.connect(path) as connection:
            connection.executescript(setup)
        settings = replace(demo_settings, data=tmp_path / "kept")
        return Services(settings, (target_for(str(path)),))

    return opened


def rows_of(services: Services, asked: Asked) -> list[tuple[Any, ...]]:
    frame = next(a.frame for a in asked.view.artifacts if isinstance(a, TableArtifact))
    table = services.frames.open(frame.id)
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def same(expected: list[list[Any]], got: list[tuple[Any, ...]]) -> bool:
    """Whether some columns of the answer, in some order, hold the expected rows; numbers to a tenth."""

    def rounded(value: Any) -> Any:
        return round(float(value), 1) if isinstance(value, (int, float)) else str(value) if value is not None else None

    wanted = Counter(tuple(rounded(v) for v in row) for row in expected)
    width = len(expected[0])
    if not got or len(got[0]) < width:
        return False
    return any(
        Counter(tuple(rounded(row[n]) for n in places) for row in got) == wanted
        for places in permutations(range(len(got[0])), width)
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reads_what_others_misread(open_file: Open, case: dict[str, Any]) -> None:
    services = open_file(case["setup_sql"])
    *earlier, question = case["turns"]
    now = datetime.fromisoformat(case["clock"])
    asked = ask(services, services.names[0], question, now=now, earlier=tuple(earlier), rows=0, seconds=60)
    assert asked.answer.status == "answered", asked.answer.problem
    got = rows_of(services, asked)
    assert same(case["rows"], got), (asked.answer.sql, got[:10])


def test_a_tie_that_is_cut_is_said(open_file: Open) -> None:
    services = open_file(TIED)
    asked = ask(services, services.names[0], "Who are the top 2 sellers by units?", rows=10, seconds=60)
    assert asked.answer.status == "answered"
    assert list(asked.answer.warnings) == ["2 more rows (Cleo, Dan) tie with number 2 and are shown too."]
    assert [row[0] for row in rows_of(services, asked)] == ["Ana", "Ben", "Cleo", "Dan"]


CUSTOMERS = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount REAL);
    INSERT INTO customers VALUES (1, 'Acorn'), (2, 'Birch'), (3, 'Dune');
    INSERT INTO orders VALUES (1, 1, 5.0), (2, 1, 7.0), (3, 2, 1.0);
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("number of orders by customer", "1 of the customers has no orders and is not listed."),
        ("number of orders for each customer", None),
        ("number of orders", None),
        ("customers without orders", None),
    ],
)
def test_members_without_rows_are_said(open_file: Open, question: str, expected: str | None) -> None:
    services = open_file(CUSTOMERS)
    warnings = ask(services, services.names[0], question, rows=10, seconds=60).answer.warnings
    assert list(warnings) == ([expected] if expected else [])


ENROLLED = """
    CREATE TABLE students (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE courses (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE enrollments (student_id INTEGER REFERENCES students (id), course_id INTEGER REFERENCES courses (id),
        enrolled_on TEXT, PRIMARY KEY (student_id, course_id));
    INSERT INTO students VALUES (1, 'Pia'), (2, 'Ray'), (3, 'Sue');
    INSERT INTO courses VALUES (1, 'Algebra'), (2, 'Drama');
    INSERT INTO enrollments VALUES (1, 1, '2023-09-01'), (2, 1, '2024-09-01');
"""

STAFF = """
    CREATE TABLE 部门 (编号 INTEGER PRIMARY KEY, 名称 TEXT);
    CREATE TABLE 员工 (工号 INTEGER PRIMARY KEY, 姓名 TEXT, 部门编号 INTEGER REFERENCES 部门 (编号));
    INSERT INTO 部门 VALUES (1, '研发部'), (2, '法务部');
    INSERT INTO 员工 VALUES (1, '张三', 1), (2, '李四', 1);
"""


@pytest.mark.parametrize(
    ("setup", "question", "expected"),
    [
        (CUSTOMERS, "number of orders for each customer", [["Acorn", 2], ["Birch", 1], ["Dune", 0]]),
        (CUSTOMERS, "number of orders by customer", [["Acorn", 2], ["Birch", 1]]),
        (STAFF, "每个部门有多少员工", [["研发部", 2], ["法务部", 0]]),
        (ENROLLED, "number of enrollments for each course", [["Algebra", 2], ["Drama", 0]]),
        (ENROLLED, "number of enrollments for each course in 2023", [["Algebra", 1], ["Drama", 0]]),
        (ENROLLED, "number of enrollments for every student", [["Pia", 1], ["Ray", 1], ["Sue", 0]]),
    ],
)
def test_each_counts_those_without_a_row(open_file: Open, setup: str, question: str, expected: list[list[Any]]) -> None:
    services = open_file(setup)
    asked = ask(services, services.names[0], question, rows=10, seconds=60)
    assert asked.answer.status == "answered", asked.answer.problem
    assert same(expected, rows_of(services, asked)), asked.answer.sql
