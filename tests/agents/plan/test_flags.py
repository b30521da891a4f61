"""Columns that say yes or no, names over two columns, phrases in quotes."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, Kind, Table
from agents.engine import Engine
from tests.agents.plan.reading import NOW, engine_over, sql_of

CATALOG = Catalog(
    "clinic",
    "sqlite",
    (
        Table(
            "medicines",
            (
                Column("id", "INTEGER", Kind.INTEGER),
                Column("name", "TEXT", Kind.TEXT),
                Column("FDA_approved", "TEXT", Kind.TEXT),
                Column("active", "BOOLEAN", Kind.BOOLEAN),
                Column("recalled", "TEXT", Kind.TEXT),
                Column("price", "REAL", Kind.DECIMAL),
            ),
            primary_key=("id",),
        ),
        Table(
            "staff",
            (
                Column("id", "INTEGER", Kind.INTEGER),
                Column("first_name", "TEXT", Kind.TEXT),
                Column("last_name", "TEXT", Kind.TEXT),
                Column("salary", "REAL", Kind.DECIMAL),
            ),
            primary_key=("id",),
        ),
        Table(
            "owners",
            (
                Column("id", "INTEGER", Kind.INTEGER),
                Column("first_name", "TEXT", Kind.TEXT),
                Column("surname", "TEXT", Kind.TEXT),
            ),
            primary_key=("id",),
        ),
    ),
)
VALUES = (
    ("medicines", "name", ("Aspirin", "Zinc")),
    ("medicines", "FDA_approved", ("Yes", "No")),
    ("medicines", "recalled", ("N",)),
    ("staff", "first_name", ("Linda", "Bob")),
    ("staff", "last_name", ("Smith", "Ray")),
    ("owners", "first_name", ("Linda", "Ann")),
    ("owners", "surname", ("Meyer",)),
)
READS = [
    ("Which medicines are FDA approved?", "SELECT name FROM medicines WHERE FDA_approved = 'Yes'"),
    ("medicines that are not FDA approved", "SELECT name FROM medicines WHERE FDA_approved = 'No'"),
    ("List medicines without FDA approved", "SELECT name FROM medicines WHERE FDA_approved = 'No'"),
    ("List the FDA approved medicines", "SELECT name FROM medicines WHERE FDA_approved = 'Yes'"),
    ("medicines whose FDA approved is yes", "SELECT name FROM medicines WHERE FDA_approved = 'Yes'"),
    ("names of medicines where FDA approved is No", "SELECT name FROM medicines WHERE FDA_approved = 'No'"),
    ("Which medicines are recalled?", "SELECT name FROM medicines WHERE recalled <> 'N'"),
    ("Which medicines are active?", "SELECT name FROM medicines WHERE active = TRUE"),
    ("medicines that are not active", "SELECT name FROM medicines WHERE active = FALSE"),
    ("medicines whose active is false", "SELECT name FROM medicines WHERE active = FALSE"),
    ("show the name and FDA approved of all medicines", "SELECT name, FDA_approved FROM medicines"),
    (
        "What is the salary of Linda Smith?",
        "SELECT salary FROM staff WHERE first_name = 'Linda' AND last_name = 'Smith'",
    ),
    ("salary of 'Linda Smith'", "SELECT salary FROM staff WHERE first_name = 'Linda' AND last_name = 'Smith'"),
    ("salary of “Smith, Linda”", "SELECT salary FROM staff WHERE last_name = 'Smith' AND first_name = 'Linda'"),
]


@pytest.fixture(scope="module", params=["", "currency: EUR\ntables: {staff: {names: {en: [staff]}}}"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Ranked by what was learned, and by the rules."""
    return engine_over(CATALOG, request.param, VALUES)


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_reads_as(engine: Engine, question: str, sql: str) -> None:
    assert sql_of(engine, question) == sql


@pytest.mark.parametrize(
    "question",
    ["how many FDA approved medicines are there?", "number of active medicines", "price of active medicines"],
)
def test_a_condition_is_never_counted(engine: Engine, question: str) -> None:
    assert " WHERE " in sql_of(engine, question)


@pytest.mark.parametrize(
    ("earlier", "fragment", "sql"),
    [
        ("number of medicines", "only those that are FDA approved", "FDA_approved = 'Yes'"),
        ("number of medicines", "and only the FDA approved ones", "FDA_approved = 'Yes'"),
        ("how many medicines are FDA approved", "and not approved?", "FDA_approved = 'No'"),
        ("number of medicines", "only those that are active", "active = TRUE"),
    ],
)
def test_a_follow_up_says_yes_or_no(engine: Engine, earlier: str, fragment: str, sql: str) -> None:
    assert engine.continues(fragment, (earlier,)) == (earlier,)
    best = engine.read_on(fragment, (earlier,), "en", NOW).candidates[0]
    assert " ".join(best.sql.split()) == f"SELECT COUNT(*) AS number_of_medicines FROM medicines WHERE {sql}"
