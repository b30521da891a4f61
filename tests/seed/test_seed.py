from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from seed import DEMOS, build, content_hash
from seed.build import is_current

Databases = dict[str, Path]

# A change of data is a change of version: raise seed.build.VERSION together with these.
HASHES = {
    "shop": "3e198b0025ac98cf1b9bce513d7dda4fa86ae2d40f1a64fecf7d294d4e536690",
    "vega": "b2e4c1f18dfbd72571c90efc3c061feaa071e45c80203b510d485cc9d7df0ed1",
}

ROWS = {
    "vega": {
        "airports": 3376, "anscombe": 44, "antibiotic_tests": 48, "bacteria": 16, "barley": 120, "cars": 406, "companies": 5,
        "crimean_war_deaths": 72, "daily_prices": 44, "driving": 55, "employment": 2640, "hourly_temperatures": 17518,
        "iowa_electricity": 51, "iris": 150, "la_riots_deaths": 63, "seattle_weather": 1461, "sectors": 22, "stocks": 560,
        "wheat": 52,
    },
    "shop": {"countries": 23, "stores": 8, "categories": 14, "suppliers": 18, "products": 201, "employees": 87},
}  # fmt: skip


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("name", HASHES)
def test_the_data_are_the_same_everywhere(databases: Databases, name: str) -> None:
    assert content_hash(databases[name]) == HASHES[name]


def test_two_builds_are_the_same_to_the_byte(databases: Databases, tmp_path: Path) -> None:
    again = build(tmp_path)["vega"]
    assert again.read_bytes() == databases["vega"].read_bytes()


@pytest.mark.parametrize(("name", "table", "rows"), [(n, t, rows) for n, tables in ROWS.items() for t, rows in tables.items()])
def test_rows(databases: Databases, name: str, table: str, rows: int) -> None:
    assert query(databases[name], f"SELECT COUNT(*) FROM {table}") == [(rows,)]


@pytest.mark.parametrize("name", HASHES)
def test_keys_hold(databases: Databases, name: str) -> None:
    assert query(databases[name], "PRAGMA foreign_key_check") == []
    assert query(databases[name], "PRAGMA integrity_check") == [("ok",)]


def test_vega_has_no_flights(databases: Databases) -> None:
    assert query(databases["vega"], "SELECT name FROM sqlite_schema WHERE name LIKE '%flight%'") == []


