"""First glossaries: what identifiers give away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.glossary import Glossary, load_glossary
from agents.glossary.draft import column_name, draft_glossary, drafted_aggregation, drafted_unit, table_name

NUMBER, REAL = Kind.INTEGER, Kind.DECIMAL

TABLES = [
    ("orders", "order"),
    ("tbl_ord_items", "order item"),
    ("OrderLines", "order line"),
    ("dim_customer", "customer"),
    ("t", "t"),
    ("订单", "订单"),
    ("emp_addr", "employee address"),
]

# name, kind, samples, shown name, unit, aggregation
COLUMNS: list[tuple[str, Kind, tuple[Any, ...], str, str | None, str | None]] = [
    ("weight_kg", REAL, (1.5,), "weight", "kg", "avg"),
    ("net_amt_eur", REAL, (), "net amount", "EUR", "sum"),
    ("unit_price", REAL, (), "unit price", None, "avg"),
    ("unit_cost_usd", REAL, (), "unit cost", "USD", "avg"),
    ("total_price", REAL, (), "total price", None, "sum"),
    ("qty", NUMBER, (), "quantity", None, "sum"),
    ("disc_pct", REAL, (0.1, 0.25), "disc percent", None, "avg"),
    ("vat_pct", NUMBER, (19, 7), "vat percent", "%", "avg"),
    ("area_m2", REAL, (), "area", "m²", "avg"),
    ("height_m", REAL, (), "height", "m", "avg"),
    ("m", REAL, (), "m", None, None),
    ("age", NUMBER, (), "age", None, "avg"),
    ("lead_time_days", NUMBER, (), "lead time", "days", "avg"),
    ("population", NUMBER, (), "population", None, "sum"),
    ("birth_year", NUMBER, (1980,), "birth year", None, None),
    ("customer_id", NUMBER, (), "customer id", None, None),
    ("size_kg", Kind.TEXT, (), "size kg", None, None),
    ("orderDate", Kind.DATE, (), "order date", None, None),
    ("金额_元", REAL, (), "金额", "CNY", "sum"),
    ("重量(kg)", REAL, (), "重量", "kg", "avg"),
    ("平均年龄", REAL, (), "平均年龄", None, "avg"),
    ("销售数量", NUMBER, (), "销售数量", None, "sum"),
    ("状态", Kind.TEXT, (), "状态", None, None),
]

DATES = [
    (["ordered_on", "shipped_on"], "ordered_on"),
    (["updated_at", "created_at"], "created_at"),
    (["birth_date", "hire_date", "left_on"], "hire_date"),
    (["birth_date"], "birth_date"),
    (["更新时间", "下单日期"], "下单日期"),
    ([], None),
]


@pytest.mark.parametrize(("identifier", "expected"), TABLES)
def test_names_of_tables(identifier: str, expected: str) -> None:
    assert table_name(identifier) == expected


@pytest.mark.parametrize(("name", "kind", "samples", "shown", "unit", "aggregation"), COLUMNS)
def test_columns(
    name: str, kind: Kind, samples: tuple[Any, ...], shown: str, unit: str | None, aggregation: str | None
) -> None:
    column = Column(name, "", kind, samples=samples)
    table = Table("things", (Column("id", "", NUMBER), column), primary_key=("id",))
    assert (column_name(column), drafted_unit(column), drafted_aggregation(table, column)) == (shown, unit, aggregation)


@pytest.mark.parametrize(("dates", "expected"), DATES)
def test_default_dates(dates: list[str], expected: str | None) -> None:
    table = Table("things", (Column("id", "", NUMBER), *(Column(name, "", Kind.DATE) for name in dates)))
    assert drafted(Catalog("c", "sqlite", (table,))).table("things").default_date == expected


def drafted(catalog: Catalog) -> Glossary:
    return load_glossary(draft_glossary(catalog), catalog)


def test_chinese_catalog() -> None:
    table = Table(
        "订单",
        (
            Column("订单号", "", NUMBER, comment="唯一编号"),
            Column("客户名称", "", Kind.TEXT),
            Column("金额_元", "", REAL),
        ),
        primary_key=("订单号",),
        comment="每单一行",
    )
    glossary = drafted(Catalog("仓库", "sqlite", (table,)))
    entry = glossary.table("订单")
    assert (entry.names.zh, entry.names.en, entry.label, entry.description.zh) == (
        ("订单",),
        (),
        "客户名称",
        "每单一行",
    )
    assert glossary.column("订单", "订单号").description.zh == "唯一编号"
    assert (glossary.currency, glossary.unit("订单", "金额_元")) == ("CNY", "CNY")


def test_every_guess_is_marked() -> None:
    table = Table(
        "ord_hdr",
        (Column("ord_dt", "", Kind.DATE), Column("name", "", Kind.TEXT), Column("amt_eur", "", REAL)),
        comment="Orders: one a row # all",
        rows=1200,
    )
    text = draft_glossary(Catalog("c", "sqlite", (table,)))
    assert text.startswith("# Draft")
    structure = ("tables:", "columns:", "names:", "description:", "#")
    assert [
        line for line in text.splitlines() if "# draft" not in line and not line.strip().startswith(structure)
    ] == []


@pytest.mark.parametrize(
    "names", [[], ["no", "yes", "null", "1", "a: b", "#x", "- y", "'", '"', "\n", " ", "😀", "{{", "<b>"]]
)
def test_odd_names_make_a_valid_draft(names: list[str]) -> None:
    tables = tuple(Table(name, tuple(Column(n, "", REAL) for n in names), comment=name) for name in names)
    catalog = Catalog("a\nb: c", "sqlite", tables)
    assert set(drafted(catalog).tables) == set(names)


def test_of_the_demos(demos: dict[str, Path]) -> None:
    from app.databases import open_database

    for name, path in demos.items():
        database = open_database(str(path), name=name, cache_dir=None)
        glossary = drafted(database.catalog)
        database.close()
        assert len(glossary.tables) == len(database.catalog.tables)
        if name == "shop":
            assert glossary.table("orders").default_date == "ordered_on"
            assert glossary.table("products").label == "name"
            assert glossary.column("products", "weight_kg").unit == "kg"
            assert glossary.column("payments", "amount").aggregation == "sum"
            assert glossary.column("order_lines", "unit_price").aggregation == "avg"


def test_names_of_two_currencies_keep_them_apart() -> None:
    table = Table(
        "t",
        (Column("price_eur", "", REAL), Column("price_usd", "", REAL)),
        foreign_keys=(ForeignKey(("x",), "y", ("z",)),),
    )
    glossary = drafted(Catalog("c", "sqlite", (table,)))
    assert (glossary.currency, glossary.unit("t", "price_eur"), glossary.unit("t", "price_usd")) == (None, "EUR", "USD")
