"""The referee: which results count as the same, on every copy of a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.training.referee import Referee, is_ordered, same_result

Rows = list[tuple[Any, ...]]

RESULTS: list[tuple[Rows, Rows, bool, bool]] = [
    ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], False, True),
    ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], True, False),
    ([(1, "a"), (2, "b")], [("a", 1), ("b", 2)], True, True),
    ([(1, 2), (2, 1)], [(1, 1), (2, 2)], False, False),
    ([(1, 2), (3, 4)], [(2, 1), (4, 3)], False, True),
    ([(1,), (1,)], [(1,)], False, False),
    ([(0.1 + 0.2,)], [(0.3,)], False, True),
    ([(1,)], [(1.0,)], False, True),
    ([(1,)], [("1",)], False, False),
    ([(None,)], [(None,)], False, True),
    ([(None,)], [(0,)], False, False),
    ([(1,)], [(1, 2)], False, False),
    ([], [], False, True),
    ([(1, 1, 2)], [(1, 2, 1)], False, True),
]


@pytest.mark.parametrize(("expected", "got", "ordered", "same"), RESULTS)
def test_same_result(expected: Rows, got: Rows, ordered: bool, same: bool) -> None:
    assert same_result(expected, got, ordered=ordered) is same


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("SELECT a FROM t ORDER BY a", True),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)", False),
        ("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1", True),
        ("SELECT 'order by' FROM t", False),
    ],
)
def test_is_ordered(sql: str, ordered: bool) -> None:
    assert is_ordered(sql) is ordered


@pytest.fixture
def copies(tmp_path: Path) -> list[Path]:
    """Two copies that hold different rows: the average is the largest value only by luck on the first."""
    paths = [tmp_path / "plain.sqlite", tmp_path / "changed.sqlite"]
    for path, values in zip(paths, ((2, 2), (2, 4)), strict=True):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE t (a INTEGER, b INTEGER)")
            connection.executemany("INSERT INTO t VALUES (?, 0)", [(v,) for v in values])
            connection.commit()
    return paths


@pytest.mark.parametrize(
    ("sql", "right"),
    [
        ("SELECT max(a) AS x FROM t", True),
        ("SELECT avg(a) FROM t", False),
        ("SELECT nothing FROM t", False),
        ("DELETE FROM t", False),
        ("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r", False),
    ],
)
def test_right_is_right_on_every_copy(copies: list[Path], sql: str, right: bool) -> None:
    referee = Referee(copies, seconds=0.2)
    assert referee.is_right("SELECT max(a) FROM t", sql, ordered=False) is right
    referee.close()


def test_a_known_statement_must_run(copies: list[Path]) -> None:
    referee = Referee(copies[:1])
    assert not referee.is_usable("SELECT q FROM nowhere")
    referee.close()