# Each returns one number; the second part says what must be true of it.
SHOP_FACTS: list[tuple[str, Callable[[Any], bool]]] = [
    ("SELECT COUNT(*) FROM order_lines", lambda n: n >= 200_000),
    ("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", lambda n: n >= 9),
    ("SELECT MIN(ordered_on) FROM orders", lambda day: day == "2022-01-01"),
    ("SELECT MAX(ordered_on) FROM orders", lambda day: day == "2025-12-31"),
    ("SELECT COUNT(DISTINCT ordered_on) FROM orders", lambda n: n == (date(2026, 1, 1) - date(2022, 1, 1)).days),
    ("SELECT COUNT(*) FROM orders WHERE shipped_on IS NULL AND status IN ('completed', 'shipped', 'returned')", lambda n: n == 0),
    ("SELECT COUNT(*) FROM orders WHERE shipped_on IS NOT NULL AND status IN ('processing', 'cancelled')", lambda n: n == 0),
    ("SELECT COUNT(*) FROM orders WHERE (channel = 'store') <> (store_id IS NOT NULL)", lambda n: n == 0),
    ("SELECT COUNT(*) FROM orders WHERE (channel IN ('store', 'phone')) <> (employee_id IS NOT NULL)", lambda n: n == 0),
    ("SELECT COUNT(*) FROM orders JOIN customers ON customers.id = customer_id WHERE ordered_on < joined_on", lambda n: n == 0),
    (
        "SELECT COUNT(*) FROM orders JOIN employees ON employees.id = employee_id"
        " WHERE ordered_on NOT BETWEEN hired_on AND COALESCE(left_on, '9999-12-31') OR orders.store_id <> employees.store_id",
        lambda n: n == 0,
    ),
    (
        "SELECT COUNT(*) FROM orders WHERE (status = 'returned') <> EXISTS"
        " (SELECT 1 FROM order_lines JOIN returns ON order_line_id = order_lines.id WHERE order_id = orders.id)",
        lambda n: n == 0,
    ),
    (
        "SELECT COUNT(*) FROM returns JOIN order_lines ON order_lines.id = order_line_id WHERE returns.quantity > order_lines.quantity",
        lambda n: n == 0,
    ),
    # the price on the line is the price of that day, and prices did change
    (
        "SELECT COUNT(*) FROM order_lines JOIN orders ON orders.id = order_id LEFT JOIN price_history AS p"
        " ON p.product_id = order_lines.product_id AND ordered_on BETWEEN valid_from AND COALESCE(valid_to, '9999-12-31')"
        " WHERE p.price IS NOT unit_price",
        lambda n: n == 0,
    ),
    ("SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM price_history GROUP BY product_id)", lambda n: n > 2),
    (
        "SELECT COUNT(*) FROM products JOIN price_history AS p ON p.product_id = products.id AND valid_to IS NULL WHERE price <> list_price",
        lambda n: n == 0,
    ),
    ("SELECT COUNT(*) FROM employees WHERE manager_id IS NULL", lambda n: n == 1),
    ("SELECT COUNT(*) FROM (SELECT 1 FROM product_suppliers GROUP BY product_id HAVING COUNT(*) > 1)", lambda n: n > 20),
    ("SELECT COUNT(*) FROM customers WHERE name GLOB '*[一-龥]*'", lambda n: n > 300),
    ("SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)", lambda n: n > 100),
    (
        "SELECT MAX(ABS(paid - owed)) FROM (SELECT SUM(amount) AS paid, order_id FROM payments GROUP BY order_id) JOIN"
        " (SELECT orders.id, ROUND(SUM(quantity * unit_price * (1 - discount)), 2) + shipping_cost AS owed"
        " FROM orders JOIN order_lines ON order_id = orders.id GROUP BY orders.id) ON id = order_id",
        lambda difference: difference < 0.011,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "holds"), SHOP_FACTS, ids=[sql[:80] for sql, _ in SHOP_FACTS])
def test_shop_facts(databases: Databases, sql: str, holds: Callable[[Any], bool]) -> None:
    ((value,),) = query(databases["shop"], sql)
    assert holds(value), value


def test_orders_grow_every_year_and_peak_in_december(databases: Databases) -> None:
    years = [n for (n,) in query(databases["shop"], "SELECT COUNT(*) FROM orders GROUP BY SUBSTR(ordered_on, 1, 4)")]
    assert years == sorted(years) and len(years) == 4
    months = query(databases["shop"], "SELECT SUBSTR(ordered_on, 6, 2), COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC")
    assert months[0][0] == "12"


def test_a_second_build_touches_nothing(databases: Databases) -> None:
    directory = databases["shop"].parent
    before = {path: path.stat().st_mtime_ns for path in directory.iterdir()}
    assert build(directory) == databases
    assert {path: path.stat().st_mtime_ns for path in directory.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\x00" + b"\x00" * 200])
def test_a_broken_or_foreign_file_is_built_again(databases: Databases, tmp_path: Path, content: bytes) -> None:
    os.link(databases["shop"], tmp_path / "shop.sqlite")
    (tmp_path / "vega.sqlite").write_bytes(content)
    path = build(tmp_path)["vega"]
    assert is_current(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["shop.sqlite", "vega.sqlite"]


def test_a_demo_says_what_it_is() -> None:
    for demo in DEMOS:
        assert demo.glossary.is_file()
        assert set(demo.about) == {"en", "zh"} and all(demo.about.values())
        assert all(4 <= len(demo.questions[lang]) <= 6 for lang in ("en", "zh"))
