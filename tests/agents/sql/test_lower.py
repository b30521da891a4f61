"""Lowering: plans as SQL text, pair by pair."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from agents.catalog import Column, ForeignKey, Kind, Table
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    Compare,
    Exists,
    Function,
    IsNull,
    Item,
    Join,
    Like,
    Metric,
    Not,
    OneOf,
    Operator,
    Or,
    Order,
    Plan,
    PlanError,
    Select,
    SetOperator,
    SetPlan,
    Source,
    TableRef,
    Truncated,
    Within,
)
from agents.sql.lower import lower, output_names


def column(name: str, kind: Kind) -> Column:
    return Column(name, kind.value.upper(), kind)


CARS = Table(
    "cars",
    (
        column("id", Kind.INTEGER),
        column("name", Kind.TEXT),
        column("order", Kind.INTEGER),
        column("built on", Kind.DATE),
        column("maker_id", Kind.INTEGER),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("maker_id",), "makers", ("id",)),),
)
MAKERS = Table("makers", (column("id", Kind.INTEGER), column("name", Kind.TEXT)), primary_key=("id",))

ONE = Source(TableRef("cars", CARS))
TWO = Source(TableRef("cars", CARS), (Join("cars", ("maker_id",), TableRef("makers", MAKERS), ("id",), many=False),))
NAME = ColumnRef("cars", "name", Kind.TEXT)
POWER = ColumnRef("cars", "order", Kind.INTEGER)
BUILT = ColumnRef("cars", "built on", Kind.DATE)
MAKER = ColumnRef("makers", "name", Kind.TEXT)
MAKER_ID = ColumnRef("cars", "maker_id", Kind.INTEGER)
COUNT = Aggregate(Function.COUNT, None)


def select(*exprs: object, source: Source = ONE, **rest: object) -> Select:
    items = tuple(Item(e, f"label {n}") if not isinstance(e, Item) else e for n, e in enumerate(exprs))  # type: ignore[arg-type]
    return Select(source, items, **rest)  # type: ignore[arg-type]


CASES: list[tuple[str, Plan, str]] = [
    ("a column", select(NAME), "SELECT name FROM cars"),
    ("reserved words and spaces are quoted", select(POWER, BUILT), 'SELECT "order", "built on" FROM cars'),
    ("a count", select(Item(COUNT, "number of cars")), "SELECT COUNT(*) AS number_of_cars FROM cars"),
    (
        "different values",
        select(Item(Aggregate(Function.COUNT, NAME, True), "names")),
        "SELECT COUNT(DISTINCT name) AS names FROM cars",
    ),
    (
        "a joined group, largest first, missing values last",
        select(
            MAKER,
            Item(Aggregate(Function.AVG, POWER), "average"),
            source=TWO,
            group=(MAKER,),
            order=(Order(Aggregate(Function.AVG, POWER), True),),
            limit=5,
        ),
        'SELECT makers.name, AVG(cars."order") AS average FROM cars JOIN makers ON cars.maker_id = makers.id '
        "GROUP BY makers.name ORDER BY average DESC LIMIT 5",
    ),
    (
        "ascending order keeps missing values last",
        select(NAME, order=(Order(POWER),)),
        'SELECT name FROM cars ORDER BY "order" NULLS LAST',
    ),
    (
        "months",
        select(Item(Truncated(BUILT, "month"), "month"), Item(COUNT, "n"), group=(Truncated(BUILT, "month"),)),
        """SELECT STRFTIME('%Y-%m', "built on") AS month, COUNT(*) AS n FROM cars """
        """GROUP BY STRFTIME('%Y-%m', "built on")""",
    ),
    (
        "years",
        select(Item(Truncated(BUILT, "year"), "year")),
        """SELECT CAST(STRFTIME('%Y', "built on") AS INTEGER) AS year FROM cars""",
    ),
    (
        "a half-open range of days",
        select(NAME, where=Within(BUILT, date(2023, 1, 1), date(2024, 1, 1))),
        """SELECT name FROM cars WHERE "built on" >= '2023-01-01' AND "built on" < '2024-01-01'""",
    ),
    (
        "a moment of the day",
        select(NAME, where=Within(BUILT, None, datetime(2023, 1, 1, 9, 30))),
        """SELECT name FROM cars WHERE "built on" < '2023-01-01 09:30:00'""",
    ),
    (
        "lists, negation, missing values, either",
        select(
            NAME,
            where=And(
                (
                    OneOf(NAME, ("a", "b'c")),
                    Not(IsNull(POWER)),
                    Or((Compare(POWER, Operator.GE, 3), Compare(POWER, Operator.LT, -1.5))),
                    Not(OneOf(NAME, ("x",))),
                )
            ),
        ),
        """SELECT name FROM cars WHERE name IN ('a', 'b''c') AND NOT "order" IS NULL AND """
        """("order" >= 3 OR "order" < -1.5) AND NOT name IN ('x')""",
    ),
    (
        "wildcards in a piece of text are plain characters",
        select(NAME, where=Like(NAME, "50%_a", "contains")),
        r"""SELECT name FROM cars WHERE name LIKE '%50\%\_a%' ESCAPE '\'""",
    ),
    (
        "a condition on groups",
        select(
            MAKER,
            source=TWO,
            group=(MAKER,),
            group_keys=(MAKER_ID,),
            having=Compare(COUNT, Operator.GT, 3),
        ),
        "SELECT makers.name FROM cars JOIN makers ON cars.maker_id = makers.id "
        "GROUP BY makers.name, cars.maker_id HAVING COUNT(*) > 3",
    ),
    (
        "none of them",
        Select(
            Source(TableRef("makers", MAKERS)),
            (Item(MAKER, "maker"),),
            where=Not(Exists(ColumnRef("makers", "id", Kind.INTEGER), Select(ONE, (Item(COUNT, "n"),)), MAKER_ID)),
        ),
        "SELECT makers.name FROM makers WHERE NOT EXISTS(SELECT 1 FROM cars WHERE cars.maker_id = makers.id)",
    ),
    (
        "a glossary measure",
        select(
            Item(
                Metric("ratio", "SUM(cars.order) / COUNT(cars.id)", (POWER, ColumnRef("cars", "id", Kind.INTEGER))),
                "ratio",
            )
        ),
        'SELECT SUM("order") / COUNT(id) AS ratio FROM cars',
    ),
    (
        "two sides",
        SetPlan(SetOperator.EXCEPT, select(NAME), select(NAME, where=IsNull(POWER))),
        'SELECT name FROM cars EXCEPT SELECT name FROM cars WHERE "order" IS NULL',
    ),
    (
        "equal labels stay apart",
        select(Item(COUNT, "n"), Item(COUNT, "N")),
        "SELECT COUNT(*) AS n, COUNT(*) AS n_2 FROM cars",
    ),
]


