"""Threads, turns and events in the store."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from agents.errors import NotFound
from app.store import Store, Turn, open_store
from app.store.open import StoreError
from app.store.store import Progress
from app.store.tables import metadata

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def turn(number: int, *, thread: str = "t1", days_ago: float = 0) -> Turn:
    asked_at = NOW - timedelta(days=days_ago) + timedelta(seconds=number)
    return Turn(
        id=f"turn{number}",
        thread_id=thread,
        connection="vega",
        workspace="tab",
        question=f"question {number}",
        lang="en",
        status="running",
        state="start",
        seq=0,
        asked_at=asked_at,
        beat_at=asked_at,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    yield store
    store.close()


def ended(store: Store, name: str) -> None:
    assert store.append([Progress(name, 0, ("{}",), status="answered")]) == ()


def test_a_turn_and_its_events_come_back(store: Store) -> None:
    asked = turn(1)
    store.begin(asked, "me")
    assert store.turn("turn1") == asked
    assert store.thread("t1").title == "question 1"
    assert store.append([Progress("turn1", 0, ("a", "b"), state="plan")]) == ()
    assert store.append([Progress("turn1", 2, ("c",), status="answered", ms=4.5, rows=7)]) == ()
    assert store.events("turn1", after=1) == ((2, "b"), (3, "c"))
    assert store.turn("turn1") == replace(asked, seq=3, state="plan", status="answered", ms=4.5, rows=7)


@pytest.mark.parametrize(
    ("name", "after"),
    [("turn1", 1), ("turn1", 0), ("unknown", 0)],
    ids=["not at that number", "already ended", "unknown"],
)
def test_events_that_do_not_follow_are_refused(store: Store, name: str, after: int) -> None:
    store.begin(turn(1), "me")
    if after == 0:
        ended(store, "turn1")
    before = store.events("turn1")
    assert store.append([Progress(name, after, ("x",))]) == (name,)
    assert store.events("turn1") == before


def test_a_refused_turn_does_not_harm_the_others_of_its_batch(store: Store) -> None:
    store.begin(turn(1), "me")
    assert store.append([Progress("unknown", 0, ("x",)), Progress("turn1", 0, ("y",))]) == ("unknown",)
    assert store.events("turn1") == ((1, "y"),)


def test_stop_flags_and_heartbeats(store: Store) -> None:
    for number in (1, 2):
        store.begin(turn(number), "me")
    ended(store, "turn2")
    assert [store.request_cancel(name) for name in ("turn1", "turn2", "unknown")] == [True, False, False]
    assert store.cancelled_among(("turn1", "turn2")) == ("turn1",)
    assert [t.id for t in store.silent_since(NOW + timedelta(minutes=1))] == ["turn1"]
    store.beat(("turn1",), NOW + timedelta(minutes=2))
    assert store.silent_since(NOW + timedelta(minutes=1)) == ()


def test_lists(store: Store) -> None:
    for number in range(1, 5):
        store.begin(turn(number, thread=f"t{number % 2}"), "me")
    assert [t.id for t in store.turns_of("t1", 5)] == ["turn1", "turn3"]
    assert [t.id for t in store.turns_of("t1", 1)] == ["turn3"]
    assert [t.id for t in store.threads_of("me", "vega", 5)] == ["t0", "t1"]
    assert store.threads_of("you", "vega", 5) == store.threads_of("me", "shop", 5) == ()
    for look in (store.turn, store.thread):
        with pytest.raises(NotFound):
            look("unknown")


def test_purge_keeps_what_is_young_and_the_last_of_a_thread(store: Store) -> None:
    store.begin(turn(1, thread="old", days_ago=8), "me")
    for number in range(2, 7):
        store.begin(turn(number), "me")
        ended(store, f"turn{number}")
    store.begin(turn(7), "me")
    assert store.purge(NOW, days=7, turns_per_thread=3) == 4
    assert [t.id for t in store.turns_of("t1", 10)] == ["turn5", "turn6", "turn7"]
    assert [t.id for t in store.threads_of("me", "vega", 10)] == ["t1"]
    assert store.events("turn2") == ()
    assert store.purge(NOW, days=7, turns_per_thread=3) == 0


def test_workers_that_start_together_migrate_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'store.sqlite'}"
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _number: open_store(url), range(6)))
    stores[0].begin(turn(1), "me")
    assert [store.turn("turn1").id for store in stores] == ["turn1"] * 6
    for store in stores:
        store.close()


def test_migrations_make_what_the_tables_say(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_tables_are_postgresql_too() -> None:
    for table in metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=postgresql.dialect()))


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", "store.url"),
        ("nosuchdb://x", "store.url"),
        ("sqlite:////proc/none/store.sqlite", "store.open"),
    ],
)
def test_addresses_that_are_no_store(url: str, code: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert caught.value.code == code and caught.value.hint


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("not a database, but long enough to be looked at")
    with pytest.raises(StoreError) as caught:
        open_store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    assert caught.value.code == "store.open"
