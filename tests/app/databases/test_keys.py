"""Keys that nobody declared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.databases.catalog import take_catalog

MakeDatabase = Callable[[str], Path]

CUSTOMERS = "CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1,'a'), (2,'b');"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (CUSTOMERS + "CREATE TABLE o(customer_id INTEGER); INSERT INTO o VALUES (1), (2), (NULL)", "customers.id"),
        (CUSTOMERS + "CREATE TABLE o(CustomerID INTEGER); INSERT INTO o VALUES (2)", "customers.id"),
        # values that are not there, other types, no values, a name that says nothing
        (CUSTOMERS + "CREATE TABLE o(customer_id INTEGER); INSERT INTO o VALUES (1), (7)", None),
        (CUSTOMERS + "CREATE TABLE o(customer_id TEXT); INSERT INTO o VALUES ('x')", None),
        (CUSTOMERS + "CREATE TABLE o(customer_id INTEGER)", None),
        (CUSTOMERS + "CREATE TABLE o(id INTEGER); INSERT INTO o VALUES (1)", None),
        (CUSTOMERS + "CREATE TABLE o(name TEXT); INSERT INTO o VALUES ('a')", None),
        # in a role, of one's own table too; not where two tables answer to the rest of the name
        (CUSTOMERS + "CREATE TABLE o(billing_customer_id INTEGER); INSERT INTO o VALUES (2)", "customers.id"),
        (CUSTOMERS + "CREATE TABLE o(noncustomer_id INTEGER); INSERT INTO o VALUES (2)", None),
        ("CREATE TABLE o(o_id INTEGER PRIMARY KEY, first_o_id INTEGER); INSERT INTO o VALUES (1, 1)", "o.o_id"),
        (
            "CREATE TABLE places(place_code TEXT PRIMARY KEY); INSERT INTO places VALUES ('A');"
            "CREATE TABLE place(place_code TEXT PRIMARY KEY); INSERT INTO place VALUES ('A');"
            "CREATE TABLE o(home_place_code TEXT); INSERT INTO o VALUES ('A')",
            None,
        ),
        # numbers kept as text
        (CUSTOMERS + "CREATE TABLE o(customer_id TEXT); INSERT INTO o VALUES ('1'), ('2')", "customers.id"),
        # the same name as exactly one key
        (
            "CREATE TABLE places(place_code TEXT PRIMARY KEY); INSERT INTO places VALUES ('A');"
            "CREATE TABLE o(place_code TEXT); INSERT INTO o VALUES ('A')",
            "places.place_code",
        ),
        (
            "CREATE TABLE p(place_code TEXT PRIMARY KEY); INSERT INTO p VALUES ('A');"
            "CREATE TABLE q(place_code TEXT PRIMARY KEY); INSERT INTO q VALUES ('A');"
            "CREATE TABLE o(place_code TEXT); INSERT INTO o VALUES ('A')",
            None,
        ),
        # the target is no key, or there is a declared key already
        ("CREATE TABLE customers(id INTEGER); INSERT INTO customers VALUES (1);"
         "CREATE TABLE o(customer_id INTEGER); INSERT INTO o VALUES (1)", None),
        (CUSTOMERS + "CREATE TABLE old_customers(id INTEGER PRIMARY KEY); INSERT INTO old_customers VALUES (1);"
         "CREATE TABLE o(customer_id INTEGER REFERENCES old_customers(id)); INSERT INTO o VALUES (1)", None),
        # a declared key that its own name contradicts
        (CUSTOMERS + "CREATE TABLE x(id INTEGER PRIMARY KEY); INSERT INTO x VALUES (1);"
         "CREATE TABLE o(customer_id INTEGER REFERENCES x(id)); INSERT INTO o VALUES (1)", "customers.id"),
        ("CREATE TABLE cities(id INTEGER PRIMARY KEY); INSERT INTO cities VALUES (1);"
         "CREATE TABLE o(city_id INTEGER); INSERT INTO o VALUES (1)", "cities.id"),
        ("CREATE TABLE boxes(id INTEGER PRIMARY KEY); INSERT INTO boxes VALUES (1);"
         "CREATE TABLE o(box_id INTEGER); INSERT INTO o VALUES (1)", "boxes.id"),
    ],
)  # fmt: skip
def test_inferred(script: str, expected: str | None, make: MakeDatabase) -> None:
    keys = [key for key in take_catalog(make(script), "made").catalog.table("o").foreign_keys if key.inferred]
    assert [f"{key.ref_table}.{key.ref_columns[0]}" for key in keys] == ([expected] if expected else [])
    assert all(key.reason.endswith("found there") for key in keys)
