"""Distinct stored texts, under a budget."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from app.databases.sqlite import SqliteDatabase
from app.databases.values import ColumnValues, distinct_values

MakeDatabase = Callable[[str], Path]

SCRIPT = """
CREATE TABLE t(n INTEGER, city TEXT, day TEXT, prose TEXT, mixed);
INSERT INTO t VALUES (1, 'Oslo', '2024-01-01', hex(zeroblob(60)), 'a'),
    (2, 'Rome', '2024-01-02', hex(zeroblob(70)), 'b'),
    (3, 'Oslo', NULL, NULL, 'c'), (4, '  ', NULL, NULL, 'd'), (5, NULL, NULL, NULL, x'00'), (6, '', NULL, NULL, 'e');
CREATE TABLE u(name TEXT);
WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 50) INSERT INTO u SELECT 'name ' || i FROM s;
CREATE VIEW v AS SELECT city FROM t;
"""


def test_texts_of_tables_without_prose_dates_and_blanks(make: MakeDatabase) -> None:
    found = distinct_values(SqliteDatabase(make(SCRIPT), "made"))
    assert found[0] == ColumnValues("t", "city", ("Oslo", "Rome"), True)
    assert [(entry.table, entry.column, len(entry.values), entry.complete) for entry in found[1:]] == [
        ("t", "mixed", 5, True),
        ("u", "name", 50, True),
    ]


def test_budgets(make: MakeDatabase) -> None:
    database = SqliteDatabase(make(SCRIPT), "made")
    few = distinct_values(database, per_column=4)
    assert [(len(entry.values), entry.complete) for entry in few] == [(2, True), (4, False), (4, False)]
    # Each column gets an equal share of what the smaller ones left: 2 of 6, 2 of 4, 2 of 2.
    little = distinct_values(database, total=6)
    assert [(len(entry.values), entry.complete) for entry in little] == [(2, True), (2, False), (2, False)]
    # What the small columns leave goes to the large one.
    enough = distinct_values(database, total=57)
    assert [(len(entry.values), entry.complete) for entry in enough] == [(2, True), (5, True), (50, True)]
    none = distinct_values(database, total=0)
    assert [(len(entry.values), entry.complete) for entry in none] == [(0, False)] * 3
    ticks = iter(range(0, 1000, 20))
    late = distinct_values(database, seconds=30, monotonic=lambda: next(ticks))
    assert [entry.complete for entry in late] == [True, False, False]


def test_cached_until_the_file_changes(make: MakeDatabase, tmp_path: Path) -> None:
    path = make(SCRIPT)
    database = SqliteDatabase(path, "made", cache_dir=tmp_path / "cache")
    first = distinct_values(database)
    assert distinct_values(database) == first
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO t(city) VALUES ('Pisa')")
    writer.commit()
    writer.close()
    assert "Pisa" in distinct_values(database)[0].values


def test_columns_that_are_switched_off_are_neither_read_nor_cached(make: MakeDatabase, tmp_path: Path) -> None:
    database = SqliteDatabase(make(SCRIPT), "made", cache_dir=tmp_path / "cache")
    some = distinct_values(database, skip=frozenset({("T", "City")}))
    assert [(entry.table, entry.column) for entry in some] == [
        ("t", "prose"),
        ("t", "mixed"),
        ("u", "name"),
    ]
    assert "Oslo" not in "".join(path.read_text() for path in (tmp_path / "cache").glob("values*"))
    assert [entry.column for entry in distinct_values(database)] == ["city", "mixed", "name"]


def test_read_again_on_request(make: MakeDatabase, tmp_path: Path) -> None:
    database = SqliteDatabase(make(SCRIPT), "made", cache_dir=tmp_path / "cache")
    first = distinct_values(database)
    kept = next((tmp_path / "cache").glob("values*"))
    kept.write_text(kept.read_text().replace("Oslo", "Bergen"))
    assert "Bergen" in distinct_values(database)[0].values
    assert distinct_values(database, fresh=True) == first
    assert distinct_values(database) == first


def test_a_cell_too_large_to_load_ends_its_column_only(make: MakeDatabase) -> None:
    script = """
    CREATE TABLE t(a TEXT, b TEXT); INSERT INTO t VALUES ('w', 'y'), ('x', 'y');
    INSERT INTO t SELECT hex(zeroblob(20000000)), 'z';
    """
    # The driver reads one row ahead: the value before the large one goes with it.
    assert distinct_values(SqliteDatabase(make(script), "made")) == (
        ColumnValues("t", "a", ("w",), False),
        ColumnValues("t", "b", ("y", "z"), True),
    )
