"""The plan: a typed logical query from which SQL is made. Nodes validate themselves when they are built.

A plan is a :class:`Select` over a :class:`Source` (tables joined over keys), or a :class:`SetPlan` of two plans.
Expressions never name a column that their source lacks: building such a node raises :class:`PlanError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import TypeAlias

from agents.catalog import Kind, Table


class PlanError(ValueError):
    """A plan node that makes no sense: an unknown column, an empty projection, a negative limit."""


class Function(StrEnum):
    """Aggregate functions."""

    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"


class Operator(StrEnum):
    EQ = "="
    NE = "<>"
    GT = ">"
    GE = ">="
    LT = "<"
    LE = "<="


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of one of the source's table instances (``alias`` is the instance's name in the source)."""

    alias: str
    column: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Truncated:
    """A time column cut to a grain (``year``, ``quarter``, ``month``, ``week``, ``day``, ``hour``), or its recurring
    part
    (``weekday``, ``month_of_year``, ``hour_of_day``)."""

    column: ColumnRef
    grain: str


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``function(argument)``; ``argument`` is ``None`` for counting rows."""

    function: Function
    argument: ColumnRef | None
    distinct: bool = False

    def __post_init__(self) -> None:
        if self.argument is None and self.function is not Function.COUNT:
            raise PlanError(f"{self.function} needs an argument")


@dataclass(frozen=True, slots=True)
class Metric:
    """A glossary measure: an aggregate SQL expression over table instances, kept as text with qualified columns."""

    name: str
    sql: str
    columns: tuple[ColumnRef, ...]


Expr: TypeAlias = ColumnRef | Truncated | Aggregate | Metric
Value: TypeAlias = str | int | float | bool | date | datetime


@dataclass(frozen=True, slots=True)
class Scalar:
    """The single value of a sub-plan: one aggregate, no groups ("more than the average").

    :ivar same: a column of ``inner`` that must equal one of the query around it ("… of their own category").
    """

    inner: Select
    same: tuple[ColumnRef, ColumnRef] | None = None

    def __post_init__(self) -> None:
        if len(self.inner.items) != 1 or self.inner.group or not is_aggregate(self.inner.items[0].expr):
            raise PlanError("a scalar sub-plan projects one aggregate without groups")


@dataclass(frozen=True, slots=True)
class Compare:
    left: Expr
    op: Operator
    right: Value | ColumnRef | Scalar


@dataclass(frozen=True, slots=True)
class OneOf:
    """``left IN (values)``; text is compared as stored."""

    left: Expr
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise PlanError("an empty list of values")


@dataclass(frozen=True, slots=True)
class Within:
    """A half-open range of time or numbers: ``start <= left < end``; either end may be open."""

    left: Expr
    start: Value | None
    end: Value | None

    def __post_init__(self) -> None:
        if self.start is None and self.end is None:
            raise PlanError("a range without ends")


@dataclass(frozen=True, slots=True)
class Like:
    """Text that starts with, ends with or contains a piece, letter case ignored."""

    left: ColumnRef
    piece: str
    where: str  # "starts", "ends", "contains"


@dataclass(frozen=True, slots=True)
class IsNull:
    left: ColumnRef


@dataclass(frozen=True, slots=True)
class Not:
    inner: Predicate


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether ``inner`` has a row whose ``inner_column`` equals the outer ``outer_column`` (anti-join when negated by
    :class:`Not`); NULL keys never match, so "never ordered" is right even where the key may be NULL.

    :ivar further: of a key of several columns, the other pairs of outer and inner column.
    """

    outer: ColumnRef
    inner: Select
    inner_column: ColumnRef
    further: tuple[tuple[ColumnRef, ColumnRef], ...] = ()


Predicate: TypeAlias = Compare | OneOf | Within | Like | IsNull | Not | And | Or | Exists


@dataclass(frozen=True, slots=True)
class TableRef:
    """An instance of a catalog table; ``alias`` is unique in its source."""

    alias: str
    table: Table


