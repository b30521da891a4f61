"""The command line in this process, over the demo databases or over odd files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import main
from app.settings import Settings

Starchart = Callable[..., Result]

ODD = {
    "pets": "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, weight REAL);"
    "INSERT INTO pets (name, weight) VALUES ('Rex', 12.5), ('Kitty', 3.25), ('=1+1', -2), (NULL, NULL);",
    "evil": 'CREATE TABLE gadgets (name TEXT, "[red]we<b>ight" REAL);'
    """INSERT INTO gadgets (name) VALUES ('<script>alert(1)</script>'), ('[bold]markup[/bold]'),"""
    " (char(27) || '[31mred'), (printf('%.*c', 3000000, 'x'));",
    "slow": "CREATE TABLE t (n INTEGER); INSERT INTO t WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
    " LIMIT 2000) SELECT n FROM c; CREATE VIEW slow_things AS SELECT a.n FROM t a, t b, t c, t d, t e;",
    "staff": "CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, department_id INTEGER);"
    "INSERT INTO departments VALUES (1, 'Sales'), (2, 'Law'); INSERT INTO staff VALUES (1, 'Ann', 1), (2, 'Bo', 2);",
    "escape": 'CREATE TABLE items (id INTEGER PRIMARY KEY, "na\x1b[31mme" TEXT, note TEXT);'
    "INSERT INTO items VALUES (1, 'a' || char(27) || ']0;pwned' || char(7) || 'b', 'x' || char(8238) || 'y');",
    "bare": "CREATE TABLE bare (a BLOB); INSERT INTO bare VALUES (x'00ff');",
}


@pytest.fixture
def starchart(demo_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Starchart:
    """Runs one command; every command that keeps anything keeps it in the tests' data folder."""
    monkeypatch.setenv("STARCHART_DATA", str(demo_settings.data))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str, stdin: str | bytes = "") -> Result:
        return CliRunner().invoke(main, arguments, input=stdin)

    return run


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of databases that are small, hostile, slow, empty, damaged or none at all."""
    folder = tmp_path_factory.mktemp("odd")
    for name, script in ODD.items():
        with closing(sqlite3.connect(folder / f"{name}.sqlite")) as connection:
            connection.executescript(script)
    (folder / "empty.sqlite").touch()
    (folder / "text.sqlite").write_text("no database " * 100)
    (folder / "corrupt.sqlite").write_bytes((folder / "pets.sqlite").read_bytes()[:100] + b"\xff" * 4000)
    return folder


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A database that another program is writing to."""
    path = tmp_path / "locked.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(ODD["pets"])
        connection.execute("BEGIN EXCLUSIVE")
        yield path
