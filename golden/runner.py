"""Puts golden cases to an engine and judges each answer by its result."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from typing import Any, Protocol

from golden.case import Case, Status
from golden.compare import Table, difference


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the engine made of a question.

    :ivar rows: all rows of the answer, as the database returned them; empty when not answered.
    :ivar confidence: 0 to 1, where the engine tells it.
    :ivar ms: milliseconds from question to rows.
    """

    status: Status
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[Any]] = ()
    sql: str | None = None
    confidence: float | None = None
    ms: float = 0.0


class Answer(Protocol):
    """The engine under test: ``(question, connection name, now, language, questions before)`` to an
    :class:`Outcome`."""

    def __call__(
        self, question: str, connection: str, now: datetime, lang: str, after: tuple[str, ...], /
    ) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judged case; ``problem`` is ``None`` when it passed."""

    case: Case
    outcome: Outcome
    problem: str | None
    expected: Table | None = None
    got: Table | None = None

    @property
    def passed(self) -> bool:
        return self.problem is None

    @property
    def answered(self) -> bool:
        return self.outcome.status == "answered"


@dataclass(frozen=True, slots=True)
class Report:
    """All verdicts, in the order of the cases."""

    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> tuple[Verdict, ...]:
        return tuple(v for v in self.verdicts if v.passed)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        return tuple(v for v in self.verdicts if not v.passed)

    @property
    def coverage(self) -> float:
        """Share of the answerable cases that were answered, rightly or not; 1 where there are none."""
        due = [v for v in self.verdicts if v.case.answerable]
        return sum(v.answered for v in due) / len(due) if due else 1.0

    @property
    def precision(self) -> float:
        """Share of all answers that are right; an answer where none was due is wrong. 1 where nothing was answered."""
        answers = [v for v in self.verdicts if v.answered]
        return sum(v.passed for v in answers) / len(answers) if answers else 1.0

    def percentile(self, percent: int) -> float:
        """Milliseconds within which so many percent of the cases came back; 0 without cases."""
        times = [v.outcome.ms for v in self.verdicts]
        if len(times) < 2:
            return times[0] if times else 0.0
        return quantiles(times, n=100, method="inclusive")[percent - 1]


def run(cases: Iterable[Case], answer: Answer, databases: Mapping[str, Path]) -> Report:
    """Ask every case and judge what comes back.

    :param databases: SQLite file of each connection, in which the cases' own SQL runs, read-only.
    :raises KeyError: for a case whose connection has no database.
    :raises sqlite3.Error: for a case whose SQL does not run; the case is wrong then, not the engine.
    """
    return Report(tuple(judge(case, answer, databases[case.connection]) for case in cases))


def judge(case: Case, answer: Answer, database: Path) -> Verdict:
    """Ask one case. An exception out of the engine fails the case and does not stop the others."""
    expected = query(database, case.sql) if case.sql is not None else None
    try:
        outcome = answer(case.question, case.connection, case.now, case.lang, case.after)
    except Exception as error:
        return Verdict(case, Outcome("error"), f"crashed with {type(error).__name__}: {error}", expected)
    got = Table.of(outcome.columns, outcome.rows) if outcome.status == "answered" else None
    problem: str | None = None
    if outcome.status not in case.expect:
        problem = f"{outcome.status} instead of {' or '.join(case.expect)}"
    elif expected is not None and got is not None:
        problem = difference(expected, got, order=case.order, extra_ok=case.extra_ok)
    return Verdict(case, outcome, problem, expected, got)


def query(database: Path, sql: str) -> Table:
    """Run a case's SQL on a connection that can only read."""
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("PRAGMA query_only = ON")
        cursor = connection.execute(sql)
        return Table.of([column[0] for column in cursor.description], cursor.fetchall())
