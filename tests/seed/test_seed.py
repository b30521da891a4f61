from __future__ import annotations

import shutil
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
        "airports": 3376, "anscombe": 44, "antibiotic_tests": 48, "bacteria": 16, "barley": 120, "cars": 406,
        "companies": 5, "crimean_war_deaths": 72, "daily_prices": 44, "driving": 55, "employment": 2640,
        "hourly_temperatures": 17518, "iowa_electricity": 51, "iris": 150, "la_riots_deaths": 63,
        "seattle_weather": 1461, "sectors": 22, "stocks": 560, "wheat": 52,
    },
    "shop": {"countries": 23, "stores": 8, "categories": 14, "suppliers": 18, "products": 201, "employees": 87},
}  # fmt: skip


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("name", HASHES)
def test_the_data_are_the_same_everywhere(demos: Databases, name: str) -> None:
    assert content_hash(demos[name]) == HASHES[name]


def test_two_builds_are_the_same_to_the_byte(demos: Databases, tmp_path: Path) -> None:
    for name, path in build(tmp_path).items():
        assert path.read_bytes() == demos[name].read_bytes(), name


@pytest.mark.parametrize(
    ("name", "table", "rows"), [(n, t, rows) for n, tables in ROWS.items() for t, rows in tables.items()]
)
def test_rows(demos: Databases, name: str, table: str, rows: int) -> None:
    assert query(demos[name], f"SELECT COUNT(*) FROM {table}") == [(rows,)]


@pytest.mark.parametrize("name", HASHES)
def test_keys_hold(demos: Databases, name: str) -> None:
    assert query(demos[name], "PRAGMA foreign_key_check") == []
    assert query(demos[name], "PRAGMA integrity_check") == [("ok",)]


def test_vega_has_no_flights(demos: Databases) -> None:
    assert query(demos["vega"], "SELECT name FROM sqlite_schema WHERE name LIKE '%flight%'") == []


def check(demos: Databases, sql: str, holds: Callable[[Any], bool]) -> None:
    ((value,),) = query(demos["shop"], sql)
    assert holds(value), value


SHOP_FACTS: dict[str, Callable[[Any], bool]] = {
    "SELECT COUNT(*) FROM order_lines": lambda n: n >= 200_000,
    "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'": lambda n: n >= 9,
    "SELECT MIN(ordered_on) FROM orders": lambda day: day == "2022-01-01",
    "SELECT MAX(ordered_on) FROM orders": lambda day: day == "2025-12-31",
    "SELECT COUNT(DISTINCT ordered_on) FROM orders": lambda n: n == (date(2026, 1, 1) - date(2022, 1, 1)).days,
    "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM price_history GROUP BY product_id)": lambda n: n > 2,
    "SELECT COUNT(*) FROM employees WHERE manager_id IS NULL": lambda n: n == 1,
    "SELECT COUNT(*) - COUNT(DISTINCT product_id) FROM product_suppliers": lambda n: n > 20,
    "SELECT COUNT(*) FROM customers WHERE name GLOB '*[一-龥]*'": lambda n: n > 300,
    "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)": lambda n: n > 100,
}


@pytest.mark.parametrize(("sql", "holds"), SHOP_FACTS.items(), ids=[sql[:80] for sql in SHOP_FACTS])
def test_shop_facts(demos: Databases, sql: str, holds: Callable[[Any], bool]) -> None:
    check(demos, sql, holds)


# Rows that must not exist.
SHOP_VIOLATIONS = {
    "a shipped order without a shipping date": """
        orders WHERE shipped_on IS NULL AND status IN ('completed', 'shipped', 'returned')""",
    "a shipping date of an order that was not shipped": """
        orders WHERE shipped_on IS NOT NULL AND status IN ('processing', 'cancelled')""",
    "a store where there is none, or none where there is one": """
        orders WHERE (channel = 'store') <> (store_id IS NOT NULL)""",
    "a salesperson where there is none, or none where there is one": """
        orders WHERE (channel IN ('store', 'phone')) <> (employee_id IS NOT NULL)""",
    "an order before its customer joined": """
        orders JOIN customers ON customers.id = customer_id WHERE ordered_on < joined_on""",
    "an order taken by somebody who does not work there, or not any more": """
        orders JOIN employees ON employees.id = employee_id
        WHERE ordered_on NOT BETWEEN hired_on AND COALESCE(left_on, '9999-12-31')
        OR orders.store_id <> employees.store_id""",
    "a returned order without a return, or the other way round": """
        orders WHERE (status = 'returned') <> EXISTS (
          SELECT 1 FROM order_lines JOIN returns ON order_line_id = order_lines.id WHERE order_id = orders.id)""",
    "more returned than bought": """
        returns JOIN order_lines ON order_lines.id = order_line_id WHERE returns.quantity > order_lines.quantity""",
    "a line at another price than the one of that day": """
        order_lines JOIN orders ON orders.id = order_id
        LEFT JOIN price_history AS p ON p.product_id = order_lines.product_id
        AND ordered_on BETWEEN valid_from AND COALESCE(valid_to, '9999-12-31') WHERE p.price IS NOT unit_price""",
    "a list price that is not the last price": """
        products JOIN price_history AS p ON product_id = products.id WHERE valid_to IS NULL AND price <> list_price""",
    "payments that do not add up to the order": """
        (SELECT SUM(amount) AS paid, order_id FROM payments GROUP BY order_id) JOIN (
          SELECT orders.id, ROUND(SUM(quantity * unit_price * (1 - discount)), 2) + shipping_cost AS owed
          FROM orders JOIN order_lines ON order_id = orders.id GROUP BY orders.id
        ) ON id = order_id WHERE ABS(paid - owed) > 0.011""",
}


@pytest.mark.parametrize("rows", SHOP_VIOLATIONS.values(), ids=SHOP_VIOLATIONS)
def test_shop_holds_together(demos: Databases, rows: str) -> None:
    check(demos, f"SELECT COUNT(*) FROM {rows}", lambda n: n == 0)


def test_orders_grow_every_year_and_peak_in_december(demos: Databases) -> None:
    years = [n for (n,) in query(demos["shop"], "SELECT COUNT(*) FROM orders GROUP BY SUBSTR(ordered_on, 1, 4)")]
    assert years == sorted(years) and len(years) == 4
    months = query(
        demos["shop"], "SELECT SUBSTR(ordered_on, 6, 2), COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC"
    )
    assert months[0][0] == "12"


def test_a_second_build_touches_nothing(demos: Databases) -> None:
    directory = demos["shop"].parent
    before = {path: path.stat().st_mtime_ns for path in directory.iterdir()}
    assert build(directory) == demos
    assert {path: path.stat().st_mtime_ns for path in directory.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\x00" + b"\x00" * 200])
def test_a_broken_or_foreign_file_is_built_again(demos: Databases, tmp_path: Path, content: bytes) -> None:
    shutil.copyfile(demos["shop"], tmp_path / "shop.sqlite")
    (tmp_path / "vega.sqlite").write_bytes(content)
    path = build(tmp_path)["vega"]
    assert is_current(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["shop.sqlite", "vega.sqlite"]


def test_a_demo_says_what_it_is() -> None:
    for demo in DEMOS:
        assert demo.glossary.is_file()
        assert set(demo.about) == {"en", "zh"} and all(demo.about.values())
        assert all(4 <= len(demo.questions[lang]) <= 6 for lang in ("en", "zh"))
