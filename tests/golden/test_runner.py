from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from golden import Case, Outcome, Report, as_json, as_text, load_cases, run
from golden.runner import query


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript("CREATE TABLE t (name TEXT, n INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2);")
    connection.close()
    return path


def case(**change: Any) -> Case:
    return Case.model_validate(
        {"id": "one", "connection": "tiny", "question": "q", "lang": "en", "sql": "SELECT name, n FROM t"} | change
    )


def answered(rows: list[tuple[Any, ...]], ms: float = 5.0) -> Outcome:
    return Outcome("answered", tuple(f"c{i}" for i in range(len(rows[0]))), rows, "SELECT ...", 0.9, ms)


RIGHT = answered([("b", 2), ("a", 1)])
DECLINED = {"sql": None, "expect": "declined"}


@pytest.mark.parametrize(
    ("change", "outcome", "problem"),
    [
        ({}, RIGHT, None),
        ({}, answered([("a", 1)]), "1 row instead of 2"),
        ({}, answered([("b",), ("a",)]), "1 column instead of 2"),
        ({}, answered([("b", 3), ("a", 1)]), "no column has the values of 'n'"),
        ({}, answered([("a", 2), ("b", 1)]), "the values of the columns do not belong together"),
        ({"order": True}, RIGHT, "no column has the values of 'name'"),
        ({"sql": "SELECT name FROM t"}, RIGHT, "2 columns instead of 1"),
        ({"sql": "SELECT name FROM t", "extra_ok": True}, RIGHT, None),
        ({}, Outcome("declined"), "declined instead of answered"),
        ({}, Outcome("error"), "error instead of answered"),
        (DECLINED, Outcome("declined"), None),
        (DECLINED, Outcome("clarify"), "clarify instead of declined"),
        (DECLINED, RIGHT, "answered instead of declined"),
        ({"sql": None, "expect": ["declined", "clarify"]}, Outcome("clarify"), None),
    ],
)
def test_verdict(tiny: Path, change: dict[str, Any], outcome: Outcome, problem: str | None) -> None:
    (verdict,) = run([case(**change)], lambda *_: outcome, {"tiny": tiny}).verdicts
    assert verdict.problem == problem


def test_the_engine_gets_question_connection_clock_and_language(tiny: Path) -> None:
    asked: list[tuple[Any, ...]] = []

    def answer(question: str, connection: str, now: datetime, lang: str, after: tuple[str, ...] = ()) -> Outcome:
        asked.append((question, connection, now, lang))
        return RIGHT

    run([case(), case(id="two", now="2025-01-02T03:04:05", lang="zh")], answer, {"tiny": tiny})
    assert asked == [
        ("q", "tiny", datetime(2026, 11, 30, 10), "en"),
        ("q", "tiny", datetime(2025, 1, 2, 3, 4, 5), "zh"),
    ]


def test_a_crash_fails_its_case_only(tiny: Path) -> None:
    def answer(question: str, *_: Any) -> Outcome:
        if question == "crash":
            raise RuntimeError("no luck")
        return RIGHT

    report = run([case(question="crash"), case(id="two")], answer, {"tiny": tiny})
    assert [v.problem for v in report.verdicts] == ["crashed with RuntimeError: no luck", None]


def test_gold_sql_cannot_write(tiny: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        query(tiny, "DELETE FROM t")


def three(tiny: Path) -> Report:
    outcomes: dict[str, Callable[[], Outcome]] = {
        "right": lambda: RIGHT,
        "wrong": lambda: answered([("x", 1), ("y", 2)], 100.0),
        "unanswered": lambda: Outcome("declined"),
        "nonsense": lambda: Outcome("declined"),
    }
    cases = [
        case(id="right", question="right", tags=("list",)),
        case(id="wrong", question="wrong", lang="zh", tags=("list", "top")),
        case(id="unanswered", question="unanswered"),
        case(id="nonsense", question="nonsense", **DECLINED),
    ]
    return run(cases, lambda question, *_: outcomes[question](), {"tiny": tiny})


def test_coverage_and_precision(tiny: Path) -> None:
    report = three(tiny)
    assert [v.case.id for v in report.failed] == ["wrong", "unanswered"]
    assert len(report.passed) == 2
    assert report.coverage == pytest.approx(2 / 3)
    assert report.precision == pytest.approx(1 / 2)
    assert report.percentile(50) == pytest.approx(2.5)
    assert Report(()).coverage == Report(()).precision == 1.0 and Report(()).percentile(95) == 0.0


def test_an_answer_where_none_was_due_costs_precision(tiny: Path) -> None:
    report = run([case(), case(id="two", **DECLINED)], lambda *_: RIGHT, {"tiny": tiny})
    assert (report.coverage, report.precision) == (1.0, 0.5)


def test_text_shows_failures_and_figures(tiny: Path) -> None:
    text = as_text(three(tiny))
    for piece in (
        "failed: wrong",
        "gold SQL: SELECT name, n FROM t",
        "expected: name, n\n  ('a', 1)",
        "got: c0, c1\n  ('x', 1)",
        "lang zh",
        "tag top",
        "2 of 4 passed · coverage 66.7% · precision when answered 50.0% · p50 2 ms",
    ):
        assert piece in text
    assert "failed: right" not in text


def test_json_has_the_same_figures(tiny: Path) -> None:
    document = json.loads(as_json(three(tiny)))
    assert (document["total"], document["passed"], document["coverage"], document["precision"]) == (4, 2, 0.6667, 0.5)
    assert document["groups"]["lang zh"]["passed"] == 0
    assert [c["id"] for c in document["cases"] if not c["passed"]] == ["wrong", "unanswered"]


def test_the_gold_answers_pass_their_own_cases(demos: dict[str, Path]) -> None:
    gold = {(c.connection, c.question): c for c in load_cases()}

    def answer(question: str, connection: str, *_: Any) -> Outcome:
        asked = gold[connection, question]
        if asked.sql is None:
            return Outcome(asked.expect[0])
        table = query(demos[connection], asked.sql)
        return Outcome("answered", table.columns, table.rows, asked.sql)

    report = run(gold.values(), answer, demos)
    assert [(v.case.id, v.problem) for v in report.failed] == []
    assert report.coverage == report.precision == 1.0
