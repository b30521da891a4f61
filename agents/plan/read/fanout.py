"""Fan-out: a join that repeats rows must not make a measure count twice. It is settled here, or refused.

The three ways out, in this order: a table that only conditions need, behind a join to many, becomes an EXISTS and no
longer repeats anything; a count of rows becomes a count of different keys; minimum, maximum and counts of different
values
do not mind. A sum or an average over repeated rows is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from agents.plan.checks import Check
from agents.plan.graph import repeaters, reroot, sides
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    Function,
    Item,
    Join,
    Metric,
    Not,
    Predicate,
    Select,
    Source,
    TableRef,
)
from agents.plan.read.draft import FilterDraft
from agents.plan.read.predicates import belongs, condition

if TYPE_CHECKING:
    from agents.plan.read.compile import Compiler


class FanOut(ValueError):
    """A measure would be counted more than once.

    :ivar measure: its name, the column that it puts together (``table.column``), or its table.
    :ivar base: the table whose rows it goes over. :ivar tables: those that have several rows for one of ``base``.
    """

    def __init__(self, measure: str, base: str, tables: tuple[str, ...]) -> None:
        super().__init__(f"{measure} would be counted once per row of {', '.join(tables)}")
        self.measure = measure
        self.base = base
        self.tables = tables


@dataclass(frozen=True, slots=True)
class SemiJoins:
    """Branches of the join tree that were cut off: each is asked for by EXISTS. ``inside`` are the tables in them."""

    branches: tuple[tuple[Join, tuple[Join, ...]], ...] = ()
    inside: frozenset[str] = frozenset()

    def predicates(
        self, filters: list[FilterDraft], compiler: Compiler, absent: frozenset[str] = frozenset()
    ) -> list[Predicate]:
        """One EXISTS per branch, holding the branch's conditions.

        A negated condition is a branch of its own that must not exist: "not reviewed by Ann" has no review by Ann,
        which
        is not the same as a review by somebody else.

        :param absent: tables whose rows must be missing altogether: a branch through one of them must not exist.
        """
        found: list[Predicate] = []
        for first, rest in self.branches:
            tables = {first.right.alias, *(join.right.alias for join in rest)}
            inside = [f for f in filters if f.target is not None and f.target.table in tables]
            if tables & absent:
                found.append(Not(self._exists(first, rest, inside, compiler)))
                continue
            unwanted = [f for f in inside if f.negated and not f.null]
            wanted_filters = [f for f in inside if f not in unwanted]
            for one in unwanted:
                found.append(Not(self._exists(first, rest, [replace(one, negated=False)], compiler)))
            if not wanted_filters:
                continue
            for wanted in _each_value(wanted_filters):
                found.append(self._exists(first, rest, wanted, compiler))
        return found

    @staticmethod
    def _exists(first: Join, rest: tuple[Join, ...], filters: list[FilterDraft], compiler: Compiler) -> Predicate:
        conditions = [
            condition(f, compiler.ref(f.target), compiler.catalog.table(f.target.table))
            for f in filters
            if f.target is not None
        ]
        where = conditions[0] if len(conditions) == 1 else And(tuple(conditions)) if conditions else None
        item = Item(Aggregate(Function.COUNT, None), "count")
        inner = Select(Source(first.right, rest), (item,), where=where)
        left = TableRef(first.left_alias, compiler.catalog.table(first.left_alias))
        return belongs(first, left, first.right, inner)


def _each_value(filters: list[FilterDraft]) -> list[list[FilterDraft]]:
    """The conditions of one EXISTS, or of several where "both … and …" wants a row for each value."""
    both = next((f for f in filters if f.all_of and len(f.values) > 1), None)
    if both is None:
        return [filters]
    rest = [f for f in filters if f is not both]
    return [[*rest, replace(both, values=(value,), all_of=False)] for value in both.values]


def semi_join(source: Source, shown: set[str], filtered: set[str]) -> tuple[Source, SemiJoins]:
    """Cut branches that only conditions need and that would repeat rows off the join tree.

    :param shown: tables whose columns are shown, grouped, measured or ordered by.
    :param filtered: tables that conditions are about.
    """
    keep: list[Join] = []
    branches: list[tuple[Join, tuple[Join, ...]]] = []
    inside: set[str] = set()
    for position, join in enumerate(source.joins):
        if join.right.alias in inside:
            continue
        below = _below(source.joins[position:], join.right.alias)
        tables = {join.right.alias, *(j.right.alias for j in below)}
        if join.many and not (tables & shown) and tables & filtered:
            branches.append((join, below))
            inside |= tables
        else:
            keep.append(join)
    return Source(source.root, tuple(keep)), SemiJoins(tuple(branches), frozenset(inside))


def _below(joins: tuple[Join, ...], alias: str) -> tuple[Join, ...]:
    below: list[Join] = []
    reached = {alias}
    for join in joins:
        if join.left_alias in reached:
            below.append(join)
            reached.add(join.right.alias)
    return tuple(below)


def _same_when_repeated(metric: Metric) -> bool:
    """Whether rows that come twice change nothing: the measure counts different values, or takes the least or most."""
    parts = list(sqlglot.parse_one(metric.sql).find_all(exp.AggFunc))
    return all(
        isinstance(part, (exp.Min, exp.Max)) or (isinstance(part, exp.Count) and isinstance(part.this, exp.Distinct))
        for part in parts
    )


def settle(expr: Aggregate | Metric, base: str, source: Source, checks: list[Check]) -> Aggregate | Metric:
    """The measure as it must be computed in this source.

    :param base: the table whose rows it goes over.
    :raises FanOut: when rows of ``base`` would be repeated and the measure minds.
    """
    aliases = {ref.table.name: ref.alias for ref in source.refs()}
    alias = aliases[base]
    if not sides(source, alias):
        if len(source.joins) and not isinstance(expr, Metric):
            checks.append(Check("one_row", (base,)))
        elif len(source.joins):
            checks.append(Check("counted_once", (base,)))
        return expr
    if isinstance(expr, Metric):
        if _same_when_repeated(expr):
            checks.append(Check("by_key", (base,)))
            return expr
        raise FanOut(expr.name, base, repeaters(source, alias))
    if expr.function in (Function.MIN, Function.MAX) or expr.distinct:
        return expr
    if expr.function is Function.COUNT and expr.argument is None:
        table = reroot(source, alias).root.table
        if len(table.primary_key) == 1:
            key = table.column(table.primary_key[0])
            checks.append(Check("by_key", (base,)))
            return Aggregate(Function.COUNT, ColumnRef(alias, key.name, key.kind), distinct=True)
    column = expr.argument
    raise FanOut(f"{base}.{column.column}" if column is not None else base, base, repeaters(source, alias))
