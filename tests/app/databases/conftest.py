"""Making small SQLite files, each test its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

MakeDatabase = Callable[[str], Path]


@pytest.fixture
def make(tmp_path: Path) -> MakeDatabase:
    """``make(script)`` gives the path of a database that the script filled."""

    def made(script: str) -> Path:
        path = tmp_path / "made.db"
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()
        return path

    return made
