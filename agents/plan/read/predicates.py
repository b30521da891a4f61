"""Drafted conditions become predicates of the plan."""

from __future__ import annotations

from agents.catalog import Catalog, Table
from agents.language.ir import ColumnTarget
from agents.language.times import TimeRange
from agents.plan.graph import KeyGraph
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
    PlanError,
    Predicate,
    Scalar,
    Select,
    Source,
    TableRef,
    Within,
)
from agents.plan.read.calendar import whole_years
from agents.plan.read.draft import AbsenceDraft, FilterDraft, HavingDraft


def condition(draft: FilterDraft, left: ColumnRef, table: Table | None = None) -> Predicate:
    """One drafted condition on ``left``; ``table`` is its table, for comparisons with all of its rows."""
    inner = _positive(draft, left, table)
    if not draft.negated:
        return inner
    if isinstance(inner, Compare) and inner.op is Operator.EQ:
        return Compare(inner.left, Operator.NE, inner.right)
    return Not(inner)


def _positive(draft: FilterDraft, left: ColumnRef, table: Table | None) -> Predicate:
    if draft.null:
        return IsNull(left)
    if draft.time is not None:
        return _time(draft.time, left)
    if draft.like is not None:
        return Like(left, str(draft.value), draft.like)
    if draft.values:
        if len(draft.values) == 1:
            return Compare(left, Operator.EQ, draft.values[0])
        return OneOf(left, draft.values)
    assert draft.op is not None
    if draft.against is not None:
        inner = TableRef(f"{left.alias}_all", table) if table is not None else None
        if inner is None:
            raise PlanError("no table to take the average of")
        whole = ColumnRef(inner.alias, left.column, left.kind)
        parts = [
            condition(f, ColumnRef(inner.alias, column.name, column.kind), table)
            for f in draft.against_where
            if isinstance(f.target, ColumnTarget) and (column := inner.table.column(f.target.column))
        ]
        where = None if not parts else parts[0] if len(parts) == 1 else And(tuple(parts))
        item = Item(Aggregate(draft.against, whole), "all")
        same = None
        if draft.against_same is not None:
            inside, outside = (inner.table.column(name) for name in draft.against_same)
            same = (
                ColumnRef(inner.alias, inside.name, inside.kind),
                ColumnRef(left.alias, outside.name, outside.kind),
            )
        return Compare(left, draft.op, Scalar(Select(Source(inner), (item,), where=where), same))
    if draft.other is not None:
        return Compare(left, draft.op, ColumnRef(draft.other.table, draft.other.column, left.kind))
    assert draft.value is not None
    if draft.upper is not None:
        # "between 5 and 10" includes both ends.
        return And((Compare(left, Operator.GE, draft.value), Compare(left, Operator.LE, draft.upper)))
    return Compare(left, draft.op, draft.value)


def _time(time: TimeRange, left: ColumnRef) -> Predicate:
    if left.kind.is_time:
        return Within(left, time.start, time.end)
    years = whole_years(time)
    if years is None or not left.kind.is_number:
        raise PlanError(f"{left.column} does not hold dates")
    first, last = years
    if first is not None and last is not None and last - first == 1:
        return Compare(left, Operator.EQ, first)
    return Within(left, first, last)


def having(draft: HavingDraft, measure: Aggregate | Metric) -> Predicate:
    if draft.upper is not None:
        return And((Compare(measure, Operator.GE, draft.value), Compare(measure, Operator.LE, draft.upper)))
    return Compare(measure, draft.op, draft.value)


def belongs(join: Join, left: TableRef, right: TableRef, inner: Select) -> Exists:
    """Whether ``inner``, which goes over ``right``, has a row for the row of ``left``, by all columns of the key."""
    pairs = [
        (ColumnRef(left.alias, outer.name, outer.kind), ColumnRef(right.alias, own.name, own.kind))
        for outer, own in zip(
            (left.table.column(name) for name in join.left_columns),
            (right.table.column(name) for name in join.right_columns),
            strict=True,
        )
    ]
    (outer, own), *further = pairs
    return Exists(outer, inner, own, tuple(further))


def absence(draft: AbsenceDraft, source: Source, catalog: Catalog, graph: KeyGraph) -> Predicate:
    """Rows of the source without (or with) a row in another table: a correlated EXISTS over the key between them.

    :raises PlanError: when no key leads to that table.
    """
    for ref in source.refs():
        ways = graph.sources(ref.table.name, [draft.table.table])
        if not ways or not ways[0].joins:
            continue
        first, *rest = ways[0].joins
        taken = {r.alias for r in source.refs()}
        alias = first.right.alias
        while alias in taken:
            alias += "_2"
        inner_root = TableRef(alias, first.right.table)
        if alias != first.right.alias and rest:
            continue
        item = Item(Aggregate(Function.COUNT, None), "count")
        inner = Select(Source(inner_root, tuple(rest)), (item,))
        exists = belongs(first, ref, inner_root, inner)
        return Not(exists) if draft.negated else exists
    raise PlanError(f"no key leads to {draft.table.table}")
