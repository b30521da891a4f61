"""One prediction judged: has it the gold's result on every database, has a candidate, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark.clauses import facts_of, parse
from app.benchmark.execute import Ran, Schema, run_sql, schema_of
from app.benchmark.failures import NO_READING, NOT_RUN, differences
from app.benchmark.match import is_ordered, same_result
from app.benchmark.predict import FIRST
from app.benchmark.questions import BenchmarkError, Line, database_path, golds_of

# A gold may be slow; a candidate that is not the prediction is given up early.
_GOLD_TIMES, _CANDIDATE_SECONDS = 3.0, 3.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one question.

    :ivar gold_ran: whether a gold statement ran on every database; nothing is known otherwise.
    :ivar right: the best reading in any case; ``answered_right`` the answer that was given, ``None`` without one.
    :ivar rank: place of the first right candidate among the first twenty, from 0; ``None`` when none is right.
    :ivar classes: what is wrong with the best reading; empty when it is right.
    :ivar tables, columns: ranks among the hits of each gold table and column; ``None`` for those not found.
    """

    gold_ran: bool
    right: bool = False
    answered_right: bool | None = None
    rank: int | None = None
    classes: tuple[str, ...] = ()
    tables: tuple[int | None, ...] = ()
    columns: tuple[int | None, ...] = ()


class Judge:
    """Judges predictions over one or more copies of the databases. Schemas and golds are kept between calls.

    :param roots: folders of databases; a prediction must be right on all.
    :param seconds: for a predicted statement; a gold one gets three times that.
    """

    def __init__(self, roots: Sequence[Path], seconds: float = 10.0) -> None:
        self._roots, self._seconds = tuple(roots), seconds
        self._schemas: dict[str, Schema] = {}
        self._golds: dict[tuple[str, tuple[str, ...]], dict[str, list[Ran]] | None] = {}

    def judge(self, line: Line) -> Judged:
        """:raises BenchmarkError: when a root lacks the database."""
        db_id, golds = line["db_id"], golds_of(line)
        gold = self._gold(db_id, golds)
        if gold is None:
            return Judged(False)
        schema = self._schema(db_id)
        forced, answered = line.get("forced_sql"), line.get("pred_sql")
        right, status = self._right(db_id, gold, forced, self._seconds) if forced else (False, "")
        answered_right: bool | None = None
        if answered:
            answered_right = right if answered == forced else self._right(db_id, gold, answered, self._seconds)[0]
        classes: tuple[str, ...] = ()
        if not forced:
            classes = (NO_READING,)
        elif not right:
            classes = (NOT_RUN,) if status else differences(golds[0], forced, schema)
        hits = [str(hit).lower() for hit in line.get("hits", ())]
        tables, columns = _ranks(golds[0], schema, hits)
        return Judged(True, right, answered_right, self._rank(line, gold, right), classes, tables, columns)

    def _rank(self, line: Line, gold: dict[str, list[Ran]], right: bool) -> int | None:
        if right:
            return 0
        seconds = min(self._seconds, _CANDIDATE_SECONDS)
        for rank, sql in enumerate(line.get("candidates", ())[:FIRST]):
            if rank and self._right(line["db_id"], gold, sql, seconds)[0]:
                return rank
        return None

    def _right(self, db_id: str, gold: dict[str, list[Ran]], sql: str, seconds: float) -> tuple[bool, str]:
        """Whether one and the same gold is matched on every root; and why the statement did not run."""
        alive: set[str] = set(gold)
        for at, root in enumerate(self._roots):
            ran = run_sql(database_path(root, db_id), sql, seconds)
            if ran.status != "ok":
                return False, ran.status
            alive = {
                one
                for one in alive
                if (expected := gold[one][at]).status == "ok"
                and same_result(expected.rows, ran.rows, expected.width, ran.width, ordered=is_ordered(one))
            }
            if not alive:
                return False, ""
        return True, ""

    def _gold(self, db_id: str, golds: tuple[str, ...]) -> dict[str, list[Ran]] | None:
        """Results of each gold on each root; ``None`` when on some root none runs."""
        key = db_id, golds
        if key not in self._golds:
            seconds = self._seconds * _GOLD_TIMES
            # Only the golds of the last database are kept: results may be large.
            self._golds = {known: runs for known, runs in self._golds.items() if known[0] == db_id}
            runs = {sql: [run_sql(database_path(root, db_id), sql, seconds) for root in self._roots] for sql in golds}
            usable = bool(runs) and all(
                any(ran[at].status == "ok" for ran in runs.values()) for at in range(len(self._roots))
            )
            self._golds[key] = runs if usable else None
        return self._golds[key]

    def _schema(self, db_id: str) -> Schema:
        if db_id not in self._schemas:
            self._schemas[db_id] = schema_of(database_path(self._roots[0], db_id))
        return self._schemas[db_id]


def judge_lines(roots: Sequence[Path], lines: Sequence[Line], seconds: float) -> list[Judged]:
    """Judge several lines; a question whose database is missing counts as one whose gold did not run."""
    judge = Judge(roots, seconds)
    found: list[Judged] = []
    for line in lines:
        try:
            found.append(judge.judge(line))
        except BenchmarkError:
            found.append(Judged(False))
    return found


def _ranks(gold: str, schema: Schema, hits: Sequence[str]) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Where schema search has the gold's tables (themselves, or through a column of theirs) and its columns."""
    tree = parse(gold)
    if tree is None:
        return (), ()
    facts = facts_of(tree, schema)
    first: dict[str, int] = {}
    for rank, hit in enumerate(hits):
        for name in {hit, hit.rpartition(".")[0]} - {""}:
            first.setdefault(name, rank)
    known = {f"{table}.{column}" for table, columns in schema.items() for column in columns}
    return (
        tuple(first.get(table) for table in sorted(facts.tables)),
        tuple(first.get(column) for column in sorted(facts.columns & known)),
    )
