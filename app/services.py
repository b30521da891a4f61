"""The only wiring: settings, databases, catalogs, retrieval and engines become the service that everything else asks.
Connections are opened when first used, and kept."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

import seed
from agents.artifacts import ChartArtifact
from agents.catalog import Catalog
from agents.charts import rechart
from agents.engine import Engine
from agents.errors import ConnectionFailed, NotFound, StarchartError
from agents.glossary import Glossary, GlossaryProblem, Texts
from agents.language.values import ValueIndex
from agents.learn.scorer import PARTS, default_scorer
from agents.plan.starters import starter_questions
from agents.ports import CancelToken, Connection, Listener
from agents.retrieval.embed import Embedder, EmbeddingUnavailable
from agents.retrieval.hybrid import HybridRetriever
from agents.runner import run_turn
from agents.state import TurnState
from app.clock import SystemClock
from app.databases import open_database
from app.databases.sqlite import SqliteDatabase
from app.databases.unindexed import left_out, unsampled
from app.databases.values import ColumnValues, distinct_values
from app.frames import ArrowFrames
from app.freshness import Freshness, Reading
from app.glossaries import GlossaryFile
from app.glossaries.check import checked, usable
from app.opened import Opened, long_lived, parts_of
from app.settings import Settings
from app.turns.ports import ConnectionInfo, Health, Lang, PartHealth

DEMO_FOLDER = "demo"

Step: TypeAlias = Callable[[str, int, int], None]
"""Told of the stage (``tables``, ``values``, ``names``), how much of it is done, and of how much."""


def unwatched(stage: str, done: int, of: int) -> None:
    """Nobody waits."""


PAGE_SECONDS = 1.5
"""How long a page waits for a database that is being opened before it says so instead."""

RETRY_SECONDS = 5.0
"""How long the reason why a database could not be opened is repeated before it is tried again."""


@dataclass(frozen=True, slots=True)
class Target:
    """A connection that may be opened: the database's address and where its glossary is (none yet: empty)."""

    name: str
    url: str
    glossary: Path | None = None

    @property
    def folder(self) -> str:
        """What its own part of a cache is called: equal for equal databases only."""
        return hashlib.sha256(self.url.encode("utf-8", "surrogateescape")).hexdigest()[:16]


@lru_cache(maxsize=1)
def shared_embedder() -> Embedder:
    """One model session for all connections of the process."""
    return Embedder()


