"""Predictions judged over a tiny database and its variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.benchmark.execute import run_sql, schema_of
from app.benchmark.judge import Judge, Judged, judge_lines
from app.benchmark.questions import BenchmarkError

GOLD = "SELECT name FROM owners WHERE city = 'Rome'"
LUCKY = "SELECT name FROM owners WHERE id BETWEEN 2 AND 3"
HEAVY = "SELECT name FROM pets WHERE weight > 10"
HEAVY_LUCKY = "SELECT name FROM pets WHERE id = 1"


def line(forced: str | None, pred: str | None = None, gold: object = GOLD, **more: Any) -> dict[str, Any]:
    return {"db_id": "pets", "question": "?", "gold": gold, "forced_sql": forced, "pred_sql": pred, **more}


@pytest.mark.parametrize(
    ("given", "right", "answered_right", "rank", "classes"),
    [
        (line(GOLD), True, None, 0, ()),
        (line(GOLD, GOLD), True, True, 0, ()),
        (line(GOLD, "SELECT city FROM owners"), True, False, 0, ()),
        (line("SELECT name FROM owners"), False, None, None, ("missing value link",)),
        (line("SELECT name FROM owners", candidates=["SELECT name FROM owners", "x", GOLD]), False, None, 2, None),
        (line(None), False, None, None, ("no reading",)),
        (line("SELECT nothing FROM owners"), False, None, None, ("does not run",)),
        (line("DELETE FROM owners"), False, None, None, ("does not run",)),
        (line(LUCKY), True, None, 0, ()),
        (line("SELECT city FROM owners", gold=[GOLD, "SELECT city FROM owners"]), True, None, 0, ()),
    ],
)
def test_judge(
    root: Path,
    given: dict[str, Any],
    right: bool,
    answered_right: bool | None,
    rank: int | None,
    classes: tuple[str, ...] | None,
) -> None:
    judged = Judge([root]).judge(given)
    assert (judged.gold_ran, judged.right, judged.answered_right, judged.rank) == (True, right, answered_right, rank)
    assert classes is None or judged.classes == classes


def test_right_means_right_on_every_variant(root: Path, variant: Path) -> None:
    given = line(HEAVY_LUCKY, gold=HEAVY)
    assert Judge([root]).judge(given).right
    judged = Judge([root, variant]).judge(given)
    assert not judged.right and judged.classes
    assert Judge([root, variant]).judge(line(HEAVY, gold=HEAVY)).right


@pytest.mark.parametrize("gold", [None, "", [], "SELECT gone FROM pets", "not SQL"])
def test_without_a_gold_that_runs_nothing_is_known(root: Path, gold: object) -> None:
    assert Judge([root]).judge(line("SELECT name FROM pets", gold=gold)) == Judged(False)


def test_ranks_of_the_gold_among_the_hits(root: Path) -> None:
    gold = "SELECT p.name FROM pets AS p JOIN owners AS o ON p.owner_id = o.id"
    hits = ["Pets.weight", "owners.id", "owners", "pets.name"]
    judged = Judge([root]).judge(line(gold, gold=gold, hits=hits))
    assert judged.tables == (1, 0)  # owners, pets: through a column of each
    assert judged.columns == (1, 3, None)  # owners.id, pets.name, pets.owner_id


def test_a_missing_database_is_not_judged(root: Path) -> None:
    stranger = {**line(GOLD), "db_id": "gone"}
    assert judge_lines([root], [stranger, line(GOLD)], 5.0) == [Judged(False), Judge([root]).judge(line(GOLD))]
    with pytest.raises(BenchmarkError):
        Judge([root]).judge(stranger)


@pytest.mark.parametrize(
    ("sql", "status"),
    [
        ("SELECT 1;", "ok"),
        ("DROP TABLE pets", "error"),
        ("SELECT 1; SELECT 2", "error"),
        ("ATTACH 'x' AS x", "error"),
        ("", "error"),
        ("WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r", "timeout"),
        ("WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 200001) SELECT i FROM r", "too big"),
    ],
)
def test_run_sql(root: Path, sql: str, status: str) -> None:
    seconds = 0.05 if status == "timeout" else 30.0
    assert run_sql(root / "pets" / "pets.sqlite", sql, seconds).status == status


def test_schema_of(root: Path) -> None:
    assert schema_of(root / "books" / "books.sqlite") == {"books": ("id", "title", "pages")}
