"""What a statement says, clause by clause, in a form that does not depend on how it is written.

Aliases are resolved to ``table.column`` in lower case, branches of set operations and subqueries are poured together, a
positive ``IN (SELECT …)`` or ``EXISTS`` counts as a join, ``BETWEEN`` as two comparisons, a list as one for each value.
Only good for saying how two statements differ: equal facts do not mean equal results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Shown:
    """One selected or sorted expression: the aggregate around it (or nothing) and what is inside."""

    aggregate: str
    inner: str
    distinct: bool = False

    def __str__(self) -> str:
        return f"{self.aggregate}({'distinct ' * self.distinct}{self.inner})" if self.aggregate else self.inner


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """A comparison: left side, operator, and the value as text, the other column, or what a subquery selects in ()."""

    subject: str
    operator: str
    value: str
    is_text: bool = False


@dataclass(slots=True)
class Facts:
    """Everything that a statement says.

    :ivar columns: ``table.column`` of every reference, joins included.
    :ivar joins: pairs of columns; ``outer`` tells whether any join is an outer one.
    :ivar select: of the outermost block, the first branch of a set operation.
    :ivar nesting: kinds of subqueries: ``without``, ``both``, ``either``, ``value``, ``from``.
    :ivar order: sort keys of all blocks with their direction (true is descending); ``limits`` beside them.
    """

    tables: set[str] = field(default_factory=set)
    columns: set[str] = field(default_factory=set)
    joins: set[frozenset[str]] = field(default_factory=set)
    outer: bool = False
    select: list[Shown] = field(default_factory=list)
    distinct: bool = False
    conditions: set[Condition] = field(default_factory=set)
    ors: int = 0
    group: set[str] = field(default_factory=set)
    having: set[Condition] = field(default_factory=set)
    order: list[tuple[Shown, bool]] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    nesting: list[str] = field(default_factory=list)


def columns_made_equal(mine: Facts, other: Facts) -> dict[str, str]:
    """Columns that joins make equal, each with the one that stands for all of its kind.

    Joins count that both statements make, or one of them between tables which the other does not join.
    A pair that the other statement joins differently is a difference and makes nothing equal.
    """
    equal = {pair for pair in mine.joins & other.joins if len(pair) == 2}
    for joins, others in ((mine.joins, other.joins), (other.joins, mine.joins)):
        joined = {_tables(pair) for pair in others}
        equal |= {pair for pair in joins - others if len(pair) == 2 and _tables(pair) not in joined}
    root: dict[str, str] = {}
    for pair in sorted(map(sorted, equal)):
        first, second = (_root(root, column) for column in pair)
        if first != second:
            root[max(first, second)] = min(first, second)
    return {column: _root(root, column) for column in root}


def _root(root: Mapping[str, str], column: str) -> str:
    while column in root:
        column = root[column]
    return column


def _tables(pair: frozenset[str]) -> frozenset[str]:
    return frozenset(column.rpartition(".")[0] for column in pair)
