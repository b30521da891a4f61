"""The outside world as the agents see it. ``app`` implements these; tests pass small real ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from agents.artifacts import FrameColumn, FrameMeta, HitEvidence
from agents.catalog import Catalog
from agents.errors import TurnCancelled, TurnTimedOut
from agents.events import Event
from agents.glossary import Glossary, visible
from agents.sql.allowed import AllowedSql

if TYPE_CHECKING:
    from agents.language.values import ValueIndex


class Clock(Protocol):
    """Two clocks: the wall (for "last month") and a monotonic one in seconds (for time limits and traces)."""

    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...


class CancelToken:
    """A flag that anyone may raise once, with callbacks for what cannot look at it (a running database call).

    :param deadline: monotonic second after which :meth:`check` raises :class:`TurnTimedOut`.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self.seconds = seconds
        self.deadline = clock.monotonic() + seconds
        self._raised = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def cancelled(self) -> bool:
        return self._raised.is_set()

    @property
    def remaining(self) -> float:
        """Seconds until the deadline; never negative."""
        return max(0.0, self.deadline - self._clock.monotonic())

    def cancel(self) -> None:
        """Raise the flag and run the callbacks; a second call does nothing."""
        with self._lock:
            if self._raised.is_set():
                return
            self._raised.set()
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Register a callback (run at once when already cancelled); returns the function that removes it."""
        with self._lock:
            if not self._raised.is_set():
                self._callbacks.append(callback)
                return lambda: self._remove(callback)
        callback()
        return lambda: None

    def _remove(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

    def check(self) -> None:
        """:raises TurnCancelled: when the flag is up. :raises TurnTimedOut: past the deadline."""
        if self._raised.is_set():
            raise TurnCancelled
        if self._clock.monotonic() > self.deadline:
            raise TurnTimedOut(self.seconds)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement returned.

    :ivar table: at most ``limit`` rows; column names are made unique (``name``, ``name_2``); types inferred per column.
    :ivar truncated: whether the statement had more rows than were kept.
    :ivar ms: milliseconds from sending the statement to the last row kept.
    """

    table: pa.Table
    truncated: bool
    ms: float


class Database(Protocol):
    """One open connection target, read-only."""

    @property
    def catalog(self) -> Catalog: ...

    def execute(self, sql: AllowedSql, *, limit: int, seconds: float, cancel: CancelToken | None = None) -> Rows:
        """Run a statement that the guard allowed.

        :raises ExecutionError: ``execute.timeout``, ``execute.locked``, ``execute.failed`` with the database's words.
        :raises TurnCancelled: when the token was raised; the statement is interrupted in the database.
        """
        ...


class FrameStore(Protocol):
    """Result sets on disk, shared by all workers, with a size budget and an expiry."""

    def put(
        self, table: pa.Table, columns: tuple[FrameColumn, ...], *, total: int | None, truncated: bool
    ) -> FrameMeta: ...

    def open(self, frame_id: str) -> pa.Table:
        """:raises FrameError: ``frame.gone`` for an unknown or expired id."""
        ...


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Hits best first, and the name of what produced them (``hybrid``, ``lexical``, ``semantic``)."""

    hits: tuple[HitEvidence, ...]
    backend: str
    warning: str = ""


class Retriever(Protocol):
    """Hybrid search over one catalog's documents."""

    def search(self, question: str, *, limit: int = 24) -> Retrieval: ...


class Listener(Protocol):
    """Receives a turn's events in order, from several threads but never two at once."""

    def __call__(self, event: Event) -> None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets of one turn: rows kept, seconds per statement, seconds for the whole turn."""

    rows: int = 10_000
    statement_seconds: float = 20.0
    turn_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Connection:
    """Everything the engine needs to know about one connection.

    :ivar catalog: what questions may use; tables and columns that the glossary hides are taken out when it is made.
    """

    name: str
    catalog: Catalog
    glossary: Glossary
    database: Database
    retriever: Retriever
    values: ValueIndex

    def __post_init__(self) -> None:
        catalog, glossary = visible(self.catalog, self.glossary)
        object.__setattr__(self, "catalog", catalog)
        object.__setattr__(self, "glossary", glossary)
