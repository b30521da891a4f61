"""A turn as server-sent events, rows before text."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from pydantic import BaseModel

from agents.artifacts import SqlArtifact, TableArtifact, TextArtifact
from agents.events import ArtifactReady, Event, NarrativeReady, TextDelta
from app.frames import ArrowFrames
from app.turns import TurnService
from app.turns.answer import answer_of, rows_of, total_of
from app.turns.service import WATCH_SECONDS
from app.views.api_models import STREAM_EVENTS, StreamDelta, StreamDone, StreamNarrative, StreamResult

HEARTBEAT_SECONDS = 10.0


def message(event: str, data: BaseModel) -> str:
    assert isinstance(data, STREAM_EVENTS[event])
    return f"event: {event}\ndata: {data.model_dump_json()}\n\n"


def answer_events(
    turns: TurnService, frames: ArrowFrames, turn_id: str, *, rows: int, links: dict[str, str]
) -> Iterator[str]:
    """``result``, then ``delta`` …, ``narrative``, and always ``done``; comments keep a quiet line open.

    Who stops listening stops the turn: nobody else waits for it.
    """
    news = threading.Event()
    leave = turns.signals.watch(turn_id, news.set)
    ended = False
    try:
        told = _Teller(frames, rows)
        seq, spoken = 0, time.monotonic()
        while not ended:
            for number, event in turns.events(turn_id, seq):
                seq, ended, spoken = number, event.event == "done", time.monotonic()
                yield from told.of(event)
            if ended:
                break
            news.wait(1.0 if turns.is_here(turn_id) else WATCH_SECONDS)
            news.clear()
            turns.settle(turn_id)
            if time.monotonic() - spoken >= HEARTBEAT_SECONDS:
                spoken = time.monotonic()
                yield ": still working\n\n"
        answer = answer_of(turns.view(turn_id), frames, rows=0, links=links)
        yield message("done", StreamDone.model_validate(answer, from_attributes=True))
    finally:
        leave()
        if not ended:
            turns.stop(turn_id)


class _Teller:
    """Translates events; remembers the SQL, which goes along with the rows."""

    def __init__(self, frames: ArrowFrames, rows: int) -> None:
        self._frames = frames
        self._rows = rows
        self._sql: str | None = None
        self._table: TableArtifact | None = None
        self._told = False

    def of(self, event: Event) -> Iterator[str]:
        match event:
            case ArtifactReady(artifact=SqlArtifact() as artifact):
                self._sql = artifact.sql
            case ArtifactReady(artifact=TableArtifact() as table):
                self._table = table
            case TextDelta():
                yield from self._result()
                segment = event.segment
                yield message("delta", StreamDelta(sentence=event.sentence, text=segment.text, cell=segment.cell))
            case NarrativeReady(artifact=TextArtifact() as text):
                yield from self._result()
                yield message("narrative", StreamNarrative(text=text.plain))
        if self._sql is not None or event.event == "done":
            yield from self._result()

    def _result(self) -> Iterator[str]:
        if self._table is None or self._told:
            return
        self._told = True
        frame = self._table.frame
        rows = rows_of(frame, self._frames, self._rows)
        yield message(
            "result", StreamResult(sql=self._sql, columns=frame.columns, rows=rows, total_rows=total_of(frame))
        )
