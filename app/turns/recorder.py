"""Writes the events of all running turns to the store: one thread, one transaction for whatever has come together.

A turn never waits for the disk while it works: events pile up while a transaction runs and go along with the next one,
so that a slow disk gives larger batches, not a slower turn.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog
from sqlalchemy.exc import SQLAlchemyError

from agents.artifacts import Artifact
from agents.events import ArtifactReady, Event, NarrativeReady, StateEntered, TurnDone
from app.store import Store
from app.store.store import Progress
from app.turns.fold import encode, ended_as, rows_in

_log = structlog.get_logger()


@dataclass(slots=True)
class Recording:
    """One turn being recorded. ``failed`` once the store would not take its events any more."""

    turn_id: str
    on_refused: Callable[[], None]
    seq: int = 0
    waiting: list[Event] = field(default_factory=list)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    writing: bool = False
    failed: bool = False
    ended: bool = False


class Recorder:
    """:param on_written: called with the ids of turns that have new events in the store."""

    def __init__(self, store: Store, on_written: Callable[[Sequence[str]], None]) -> None:
        self._store = store
        self._on_written = on_written
        self._recordings: dict[str, Recording] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def open(self, turn_id: str, on_refused: Callable[[], None]) -> Recording:
        """Begin to record a turn. ``on_refused`` is called when the store no longer takes its events."""
        recording = Recording(turn_id, on_refused)
        with self._changed:
            self._recordings[turn_id] = recording
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="starchart-recorder", daemon=True)
                self._thread.start()
        return recording

    def add(self, recording: Recording, event: Event) -> None:
        """Take an event; it is in the store shortly after. What comes behind the end of a turn is dropped."""
        with self._changed:
            if recording.ended or recording.failed:
                return
            recording.ended = isinstance(event, TurnDone)
            recording.waiting.append(event)
            self._changed.notify_all()

    def close(self, recording: Recording) -> None:
        """Wait until everything is in the store (or refused), then forget the turn."""
        with self._changed:
            self._changed.wait_for(lambda: not recording.waiting and not recording.writing)
            self._recordings.pop(recording.turn_id, None)
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: any(r.waiting for r in self._recordings.values()) or not self._recordings
                )
                if not self._recordings:
                    self._thread = None
                    return
                batch = [(r, tuple(r.waiting)) for r in self._recordings.values() if r.waiting]
                for recording, _ in batch:
                    recording.waiting.clear()
                    recording.writing = True
            refused = self._write(batch)
            with self._changed:
                for recording, events in batch:
                    recording.writing = False
                    recording.seq += len(events)
                    if recording.turn_id in refused:
                        recording.failed = True
                        recording.waiting.clear()
                self._changed.notify_all()
            self._on_written([recording.turn_id for recording, _ in batch])
            for recording, _ in batch:
                if recording.failed:
                    recording.on_refused()

    def _write(self, batch: list[tuple[Recording, tuple[Event, ...]]]) -> tuple[str, ...]:
        try:
            return self._store.append([_progress(recording, events) for recording, events in batch])
        except SQLAlchemyError as error:
            # The engine has waited for locks already; a disk that is full or a server that is gone ends these turns.
            # Only what the store says: the whole error would bring along the statement and what it was to write.
            said = str(getattr(error, "orig", None) or type(error).__name__)
            _log.error("store.append_failed", error=said, turns=[recording.turn_id for recording, _ in batch])
            return tuple(recording.turn_id for recording, _ in batch)


def _progress(recording: Recording, events: tuple[Event, ...]) -> Progress:
    state = status = ms = None
    for event in events:
        match event:
            case StateEntered():
                state = event.state
            case ArtifactReady() | NarrativeReady():
                recording.artifacts[event.artifact.id] = event.artifact
            case TurnDone():
                status, ms = ended_as(event, recording.artifacts.values()), event.ms
    rows = rows_in(recording.artifacts.values())
    return Progress(recording.turn_id, recording.seq, tuple(map(encode, events)), state, status, ms, rows)
