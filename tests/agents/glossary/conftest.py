from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """Two tables with every kind that glossaries care about."""
    return Catalog(
        "shop",
        "sqlite",
        (
            Table(
                "orders",
                (
                    Column("id", "INTEGER", Kind.INTEGER),
                    Column("ordered_on", "DATE", Kind.DATE),
                    Column("year", "INTEGER", Kind.INTEGER),
                    Column("channel", "TEXT", Kind.TEXT, samples=("web", "shop")),
                    Column("amount", "REAL", Kind.DECIMAL),
                    Column("customer_id", "INTEGER", Kind.INTEGER, samples=(7, 12)),
                ),
                primary_key=("id",),
                foreign_keys=(ForeignKey(("customer_id",), "customers", ("id",)),),
            ),
            Table("customers", (Column("id", "INTEGER", Kind.INTEGER), Column("NO", "TEXT", Kind.TEXT))),
        ),
    )
