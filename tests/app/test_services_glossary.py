"""A saved glossary is used by the next question, in every process, and never costs the connection."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.ports import CancelToken
from app.clock import SystemClock
from app.services import Services, Target
from app.settings import Settings

NOW = datetime(2026, 5, 4, tzinfo=UTC)
QUESTION = "how many pooches are there"
DOGS = "tables: {dogs: {names: {en: [dog, pooch]}}}\n"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "kennel.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE dogs (name TEXT, born DATE); INSERT INTO dogs VALUES ('Rex', '2020-01-01');"
        )
    return path


@pytest.fixture
def workers(settings: Settings, database: Path) -> tuple[Services, Services]:
    """Two processes' services over one data folder."""
    target = Target("kennel", str(database))
    return Services(settings, (target,), meaning=False), Services(settings, (target,), meaning=False)


def status(services: Services) -> str:
    clock = SystemClock()
    done: list[str] = []
    services.ask(
        "kennel",
        QUESTION,
        turn_id="t",
        listener=lambda event: done.append(getattr(event, "status", "")),
        cancel=CancelToken(clock, 20),
    )
    return done[-1]


def save(services: Services, text: str) -> None:
    file = services.glossary_file("kennel")
    file.save(text, seen=file.read().version, now=NOW)


def test_every_worker_takes_up_what_one_saved(workers: tuple[Services, Services]) -> None:
    here, there = workers
    assert [status(here), status(there)] == ["declined", "declined"]
    save(here, DOGS)
    assert [status(here), status(there)] == ["answered", "answered"]
    assert there.glossary("kennel").table("dogs").names.en == ("dog", "pooch")
    save(there, "")
    assert status(here) == "declined"


def test_nothing_is_made_anew_while_nothing_changes(workers: tuple[Services, Services]) -> None:
    here, _there = workers
    save(here, DOGS)
    opened = here.open("kennel")
    save(here, DOGS)
    assert here.open("kennel") is opened
    save(here, "currency: EUR\n")
    again = here.open("kennel")
    assert again is not opened
    assert again.database is opened.database


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("tables: {dogs: {names: {en: [dog, pooch]}, label: gone}}\n", "lines 1"),
        ("# by hand\nfoo: 1\ntables: {dogs: {names: {en: [pooch]}}, cats: {}}\n", "lines 2"),
    ],
)
def test_what_no_longer_fits_is_left_out_and_told(workers: tuple[Services, Services], text: str, lines: str) -> None:
    here, _there = workers
    save(here, text)
    assert status(here) == "answered"
    [part] = [part for part in here.health().parts if part.part == "glossary kennel"]
    assert (part.state, lines in part.note) == ("degraded", True)
    save(here, DOGS)
    assert [part for part in here.health().parts if part.part.startswith("glossary")] == []


def test_a_broken_text_costs_only_its_names(workers: tuple[Services, Services]) -> None:
    here, _there = workers
    save(here, "tables: [")
    assert status(here) == "declined"
    assert here.catalog("kennel").tables[0].name == "dogs"


def values(services: Services) -> tuple[str, str]:
    [part] = [part for part in services.health().parts if part.part == "values kennel"]
    return part.active, part.note


def test_values_are_read_again_on_demand_and_left_out_when_told(
    workers: tuple[Services, Services], database: Path
) -> None:
    here, _there = workers
    assert values(here) == ("1 from 1 columns", "")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(
            "ALTER TABLE dogs ADD COLUMN password TEXT; INSERT INTO dogs VALUES ('Bo', NULL, 'x');"
        )
    assert values(here) == ("1 from 1 columns", "")
    opened = here.refresh("kennel")
    assert "password" in opened.connection.catalog.table("dogs")
    assert values(here) == ("2 from 1 columns", "Not read: dogs.password (looks secret).")
    save(here, "tables: {dogs: {columns: {name: {indexed: false}, password: {indexed: true}}}}")
    assert values(here) == ("1 from 1 columns", "Not read: dogs.name (switched off).")
    save(here, "tables: {dogs: {columns: {name: {hidden: true}}}}")
    assert "name" not in here.open("kennel").connection.catalog.table("dogs")
    assert "name" in here.catalog("kennel").table("dogs")