@dataclass(frozen=True, slots=True)
class Join:
    """``right`` joined to what is already there: ``left_columns`` of ``left_alias`` equal ``right_columns`` of
    ``right``.

    :ivar many: whether one row on the left can meet several on the right (the fan-out side).
    :ivar outer: keep left rows without a match.
    :ivar where: what rows of ``right`` must meet to match; it must name columns of ``right`` only.
    """

    left_alias: str
    left_columns: tuple[str, ...]
    right: TableRef
    right_columns: tuple[str, ...]
    many: bool
    outer: bool = False
    inferred: bool = False
    where: Predicate | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Tables joined over keys, starting at ``root``."""

    root: TableRef
    joins: tuple[Join, ...] = ()

    def __post_init__(self) -> None:
        seen = {self.root.alias: self.root.table}
        for join in self.joins:
            if join.right.alias in seen:
                raise PlanError(f"table instance {join.right.alias!r} twice")
            if join.left_alias not in seen:
                raise PlanError(f"join from unknown instance {join.left_alias!r}")
            for table, columns in ((seen[join.left_alias], join.left_columns), (join.right.table, join.right_columns)):
                for column in columns:
                    if column not in table:
                        raise PlanError(f"no column {column!r} in {table.name!r}")
            for used in column_refs(join.where):
                if used.alias != join.right.alias or used.column not in join.right.table:
                    raise PlanError(f"a join to {join.right.alias!r} on {used.alias}.{used.column}")
            seen[join.right.alias] = join.right.table

    def refs(self) -> Iterator[TableRef]:
        yield self.root
        for join in self.joins:
            yield join.right


@dataclass(frozen=True, slots=True)
class Item:
    """One projected expression. ``label`` is shown to people; ``unit`` goes with its numbers."""

    expr: Expr
    label: str
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    expr: Expr
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """One query block.

    :ivar items: what is projected, in the order asked.
    :ivar group: what the rows are grouped by; with an aggregate and no group the answer is one row.
    :ivar group_keys: further grouping columns that are not shown (the key behind a name that may repeat).
    :ivar offset: rows of the order that are passed over ("the second highest").
    """

    source: Source
    items: tuple[Item, ...]
    where: Predicate | None = None
    group: tuple[Expr, ...] = ()
    group_keys: tuple[ColumnRef, ...] = ()
    having: Predicate | None = None
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: bool = False
    offset: int = 0

    def __post_init__(self) -> None:
        if not self.items:
            raise PlanError("nothing is projected")
        if self.limit is not None and self.limit < 1:
            raise PlanError("a limit below one")
        if self.offset and (self.limit is None or not self.order):
            raise PlanError("a place in a ranking needs an order and a limit")
        tables = {ref.alias: ref.table for ref in self.source.refs()}
        parts = (self.items, self.where, self.group, self.group_keys, self.having, self.order)
        for column in column_refs(parts):
            if column.alias not in tables or column.column not in tables[column.alias]:
                raise PlanError(f"no column {column.alias}.{column.column} in this source")


class SetOperator(StrEnum):
    UNION = "union"
    INTERSECT = "intersect"
    EXCEPT = "except"


@dataclass(frozen=True, slots=True)
class SetPlan:
    op: SetOperator
    left: Select
    right: Select

    def __post_init__(self) -> None:
        if len(self.left.items) != len(self.right.items):
            raise PlanError("the two sides have different columns")


@dataclass(frozen=True, slots=True)
class CountPlan:
    """How many rows a sub-plan has: "how many customers have more than 10 orders" counts groups, not rows."""

    inner: Select
    label: str


class Derivation(StrEnum):
    """What is made of a measure once the groups are there."""

    SHARE = "share"
    RUNNING = "running"
    MOVING = "moving"
    GROWTH = "growth"
    DIFFERENCE = "difference"
    RATIO = "ratio"


@dataclass(frozen=True, slots=True)
class DerivedPlan:
    """A grouped sub-plan with one more column computed from its measures.

    Shares are percent of the sum over all rows. Running sums go over the rows in order of the period; moving averages
    and growth match periods by the calendar, never by row: a missing month has no growth and is no part of an average.

    :ivar inner: the groups; no order, no limit.
    :ivar measure: place of the measure in ``inner.items``; ``second`` that of the other one of a difference or ratio.
    :ivar period: place of the period; the other groups are kept apart.
    :ivar step: what growth compares with: ``previous`` period or the same one a ``year`` earlier.
    :ivar window: periods of a moving average.
    """

    inner: Select
    kind: Derivation
    label: str
    measure: int
    second: int | None = None
    period: int | None = None
    step: str = "previous"
    window: int = 0
    unit: str | None = None

    @property
    def place(self) -> int:
        """Where the further column is shown: growth behind everything, the others before the measure they are made of,
        because they are what was asked for."""
        return len(self.inner.items) if self.kind is Derivation.GROWTH else self.measure

    def __post_init__(self) -> None:
        if not is_aggregate(self.inner.items[self.measure].expr):
            raise PlanError("a derived column needs a measure")
        if self.kind in (Derivation.RUNNING, Derivation.MOVING, Derivation.GROWTH):
            period = None if self.period is None else self.inner.items[self.period].expr
            if not isinstance(period, Truncated):
                raise PlanError(f"{self.kind} needs a period")
        if self.kind in (Derivation.DIFFERENCE, Derivation.RATIO) and self.second is None:
            raise PlanError(f"{self.kind} needs two measures")
        if self.kind is Derivation.MOVING and self.window < 2:
            raise PlanError("a moving average needs a window")


@dataclass(frozen=True, slots=True)
class QuantilePlan:
    """A quantile (0.5 is the median) per group, linearly interpolated between the two nearest values (definition 7 of
    Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).

    :ivar inner: rows, not groups: what they are grouped by, then the value as the last item.
    """

    inner: Select
    fraction: float
    label: str
    unit: str | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.fraction <= 1.0:
            raise PlanError("a quantile lies between 0 and 1")


@dataclass(frozen=True, slots=True)
class TopPlan:
    """The first ``count`` rows of each group; rows that tie with the last of them are kept.

    :ivar groups: places of what the groups are. :ivar by: place of what is ranked by.
    """

    inner: Select
    groups: tuple[int, ...]
    by: int
    descending: bool
    count: int

    def __post_init__(self) -> None:
        if not self.groups or self.count < 1:
            raise PlanError("the first of each group need a group and a number")


@dataclass(frozen=True, slots=True)
class ComparedPlan:
    """One measure in two periods, and the change in percent (none where there was nothing before)."""

    current: Select
    previous: Select
    labels: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PortionPlan:
    """How many percent of the ``whole`` the ``part`` is; both give one number."""

    part: Plan
    whole: Plan
    label: str


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """One figure over the groups of a sub-plan: the average number of orders per customer.

    :ivar inner: the groups; no order, no limit. :ivar measure: place of what is put together in ``inner.items``.
    """

    inner: Select
    function: Function
    measure: int
    label: str
    unit: str | None = None

    def __post_init__(self) -> None:
        if not self.inner.group or not is_aggregate(self.inner.items[self.measure].expr):
            raise PlanError("a figure over groups needs groups and a measure")


Plan: TypeAlias = (
    Select | SetPlan | CountPlan | DerivedPlan | QuantilePlan | TopPlan | ComparedPlan | PortionPlan | SummaryPlan
)


def block_of(plan: Plan) -> Select:
    """The query block that says what a plan is about."""
    match plan:
        case SetPlan(_, left):
            return left
        case CountPlan(inner) | DerivedPlan(inner) | QuantilePlan(inner) | TopPlan(inner) | SummaryPlan(inner):
            return inner
        case ComparedPlan(current):
            return current
        case PortionPlan(part):
            return block_of(part)
        case Select():
            return plan


def column_refs(node: object) -> Iterator[ColumnRef]:
    """Every column that a node reads in its own source, sub-plans left out."""
    if isinstance(node, ColumnRef):
        yield node
    elif isinstance(node, Exists):
        yield node.outer
        yield from (outer for outer, _ in node.further)
    elif isinstance(node, Scalar):
        return
    elif isinstance(node, tuple):
        for part in node:
            yield from column_refs(part)
    elif is_dataclass(node) and not isinstance(node, (Source, type)):
        for field in fields(node):
            yield from column_refs(getattr(node, field.name))


def is_aggregate(expr: Expr) -> bool:
    return isinstance(expr, (Aggregate, Metric))
