"""The open sockets of this process: counted, capped, woken, and closed when the server stops."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

NORMAL = 1000
RESTARTING = 1012
TRY_LATER = 1013


class Wakeable(Protocol):
    """The part of ``simple_websocket.Server`` that is needed here: setting ``event`` wakes who waits on it."""

    event: threading.Event


class Sockets:
    """:param limit: how many may be open at once; each holds a thread, so it must stay below the server's threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: set[Wakeable] = set()
        self._lock = threading.Lock()
        self.closing = False

    def __len__(self) -> int:
        return len(self._open)

    @contextmanager
    def place(self, socket: Wakeable) -> Iterator[bool]:
        """A place for a socket while it is open; gives false when all are taken."""
        with self._lock:
            free = len(self._open) < self._limit and not self.closing
            if free:
                self._open.add(socket)
        try:
            yield free
        finally:
            with self._lock:
                self._open.discard(socket)

    def close(self) -> None:
        """Have every socket close itself. Safe in a signal handler's thread: no lock is waited for long."""
        self.closing = True
        for socket in tuple(self._open):
            socket.event.set()
