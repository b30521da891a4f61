"""A few open SQLite connections, lent to one thread at a time and never held while nobody runs a statement."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.errors import ExecutionError
from app.databases.failures import execution_failure
from app.databases.locks import connect


class Pool:
    """Connections to one file, opened when needed.

    :param size: statements that may run at once; more wait.
    :param busy_seconds: how long SQLite itself waits for another program's lock.
    """

    def __init__(self, path: Path, *, size: int = 4, busy_seconds: float = 2.0) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[tuple[tuple[int, int], sqlite3.Connection]] = []
        self._closed = False

    def _identity(self) -> tuple[int, int]:
        try:
            state = self._path.stat()
        except OSError as error:
            raise ExecutionError(
                "execute.database_gone",
                f"The database file {self._path.name} is no longer there.",
                "Put it back, or open another database.",
            ) from error
        return state.st_dev, state.st_ino

    def _take(self, identity: tuple[int, int]) -> sqlite3.Connection:
        with self._lock:
            while self._idle:
                known, connection = self._idle.pop()
                if known == identity:
                    return connection
                connection.close()  # the file was replaced by another one
        return connect(self._path, busy_seconds=self._busy_seconds)

    @contextmanager
    def connection(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """Lend a connection for the length of the block.

        :param seconds: how long to wait for a free one.
        :raises ExecutionError: ``execute.busy`` when none became free, ``execute.database_gone``, ``execute.locked`` …
        """
        if not self._slots.acquire(timeout=max(0.0, seconds)):
            raise ExecutionError(
                "execute.busy",
                "Too many questions are running on this database at once.",
                "Try again in a moment.",
            )
        try:
            identity = self._identity()
            try:
                connection = self._take(identity)
            except sqlite3.Error as error:
                raise execution_failure(error) from error
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            self._give_back(identity, connection)
        finally:
            self._slots.release()

    def _give_back(self, identity: tuple[int, int], connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append((identity, connection))
                return
        connection.close()

    def close(self) -> None:
        """Close what is idle; what is lent is closed when it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()
