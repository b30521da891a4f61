"""Whether a candidate's SQL returns what the known SQL returns, on a database and on its variants.

The rules are those of the execution accuracy that Spider's community uses (Zhong et al., "Semantic Evaluation for
Text-to-SQL with Distilled Test Suites", EMNLP 2020): rows as a multiset, or as a list where the known SQL orders its
result; columns in any order; numbers equal to about seven digits; text exactly. Right is what is right on every copy of
the database: on one alone a wrong query is often right by luck.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

from app.databases.locks import connect

MAX_ROWS = 200_000
_TICKS = 5_000
_ORDERS_TRIED = 200

Row = tuple[Any, ...]


def is_ordered(sql: str) -> bool:
    """Whether the statement as a whole, or a side of its set operation, asks for an order."""
    queue: list[exp.Expr | None] = [sqlglot.parse_one(sql, dialect="sqlite")]
    while queue:
        tree = queue.pop()
        if tree is None:
            continue
        if tree.args.get("order"):
            return True
        if isinstance(tree, (exp.SetOperation, exp.Subquery)):
            queue += [tree.this, tree.args.get("expression")]
    return False


def same_result(expected: Sequence[Row], got: Sequence[Row], *, ordered: bool) -> bool:
    """Whether some order of the columns of ``got`` makes its rows those of ``expected``."""
    if len(expected) != len(got):
        return False
    if not expected:
        return True
    width = len(expected[0])
    if len(got[0]) != width:
        return False
    mine, theirs = [tuple(map(_key, row)) for row in expected], [tuple(map(_key, row)) for row in got]
    collect: Any = tuple if ordered else Counter
    columns = [collect(row[at] for row in theirs) for at in range(width)]
    fits = [
        [at for at in range(width) if columns[at] == column]
        for column in (collect(r[i] for r in mine) for i in range(width))
    ]
    goal = collect(mine)
    return any(
        collect(tuple(row[at] for at in order) for row in theirs) == goal
        for order in islice(_orders(fits, ()), _ORDERS_TRIED)
    )


def _orders(fits: list[list[int]], chosen: tuple[int, ...]) -> Any:
    if len(chosen) == len(fits):
        yield chosen
        return
    for at in fits[len(chosen)]:
        if at not in chosen:
            yield from _orders(fits, (*chosen, at))


def _key(value: Any) -> tuple[int, Any]:
    if value is None:
        return 0, ""
    if isinstance(value, (int, float)):
        number = float(value)
        return 1, 0.0 if number == 0 else float(f"{number:.8g}") if number != int(number) or abs(
            number
        ) > 2**52 else number
    return 2, value.decode("utf-8", "replace") if isinstance(value, bytes) else value


class Referee:
    """Runs statements on all copies of one database (the first is the plain one). Not for use by several threads.

    :param seconds: how long one statement may take.
    """

    def __init__(self, copies: Sequence[Path], seconds: float = 5.0) -> None:
        self._connections = [connect(path, lenient=True) for path in copies]
        self._seconds = seconds
        self._known: dict[tuple[int, str], list[Row] | None] = {}

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def rows(self, copy: int, sql: str) -> list[Row] | None:
        """All rows, or ``None`` when the statement fails, takes too long or returns too much."""
        key = (copy, sql)
        if key not in self._known:
            if len(self._known) > 200:
                self._known.clear()
            self._known[key] = self._run(self._connections[copy], sql)
        return self._known[key]

    def _run(self, connection: sqlite3.Connection, sql: str) -> list[Row] | None:
        end = time.monotonic() + self._seconds
        connection.set_progress_handler(lambda: int(time.monotonic() > end), _TICKS)
        try:
            rows = connection.execute(sql.strip().rstrip(";")).fetchmany(MAX_ROWS + 1)
        except sqlite3.Error:
            return None
        finally:
            connection.set_progress_handler(None, 0)
        return rows if len(rows) <= MAX_ROWS else None

    def is_usable(self, gold: str) -> bool:
        return self.rows(0, gold) is not None

    def is_right(self, gold: str, sql: str, *, ordered: bool) -> bool:
        """Whether both statements return the same on every copy on which the known one runs."""
        for copy in range(len(self._connections)):
            expected = self.rows(copy, gold)
            if expected is None:
                continue
            got = self.rows(copy, sql)
            if got is None or not same_result(expected, got, ordered=ordered):
                return False
        return True
