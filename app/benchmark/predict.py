"""Asking one database its questions: the whole turn as people would get it, and the best reading in any case.

A line comes back with

- ``pred_sql``: the SQL that was answered; ``null`` where the engine declined or asked back;
- ``forced_sql``: the SQL of the best reading, whatever the engine thinks of it; ``null`` where it has none;
- ``status`` of the answer, ``reason`` why it is none, ``confidence`` and ``ms`` from the question to its SQL;
- ``stages``: ms of each stage; ``candidates``: the SQL of the first readings; ``hits``: what schema search found first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from agents.artifacts import HitEvidence
from agents.engine import Engine, Lap
from agents.errors import StarchartError
from agents.language.text import Language
from agents.learn.scorer import Scorer, default_scorer
from agents.plan.score import Weights
from agents.ports import CancelToken, Connection
from agents.sql.guard import verdict
from agents.state import TurnState
from agents.understood import Candidate, Understood
from app.benchmark.questions import Line
from app.clock import SystemClock
from app.services import Services, Target
from app.settings import Settings
from app.turns.ports import Lang
from app.turns.question import clean_question

FIRST = 20
"""Candidates and hits that are kept: what "among the first 20" looks at."""

ADDED = frozenset({"pred_sql", "forced_sql", "status", "reason", "confidence", "ms", "stages", "candidates", "hits"})
"""What a prediction has beside its question."""

ENGINE_STAGES = ("link", "assign", "read", "compile", "score")


def _ignore(stage: str) -> None:
    pass


class TimedEngine(Engine):
    """Keeps what it understood last and how long its stages took, in ms. For one thread."""

    def __init__(
        self,
        connection: Connection,
        *,
        weights: Weights | None = None,
        week_start: int = 0,
        scorer: Scorer | None = None,
    ) -> None:
        super().__init__(connection, weights=weights, week_start=week_start, scorer=scorer)
        self.understood: Understood | None = None
        self.stages: dict[str, float] = {}

    def forget(self) -> None:
        """Before a new question."""
        self.understood, self.stages = None, {}

    def read(
        self,
        question: str,
        lang: Language,
        now: datetime,
        hits: Sequence[HitEvidence] = (),
        lap: Lap = _ignore,
    ) -> Understood:
        began = time.perf_counter()

        def timed(stage: str) -> None:
            nonlocal began
            ended = time.perf_counter()
            self.stages[stage] = self.stages.get(stage, 0.0) + (ended - began) * 1000
            lap(stage)
            began = time.perf_counter()

        self.understood = super().read(question, lang, now, hits, timed)
        return self.understood


@dataclass(frozen=True, slots=True)
class Options:
    """How questions are put.

    :ivar lang: language of the answers; ``None`` means each question's own.
    :ivar meaning: whether search goes by meaning as well as by words.
    :ivar without: learned parts that are left out, to see what each is worth.
    """

    settings: Settings
    lang: Lang | None = None
    meaning: bool = True
    without: tuple[str, ...] = ()


class Asker:
    """One database, opened and warm."""

    def __init__(self, options: Options, name: str, path: Path) -> None:
        self._options, self._name = options, name
        self._clock = SystemClock()
        engine = partial(TimedEngine, scorer=default_scorer().without(options.without))
        self._services = Services(options.settings, (Target(name, str(path)),), engine=engine, meaning=options.meaning)
        self._services.prepare()

    def close(self) -> None:
        self._services.open(self._name).database.close()

    def ask(self, line: Line) -> Line:
        """The line with what the engine made of its question.

        :raises ConnectionFailed: when the database cannot be opened.
        """
        opened = self._services.open(self._name)
        engine = opened.engine
        assert isinstance(engine, TimedEngine)
        engine.forget()
        turn, reason = self._turn(line["question"])
        if engine.understood is None:
            # Taken for talk, a change or a question about the schema: the best reading is asked for all the same.
            # What broke inside the turn breaks here again; its reason is in the line already.
            with suppress(Exception):
                question = clean_question(line["question"])
                lang, _ = engine.route(question)
                hits = opened.retriever.search(question).hits
                engine.read(question, self._options.lang or lang, self._clock.now(), hits)
                engine.stages.clear()
        candidates = engine.understood.candidates if engine.understood else ()
        hits = turn.retrieval.hits if turn and turn.retrieval else ()
        ran = [a.sql for a in turn.attempts if a.status == "ran"] if turn else []
        return {
            **line,
            "pred_sql": ran[-1] if turn and ran and turn.status == "answered" else None,
            "forced_sql": self._forced(candidates),
            "status": turn.status if turn and turn.status else "error",
            "reason": reason or (engine.understood.reason if engine.understood else ""),
            "confidence": turn.confidence if turn and turn.confidence is not None else 0.0,
            "ms": round(_ms_to_sql(turn), 2) if turn else None,
            "stages": {name: round(ms, 3) for name, ms in _stages(turn, engine.stages).items()} if turn else {},
            "candidates": [candidate.sql for candidate in candidates[:FIRST]],
            "hits": [hit.label for hit in hits[:FIRST]],
        }

    def _turn(self, question: str) -> tuple[TurnState | None, str]:
        try:
            turn = self._services.ask(
                self._name,
                clean_question(question),
                lang=self._options.lang,
                turn_id="benchmark",
                listener=lambda event: None,
                cancel=CancelToken(self._clock, self._options.settings.turn_seconds),
            )
        except StarchartError as error:
            return None, error.code
        return turn, "" if turn.status == "answered" or turn.problem is None else turn.problem.code

    def _forced(self, candidates: Sequence[Candidate]) -> str | None:
        catalog = self._services.catalog(self._name)
        allowed = (verdict(candidate.sql, catalog)["sql"] for candidate in candidates)
        return next((sql for sql in allowed if sql), None)


def _ms_to_sql(turn: TurnState) -> float:
    """From the question to SQL that may run, or to the decision that there is none."""
    return sum(step.ms for step in turn.trace if step.state not in ("execute", "analyse", "synthesize"))


def _stages(turn: TurnState, engine: dict[str, float]) -> dict[str, float]:
    states = {str(step.state): step.ms for step in turn.trace}
    found = {"route": states.get("route", 0.0), "retrieve": states.get("retrieve", 0.0)}
    found |= {stage: engine[stage] for stage in ENGINE_STAGES if stage in engine}
    if "plan" in states:
        # What planning takes beside the reading: running close readings, to see whether they differ.
        found["compare"] = max(0.0, states["plan"] - sum(engine.values()))
    if "generate" in states:
        found["guard"] = states["generate"] + states.get("guard", 0.0)
    return found
