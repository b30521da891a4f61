"""Each lock holds alone, with all the others open."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.databases.locks import ALL_LOCKS, Lock, connect

MakeDatabase = Callable[[str], Path]

SCRIPT = """
CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y');
CREATE VIEW spy AS SELECT hex(fts3_tokenizer('simple')) AS address;
"""


def attempt(path: Path, locks: frozenset[Lock], sql: str) -> str:
    """``done``, or why not."""
    with closing(connect(path, locks=locks)) as connection:
        try:
            connection.execute(sql).fetchall()
        except sqlite3.DatabaseError as error:
            return str(error)
    return "done"


@pytest.mark.parametrize(
    ("lock", "sql", "reason"),
    [
        (Lock.READ_ONLY_FILE, "DELETE FROM t", "readonly database"),
        (Lock.READ_ONLY_FILE, "CREATE TABLE u(a)", "readonly database"),
        (Lock.READ_ONLY_FILE, "WITH k AS (SELECT 1) UPDATE t SET a = 0", "readonly database"),
        (Lock.QUERY_ONLY, "DELETE FROM t", "readonly database"),
        (Lock.QUERY_ONLY, "CREATE TABLE u(a)", "readonly database"),
        (Lock.QUERY_ONLY, "INSERT INTO t VALUES (3, 'z')", "readonly database"),
        (Lock.AUTHORIZER, "DELETE FROM t", "not authorized"),
        (Lock.AUTHORIZER, "INSERT INTO t VALUES (3, 'z')", "not authorized"),
        (Lock.AUTHORIZER, "DROP TABLE t", "not authorized"),
        (Lock.AUTHORIZER, "CREATE TEMP TABLE u(a)", "not authorized"),
        (Lock.AUTHORIZER, "ATTACH 'side.db' AS side", "not authorized"),
        (Lock.AUTHORIZER, "VACUUM INTO 'side.db'", "authorization denied"),
        (Lock.AUTHORIZER, "PRAGMA query_only = OFF", "not authorized"),
        (Lock.AUTHORIZER, "PRAGMA table_info(t)", "not authorized"),
        (Lock.AUTHORIZER, "SELECT * FROM pragma_table_info('t')", "not authorized"),
        (Lock.AUTHORIZER, "SELECT * FROM sqlite_master", "prohibited"),
        (Lock.AUTHORIZER, "SELECT load_extension('x')", "not authorized"),
        (Lock.AUTHORIZER, "SELECT fts3_tokenizer('simple')", "not authorized"),
        (Lock.AUTHORIZER, "SELECT randomblob(10)", "not authorized"),
        (Lock.AUTHORIZER, "SELECT * FROM json_each('[1]')", "json_each"),
        (Lock.AUTHORIZER, "BEGIN", "not authorized"),
        (Lock.NO_ATTACH, "ATTACH 'side.db' AS side", "too many attached databases"),
        (Lock.NO_ATTACH, "VACUUM INTO 'side.db'", "too many attached databases"),
        (Lock.UNTRUSTED_SCHEMA, "SELECT * FROM spy", "unsafe use of fts3_tokenizer"),
    ],
)
def test_one_lock_alone(
    lock: Lock, sql: str, reason: str, make: MakeDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = make(SCRIPT)
    content = path.read_bytes()
    outcome = attempt(path, frozenset({lock}), sql)
    assert reason in outcome
    assert path.read_bytes() == content
    assert not (tmp_path / "side.db").exists()


@pytest.mark.parametrize(
    "sql", ["DELETE FROM t", "ATTACH 'side.db' AS side", "PRAGMA query_only = OFF", "DROP TABLE t"]
)
def test_without_locks_the_attempts_would_succeed(
    sql: str, make: MakeDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert attempt(make(SCRIPT), frozenset(), sql) == "done"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, upper(b) FROM t ORDER BY a",
        "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 5) SELECT sum(i) FROM s",
        "SELECT count(*) OVER (), row_number() OVER (ORDER BY a) FROM t",
        "SELECT strftime('%Y', 'now'), json_extract('{}', '$.a'), b LIKE 'x%', b GLOB 'x*', b || 'z' FROM t",
        "SELECT body FROM notes",
        "SELECT x0 FROM boxes",
    ],
)
def test_reading_works_under_all_locks(sql: str, make: MakeDatabase) -> None:
    path = make(
        SCRIPT + "CREATE VIRTUAL TABLE notes USING fts5(body); CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);"
    )
    assert attempt(path, ALL_LOCKS, sql) == "done"


def test_a_schema_change_by_another_program_is_read_under_all_locks(make: MakeDatabase) -> None:
    path = make(SCRIPT)
    with closing(connect(path)) as connection, closing(sqlite3.connect(path)) as writer:
        connection.execute("SELECT a FROM t").fetchall()
        writer.executescript("CREATE TABLE later(c); INSERT INTO later VALUES (5)")
        assert connection.execute("SELECT c FROM later").fetchall() == [(5,)]
