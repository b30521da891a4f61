"""One SQLite file as a :class:`agents.ports.Database`: its catalog, and statements that the guard allowed."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.catalog import Catalog
from agents.errors import ExecutionError, StarchartError, TurnTimedOut
from agents.ports import CancelToken, Rows
from agents.sql.allowed import AllowedSql
from app.databases.cache import file_stamp
from app.databases.catalog import CatalogReport, Withhold, catalog_cache, load_catalog, nothing_withheld
from app.databases.failures import execution_failure, primary_code
from app.databases.pool import Pool
from app.databases.reflect import CatalogWarning
from app.databases.results import to_table

# SQLite steps between two looks at the clock; about a millisecond of work, so that the look costs nothing measurable.
_STEPS_PER_LOOK = 20_000
# Rows fetched between two looks at size and clock; small, because a row may hold megabytes.
_BATCH = 8


class SqliteDatabase:
    """Read-only access to one file.

    :param result_bytes: text and blob bytes kept of one result; more is cut and marked as truncated.
    :param withhold: of which columns the catalog holds no samples.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        cache_dir: Path | None = None,
        result_bytes: int = 64 * 1024 * 1024,
        busy_seconds: float = 2.0,
        pool_size: int = 4,
        monotonic: Callable[[], float] = time.monotonic,
        withhold: Withhold = nothing_withheld,
    ) -> None:
        self.path = path
        self.name = name
        self.cache_dir = cache_dir
        self._result_bytes = result_bytes
        self._busy_seconds = busy_seconds
        self._monotonic = monotonic
        self._pool = Pool(path, size=pool_size, busy_seconds=busy_seconds)
        self._refreshing = threading.Lock()
        self._withhold = withhold
        self._report = self._load()

    def _load(self, *, fresh: bool = False, outdated: bool = False) -> CatalogReport:
        return load_catalog(
            self.path,
            self.name,
            cache_dir=self.cache_dir,
            fresh=fresh,
            outdated=outdated,
            busy_seconds=self._busy_seconds,
            withhold=self._withhold,
        )

    @property
    def catalog(self) -> Catalog:
        return self._report.catalog

    @property
    def warnings(self) -> tuple[CatalogWarning, ...]:
        """What the catalog leaves out or doubts."""
        return self._report.warnings

    def refresh(self) -> Catalog:
        """Read the schema anew, whatever is cached.

        :raises ConnectionFailed: when the file can no longer be read; the old catalog stays in use.
        """
        with self._refreshing:
            self._report = self._load(fresh=True)
            return self._report.catalog

    @property
    def report(self) -> CatalogReport:
        """The catalog, and when and how it was read."""
        return self._report

    @property
    def is_behind(self) -> bool:
        """Whether another process has read the file since this one did."""
        kept = catalog_cache(self.path, self.cache_dir).identity
        return kept is not None and kept != self._report.kept

    @property
    def has_changed(self) -> bool:
        """Whether the file may hold something else than when it was read."""
        return file_stamp(self.path) != self._report.stamp

    def announce(self) -> None:
        """Have other processes catch up: what is kept beside the catalog is new."""
        with self._refreshing:
            cache = catalog_cache(self.path, self.cache_dir)
            cache.touch()
            self._report = replace(self._report, kept=cache.identity)

    def catch_up(self) -> None:
        """Take what another process has read, and ask again which columns' samples are to be left out. The file itself
        is read only when samples may be kept that were not.

        :raises ConnectionFailed: when it has to be read and cannot; the old catalog stays in use.
        """
        with self._refreshing:
            if self.is_behind or self._withhold(self._report.catalog) != self._report.withheld:
                self._report = self._load(outdated=True)

    def close(self) -> None:
        self._pool.close()

    def execute(
        self,
        sql: AllowedSql,
        *,
        limit: int,
        seconds: float,
        cancel: CancelToken | None = None,
    ) -> Rows:
        """Run a statement that the guard allowed.

        At most ``limit`` rows are kept, fewer when their text would pass the byte budget; either sets ``truncated``.

        :raises ExecutionError: ``execute.timeout``, ``execute.locked``, ``execute.busy``, ``execute.cell_too_big``,
            ``execute.denied``, ``execute.corrupt``, ``execute.database_gone``, ``execute.schema_changed``,
            ``execute.failed``.
        :raises TurnCancelled: when the token was raised; the statement is interrupted in the database.
        :raises TurnTimedOut: when the turn's own deadline passed first.
        """
        begun = self._monotonic()
        if cancel is not None:
            cancel.check()
        if sql.dialect != "sqlite":
            raise ExecutionError(
                "execute.dialect",
                f"SQL for {sql.dialect} cannot run on SQLite.",
                "Ask again.",
            )
        watch = _Watch(self._monotonic, begun, seconds, cancel)
        with self._pool.connection(watch.remaining) as connection:
            names, rows, truncated = self._fetch(connection, sql.text, limit, watch, cancel)
        return Rows(to_table(names, rows), truncated, (self._monotonic() - begun) * 1000)

    def _fetch(
        self,
        connection: sqlite3.Connection,
        text: str,
        limit: int,
        watch: _Watch,
        cancel: CancelToken | None,
    ) -> tuple[list[str], list[tuple[Any, ...]], bool]:
        connection.set_progress_handler(watch.look, _STEPS_PER_LOOK)
        forget = cancel.on_cancel(connection.interrupt) if cancel is not None else None
        try:
            try:
                return self._read(connection, text, limit, watch)
            except sqlite3.OperationalError as error:
                if "Could not decode" not in str(error):
                    raise
                # Rare: bytes stored as text that are not UTF-8. Decoding leniently from the start would slow the rest.
                connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
                return self._read(connection, text, limit, watch)
        except sqlite3.Error as error:
            if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
                raise watch.reason() from None
            raise execution_failure(error) from error
        finally:
            if forget is not None:
                forget()
            connection.set_progress_handler(None, 0)
            connection.text_factory = str

    def _read(
        self, connection: sqlite3.Connection, text: str, limit: int, watch: _Watch
    ) -> tuple[list[str], list[tuple[Any, ...]], bool]:
        cursor = connection.cursor()
        try:
            cursor.execute(text)
            names = [entry[0] for entry in cursor.description or ()]
            kept: list[tuple[Any, ...]] = []
            size = 0
            while batch := cursor.fetchmany(_BATCH):
                if watch.look():
                    raise watch.reason()
                for row in batch:
                    for cell in row:
                        if type(cell) is str or type(cell) is bytes:
                            size += len(cell)
                    if len(kept) == limit or (size > self._result_bytes and kept):
                        return names, kept, True
                    kept.append(row)
            return names, kept, False
        finally:
            cursor.close()


class _Watch:
    """Decides when a running statement must stop, and says why."""

    def __init__(
        self,
        monotonic: Callable[[], float],
        begun: float,
        seconds: float,
        cancel: CancelToken | None,
    ) -> None:
        self._monotonic = monotonic
        self._seconds = seconds
        self._cancel = cancel
        self._end = begun + seconds

    @property
    def remaining(self) -> float:
        left = self._end - self._monotonic()
        return max(0.0, left if self._cancel is None else min(left, self._cancel.remaining))

    def look(self) -> int:
        """SQLite's progress handler: 1 stops the statement."""
        if self._cancel is not None and self._cancel.cancelled:
            return 1
        return 0 if self.remaining > 0 else 1

    def reason(self) -> StarchartError:
        if self._cancel is not None and (self._cancel.cancelled or self._cancel.remaining <= 0):
            try:
                self._cancel.check()
            except StarchartError as error:
                return error
            return TurnTimedOut(self._cancel.seconds)
        return ExecutionError(
            "execute.timeout",
            f"The statement took longer than {self._seconds:g} seconds and was stopped.",
            "Narrow it down, for example to one year or one table.",
        )
