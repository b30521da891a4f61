"""When an answer says where the data ends."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pytest

from agents.catalog import Catalog, Column, Kind, Table
from agents.errors import ExecutionError
from agents.glossary import Glossary
from agents.language.values import ValueIndex
from agents.nodes.base import Tools
from agents.nodes.coverage import edge_of, ranges
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    Compare,
    CountPlan,
    Exists,
    Function,
    Item,
    Not,
    Operator,
    Or,
    Predicate,
    Select,
    Source,
    TableRef,
    Within,
)
from agents.ports import CancelToken, Connection, Limits, Retrieval, Rows
from agents.sql.allowed import AllowedSql

NOW = datetime(2026, 11, 30, 10)
ORDERS = Table(
    "orders",
    (
        Column("id", "INTEGER", Kind.INTEGER),
        Column("ordered_on", "DATE", Kind.DATE),
        Column("year", "INTEGER", Kind.INTEGER, samples=(2001, 2002)),
    ),
    primary_key=("id",),
)
DAY, YEAR, ID = (ColumnRef("orders", c.name, c.kind) for c in (ORDERS.columns[1], ORDERS.columns[2], ORDERS.columns[0]))


class Clock:
    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


class NoSearch:
    def search(self, question: str, *, limit: int = 24) -> Retrieval:
        return Retrieval((), "none")


class Ends:
    """A database that knows the first and the last value, or has no time to look."""

    def __init__(self, first: object, last: object) -> None:
        self.catalog = Catalog("small", "sqlite", (ORDERS,))
        self._values = {"MIN": first, "MAX": last}

    def execute(self, sql: AllowedSql, *, limit: int, seconds: float, cancel: CancelToken | None = None) -> Rows:
        assert 0 < seconds <= 0.5
        value = next(value for function, value in self._values.items() if function in sql.text)
        if isinstance(value, Exception):
            raise value
        return Rows(pa.table({"edge": [value]}), False, 0.0)


def select(where: Predicate) -> Select:
    return Select(Source(TableRef("orders", ORDERS)), (Item(Aggregate(Function.COUNT, None), "count"),), where=where)


def day(start: str, end: str) -> Within:
    return Within(DAY, date.fromisoformat(start) if start else None, date.fromisoformat(end) if end else None)


SLOW = ExecutionError("execute.timeout", "Too slow.")

EDGES: list[tuple[str, Predicate, object, object, tuple[str, object] | None]] = [
    ("after the data", day("2026-11-01", "2026-12-01"), "2022-01-01", "2025-12-31", ("latest", "2025-12-31")),
    ("mostly after", day("2025-11-30", "2026-11-30"), "2022-01-01", "2025-12-31", ("latest", "2025-12-31")),
    ("covered", day("2025-01-01", "2026-01-01"), "2022-01-01", "2025-12-31", None),
    ("a few days short", day("2025-01-01", "2026-01-01"), "2022-01-01", "2025-12-20", None),
    ("a year that goes on", day("2026-01-01", "2027-01-01"), "2022-01-01", "2026-11-29", None),
    ("open, up to now", day("2024-01-01", ""), "2022-01-01", "2024-03-02", ("latest", "2024-03-02")),
    ("before the data", day("", "2021-01-01"), "2022-01-01", "2025-12-31", ("earliest", "2022-01-01")),
    ("mostly before", day("2020-01-01", "2023-01-01"), "2022-01-01", "2025-12-31", ("earliest", "2022-01-01")),
    ("months as their first days", day("2015-01-01", "2015-02-01"), "2006-01-01", "2015-01-01", None),
    (
        "one of two years",
        Or((day("2025-01-01", "2026-01-01"), day("2026-01-01", "2027-01-01"))),
        "2022-01-01",
        "2025-12-31",
        ("latest", "2025-12-31"),
    ),
    ("whole years", Compare(YEAR, Operator.EQ, 2020), 1931, 1932, ("latest", 1932)),
    ("a range of whole years", Within(YEAR, 1931, 1933), 1931, 1932, None),
    ("a number is no time", Compare(ID, Operator.EQ, 2020), 1931, 1932, None),
    ("what is ruled out", Not(day("2026-01-01", "2027-01-01")), "2022-01-01", "2025-12-31", None),
    ("no rows at all", day("2026-01-01", "2027-01-01"), None, None, None),
    ("no time to look", day("2026-01-01", "2027-01-01"), SLOW, SLOW, None),
    ("the end of time", day("2025-01-01", "2026-01-01"), "2022-01-01", "9999-12-31", None),
]


@pytest.mark.parametrize(("where", "first", "last", "expected"), [e[1:] for e in EDGES], ids=[e[0] for e in EDGES])
def test_edges(where: Predicate, first: object, last: object, expected: tuple[str, object] | None) -> None:
    database = Ends(first, last)
    glossary = Glossary()
    connection = Connection("small", database.catalog, glossary, database, NoSearch(), ValueIndex((), glossary))
    unused: Any = None
    tools = Tools(connection, unused, unused, Limits(), Clock(), CancelToken(Clock(), 60.0), unused)
    edge = edge_of(select(where), tools, NOW, "en", nothing=True)
    assert (None if edge is None else (edge.which, edge.value)) == expected


def test_ranges_inside_of_plans() -> None:
    inner = select(And((Compare(ID, Operator.GT, 5), day("2026-01-01", "2027-01-01"))))
    plan = CountPlan(select(Exists(ID, inner, ID)), "count")
    (found,) = ranges(plan)
    assert (found.column, found.start, found.end) == ("ordered_on", datetime(2026, 1, 1), datetime(2027, 1, 1))