@pytest.mark.parametrize(("name", "plan", "expected"), CASES, ids=[c[0] for c in CASES])
def test_lowering(name: str, plan: Plan, expected: str) -> None:
    assert lower(plan, "sqlite").sql(dialect="sqlite") == expected


def test_names_follow_labels_in_any_script() -> None:
    assert output_names(select(Item(COUNT, "平均 马力"), Item(COUNT, "Größe (cm)"), Item(COUNT, "?"))) == (
        "平均_马力",
        "größe_cm",
        "value",
    )


REFUSED = {
    "a column of another table": lambda: select(MAKER),
    "a column that is not there": lambda: select(ColumnRef("cars", "wings", Kind.INTEGER)),
    "nothing": lambda: Select(ONE, ()),
    "a limit below one": lambda: select(NAME, limit=0),
    "a sum of nothing": lambda: Aggregate(Function.SUM, None),
    "an empty list": lambda: OneOf(NAME, ()),
    "a range without ends": lambda: Within(BUILT, None, None),
    "sides of different width": lambda: SetPlan(SetOperator.UNION, select(NAME), select(NAME, POWER)),
    "a table twice": lambda: Source(
        TableRef("cars", CARS), (Join("cars", ("id",), TableRef("cars", CARS), ("id",), many=False),)
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_node_that_makes_no_sense_is_not_built(name: str) -> None:
    with pytest.raises(PlanError):
        REFUSED[name]()
