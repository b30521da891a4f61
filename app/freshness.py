"""When a database is read again: on demand, and by itself when its file has changed and the last reading is old."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from agents.errors import StarchartError
from app.databases.changes import NO_CHANGES, Changes
from app.databases.sqlite import SqliteDatabase


@dataclass(frozen=True, slots=True)
class Reading:
    """The last time that a database's tables and values were read, by whichever process.

    :ivar read_at: with its zone. :ivar changes: from the time before.
    :ivar busy: whether this process is reading it now.
    :ivar problem: why its last attempt came to nothing; what was known stays in use.
    """

    read_at: datetime
    changes: Changes = NO_CHANGES
    busy: bool = False
    problem: str = ""


class Freshness:
    """Readings in threads of their own, one at a time for each database, so that no question waits.

    :param refresh: reads a database again; raises :class:`agents.errors.StarchartError`.
    :param minutes: age from which a changed file is read again by itself; 0 leaves it to people.
    :param now: seconds since 1970.
    """

    def __init__(
        self, refresh: Callable[[str], object], minutes: float, *, now: Callable[[], float] = time.time
    ) -> None:
        self._refresh = refresh
        self._age = minutes * 60
        self.now = now
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        self._problems: dict[str, str] = {}
        self._looked: dict[str, float] = {}

    def look(self, name: str, database: SqliteDatabase) -> None:
        """Begin to read again what is old and has changed. Looks at the file once in the age that is allowed."""
        now = self.now()
        since = max(database.report.read_at, self._looked.get(name, 0.0))
        if not self._age or now - since < self._age:
            return
        self._looked[name] = now
        if database.has_changed:
            self.begin(name)

    def begin(self, name: str) -> None:
        """Read a database again, unless that is being done."""
        with self._lock:
            if not self.is_busy(name):
                thread = threading.Thread(target=partial(self._try, name), name="starchart-refresh", daemon=True)
                self._threads[name] = thread
                thread.start()

    def wait(self, name: str, seconds: float) -> bool:
        """Whether nothing is being read any more, in time."""
        thread = self._threads.get(name)
        if thread is not None:
            thread.join(seconds)
        return not self.is_busy(name)

    def is_busy(self, name: str) -> bool:
        thread = self._threads.get(name)
        return thread is not None and thread.is_alive()

    def problem(self, name: str) -> str:
        """Why the last attempt failed; empty when it did not."""
        return self._problems.get(name, "")

    def _try(self, name: str) -> None:
        try:
            self._refresh(name)
        except StarchartError as error:
            self._problems[name] = error.message
        else:
            self._problems.pop(name, None)
