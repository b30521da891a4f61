"""The picture of a schema: structure, kinds, keys, samples, and what happens with odd ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.catalog import ForeignKey, Kind
from agents.errors import ConnectionFailed
from app.databases.catalog import CatalogReport, load_catalog, take_catalog
from app.databases.samples import SampleBudget
from app.databases.sqlite import SqliteDatabase

MakeDatabase = Callable[[str], Path]


def _codes(report: CatalogReport) -> set[tuple[str, str, str]]:
    return {(warning.code, warning.table, warning.column) for warning in report.warnings}


def test_structure(make: MakeDatabase) -> None:
    report = take_catalog(
        make("""
        CREATE TABLE lines(doc INTEGER, line INTEGER, sku TEXT, qty INTEGER NOT NULL, PRIMARY KEY(doc, line))
            WITHOUT ROWID;
        CREATE TABLE returns(
            id INTEGER PRIMARY KEY, DOC INTEGER, line INTEGER, code TEXT UNIQUE, note,
            FOREIGN KEY(doc, line) REFERENCES LINES(doc, line)
        );
        CREATE TABLE people(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES people);
        CREATE UNIQUE INDEX one ON returns(code, note);
        CREATE UNIQUE INDEX partial ON lines(sku) WHERE qty > 0;
        CREATE UNIQUE INDEX expression ON lines(upper(sku));
        CREATE VIEW big AS SELECT sku FROM lines WHERE qty > 2;
        INSERT INTO lines VALUES (1, 1, 'A', 5), (1, 2, 'B', 3);
        INSERT INTO returns VALUES (1, 1, 1, 'x', NULL);
        """),
        "made",
    )
    catalog = report.catalog
    lines, returns, people, big = catalog.tables
    assert (lines.name, lines.primary_key, lines.unique_keys, lines.rows) == ("lines", ("doc", "line"), (), 2)
    assert [column.unique for column in lines.columns] == [False] * 4
    assert not lines.column("qty").nullable
    assert not lines.column("doc").nullable
    assert lines.column("sku").nullable
    assert returns.foreign_keys == (ForeignKey(("DOC", "line"), "lines", ("doc", "line")),)
    assert returns.unique_keys == (("code",), ("code", "note"))
    assert returns.column("code").unique
    assert returns.column("id").unique
    assert returns.column("note").type == ""
    assert people.foreign_keys == (ForeignKey(("boss",), "people", ("id",)),)
    assert (big.kind, big.rows, big.primary_key) == ("view", 2, ())
    assert report.warnings == ()


def test_odd_names_are_kept_exactly(make: MakeDatabase) -> None:
    catalog = take_catalog(
        make(
            '''
        CREATE TABLE "price list 2024"("Item name" TEXT, "VAT %" REAL, "in/out" TEXT, "a]b" TEXT);
        CREATE TABLE "order"("group" TEXT, "select" INTEGER);
        CREATE TABLE 门店销售(门店 TEXT, 销售额 REAL);
        CREATE TABLE "he said ""hi"""("a ""b""" TEXT, 'c''d' TEXT);
        CREATE TABLE "x%sy:z"(":p" TEXT, "?" TEXT);
        INSERT INTO "price list 2024" VALUES ('pen', 19, 'in', 'z');
        INSERT INTO "he said ""hi""" VALUES ('1', '2');
        INSERT INTO "x%sy:z" VALUES ('1', '2');
        '''
        ),
        "made",
    ).catalog
    assert [table.name for table in catalog.tables] == [
        "price list 2024",
        "order",
        "门店销售",
        'he said "hi"',
        "x%sy:z",
    ]
    assert [column.name for column in catalog.table("price list 2024").columns] == [
        "Item name",
        "VAT %",
        "in/out",
        "a]b",
    ]
    assert [column.name for column in catalog.table('he said "hi"').columns] == ['a "b"', "c'd"]
    assert catalog.table("X%SY:Z").column("?").samples == ("2",)
    assert catalog.table("PRICE LIST 2024").column("vat %").samples == (19.0,)


def test_broken_parts_are_left_out_with_a_warning(make: MakeDatabase) -> None:
    report = take_catalog(
        make("""
        CREATE TABLE a(id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES gone(id), c_id INTEGER REFERENCES a(missing));
        CREATE TABLE t(x);
        CREATE VIEW over_gone AS SELECT * FROM t;
        DROP TABLE t;
        CREATE VIEW fine AS SELECT id FROM a;
        """),
        "made",
    )
    assert [table.name for table in report.catalog.tables] == ["a", "fine"]
    assert report.catalog.table("a").foreign_keys == ()
    assert _codes(report) == {
        ("catalog.unreadable", "over_gone", ""),
        ("catalog.foreign_key_broken", "a", "b_id"),
        ("catalog.foreign_key_broken", "a", "c_id"),
    }


def test_virtual_tables_show_without_their_insides(make: MakeDatabase) -> None:
    catalog = take_catalog(
        make("""
        CREATE VIRTUAL TABLE notes USING fts5(title, body);
        INSERT INTO notes VALUES ('a', 'long text');
        CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
        """),
        "made",
    ).catalog
    assert [table.name for table in catalog.tables] == ["notes", "boxes"]
    assert [column.name for column in catalog.table("notes").columns] == ["title", "body"]
    assert catalog.table("notes").rows == 1


def test_generated_columns_and_cyclic_keys(make: MakeDatabase) -> None:
    catalog = take_catalog(
        make("""
        CREATE TABLE squads(id INTEGER PRIMARY KEY, lead_id INTEGER REFERENCES people(id));
        CREATE TABLE people(id INTEGER PRIMARY KEY, squad_id INTEGER REFERENCES squads(id),
            half INTEGER GENERATED ALWAYS AS (id / 2) VIRTUAL);
        INSERT INTO people(id) VALUES (4);
        """),
        "made",
    ).catalog
    assert catalog.table("people").column("half").samples == (2,)
    assert catalog.table("squads").foreign_keys[0].ref_table == "people"


def test_samples_are_few_distinct_and_short(make: MakeDatabase) -> None:
    report = take_catalog(
        make("""
        CREATE TABLE t(n INTEGER, long TEXT, raw BLOB, empty TEXT);
        WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 99)
            INSERT INTO t SELECT i % 20, hex(zeroblob(500)), x'00ff', '' FROM s;
        """),
        "made",
    )
    table = report.catalog.table("t")
    assert table.rows == 100
    assert table.column("n").samples == tuple(range(10))
    assert table.column("n").distinct == 20
    assert [len(str(sample)) for sample in table.column("long").samples] == [120]
    assert table.column("raw").samples == ()
    assert table.column("raw").kind is Kind.BLOB
    assert table.column("empty").samples == ()


HUGE = """
CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT, raw);
INSERT INTO notes VALUES (1, 'a', 'x', x'01'), (2, 'b', 'y', NULL), (4, 'd', 'z', 7);
INSERT INTO notes SELECT 3, 'c', hex(zeroblob(20000000)), zeroblob(40000000);
CREATE TABLE only(body TEXT); INSERT INTO only SELECT hex(zeroblob(20000000));
CREATE VIEW sorted AS SELECT body FROM notes ORDER BY length(body);
"""


def test_a_huge_cell_costs_its_own_sample_only(make: MakeDatabase) -> None:
    # Blobs are told by their type alone, so that their size does not matter.
    report = take_catalog(make(HUGE), "made")
    notes = report.catalog.table("notes")
    assert [(table.name, table.rows) for table in report.catalog.tables] == [
        ("notes", 4),
        ("only", 1),
        ("sorted", None),
    ]
    assert [column.samples for column in notes.columns] == [
        (1, 2, 3, 4),
        ("a", "b", "c", "d"),
        ("x", "y", "z"),
        (7,),
    ]
    assert report.catalog.table("only").column("body").kind is Kind.TEXT
    assert _codes(report) >= {
        ("catalog.cell_too_big", "notes", "body"),
        ("catalog.cell_too_big", "only", "body"),
    }


def test_a_look_at_few_rows_of_many_megabytes_ends_by_the_clock(make: MakeDatabase) -> None:
    path = make("CREATE TABLE t(a TEXT); INSERT INTO t SELECT hex(zeroblob(100000)) FROM (SELECT 1 UNION ALL SELECT 2)")
    report = take_catalog(path, "made", budget=SampleBudget(seconds=0))
    assert "t" in report.catalog
    assert _codes(report) == {("catalog.too_slow", "t", "")}


def test_doubts_are_told(make: MakeDatabase) -> None:
    report = take_catalog(
        make("""
        CREATE TABLE t(zip TEXT, price REAL, day DATE);
        INSERT INTO t VALUES ('01234', 1, '2024-01-02'), ('5', 2, '11.03.2024'), ('6', 3, NULL), ('7', 4, NULL),
            ('8', 5, NULL), ('9', 'n/a', NULL);
        """),
        "made",
    )
    assert [str(column.kind) for column in report.catalog.table("t").columns] == ["text", "decimal", "text"]
    assert _codes(report) == {
        ("catalog.numbers_as_text", "t", "zip"),
        ("catalog.text_among_numbers", "t", "price"),
        ("catalog.dates_not_iso", "t", "day"),
    }


def test_text_that_is_not_utf8_does_not_stop_the_catalog(make: MakeDatabase) -> None:
    catalog = take_catalog(make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES (CAST(x'ff41' AS TEXT))"), "made").catalog
    assert catalog.table("t").column("a").samples == ("\ufffdA",)


def test_a_view_that_takes_long_costs_its_samples_only(make: MakeDatabase) -> None:
    path = make("""
    CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1);
    CREATE VIEW endless AS WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s) SELECT count(*) AS n FROM s;
    """)
    report = take_catalog(path, "made", budget=SampleBudget(steps=50_000))
    assert report.catalog.table("endless").rows is None
    assert report.catalog.table("endless").column("n").samples == ()
    assert _codes(report) == {("catalog.too_slow", "endless", "")}


def test_row_counts_of_large_files_are_estimates(make: MakeDatabase) -> None:
    path = make("""
    CREATE TABLE a(x); INSERT INTO a VALUES (1), (2); CREATE TABLE b(x); INSERT INTO b VALUES (1), (2), (3);
    CREATE TABLE c(x PRIMARY KEY) WITHOUT ROWID; INSERT INTO c VALUES (1); CREATE TABLE d(x);
    CREATE INDEX ax ON a(x); ANALYZE a; INSERT INTO a VALUES (3);
    """)
    catalog = take_catalog(path, "made", budget=SampleBudget(count_bytes=0)).catalog
    assert [(table.name, table.rows) for table in catalog.tables] == [("a", 2), ("b", 3), ("c", None), ("d", 0)]


def test_a_thousand_tables(make: MakeDatabase) -> None:
    script = "".join(
        f"CREATE TABLE t{n}(id INTEGER PRIMARY KEY, name TEXT, up INTEGER REFERENCES t{max(0, n - 1)}(id));"
        for n in range(1_000)
    )
    assert len(take_catalog(make(f"BEGIN;{script}COMMIT"), "made").catalog.tables) == 1_000


def test_a_very_wide_table(make: MakeDatabase) -> None:
    columns = ", ".join(f"metric_{n:04d} INTEGER" for n in range(1_200))
    path = make(f"CREATE TABLE wide(id INTEGER, {columns}); INSERT INTO wide(id, metric_0777) VALUES (1, 778)")
    assert take_catalog(path, "made").catalog.table("wide").column("metric_0777").samples == (778,)


def test_equal_files_have_equal_catalogs(make: MakeDatabase) -> None:
    path = make("CREATE TABLE t(a TEXT, b REAL); INSERT INTO t VALUES ('x', 1.5)")
    first, second = take_catalog(path, "one").catalog, take_catalog(path, "two").catalog
    assert first.hash == second.hash
    assert first.tables == second.tables


def test_cache_is_used_until_the_file_changes(make: MakeDatabase, tmp_path: Path) -> None:
    path = make("CREATE TABLE t(a TEXT, b INTEGER REFERENCES u(id)); CREATE TABLE u(id INTEGER PRIMARY KEY);")
    cache = tmp_path / "cache"
    first = load_catalog(path, "one", cache_dir=cache)
    stored = next(cache.iterdir())
    before = stored.stat().st_mtime_ns
    again = load_catalog(path, "two", cache_dir=cache)
    assert again.catalog.tables == first.catalog.tables
    assert (again.catalog.name, again.warnings) == ("two", first.warnings)
    assert stored.stat().st_mtime_ns == before
    writer = sqlite3.connect(path)
    writer.executescript("CREATE TABLE v(c)")
    writer.close()
    assert "v" in load_catalog(path, "one", cache_dir=cache).catalog
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '{"stamp": 1}', "\x00"])
def test_a_broken_cache_is_ignored(content: str, make: MakeDatabase, tmp_path: Path) -> None:
    path = make("CREATE TABLE t(a TEXT)")
    cache = tmp_path / "cache"
    load_catalog(path, "one", cache_dir=cache)
    next(cache.iterdir()).write_text(content)
    assert "t" in load_catalog(path, "one", cache_dir=cache).catalog


def test_a_cache_that_cannot_be_written_costs_nothing(make: MakeDatabase, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "t" in load_catalog(make("CREATE TABLE t(a)"), "one", cache_dir=tmp_path / "file" / "cache").catalog


def test_refresh_sees_new_tables_and_survives_a_lost_file(make: MakeDatabase) -> None:
    path = make("CREATE TABLE t(a TEXT)")
    database = SqliteDatabase(path, "made")
    writer = sqlite3.connect(path)
    writer.executescript("CREATE TABLE later(b)")
    writer.close()
    assert "later" not in database.catalog
    assert "later" in database.refresh()
    path.write_bytes(b"no database any more, and long enough to have a header" * 20)
    with pytest.raises(ConnectionFailed):
        database.refresh()
    assert "later" in database.catalog
