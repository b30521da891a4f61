"""Figures of a handful of judged lines, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.benchmark.judge import Judged
from app.benchmark.report import Point, Report, Share, percentiles, summarise

RIGHT = Judged(True, True, None, 0, (), (0, 7), (4, None))
WRONG = Judged(True, False, None, 3, ("extra column", "wrong join"), (None,), ())


def line(confidence: float, hardness: str | None = "easy", answered: bool = True, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "db_id": "d",
        "question": "q",
        "gold": "SELECT 1",
        "forced_sql": "SELECT 2",
        "pred_sql": "SELECT 2" if answered else None,
        "status": "answered" if answered else "declined",
        "reason": "",
        "confidence": confidence,
        "ms": 10.0,
        "stages": {"link": 4.0},
    }
    return found | ({"hardness": hardness} if hardness else {}) | more


@pytest.fixture
def report() -> Report:
    lines = [
        line(0.9),
        line(0.8, "hard"),
        line(0.3, answered=False, ms=30.0, stages={"link": 8.0, "guard": 1.0}),
        line(0.95, None, answered=False, forced_sql=None, reason="nothing_known", gold="SELECT  1"),
        line(0.1, gold=None),
    ]
    judged = [
        replace(RIGHT, answered_right=True),
        replace(WRONG, answered_right=False),
        RIGHT,
        Judged(True, False, None, None, ("no reading",)),
        Judged(False),
    ]
    return summarise(lines, judged, 123.0)


def test_shares(report: Report) -> None:
    assert (report.asked, report.judged) == (5, 4)
    assert report.forced_right == {
        "all": Share(2, 4), "easy": Share(2, 2), "hard": Share(0, 1), "unknown": Share(0, 1),
    }  # fmt: skip
    assert (report.coverage, report.precision) == (Share(3, 5), Share(1, 2))
    assert (report.oracle, report.first_given_oracle) == (Share(3, 4), Share(2, 3))
    # Four questions have one gold; six pairs, of which right-right and wrong-wrong agree.
    assert report.stability == Share(2, 6)
    assert report.statuses == {"answered": 3, "declined": 2}
    assert report.no_reading == {"nothing_known": 1}


def test_the_curve_goes_down_the_confidences(report: Report) -> None:
    """A missing reading comes last, whatever its confidence."""
    assert list(dict.fromkeys(report.curve)) == [
        Point(0.9, 0.25, 1.0), Point(0.8, 0.5, 0.5), Point(0.3, 0.75, 0.6667), Point(0.95, 1.0, 0.5),
    ]  # fmt: skip
    assert report.wanted_precision == Point(0.9, 0.25, 1.0)


def test_recall_is_the_mean_of_the_questions(report: Report) -> None:
    # Tables: 1 of 2, none, 1 of 2 within five; columns: 1 of 2 twice; questions without any are left out.
    assert report.recall == {
        "tables": {"5": 0.3333, "10": 0.6667, "20": 0.6667},
        "columns": {"5": 0.5, "10": 0.5, "20": 0.5},
    }


def test_times(report: Report) -> None:
    assert report.latency_ms["question to SQL"] == (10.0, 26.0)
    assert report.latency_ms["guard"] == (1.0, 1.0)
    assert report.memory_mb == 123.0


def test_classes_of_failures(report: Report) -> None:
    assert [(c.name, c.failures, c.alone, c.among_candidates, c.points) for c in report.failures] == [
        ("extra column", 1, 0, 1, 25.0),
        ("no reading", 1, 1, 0, 25.0),
        ("wrong join", 1, 0, 1, 25.0),
    ]
    assert report.failures[1].examples[0].got is None
    assert [(c.classes, c.failures, c.among_candidates) for c in report.combinations] == [
        (("extra column", "wrong join"), 1, 1),
        (("no reading",), 1, 0),
    ]


def test_examples_show_what_is_wrong_in_nothing_else() -> None:
    judged = [WRONG, replace(WRONG, classes=("wrong join",)), replace(WRONG, classes=("wrong join", "extra column"))]
    lines = [line(0.5, question=str(at)) for at in range(3)]
    failures = {c.name: c for c in summarise(lines, judged, None, examples=1).failures}
    assert [example.question for example in failures["wrong join"].examples] == ["1"]
    assert summarise(lines, judged, None, examples=0).failures[0].examples == ()


def test_json_has_the_quotients(report: Report) -> None:
    plain = report.as_json()
    assert plain["precision"] == {"count": 1, "of": 2, "share": 0.5}
    assert plain["forced_right"]["hard"]["share"] == 0.0
    assert plain["failures"][0]["examples"][0]["question"] == "q"


def test_nothing_at_all() -> None:
    report = summarise([], [], None)
    assert (report.curve, report.wanted_precision, report.oracle.share) == ((), None, None)


@pytest.mark.parametrize(("values", "expected"), [([], (0.0, 0.0)), ([3.0], (3.0, 3.0)), ([1.0, 2.0, 3.0], (2.0, 2.9))])
def test_percentiles(values: list[float], expected: tuple[float, float]) -> None:
    assert percentiles(values) == expected
