from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.glossary import Glossary, load_glossary
from seed import DEMOS, Demo

KINDS = {
    "INTEGER": Kind.INTEGER,
    "REAL": Kind.DECIMAL,
    "TEXT": Kind.TEXT,
    "DATE": Kind.DATE,
    "DATETIME": Kind.DATETIME,
    "BOOLEAN": Kind.BOOLEAN,
}


def catalog_of(path: Path, name: str) -> Catalog:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        tables = []
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall():
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            keys = connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()
            tables.append(
                Table(
                    table,
                    tuple(Column(c[1], c[2], KINDS[c[2]], nullable=not c[3]) for c in columns),
                    primary_key=tuple(c[1] for c in columns if c[5]),
                    foreign_keys=tuple(ForeignKey((k[3],), k[2], (k[4],)) for k in keys),
                )
            )
    return Catalog(name, "sqlite", tuple(tables))


@pytest.fixture(params=DEMOS, ids=lambda demo: demo.name)
def demo(request: pytest.FixtureRequest) -> Demo:
    chosen: Demo = request.param
    return chosen


@pytest.fixture
def catalog(demo: Demo, demos: dict[str, Path]) -> Catalog:
    return catalog_of(demos[demo.name], demo.name)


@pytest.fixture
def glossary(demo: Demo, catalog: Catalog) -> Glossary:
    return load_glossary(demo.glossary.read_text(encoding="utf-8"), catalog)


def test_every_table_and_column_has_a_name_in_both_languages(catalog: Catalog, glossary: Glossary) -> None:
    bare = []
    for table in catalog.tables:
        names = glossary.table(table.name).names
        if not (names.en and names.zh):
            bare.append(table.name)
        for column in table.columns:
            names = glossary.column(table.name, column.name).names
            # a number that only counts rows is nothing that people ask for
            if column.name != "id" and not (names.en and names.zh):
                bare.append(f"{table.name}.{column.name}")
    assert bare == []


def test_aliases_stand_for_stored_values(
    demo: Demo, catalog: Catalog, glossary: Glossary, demos: dict[str, Path]
) -> None:
    unknown = []
    with closing(sqlite3.connect(f"{demos[demo.name].as_uri()}?mode=ro", uri=True)) as connection:
        for table, column in catalog.columns():
            aliases = glossary.column(table.name, column.name).values
            stored = (
                {str(v) for (v,) in connection.execute(f'SELECT DISTINCT "{column.name}" FROM {table.name}')}
                if aliases
                else set()
            )
            if (table.name, column.name) == ("stores", "city"):
                continue  # shares its list with the cities of customers
            unknown += [f"{table.name}.{column.name}: {value}" for value in aliases if value not in stored]
    assert unknown == []


def test_an_alias_means_one_value_of_its_column(catalog: Catalog, glossary: Glossary) -> None:
    for table, column in catalog.columns():
        said = [
            word.lower() for words in glossary.column(table.name, column.name).values.values() for word in words.all()
        ]
        assert len(said) == len(set(said)), f"{table.name}.{column.name}"


def test_measures_have_names_in_both_languages_and_share_none(glossary: Glossary) -> None:
    said = [word for measure in glossary.measures.values() for word in measure.names.all()]
    assert len(said) == len(set(said))
    assert all(m.names.en and m.names.zh for m in glossary.measures.values())


def test_measures_run(demo: Demo, glossary: Glossary, demos: dict[str, Path]) -> None:
    sources = (
        "orders JOIN order_lines ON order_lines.order_id = orders.id"
        " LEFT JOIN returns ON returns.order_line_id = order_lines.id"
    )
    with closing(sqlite3.connect(f"{demos[demo.name].as_uri()}?mode=ro", uri=True)) as connection:
        for name, measure in glossary.measures.items():
            (value,) = connection.execute(
                f"SELECT {measure.expression} FROM {sources} WHERE order_id <= 3000"
            ).fetchone()
            assert value is not None and value > 0, name


def test_dates_and_labels_are_of_a_fitting_kind(catalog: Catalog, glossary: Glossary) -> None:
    for table in catalog.tables:
        entry = glossary.table(table.name)
        if entry.default_date:
            assert table.column(entry.default_date).kind.is_time, table.name
        if entry.label:
            assert table.column(entry.label).kind is Kind.TEXT, table.name
