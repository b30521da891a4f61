"""What looks secret, and what a glossary hides or switches off, lies in no cache and no index."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.services import Services, target_for
from app.settings import Settings

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SCRIPT = """
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, city TEXT, password TEXT, api_token TEXT, card_number INTEGER,
  pin TEXT, nickname TEXT);
INSERT INTO users VALUES (1, 'Ann', 'Oslo', 'hunter1secret', 'tok-abcdef', 4000123412341234, '9911x', 'Annie');
INSERT INTO users VALUES (2, 'Bob', 'Rome', 'hunter2secret', 'tok-ghijkl', 4000567856785678, '9922x', 'Bobby');
CREATE TABLE salaries(user_id INTEGER REFERENCES users(id), band TEXT, note TEXT);
INSERT INTO salaries VALUES (1, 'goldband', 'wellpaid'), (2, 'tinband', 'lesspaid');
"""
SECRETS = ("hunter1secret", "hunter2secret", "tok-abcdef", "abcdef", "4000123412341234", "9911x")


@pytest.fixture
def services(settings: Settings, tmp_path: Path) -> Services:
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT)
    return Services(settings, (target_for(str(path)),), meaning=False)


def kept(settings: Settings, words: tuple[str, ...]) -> set[str]:
    """Those of the words that some file of the cache holds."""
    services_files = [file.read_bytes().lower() for file in settings.cache_folder.rglob("*") if file.is_file()]
    assert services_files
    return {word for word in words if any(word.lower().encode() in content for content in services_files)}


def save(services: Services, text: str) -> None:
    file = services.glossary_file("people")
    file.save(text, seen=file.read().version, now=NOW)
    services.make_ready("people")


def test_secrets_are_in_no_cache(services: Services, settings: Settings) -> None:
    services.make_ready("people")
    assert kept(settings, SECRETS) == set()
    assert kept(settings, ("Oslo", "Annie")) == {"Oslo", "Annie"}
    told = repr(services.catalog("people")) + repr(services.health())
    assert not any(secret in told for secret in SECRETS)


CHANGES = [
    ("tables: {users: {columns: {city: {indexed: false}}}}", {"Annie", "goldband"}),
    ("tables: {users: {columns: {City: {hidden: true}, nickname: {hidden: true}}}}", {"goldband"}),
    ("tables: {salaries: {hidden: true}}", {"Oslo", "Annie"}),
    ("tables: {users: {columns: {password: {hidden: true}}}}", {"Oslo", "Annie", "goldband"}),
]


@pytest.mark.parametrize(("glossary", "expected"), CHANGES)
def test_what_is_switched_off_or_hidden_later_goes(
    services: Services, settings: Settings, glossary: str, expected: set[str]
) -> None:
    words = ("Oslo", "Annie", "goldband")
    services.make_ready("people")
    assert kept(settings, words) == set(words)
    save(services, glossary)
    assert kept(settings, words) == expected
    save(services, "")
    assert kept(settings, words) == set(words)
    assert services.open("people").connection.catalog.table("users").column("city").samples == ("Oslo", "Rome")
