"""The engine as the golden cases ask it: a question in, a judged kind of outcome out, with all its rows."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from agents.artifacts import TableArtifact
from app.services import DEMO_FOLDER, Services, demo_targets
from app.settings import Settings
from app.terminal.asking import ask
from golden import Answer, Case, Outcome, Report, run

ALL_ROWS = 1_000_000


def judge(settings: Settings, cases: Iterable[Case], services: Services | None = None) -> Report:
    """Ask the demo databases every case and judge what comes back.

    :param services: over settings that keep enough rows; made when not given.
    """
    services = services or Services(replace(settings, rows=ALL_ROWS), demo_targets(settings))
    databases = {name: settings.data / DEMO_FOLDER / f"{name}.sqlite" for name in services.names}
    return run(cases, answerer(services, settings.turn_seconds), databases)


def answerer(services: Services, seconds: float) -> Answer:
    """The services as the judge asks them. A language that the answer is wanted in is the question's own."""

    def answer(question: str, connection: str, now: datetime, lang: str, after: tuple[str, ...], /) -> Outcome:
        began = time.monotonic()
        asked = ask(services, connection, question, now=now, earlier=after, rows=0, seconds=seconds)
        elapsed = (time.monotonic() - began) * 1000
        frame = next((a.frame for a in asked.view.artifacts if isinstance(a, TableArtifact)), None)
        table = services.frames.open(frame.id) if frame is not None else None
        return Outcome(
            status=asked.answer.status,
            columns=tuple(table.column_names) if table is not None else (),
            rows=tuple(zip(*(column.to_pylist() for column in table.columns), strict=True))
            if table is not None
            else (),
            sql=asked.answer.sql,
            confidence=asked.answer.confidence,
            ms=asked.answer.ms or elapsed,
        )

    return answer
