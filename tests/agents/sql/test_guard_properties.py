"""Whatever the guard lets through changes nothing, even with every lock open, and means what it meant."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.catalog import Catalog
from agents.errors import GuardRejected
from agents.sql.guard import check
from app.databases.catalog import take_catalog

FRAGMENTS = [
    "SELECT", "*", "name", "id", "FROM", "customers", "orders", "WHERE", "id = 1", "UNION ALL",
    "SELECT id FROM staff", "(", ")", ",", ";", "--", "/*", "*/", "/*!", "'", '"', "WITH t AS (",
    "DELETE FROM orders", "UPDATE orders SET qty = 0", "RETURNING *", "INSERT INTO staff VALUES (9, 'x', 1)",
    "REPLACE INTO staff VALUES (1, 'y', 1)", "DROP TABLE staff", "CREATE TABLE z(a)", "ATTACH 'z.db' AS z",
    "PRAGMA user_version = 7", "VACUUM", "load_extension('x')", "writefile('z', 'z')", "INTO", "ORDER BY 1",
    "LIMIT 1", "BEGIN", "COMMIT", "AS", "t", "JOIN", "ON 1", "EXPLAIN", "COUNT(*)",
    "pragma_table_info('staff')", "sqlite_master", "main.", "temp.", "randomblob(9)", "[", "]", "`", "\\",
    "\n", "$$", "VALUES (1)", "REINDEX", "ANALYZE",
]  # fmt: skip


@pytest.fixture(scope="module")
def catalog(scratch: Path) -> Catalog:
    return take_catalog(scratch, "scratch").catalog


@pytest.fixture(scope="module")
def open_copy(scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A copy that may be written to, with nothing that would stop a write."""
    path = tmp_path_factory.mktemp("open") / "copy.db"
    path.write_bytes(scratch.read_bytes())
    connection = sqlite3.connect(path, isolation_level=None)
    yield path, connection
    connection.close()


def _digest(folder: Path) -> str:
    content = {entry.name: hashlib.sha256(entry.read_bytes()).hexdigest() for entry in sorted(folder.iterdir())}
    return repr(content)


def _run(connection: sqlite3.Connection, sql: str) -> list[tuple[object, ...]] | str:
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.Error as error:
        return type(error).__name__


def _check_harmless(sql: str, catalog: Catalog, copy: tuple[Path, sqlite3.Connection]) -> None:
    path, connection = copy
    try:
        allowed = check(sql, catalog)
    except GuardRejected:
        return
    before = _digest(path.parent)
    _run(connection, allowed.text)
    assert not connection.in_transaction
    assert _digest(path.parent) == before


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sql=st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12).map(" ".join))
@example(sql="WITH t AS ( DELETE FROM orders RETURNING * ) SELECT * FROM t")
@example(sql="SELECT id FROM staff ; DELETE FROM orders")
@example(sql="SELECT '/*' ; DELETE FROM orders -- */'")
def test_stitched_statements_change_no_byte(
    sql: str, catalog: Catalog, open_copy: tuple[Path, sqlite3.Connection]
) -> None:
    _check_harmless(sql, catalog, open_copy)


_SEEDS = [
    "SELECT name, COUNT(*) FROM customers JOIN orders ON customers.id = customer_id GROUP BY name LIMIT 3",
    "WITH t AS (SELECT id FROM staff) SELECT * FROM t UNION SELECT id FROM orders",
    "DELETE FROM orders WHERE id IN (SELECT id FROM staff)",
    "INSERT INTO staff SELECT id + 100, name, 1 FROM customers",
]


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    words = draw(st.sampled_from(_SEEDS)).split(" ")
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(words)))
        match draw(st.sampled_from(["insert", "drop", "swap", "text"])):
            case "insert":
                words.insert(place, draw(st.sampled_from(FRAGMENTS)))
            case "drop" if words:
                words.pop(min(place, len(words) - 1))
            case "text":
                words.insert(place, draw(st.text(alphabet="'\"`;-/*!()[]\\ aé中\n\x00", max_size=4)))
            case _:
                words.reverse()
    return " ".join(words)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sql=_mutated())
def test_mutated_statements_change_no_byte(
    sql: str, catalog: Catalog, open_copy: tuple[Path, sqlite3.Connection]
) -> None:
    _check_harmless(sql, catalog, open_copy)


_LEAVES = st.sampled_from(
    [
        "id",
        "amount",
        "qty",
        "status",
        "note",
        "customer_id",
        "1",
        "2",
        "0",
        "-3",
        "2.5",
        "'paid'",
        "'5'",
        "''",
        "NULL",
        "TRUE",
    ]
)
_INFIX = st.sampled_from(
    [*"+ - * / % || = == <> != < <= > >= IS AND OR & | << >> LIKE GLOB".split(), "IS NOT", "NOT LIKE", "NOT GLOB"]
)


def _wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        # No parentheses of its own: precedence must survive.
        st.tuples(inner, _INFIX, inner).map(" ".join),
        inner.map("({})".format),
        inner.map("NOT {}".format),
        inner.map("- {}".format),
        inner.map("~ {}".format),
        inner.map("{} IS NOT NULL".format),
        inner.map("{} NOTNULL".format),
        inner.map("{} ISNULL".format),
        inner.map("{} COLLATE NOCASE".format),
        inner.map("CAST({} AS INTEGER)".format),
        inner.map("CAST({} AS NUMERIC)".format),
        inner.map("CAST({} AS TEXT)".format),
        inner.map("ABS({})".format),
        inner.map("TYPEOF({})".format),
        st.tuples(inner, inner).map(lambda pair: f"MOD({pair[0]}, {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"IFNULL({pair[0]}, {pair[1]})"),
        st.tuples(inner, inner, inner).map(lambda three: f"{three[0]} BETWEEN {three[1]} AND {three[2]}"),
        st.tuples(inner, inner, inner).map(lambda three: f"{three[0]} NOT IN ({three[1]}, {three[2]})"),
        st.tuples(inner, inner, inner).map(lambda three: f"CASE WHEN {three[0]} THEN {three[1]} ELSE {three[2]} END"),
        st.tuples(inner, inner).map(lambda pair: f"CASE {pair[0]} WHEN {pair[1]} THEN 1 END"),
    )


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(expression=st.recursive(_LEAVES, _wider, max_leaves=8))
@example(expression="NOT qty IS NOT NULL = 1")
@example(expression="qty IS NOT NULL + 1")
@example(expression="1 - - qty")
@example(expression="- - qty")
def test_expressions_keep_their_meaning(
    expression: str, catalog: Catalog, open_copy: tuple[Path, sqlite3.Connection]
) -> None:
    sql = f"SELECT {expression} FROM orders ORDER BY orders.id"
    try:
        allowed = check(sql, catalog)
    except GuardRejected:
        return
    connection = open_copy[1]
    assert _run(connection, allowed.text) == _run(connection, sql)
