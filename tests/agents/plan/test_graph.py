"""Joining over the key graph: shortest trees, ambiguity kept, fan-out seen from every side."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
from agents.plan.graph import KeyGraph, multiplied, reroot, sides

JOINS: list[tuple[str, tuple[str, ...], list[list[str]]]] = [
    ("orders", (), [[]]),
    ("orders", ("customers",), [["orders.customer_id = customers.id"]]),
    (
        "order lines",
        ("customers",),
        [["order lines.order_id = orders.id", "orders.customer_id = customers.id"]],
    ),
    (
        "customers",
        ("products",),
        [
            [
                "customers.id = orders.customer_id",
                "orders.id = order lines.order_id",
                "order lines.product_id = products.id",
            ]
        ],
    ),
    # Two keys to the same table are two readings, not a coin toss.
    (
        "flights",
        ("airports",),
        [["flights.origin_id = airports.id"], ["flights.destination_id = airports.id"]],
    ),
    ("orders", ("island",), []),
]


@pytest.mark.parametrize(("root", "terminals", "expected"), JOINS, ids=[f"{j[0]}+{'+'.join(j[1])}" for j in JOINS])
def test_sources(catalog: Catalog, root: str, terminals: tuple[str, ...], expected: list[list[str]]) -> None:
    sources = KeyGraph(catalog).sources(root, terminals)
    assert [
        [f"{j.left_alias}.{j.left_columns[0]} = {j.right.alias}.{j.right_columns[0]}" for j in s.joins] for s in sources
    ] == expected


FAN_OUT: list[tuple[str, tuple[str, ...], str, tuple[str, ...]]] = [
    ("orders", ("customers",), "orders", ()),
    ("orders", ("customers",), "customers", ("orders",)),
    ("order lines", ("customers", "products"), "order lines", ()),
    ("order lines", ("customers", "products"), "orders", ("order lines", "products")),
    ("customers", ("products",), "products", ("order lines", "orders", "customers")),
]


@pytest.mark.parametrize(("root", "terminals", "alias", "repeating"), FAN_OUT)
def test_the_tables_that_repeat_rows(
    catalog: Catalog, root: str, terminals: tuple[str, ...], alias: str, repeating: tuple[str, ...]
) -> None:
    (source,) = KeyGraph(catalog).sources(root, terminals)
    assert sides(source, alias) == repeating
    assert multiplied(source, alias) is bool(repeating)


def test_a_rerooted_tree_joins_the_same_tables(catalog: Catalog) -> None:
    (source,) = KeyGraph(catalog).sources("customers", ("products",))
    turned = reroot(source, "products")
    assert {ref.alias for ref in turned.refs()} == {ref.alias for ref in source.refs()}
    assert [join.many for join in turned.joins] == [True, False, False]
