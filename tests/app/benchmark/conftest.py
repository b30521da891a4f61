"""Two tiny databases, one with a variant of other rows, and questions about them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = {
    "pets": "CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
    "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id), name TEXT, weight REAL);"
    "INSERT INTO owners VALUES (1, 'Ann', 'Paris'), (2, 'Bob', 'Rome'), (3, 'Cy', 'Rome');"
    "INSERT INTO pets VALUES (1, 1, 'Rex', 12.5), (2, 1, 'Kit', 3.25), (3, 2, 'Tom', 4);",
    "books": "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);"
    "INSERT INTO books VALUES (1, 'Emma', 400), (2, 'Ulysses', 700);",
}
VARIANT = SCRIPTS | {
    "pets": SCRIPTS["pets"] + "INSERT INTO owners VALUES (4, 'Di', 'Oslo'); INSERT INTO pets VALUES (4, 4, 'Max', 50);"
}

QUESTIONS: list[dict[str, Any]] = [
    {"db_id": "pets", "question": "How many pets are there?", "gold": "SELECT count(*) FROM pets", "hardness": "easy"},
    {
        "db_id": "pets",
        "question": "What is the number of pets?",
        "gold": "SELECT COUNT(*)  FROM pets",
        "hardness": "easy",
    },
    {
        "db_id": "books",
        "question": "List the titles of all books.",
        "gold": "SELECT title FROM books",
        "hardness": "easy",
    },
    {"db_id": "pets", "question": "Delete all pets", "gold": "SELECT max(weight) FROM pets", "hardness": "hard"},
]


def build(root: Path, scripts: dict[str, str]) -> Path:
    for name, script in scripts.items():
        (root / name).mkdir(parents=True)
        with closing(sqlite3.connect(root / name / f"{name}.sqlite")) as connection:
            connection.executescript(script)
    return root


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("databases"), SCRIPTS)


@pytest.fixture(scope="session")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("variant"), VARIANT)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[list[dict[str, Any]]], Path]:
    """Writes lines to a file of questions."""

    def write(lines: list[dict[str, Any]]) -> Path:
        path = tmp_path / "questions.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def questions() -> list[dict[str, Any]]:
    return [dict(line) for line in QUESTIONS]
