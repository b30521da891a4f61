"""Values in answers: the same one in two columns is asked back about, one that no row has is said to be absent."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from app.services import Services, target_for
from app.settings import Settings
from app.terminal.asking import ask
from app.turns.answer import Answer

SCRIPT = """
CREATE TABLE trips(id INTEGER PRIMARY KEY, origin TEXT, destination TEXT, km REAL);
INSERT INTO trips VALUES (1, 'Paris', 'Oslo', 5), (2, 'Oslo', 'Paris', 6), (3, 'Rome', 'Paris', 7);
INSERT INTO trips VALUES (4, 'Lima', 'Lima', 3);
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, region TEXT);
INSERT INTO customers VALUES (1, 'Acorn Ltd', 'Asia'), (2, 'Birch GmbH', 'Europe');
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("values") / "travel.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT)
    return path


@pytest.fixture
def services(settings: Settings, path: Path) -> Services:
    return Services(settings, (target_for(str(path)),), meaning=False)


def answer(services: Services, question: str) -> Answer:
    return ask(services, "travel", question, now=datetime(2026, 11, 30), rows=20, seconds=20).answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many Paris trips are there?", [("origin", "1"), ("destination", "2")]),
        ("average km of Paris trips", [("origin", "5.0"), ("destination", "6.5")]),
        # The same rows either way are no ambiguity.
        ("How many Lima trips are there?", []),
    ],
)
def test_one_value_in_two_columns(services: Services, question: str, expected: list[tuple[str, str]]) -> None:
    found = answer(services, question)
    assert found.status == ("clarify" if expected else "answered")
    options = found.options or ()
    assert [(column in one.text, one.returns) for one, (column, _) in zip(options, expected, strict=True)] == [
        (True, returns) for _, returns in expected
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("customers whose region is 'Atlantis'", ("No row has “Atlantis” as region. Known values: Asia, Europe.",)),
        ("region为“Atlantis”的customers", ("没有“region”为“Atlantis”的记录。已有的值：Asia、Europe。",)),
        ("customers whose region is 'Asia'", ()),
    ],
)
def test_a_value_that_no_row_has(services: Services, question: str, expected: tuple[str, ...]) -> None:
    found = answer(services, question)
    assert found.evidence is not None
    told = tuple(warning for warning in found.evidence.warnings if "Atlantis" in warning)
    assert told == expected