class Services:
    """Implements :class:`app.turns.ports.AskService`. Safe to share between threads.

    :param engine: what reads the questions; a measuring kind of it where one is measured.
    :param meaning: whether search goes by meaning too; ``False`` leaves words alone.
    """

    def __init__(
        self,
        settings: Settings,
        targets: Sequence[Target],
        *,
        engine: Callable[..., Engine] = Engine,
        meaning: bool = True,
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._meaning = meaning
        self._targets = {target.name: target for target in targets}
        self._opened: dict[str, Opened] = {}
        self._failed: dict[str, tuple[float, StarchartError]] = {}
        self._locks = {name: threading.Lock() for name in self._targets}
        self._opening = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        self._glossaries = {
            target.name: GlossaryFile(settings.glossaries_folder, target.name, target.glossary) for target in targets
        }
        self._clock = SystemClock()
        self.freshness = Freshness(self.refresh, settings.refresh_minutes)
        self._frames = ArrowFrames(
            settings.frames_folder,
            budget_bytes=settings.frame_budget_mb * 1024 * 1024,
            max_age_seconds=settings.frame_days * 86_400,
        )

    @property
    def frames(self) -> ArrowFrames:
        return self._frames

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._targets)

    def open(self, name: str, *, seconds: float = -1, step: Step = unwatched) -> Opened:
        """The open connection, with the glossary as it is now and the schema as it was last read, by whichever process.

        :param seconds: how long to wait where it has to be opened first; as long as it takes by default.
        :raises NotFound: ``not_found.connection``.
        :raises ConnectionFailed: when the database cannot be opened, and ``database.preparing`` when it is not open in
            time; the next call tries again.
        """
        target = self._targets.get(name)
        if target is None:
            raise NotFound(
                "not_found.connection",
                f"There is no connection called {name!r}.",
                f"Known connections: {', '.join(self._targets)}.",
            )
        if seconds >= 0 and name not in self._opened and not self._opened_within(name, seconds):
            raise ConnectionFailed(
                "database.preparing",
                "The database is still being read.",
                "It takes a moment the first time; load the page again.",
            )
        with self._locks[name]:
            if name not in self._opened:
                failed = self._failed.get(name)
                if failed is not None and self._clock.monotonic() - failed[0] < RETRY_SECONDS:
                    raise failed[1]
                try:
                    self._opened[name] = self._open(target, step)
                except StarchartError as error:
                    self._failed[name] = (self._clock.monotonic(), error)
                    raise
            opened = self._opened[name]
            if opened.stamp != self._glossaries[name].stamp() or opened.database.is_behind:
                opened.database.catch_up()
                opened = self._understood(target, opened.database, opened.retriever, outdated=True)
                self._opened[name] = opened
        self.freshness.look(name, opened.database)
        return opened

    def _opened_within(self, name: str, seconds: float) -> bool:
        """Whether a thread of its own has opened the connection, or failed to, in time."""
        with self._opening:
            thread = self._threads.get(name)
            if thread is None or not thread.is_alive():
                thread = threading.Thread(target=self._try_open, args=(name,), name="starchart-open", daemon=True)
                self._threads[name] = thread
                thread.start()
        thread.join(seconds)
        return not thread.is_alive()

    def _try_open(self, name: str) -> None:
        with suppress(StarchartError):
            self.open(name)

    def make_ready(self, name: str, step: Step = unwatched) -> Opened:
        """The connection with everything that its first question needs, vectors included; ``step`` is told how far."""
        opened = self.open(name, step=step)
        opened.retriever.prepare(partial(step, "names"))
        return opened

    def _open(self, target: Target, step: Step) -> Opened:
        step("tables", 0, 1)
        database = self.database(target.name)
        step("tables", 1, 1)
        return self._understood(target, database, step=step)

    def _usable(self, name: str, catalog: Catalog) -> tuple[Glossary, tuple[GlossaryProblem, ...]]:
        return usable(self._glossaries[name].read().text, catalog)

    def database(self, name: str) -> SqliteDatabase:
        """The database of a connection alone, opened anew; its catalog is kept, without what the glossary hides.

        :raises ConnectionFailed: when it cannot be opened.
        """
        return open_database(
            self._targets[name].url,
            name=name,
            cache_dir=self._settings.cache_folder / "catalogs",
            withhold=partial(self._unsampled, name),
        )

    def _unsampled(self, name: str, catalog: Catalog) -> frozenset[tuple[str, str]]:
        return unsampled(catalog, self._usable(name, catalog)[0])

    def refresh(self, name: str, step: Step = unwatched) -> Opened:
        """Read the connection's schema and values anew, whatever is cached. Other processes on the same data folder
        take it up with their next question; until it is read, this one goes on with what it knows.

        :raises NotFound: ``not_found.connection``.
        :raises ConnectionFailed: when the database can no longer be read; what was known stays in use.
        """
        begun = time.time()
        opened = self.open(name, step=step)
        if opened.database.report.read_at >= begun:
            # Opening it has just read it, because the file was new or had changed.
            opened.retriever.prepare(partial(step, "names"))
            return opened
        opened.database.refresh()
        again = self._understood(self._targets[name], opened.database, opened.retriever, fresh=True, step=step)
        with self._locks[name]:
            self._opened[name] = again
        again.retriever.prepare(partial(step, "names"))
        return again

    def refresh_soon(self, name: str, seconds: float) -> bool:
        """Begin to read the connection's schema and values anew; whether that was done in so many seconds.

        :raises NotFound: ``not_found.connection``.
        """
        self.open(name)
        self.freshness.begin(name)
        return self.freshness.wait(name, seconds)

    def reading(self, name: str) -> Reading:
        """When the connection was last read, and what was new then.

        :raises NotFound: ``not_found.connection``.
        """
        report = self.open(name).database.report
        read_at = datetime.fromtimestamp(report.read_at, UTC)
        return Reading(read_at, report.changes, self.freshness.is_busy(name), self.freshness.problem(name))

    def _understood(
        self,
        target: Target,
        database: SqliteDatabase,
        before: HybridRetriever | None = None,
        *,
        fresh: bool = False,
        outdated: bool = False,
        step: Step = unwatched,
    ) -> Opened:
        """Everything that follows from the database and its glossary; ``before`` spares what has not changed, ``fresh``
        reads the values again, ``outdated`` takes those that were read although the file has changed since."""
        with long_lived():
            read = partial(
                distinct_values,
                cache_dir=self._settings.cache_folder / "values",
                fresh=fresh,
                outdated=outdated,
                step=partial(step, "values"),
            )
            return self._made(target, database, before, read)

    def _made(
        self,
        target: Target,
        database: SqliteDatabase,
        before: HybridRetriever | None,
        read: Callable[..., tuple[ColumnValues, ...]],
    ) -> Opened:
        cache, catalog = self._settings.cache_folder, database.catalog
        file = self._glossaries[target.name]
        stamp = file.stamp()
        # A database that lost a column must still answer: what does not fit is left out, and health says so.
        glossary, misfits = self._usable(target.name, catalog)
        left = left_out(catalog, glossary)
        skip = frozenset((one.table, one.column) for one in left)
        values = read(database, skip=skip)
        index = ValueIndex(((v.table, v.column, v.values) for v in values), glossary)
        try:
            embedder = shared_embedder() if self._meaning else None
        except EmbeddingUnavailable:
            embedder = None
        folder = cache / "retrieval" / target.folder
        retriever = HybridRetriever(catalog, glossary, cache_dir=folder, embedder=embedder, like=before)
        connection = Connection(target.name, catalog, glossary, database, retriever, index)
        engine = self._engine(connection, week_start=0 if self._settings.week_start == "monday" else 6)
        return Opened(database, connection, retriever, engine, stamp, misfits, len(values), left)

    def prepare(self) -> None:
        """Open everything and answer a first question of each, so that people need not wait. Failures wait for their
        use."""
        for name in self._targets:
            try:
                self.make_ready(name)
            except StarchartError:
                continue
            for question in self.starters(name, "en")[:1]:
                cancel = CancelToken(self._clock, self._settings.turn_seconds)
                self.ask(name, question, turn_id="warm-up", listener=lambda event: None, cancel=cancel)

    # -- the service

    def connections(self) -> tuple[ConnectionInfo, ...]:
        found: list[ConnectionInfo] = []
        for name in self._targets:
            about, problem = Texts(), ""
            try:
                about = self.open(name, seconds=PAGE_SECONDS).connection.glossary.about
            except StarchartError as error:
                problem = error.message
            found.append(ConnectionInfo(name, "SQLite", "read-only", about, problem))
        return tuple(found)

    def ask(
        self,
        connection: str,
        question: str,
        *,
        lang: Lang | None = None,
        now: datetime | None = None,
        earlier: tuple[str, ...] = (),
        turn_id: str,
        listener: Listener,
        cancel: CancelToken,
    ) -> TurnState:
        opened = self.open(connection)
        asked_at = now or self._clock.now()
        turn = TurnState(turn_id=turn_id, question=question, now=asked_at, wanted_lang=lang, earlier=earlier)
        return run_turn(
            turn,
            connection=opened.connection,
            engine=opened.engine,
            frames=self._frames,
            clock=self._clock,
            limits=self._settings.limits,
            listener=listener,
            cancel=cancel,
        )

    def catalog(self, connection: str) -> Catalog:
        """All of the database, what the glossary hides included."""
        return self.open(connection).database.catalog

    def glossary(self, connection: str) -> Glossary:
        return self.open(connection).connection.glossary

    def glossary_file(self, connection: str) -> GlossaryFile:
        self.open(connection)
        return self._glossaries[connection]

    def check_glossary(self, connection: str, text: str) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
        database = self.open(connection).database
        return checked(text, database.catalog, database)

    def starters(self, connection: str, lang: Lang) -> tuple[str, ...]:
        opened = self.open(connection)
        return starter_questions(opened.connection, opened.engine, lang, self._clock.now())

    def chart(self, artifact: ChartArtifact, kind: str) -> ChartArtifact:
        table = self._frames.open(artifact.frame_id)
        meta = self._frames.meta(artifact.frame_id)
        again = rechart(artifact, kind, meta, table)
        if again is None:
            raise NotFound(
                "not_found.chart", f"These rows cannot be shown as {kind!r}.", "Choose one of the offered charts."
            )
        return again

    def health(self) -> Health:
        parts: list[PartHealth] = [PartHealth("engine", "ok", "rules")]
        missing = default_scorer().missing
        ready = [part for part in PARTS if part not in missing]
        lost = "; ".join(f"{part}: {why}" for part, why in missing.items())
        parts.append(PartHealth("learned scorer", "degraded" if missing else "ok", ", ".join(ready), lost))
        for name in self._targets:
            try:
                opened = self.open(name, seconds=PAGE_SECONDS)
            except StarchartError as error:
                parts.append(PartHealth(f"connection {name}", "missing", "", error.message))
                continue
            parts += parts_of(opened)
        return Health("rules", tuple(parts))


def demo_targets(settings: Settings) -> tuple[Target, ...]:
    """The demo databases, built when they are missing."""
    paths = seed.build(settings.data / DEMO_FOLDER)
    return tuple(Target(demo.name, str(paths[demo.name]), demo.glossary) for demo in seed.DEMOS)


def target_for(url: str) -> Target:
    """A person's own database: its name is the file's."""
    stem = Path(url.rsplit("/", 1)[-1]).stem or "database"
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem).strip("-") or "database"
    return Target(name, url)
