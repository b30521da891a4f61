"""Reading and writing threads, turns and events. Short transactions only; nothing is held between calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Row, and_, case, delete, func, insert, select, text, update

from agents.errors import NotFound
from app.store.tables import events, threads, turns

RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of questions on one connection; ``title`` is its first question."""

    id: str
    connection: str
    owner: str
    title: str
    created_at: datetime
    active_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One question. ``seq`` is the number of its last event; ``beat_at`` shows that its worker is alive."""

    id: str
    thread_id: str
    connection: str
    workspace: str
    question: str
    lang: str
    status: str
    state: str
    seq: int
    asked_at: datetime
    beat_at: datetime
    cancel_requested: bool = False
    ms: float | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Events to append to one turn (as JSON texts, in order), and what they change in its row.

    :ivar after: ``seq`` that the turn must still have; otherwise somebody else has ended it.
    """

    turn_id: str
    after: int
    events: tuple[str, ...]
    state: str | None = None
    status: str | None = None
    ms: float | None = None
    rows: int | None = None


class Store:
    """The store over one engine; safe to use from many threads and processes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def close(self) -> None:
        self.engine.dispose()

    def describe(self) -> str:
        """``sqlite 3.45`` or ``postgresql 15.3``; also proves that the store answers."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            version = ".".join(map(str, connection.dialect.server_version_info or ()))
            return f"{connection.dialect.name} {version}"

    def begin(self, turn: Turn, owner: str) -> None:
        """Add a turn, and its thread when that is new."""
        with self.engine.begin() as connection:
            known = connection.execute(
                update(threads).where(threads.c.id == turn.thread_id).values(active_at=turn.asked_at)
            ).rowcount
            if not known:
                connection.execute(
                    insert(threads).values(
                        id=turn.thread_id,
                        connection=turn.connection,
                        owner=owner,
                        title=turn.question,
                        created_at=turn.asked_at,
                        active_at=turn.asked_at,
                    )
                )
            connection.execute(insert(turns).values(**{name: getattr(turn, name) for name in Turn.__slots__}))

    def append(self, batch: Sequence[Progress]) -> tuple[str, ...]:
        """Append events of several turns in one transaction.

        :returns: the turns whose events were **not** taken, because the turn is no longer running or no longer at
            ``after``.
        """
        refused = []
        with self.engine.begin() as connection:
            for progress in batch:
                values: dict[str, Any] = {"seq": progress.after + len(progress.events)}
                for name in ("state", "status", "ms", "rows"):
                    if getattr(progress, name) is not None:
                        values[name] = getattr(progress, name)
                taken = connection.execute(
                    update(turns)
                    .where(turns.c.id == progress.turn_id, turns.c.status == RUNNING, turns.c.seq == progress.after)
                    .values(values)
                ).rowcount
                if not taken:
                    refused.append(progress.turn_id)
                    continue
                connection.execute(
                    insert(events),
                    [
                        {"turn_id": progress.turn_id, "seq": progress.after + number, "event": event}
                        for number, event in enumerate(progress.events, start=1)
                    ],
                )
        return tuple(refused)

    def turn(self, turn_id: str) -> Turn:
        """:raises NotFound: ``not_found.turn``."""
        with self.engine.connect() as connection:
            row = connection.execute(select(turns).where(turns.c.id == turn_id)).one_or_none()
        if row is None:
            raise NotFound("not_found.turn", "This question is no longer kept.", "Ask it again.")
        return _turn(row)

    def thread(self, thread_id: str) -> Thread:
        """:raises NotFound: ``not_found.thread``."""
        with self.engine.connect() as connection:
            row = connection.execute(select(threads).where(threads.c.id == thread_id)).one_or_none()
        if row is None:
            raise NotFound("not_found.thread", "This thread is no longer kept.", "Start a new one.")
        return Thread(**row._mapping)

    def events(self, turn_id: str, after: int = 0) -> tuple[tuple[int, str], ...]:
        """Numbers and JSON texts of the events behind ``after``, in order."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(events.c.seq, events.c.event)
                .where(events.c.turn_id == turn_id, events.c.seq > after)
                .order_by(events.c.seq)
            )
            return tuple((row.seq, row.event) for row in found)

    def turns_of(self, thread_id: str, limit: int) -> tuple[Turn, ...]:
        """The last ``limit`` turns of a thread, oldest first."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(turns)
                .where(turns.c.thread_id == thread_id)
                .order_by(turns.c.asked_at.desc(), turns.c.id)
                .limit(limit)
            )
            return tuple(_turn(row) for row in found)[::-1]

    def latest_in(self, workspace: str) -> Turn | None:
        """The turn asked last from an open page."""
        with self.engine.connect() as connection:
            row = connection.execute(
                select(turns)
                .where(turns.c.workspace == workspace)
                .order_by(turns.c.asked_at.desc(), turns.c.id)
                .limit(1)
            ).one_or_none()
        return None if row is None else _turn(row)

    def threads_of(self, owner: str, connection_name: str, limit: int) -> tuple[Thread, ...]:
        """A person's latest threads on a connection, newest first."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(threads)
                .where(threads.c.owner == owner, threads.c.connection == connection_name)
                .order_by(threads.c.active_at.desc())
                .limit(limit)
            )
            return tuple(Thread(**row._mapping) for row in found)

    def request_cancel(self, turn_id: str) -> bool:
        """Raise the stop flag of a running turn; false when it is not running."""
        with self.engine.begin() as connection:
            return bool(
                connection.execute(
                    update(turns).where(turns.c.id == turn_id, turns.c.status == RUNNING).values(cancel_requested=True)
                ).rowcount
            )

    def cancelled_among(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of the given turns whose stop flag is up."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(turns.c.id).where(turns.c.id.in_(tuple(ids)), turns.c.cancel_requested.is_(True))
            )
            return tuple(found.scalars())

    def beat(self, ids: Iterable[str], now: datetime) -> None:
        """Say that the given turns are still being worked on."""
        with self.engine.begin() as connection:
            connection.execute(
                update(turns).where(turns.c.id.in_(tuple(ids)), turns.c.status == RUNNING).values(beat_at=now)
            )

    def silent_since(self, moment: datetime) -> tuple[Turn, ...]:
        """Running turns whose worker has not been heard of since ``moment``."""
        with self.engine.connect() as connection:
            found = connection.execute(select(turns).where(turns.c.status == RUNNING, turns.c.beat_at < moment))
            return tuple(_turn(row) for row in found)

    def purge(self, now: datetime, *, days: int, turns_per_thread: int) -> int:
        """Forget threads untouched for ``days``, and all but the latest turns of a thread; returns turns forgotten."""
        rank = (
            func.row_number()
            .over(partition_by=turns.c.thread_id, order_by=(turns.c.asked_at.desc(), turns.c.id))
            .label("rank")
        )
        ranked = select(turns.c.id, turns.c.status, rank).subquery()
        old = select(threads.c.id).where(threads.c.active_at < now - timedelta(days=days))
        with self.engine.begin() as connection:
            # Children first, in words, so that no database setting about cascades matters.
            gone = select(turns.c.id).where(
                case(
                    (turns.c.thread_id.in_(old), True),
                    else_=turns.c.id.in_(
                        select(ranked.c.id).where(and_(ranked.c.rank > turns_per_thread, ranked.c.status != RUNNING))
                    ),
                )
            )
            ids = tuple(connection.execute(gone).scalars())
            for start in range(0, len(ids), 500):
                part = ids[start : start + 500]
                connection.execute(delete(events).where(events.c.turn_id.in_(part)))
                connection.execute(delete(turns).where(turns.c.id.in_(part)))
            connection.execute(
                delete(threads).where(threads.c.id.in_(old), threads.c.id.not_in(select(turns.c.thread_id)))
            )
        return len(ids)


def _turn(row: Row[Any]) -> Turn:
    return Turn(**row._mapping)
