"""Puts a file of questions over many databases to the engine and writes its SQL beside each, for an outside referee.

Questions are lines of JSON with ``db_id`` and ``question``; whatever else a line holds is written back. Added:

- ``pred_sql``: the SQL of the answer, ``null`` where the engine did not answer;
- ``forced_sql``: the SQL of its best reading, whatever it thinks of it; ``null`` where it has none;
- ``status``, ``confidence`` and ``ms`` (from question to the end of the answer).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import StarchartError
from agents.sql.guard import verdict
from app.clock import SystemClock
from app.services import Services, Target
from app.settings import Settings
from app.terminal.asking import ask
from app.turns.question import clean_question


class BenchmarkError(StarchartError):
    """The questions cannot be used: ``benchmark.questions``, ``benchmark.database``."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many questions were put, answered, and had a reading at all."""

    asked: int
    answered: int
    forced: int


def load_questions(path: Path, limit: int | None = None) -> list[dict[str, Any]]:
    """The questions of a file; with a limit a sample spread evenly over it, the same one each time.

    :raises BenchmarkError: ``benchmark.questions`` for a line that is no question.
    """
    questions: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
            if not isinstance(question["db_id"], str) or not isinstance(question["question"], str):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            raise BenchmarkError(
                "benchmark.questions",
                f"Line {number} of {path.name} is not a question.",
                'Each line is an object with at least "db_id" and "question".',
            ) from None
        questions.append(question)
    return questions if limit is None else spread(questions, limit)


def spread(items: Sequence[Any], limit: int) -> list[Any]:
    """At most ``limit`` items, evenly spaced, in their order."""
    if limit >= len(items):
        return list(items)
    return [items[at * len(items) // limit] for at in range(limit)]


def database_path(root: Path, db_id: str) -> Path:
    """``ROOT/DB/DB.sqlite`` or ``ROOT/DB.sqlite``.

    :raises BenchmarkError: ``benchmark.database`` when there is neither.
    """
    for path in (root / db_id / f"{db_id}.sqlite", root / f"{db_id}.sqlite"):
        if path.is_file():
            return path
    raise BenchmarkError(
        "benchmark.database", f"There is no database {db_id} in {root}.", f"Expected {root / db_id / db_id}.sqlite."
    )


def predict(
    settings: Settings, questions: Iterable[dict[str, Any]], root: Path, on_done: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """Each question with what the engine made of it, in order. Databases are opened one at a time.

    :param on_done: called after every question.
    """
    name, services = "", None
    for question in questions:
        if services is None or question["db_id"] != name:
            name = question["db_id"]
            services = Services(settings, (Target(name, str(database_path(root, name))),))
            services.prepare()
        yield {**question, **_predicted(services, name, question["question"], settings.turn_seconds)}
        on_done()


def _predicted(services: Services, name: str, question: str, seconds: float) -> dict[str, Any]:
    answer = ask(services, name, question, rows=0, seconds=seconds).answer
    ran = [attempt.sql for attempt in (answer.evidence.attempts if answer.evidence else ()) if attempt.status == "ran"]
    return {
        "pred_sql": ran[-1] if ran and answer.status == "answered" else None,
        "forced_sql": _forced(services, name, question),
        "status": answer.status,
        "confidence": answer.confidence,
        "ms": answer.ms,
    }


def _forced(services: Services, name: str, question: str) -> str | None:
    try:
        opened, question = services.open(name), clean_question(question)
    except StarchartError:
        return None
    spoken, _intent = opened.engine.route(question)
    hits = opened.retriever.search(question).hits
    candidates = opened.engine.read(question, spoken, SystemClock().now(), hits).candidates
    allowed = (verdict(candidate.sql, opened.connection.catalog)["sql"] for candidate in candidates)
    return next((sql for sql in allowed if sql), None)


def run(
    settings: Settings, questions: Sequence[dict[str, Any]], root: Path, out: Path, on_done: Callable[[], None]
) -> Tally:
    """Write one line per question to ``out``."""
    answered = forced = 0
    with out.open("w", encoding="utf-8") as file:
        for line in predict(settings, questions, root, on_done):
            answered += line["pred_sql"] is not None
            forced += line["forced_sql"] is not None
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return Tally(len(questions), answered, forced)
