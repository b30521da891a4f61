"""A small database with dirty data: nulls, text among numbers, equal names in two tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

SCRIPT = """
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, vip BOOLEAN, joined DATE);
CREATE TABLE orders(
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), amount REAL, qty INTEGER, status TEXT,
    "order date" TEXT, note TEXT
);
CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES staff(id));
CREATE VIEW city_totals AS
    SELECT c.city, SUM(o.amount) AS total FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.city;
INSERT INTO customers VALUES
    (1, 'Ada', 'Oslo', 1, '2023-01-05'), (2, 'Bo', 'Rome', 0, '2023-02-10'), (3, 'Cy', NULL, 0, '2024-03-01'),
    (4, 'Di', 'Oslo', 1, NULL);
INSERT INTO orders VALUES
    (1, 1, 10.5, 2, 'paid', '2023-01-10', NULL), (2, 1, 20, 1, 'open', '2023-05-02', '{"a": {"b": [1, 2]}}'),
    (3, 2, 7.25, 3, 'paid', '2024-01-15', 'x;y'), (4, 2, NULL, NULL, NULL, NULL, 'DROP TABLE'),
    (5, 3, -4, 5, 'PAID', '2024-02-29', ''), (6, NULL, 99, 7, 'open', '2024-12-31', '5');
INSERT INTO staff VALUES (1, 'Root', NULL), (2, 'Mid', 1), (3, 'Leaf', 2), (4, 'Leaf', 2);
"""


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Path of the database; tests only read it."""
    path = tmp_path_factory.mktemp("scratch") / "scratch.db"
    connection = sqlite3.connect(path)
    connection.executescript(SCRIPT)
    connection.close()
    return path
