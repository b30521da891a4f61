"""Keys of several columns: what is there, what is not, and conditions on what belongs to a thing."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, ForeignKey, Kind, Table
from agents.engine import Engine
from tests.agents.plan.conftest import column
from tests.agents.plan.reading import engine_over, sql_of

KEY = ("carrier", "number")
FLIGHTS = Catalog(
    "air",
    "sqlite",
    (
        Table("flights", (column("carrier", Kind.TEXT), column("number"), column("gate", Kind.TEXT)), primary_key=KEY),
        Table(
            "delays",
            (column("id"), column("carrier", Kind.TEXT), column("number"), column("minutes")),
            primary_key=("id",),
            foreign_keys=(ForeignKey(KEY, "flights", KEY),),
        ),
    ),
)

BOTH = "delays.carrier = flights.carrier AND delays.number = flights.number"
READS = [
    ("how many flights have no delays", f"FROM flights WHERE NOT EXISTS(SELECT 1 FROM delays WHERE {BOTH})"),
    ("flights without delays", f"FROM flights WHERE NOT EXISTS(SELECT 1 FROM delays WHERE {BOTH})"),
    (
        "how many flights have delays with minutes above 50",
        f"FROM flights WHERE EXISTS(SELECT 1 FROM delays WHERE delays.minutes > 50 AND {BOTH})",
    ),
    ("number of delays by gate", "JOIN flights ON delays.carrier = flights.carrier AND delays.number = flights.number"),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return engine_over(FLIGHTS, "", ())


@pytest.mark.parametrize(("question", "expected"), READS)
def test_keys_of_two_columns(engine: Engine, question: str, expected: str) -> None:
    assert expected in sql_of(engine, question)
