"""What may be typed as a database, and the plain reason when it cannot be opened."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agents.errors import ConnectionFailed
from app.databases import open_database
from app.databases.open import sqlite_path
from app.databases.sqlite import SqliteDatabase

MakeDatabase = Callable[[str], Path]


def fails(url: str, code: str) -> None:
    with pytest.raises(ConnectionFailed) as caught:
        open_database(url)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("shop.db", "shop.db"),
        ("sqlite:///shop.db", "shop.db"),
        ("sqlite:////srv/shop.db", "/srv/shop.db"),
        ("/srv/my shop?.db", "/srv/my shop?.db"),
        ("sqlite+pysqlite:///shop.db", "shop.db"),
    ],
)
def test_path_of_address(url: str, expected: str) -> None:
    assert sqlite_path(url) == Path(expected)


@pytest.mark.parametrize(
    "url",
    [
        "",
        ":memory:",
        "sqlite://",
        "sqlite:///:memory:",
        "file:shop.db?mode=rwc",
        "sqlite:///file:shop.db?mode=rwc&uri=true",
        "sqlite:///shop.db?mode=rwc",
        "sqlite://host/shop.db",
        "postgresql://user@host/shop",
        "mysql+pymysql://user:secret@host/shop?local_infile=1",
        "nonsense://",
        "shop\x00.db",
    ],
)
def test_other_addresses_are_unsupported(url: str) -> None:
    fails(url, "database.unsupported")


def test_a_password_is_not_repeated_in_the_message() -> None:
    with pytest.raises(ConnectionFailed) as caught:
        open_database("mysql+pymysql://user:secret@host/shop")
    assert "secret" not in caught.value.message + caught.value.hint


def test_missing(tmp_path: Path) -> None:
    fails(str(tmp_path / "no.db"), "database.missing")
    assert not (tmp_path / "no.db").exists()


def test_directory(tmp_path: Path) -> None:
    fails(str(tmp_path), "database.is_directory")


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    fails(str(tmp_path / "empty.db"), "database.empty_file")


@pytest.mark.parametrize("content", [b"id,name\n1,Ada\n", b"PK\x03\x04" + bytes(4096), b"SQLite"])
def test_not_sqlite(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(content)
    fails(str(tmp_path / "other.db"), "database.not_sqlite")


def test_no_tables(make: MakeDatabase) -> None:
    fails(str(make("CREATE TABLE a(b); DROP TABLE a;")), "database.no_tables")


def test_corrupt(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT); INSERT INTO a SELECT hex(randomblob(4000)) FROM (SELECT 1 UNION SELECT 2);")
    content = bytearray(path.read_bytes())
    content[100:4096] = os.urandom(3996)
    path.write_bytes(content)
    fails(str(path), "database.corrupt")


def test_truncated(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT); INSERT INTO a SELECT hex(randomblob(9000)) FROM (SELECT 1 UNION SELECT 2);")
    path.write_bytes(path.read_bytes()[:9000])
    fails(str(path), "database.corrupt")


def test_locked(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT)")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ConnectionFailed) as caught:
        SqliteDatabase(path, "made", busy_seconds=0)
    assert caught.value.code == "database.locked"
    writer.execute("ROLLBACK")
    assert open_database(str(path)).catalog.tables
    writer.close()


@contextmanager
def _without_root() -> Iterator[None]:
    """Root may read everything; the test must not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_no_permission(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT)")
    path.chmod(0)
    with _without_root():
        fails(str(path), "database.no_permission")


def test_unfinished_write_of_another_program(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT); INSERT INTO a VALUES ('x')")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.executescript("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN")
    writer.execute("UPDATE a SET b = hex(randomblob(20000))")
    writer.execute("INSERT INTO a SELECT hex(randomblob(20000)) FROM a")
    journal = path.with_name(path.name + "-journal")
    left = path.with_name("left.db")
    left.write_bytes(path.read_bytes())
    left.with_name("left.db-journal").write_bytes(journal.read_bytes())
    writer.close()
    fails(str(left), "database.needs_recovery")


def test_name_and_catalog(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT)")
    assert open_database(str(path)).catalog.name == "made"
    assert open_database(f"sqlite:///{path}", name="shop").catalog.name == "shop"


def test_opening_writes_nothing_beside_the_file(make: MakeDatabase) -> None:
    path = make("CREATE TABLE a(b TEXT)")
    before = path.stat().st_mtime_ns
    open_database(str(path)).close()
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    assert path.stat().st_mtime_ns == before


def test_write_ahead_log_in_a_folder_without_write_permission(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    writer = sqlite3.connect(folder / "wal.db")
    writer.executescript("PRAGMA journal_mode = WAL; CREATE TABLE a(b); INSERT INTO a VALUES (1)")
    writer.close()
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(parent.stat().st_mode | 0o055)
    folder.chmod(0o555)
    with _without_root():
        assert open_database(str(folder / "wal.db")).catalog.table("a").rows == 1
    folder.chmod(0o755)
