"""One question from start to end, without a store: the events are folded into the same answer that programs get."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from agents.artifacts import Evidence, ProblemArtifact
from agents.errors import StarchartError
from agents.events import ArtifactReady, Event, TurnDone
from agents.ports import CancelToken
from app.clock import SystemClock, utc_now
from app.store import Turn
from app.turns.answer import DEFAULT_ROWS, Answer, Problem, answer_of
from app.turns.fold import fold
from app.turns.ports import AskService, Lang
from app.turns.question import clean_question
from app.views.contexts import TurnView


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's answer with the picture that pages would show of it."""

    answer: Answer
    view: TurnView


def ask(
    services: AskService,
    connection: str,
    question: str,
    *,
    lang: Lang | None = None,
    now: datetime | None = None,
    earlier: tuple[str, ...] = (),
    rows: int = DEFAULT_ROWS,
    seconds: float,
) -> Asked:
    """Ask and wait. Never raises for what goes wrong on the way: it is the answer's ``problem`` then.

    :param lang: language of the answer; ``None`` means the question's own.
    :param now: what "last month" counts from; ``None`` means the clock.
    :param earlier: questions asked before, oldest first, which this one may go on from.
    :param rows: rows of the answer at most.
    :param seconds: longest time for the whole question.
    """
    events: list[Event] = []

    def listener(event: Event) -> None:
        events.append(event)

    turn_id = secrets.token_hex(16)
    try:
        question = clean_question(question)
        services.ask(
            connection,
            question,
            lang=lang,
            now=now,
            earlier=earlier,
            turn_id=turn_id,
            listener=listener,
            cancel=CancelToken(SystemClock(), seconds),
        )
    except StarchartError as error:
        events += failure(error)
    view = fold(_turn(turn_id, connection, question, lang, len(events)), events)
    return Asked(answer_of(view, services.frames, rows=rows), view)


def refused(question: str, error: StarchartError) -> Answer:
    """The answer to a question that could not even be put."""
    return Answer(
        status="error",
        question=question,
        problem=Problem(code=error.code, message=error.message, hint=error.hint),
        turn_id="",
    )


def _turn(turn_id: str, connection: str, question: str, lang: Lang | None, events: int) -> Turn:
    asked_at = utc_now()
    return Turn(
        id=turn_id,
        thread_id=turn_id,
        connection=connection,
        workspace="terminal",
        question=question,
        lang=lang or "en",
        status="error",
        state="start",
        seq=events,
        asked_at=asked_at,
        beat_at=asked_at,
    )


def failure(error: StarchartError) -> tuple[Event, ...]:
    """The events of a turn that a typed error ended before the engine could."""
    problem = ProblemArtifact(id="problem", code=error.code, message=error.message, hint=error.hint)
    return ArtifactReady(artifact=problem), TurnDone(status="error", ms=0.0, evidence=Evidence())
