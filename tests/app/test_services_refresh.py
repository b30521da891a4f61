"""A running server takes up what its database holds by now: when told, when another process was, and with age."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.services import Services, Target
from app.settings import Settings, load_settings

LATER = """
CREATE TABLE cats(name TEXT, born DATE); INSERT INTO cats VALUES ('Tom', '2021-01-01');
ALTER TABLE dogs ADD COLUMN colour TEXT; INSERT INTO dogs VALUES ('Bello', '2022-01-01', 'brown');
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "kennel.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE dogs(name TEXT, born DATE); INSERT INTO dogs VALUES ('Rex', '2020-01-01');"
            "CREATE TABLE toys(name TEXT);"
        )
    return path


@pytest.fixture
def worker(settings: Settings, database: Path) -> Callable[[str], Services]:
    """``worker(minutes)`` gives the services of one process over the data folder."""

    def made(minutes: str = "0") -> Services:
        environment = {"STARCHART_DATA": str(settings.data), "STARCHART_REFRESH_MINUTES": minutes}
        return Services(load_settings(environment), (Target("kennel", str(database)),), meaning=False)

    return made


def write(database: Path, script: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(script)


def known(services: Services) -> set[str]:
    """Tables that questions can use, and values that they can name."""
    connection = services.open("kennel").connection
    names = {table.name for table in connection.catalog.tables}
    return names | {name for name in ("Rex", "Bello", "Tom") if connection.values.lookup(name)}


BEFORE = {"dogs", "toys", "Rex"}
AFTER = {"dogs", "toys", "cats", "Rex", "Bello", "Tom"}


def test_every_worker_follows_the_one_that_was_told(worker: Callable[[str], Services], database: Path) -> None:
    here, there = worker("0"), worker("0")
    assert known(here) == known(there) == BEFORE
    write(database, LATER)
    assert known(here) == known(there) == BEFORE
    assert here.refresh_soon("kennel", 20)
    assert known(here) == AFTER
    # The file changes on: what one read counts for all, so that they do not read in turns for ever.
    write(database, "INSERT INTO dogs VALUES ('Waldi', '2023-01-01', 'black')")
    assert known(there) == AFTER
    opened = there.open("kennel")
    assert there.open("kennel") is opened and here.open("kennel") is here.open("kennel")


def test_what_is_new_is_said_by_every_worker(worker: Callable[[str], Services], database: Path) -> None:
    here, there = worker("0"), worker("0")
    first = here.reading("kennel")
    there.open("kennel")
    assert not first.changes and not first.busy and not first.problem
    assert abs((first.read_at - datetime.now(UTC)).total_seconds()) < 60
    write(database, LATER + "DROP TABLE toys;")
    here.refresh_soon("kennel", 20)
    for services in (here, there):
        reading = services.reading("kennel")
        assert reading.read_at > first.read_at
        assert reading.changes.sentences() == (
            "New tables: cats.",
            "Tables that are gone: toys.",
            "New columns: dogs.colour.",
            "Rows: dogs 1 → 2.",
        )
    here.refresh_soon("kennel", 20)
    assert not here.reading("kennel").changes


@pytest.mark.parametrize(
    ("minutes", "aged", "changed", "expected"),
    [("5", True, True, AFTER), ("5", False, True, BEFORE), ("0", True, True, BEFORE), ("5", True, False, BEFORE)],
)
def test_age(
    worker: Callable[[str], Services],
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
    minutes: str,
    aged: bool,
    changed: bool,
    expected: set[str],
) -> None:
    services = worker(minutes)
    assert known(services) == BEFORE
    read = services.reading("kennel").read_at
    if changed:
        write(database, LATER)
    if aged:
        monkeypatch.setattr(services.freshness, "now", lambda: time.time() + 600)
    services.open("kennel")
    services.freshness.wait("kennel", 20)
    assert known(services) == expected
    assert (services.reading("kennel").read_at > read) == (expected == AFTER)


def test_a_database_that_went_keeps_what_was_known(worker: Callable[[str], Services], database: Path) -> None:
    services = worker("0")
    assert known(services) == BEFORE
    os.rename(database, database.with_suffix(".gone"))
    assert services.refresh_soon("kennel", 20)
    assert known(services) == BEFORE
    assert services.reading("kennel").problem
