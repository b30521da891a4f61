"""starchart glossary: a draft, a check, the text in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest


def test_a_draft_passes_its_own_check(starchart: Any, odd: Path, tmp_path: Path) -> None:
    draft = starchart("glossary", "draft", "--db", str(odd / "pets.sqlite"))
    assert draft.exit_code == 0
    assert draft.stdout.startswith("# Draft") and "pets:" in draft.stdout
    file = tmp_path / "glossary.yaml"
    file.write_text(draft.stdout, "utf-8")
    checked = starchart("glossary", "check", str(file), "--db", str(odd / "pets.sqlite"))
    assert (checked.exit_code, checked.stdout) == (0, "Everything fits.\n")


CHECKS = [
    ("", 0, "Everything fits."),
    ("tables: {pets: {label: name}}", 0, "Everything fits."),
    ("tables:\n  cats: {}", 1, "line 2: The glossary names table 'cats', which the database does not have."),
    ("tables: [", 1, "[glossary.syntax]"),
    ("measures: {w: {expression: pets.weight}}", 1, "[glossary.measure]"),
]


@pytest.mark.parametrize(("text", "status", "expected"), CHECKS)
def test_check(starchart: Any, odd: Path, text: str, status: int, expected: str) -> None:
    checked = starchart("glossary", "check", "-", "--db", str(odd / "pets.sqlite"), stdin=text)
    assert checked.exit_code == status
    assert expected in checked.stdout


def test_what_is_in_use(starchart: Any, odd: Path) -> None:
    assert "order_lines:" in starchart("glossary", "show").stdout
    assert starchart("glossary", "check").stdout == "Everything fits.\n"
    none = starchart("glossary", "show", "--db", str(odd / "pets.sqlite"))
    assert (none.exit_code, none.stdout) == (0, "")
    assert "has no glossary yet" in none.stderr


def test_a_draft_of_an_odd_database(starchart: Any, odd: Path) -> None:
    draft = starchart("glossary", "draft", "--db", str(odd / "evil.sqlite")).stdout
    checked = starchart("glossary", "check", "-", "--db", str(odd / "evil.sqlite"), stdin=draft)
    assert checked.exit_code == 0


def test_refresh_says_what_is_not_read(starchart: Any, odd: Path, tmp_path: Path) -> None:
    path = tmp_path / "users.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE users (name TEXT, password TEXT); INSERT INTO users VALUES ('Ann', 'x'), ('Bo', 'y');"
        )
    shown = starchart("refresh", "--db", str(path))
    assert shown.exit_code == 0
    assert "users: 1 tables, 0 keys (0 inferred), 2 values of 1 text columns." in shown.stdout
    assert "users.password" in shown.stdout and "looks secret" in shown.stdout
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE groups (name TEXT); INSERT INTO users VALUES ('Cy', 'z');")
    again = starchart("refresh", "--db", str(path)).stdout
    assert "New tables: groups." in again and "Rows: users 2 → 3." in again
