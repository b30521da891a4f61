"""A small catalog that the plan tests share: people order things, things have tags, staff report to staff."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table


def column(name: str, kind: Kind = Kind.INTEGER, *, unique: bool = False) -> Column:
    return Column(name, kind.value.upper(), kind, unique=unique)


CATALOG = Catalog(
    "small",
    "sqlite",
    (
        Table(
            "customers",
            (column("id"), column("name", Kind.TEXT), column("country", Kind.TEXT)),
            primary_key=("id",),
        ),
        Table(
            "orders",
            (column("id"), column("customer_id"), column("ordered_on", Kind.DATE), column("shipping", Kind.DECIMAL)),
            primary_key=("id",),
            foreign_keys=(ForeignKey(("customer_id",), "customers", ("id",)),),
        ),
        Table(
            "order lines",
            (column("order_id"), column("product_id"), column("quantity"), column("price", Kind.DECIMAL)),
            primary_key=("order_id", "product_id"),
            foreign_keys=(
                ForeignKey(("order_id",), "orders", ("id",)),
                ForeignKey(("product_id",), "products", ("id",)),
            ),
        ),
        Table(
            "products",
            (column("id"), column("name", Kind.TEXT, unique=True), column("group", Kind.TEXT)),
            primary_key=("id",),
        ),
        Table(
            "flights",
            (column("id"), column("origin_id"), column("destination_id")),
            primary_key=("id",),
            foreign_keys=(
                ForeignKey(("origin_id",), "airports", ("id",)),
                ForeignKey(("destination_id",), "airports", ("id",)),
            ),
        ),
        Table("airports", (column("id"), column("city", Kind.TEXT)), primary_key=("id",)),
        Table("island", (column("id"),)),
    ),
)


@pytest.fixture
def catalog() -> Catalog:
    return CATALOG
