"""Running allowed statements: rows, limits, time, cancelling, and databases that misbehave."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ExecutionError, StarchartError, TurnCancelled, TurnTimedOut
from agents.ports import CancelToken, Rows
from agents.sql.guard import check
from app.clock import SystemClock
from app.databases.sqlite import SqliteDatabase

MakeDatabase = Callable[[str], Path]

TICKS = """
CREATE TABLE ticks(n INTEGER, body TEXT);
WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 3000)
    INSERT INTO ticks SELECT i, 'b' || i FROM s;
"""
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def run(database: SqliteDatabase, sql: str, limit: int = 100, seconds: float = 10, **more: Any) -> Rows:
    return database.execute(check(sql, database.catalog), limit=limit, seconds=seconds, **more)


def fails(database: SqliteDatabase, sql: str, code: str, **more: Any) -> StarchartError:
    with pytest.raises(StarchartError) as caught:
        run(database, sql, **more)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")
    assert caught.value.hint
    return caught.value


def test_rows_and_names(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made")
    rows = run(database, "SELECT n, body AS n, n * 1.5 FROM ticks ORDER BY ticks.n", limit=2)
    assert rows.table.column_names == ["n", "n_2", "n * 1.5"]
    assert [list(row.values()) for row in rows.table.to_pylist()] == [[1, "b1", 1.5], [2, "b2", 3.0]]
    assert rows.truncated
    assert rows.ms > 0


@pytest.mark.parametrize(("limit", "kept", "truncated"), [(3000, 3000, False), (2999, 2999, True), (5000, 3000, False)])
def test_the_cap_is_honest(limit: int, kept: int, truncated: bool, make: MakeDatabase) -> None:
    rows = run(SqliteDatabase(make(TICKS), "made"), "SELECT n FROM ticks -- everything please", limit=limit)
    assert (rows.table.num_rows, rows.truncated) == (kept, truncated)


def test_huge_cells_are_cut_to_the_byte_budget(make: MakeDatabase) -> None:
    path = make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('x'), (hex(zeroblob(500000))), (hex(zeroblob(500000)))")
    rows = run(SqliteDatabase(path, "made", result_bytes=1_500_000), "SELECT a FROM t")
    assert (rows.table.num_rows, rows.truncated) == (2, True)
    alone = run(SqliteDatabase(path, "made", result_bytes=10), "SELECT a FROM t WHERE length(a) > 1")
    assert (alone.table.num_rows, alone.truncated) == (1, True)


def test_a_cell_beyond_all_measure_is_refused(make: MakeDatabase) -> None:
    database = SqliteDatabase(make("CREATE TABLE t(a TEXT)"), "made")
    doubling = "WITH RECURSIVE s(t) AS (SELECT 'xxxxxxxx' UNION ALL SELECT t || t FROM s LIMIT 40) SELECT t FROM s"
    fails(database, doubling, "execute.cell_too_big")
    assert run(database, "SELECT 1").table.num_rows == 1


def test_a_stored_cell_beyond_all_measure_spares_its_table(make: MakeDatabase) -> None:
    script = (
        "CREATE TABLE t(n INTEGER, a TEXT); INSERT INTO t VALUES (1, 'x'); INSERT INTO t SELECT 2, hex(zeroblob(2e7))"
    )
    database = SqliteDatabase(make(script), "made")
    assert run(database, "SELECT count(*) AS c FROM t").table.to_pylist() == [{"c": 2}]
    assert run(database, "SELECT n FROM t ORDER BY n DESC").table.to_pylist() == [{"n": 2}, {"n": 1}]
    fails(database, "SELECT a FROM t", "execute.cell_too_big")


def test_a_runaway_is_stopped_in_time_and_the_next_statement_runs(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made", pool_size=1)
    error = fails(database, ENDLESS, "execute.timeout", seconds=0.2)
    assert "0.2 seconds" in error.message
    assert run(database, "SELECT count(*) FROM ticks").table.to_pylist() == [{"COUNT(*)": 3000}]


def test_rows_that_never_end_are_stopped_by_the_clock(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made")
    sql = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
    fails(database, sql, "execute.timeout", limit=10**12, seconds=0.2)


def test_others_are_served_while_a_runaway_runs(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made")
    token = CancelToken(SystemClock(), 30)
    outcome: list[str] = []

    def runaway() -> None:
        try:
            run(database, ENDLESS, seconds=30, cancel=token)
        except StarchartError as error:
            outcome.append(error.code)

    thread = threading.Thread(target=runaway)
    thread.start()
    try:
        assert run(database, "SELECT max(n) FROM ticks").table.num_rows == 1
    finally:
        token.cancel()
        thread.join(10)
    assert outcome == ["turn.cancelled"]


def test_cancelled_before_it_began(make: MakeDatabase) -> None:
    token = CancelToken(SystemClock(), 30)
    token.cancel()
    with pytest.raises(TurnCancelled):
        run(SqliteDatabase(make(TICKS), "made"), "SELECT 1", cancel=token)


def test_the_turns_deadline_comes_first(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made")
    with pytest.raises(TurnTimedOut):
        run(database, ENDLESS, seconds=30, cancel=CancelToken(SystemClock(), 0.2))


def test_all_connections_busy(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made", pool_size=1)
    with database._pool.connection(1):
        fails(database, "SELECT 1", "execute.busy", seconds=0.05)
    assert run(database, "SELECT 1").table.num_rows == 1


def test_connections_are_reused_and_closed(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made", pool_size=1)
    with database._pool.connection(1) as first:
        pass
    with database._pool.connection(1) as second:
        assert second is first
    database.close()
    with pytest.raises(sqlite3.ProgrammingError):
        first.execute("SELECT 1")


def test_locked(make: MakeDatabase) -> None:
    path = make(TICKS)
    database = SqliteDatabase(path, "made", busy_seconds=0)
    run(database, "SELECT 1")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    fails(database, "SELECT n FROM ticks", "execute.locked")
    writer.execute("ROLLBACK")
    assert run(database, "SELECT n FROM ticks WHERE n = 1").table.num_rows == 1
    writer.close()


def test_the_file_is_deleted_or_replaced(make: MakeDatabase, tmp_path: Path) -> None:
    path = make("CREATE TABLE t(a); INSERT INTO t VALUES ('old')")
    database = SqliteDatabase(path, "made")
    run(database, "SELECT a FROM t")
    other = sqlite3.connect(tmp_path / "other.db")
    other.executescript("CREATE TABLE t(a); INSERT INTO t VALUES ('new')")
    other.close()
    (tmp_path / "other.db").replace(path)
    assert run(database, "SELECT a FROM t").table.to_pylist() == [{"a": "new"}]
    path.unlink()
    fails(database, "SELECT a FROM t", "execute.database_gone")


def test_a_table_that_was_dropped_since(make: MakeDatabase) -> None:
    path = make('CREATE TABLE t(a, "odd name"); CREATE TABLE u(b)')
    database = SqliteDatabase(path, "made")
    writer = sqlite3.connect(path)
    writer.executescript('ALTER TABLE t DROP COLUMN "odd name"; DROP TABLE u')
    writer.close()
    fails(database, "SELECT b FROM u", "execute.schema_changed")
    # It must not turn into the text 'odd name'.
    fails(database, 'SELECT "odd name" FROM t', "execute.schema_changed")


def test_damage_in_the_middle_of_the_file(make: MakeDatabase) -> None:
    path = make(TICKS)
    database = SqliteDatabase(path, "made")
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xee" * (len(content) - 8192)
    path.write_bytes(content)
    fails(database, "SELECT sum(length(body)) FROM ticks", "execute.corrupt")


def test_integer_overflow_is_told_in_words(make: MakeDatabase) -> None:
    path = make("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (9223372036854775807), (1)")
    error = fails(SqliteDatabase(path, "made"), "SELECT sum(a) FROM t", "execute.failed")
    assert "integer overflow" in error.message


def test_text_that_is_not_utf8(make: MakeDatabase) -> None:
    database = SqliteDatabase(
        make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('é'), (CAST(x'ff41' AS TEXT))"), "made"
    )
    assert run(database, "SELECT a FROM t").table.column("a").to_pylist() == ["é", "\ufffdA"]
    assert run(database, "SELECT a FROM t WHERE a = 'é'").table.column("a").to_pylist() == ["é"]


def test_many_threads_share_the_pool(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made", pool_size=2)
    found: list[Any] = []

    def ask(number: int) -> None:
        found.append((number, run(database, f"SELECT body FROM ticks WHERE n = {number}").table.column(0)[0].as_py()))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 17)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(found) == [(number, f"b{number}") for number in range(1, 17)]


def test_sql_of_another_dialect_is_not_sent(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(TICKS), "made")
    allowed = check("SELECT 1", database.catalog)
    object.__setattr__(allowed, "dialect", "postgres")
    with pytest.raises(ExecutionError) as caught:
        database.execute(allowed, limit=1, seconds=1)
    assert caught.value.code == "execute.dialect"
