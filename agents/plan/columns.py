"""What the result's columns are, told by the plan: label, kind, unit and role of each."""

from __future__ import annotations

from agents.artifacts import FrameColumn
from agents.catalog import Kind
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    ComparedPlan,
    CountPlan,
    DerivedPlan,
    Expr,
    Function,
    Metric,
    Plan,
    PortionPlan,
    QuantilePlan,
    Select,
    SummaryPlan,
    Truncated,
    block_of,
    is_aggregate,
)
from agents.sql.lower import output_names

_WHOLE_GRAINS = frozenset({"year", "weekday", "month_of_year", "hour_of_day", "day_of_month", "quarter_of_year"})
_DATE_GRAINS = frozenset({"day", "week"})


def frame_columns(plan: Plan) -> tuple[FrameColumn, ...]:
    """One description per projected expression, in order, named as the SQL names it."""
    if isinstance(plan, CountPlan):
        (name,) = output_names(plan)
        return (FrameColumn(name=name, label=plan.label, kind=Kind.INTEGER, role="measure"),)
    if isinstance(plan, SummaryPlan):
        (name,) = output_names(plan)
        return (FrameColumn(name=name, label=plan.label, kind=Kind.DECIMAL, unit=plan.unit, role="measure"),)
    if isinstance(plan, PortionPlan):
        (name,) = output_names(plan)
        return (FrameColumn(name=name, label=plan.label, kind=Kind.DECIMAL, unit="%", role="measure"),)
    if isinstance(plan, ComparedPlan):
        item = plan.current.items[0]
        units = (item.unit, item.unit, "%")
        kinds = (_kind(item.expr), _kind(item.expr), Kind.DECIMAL)
        return tuple(
            FrameColumn(name=name, label=label, kind=kind, unit=unit, role="measure")
            for name, label, kind, unit in zip(output_names(plan), plan.labels, kinds, units, strict=True)
        )
    select = block_of(plan)
    names = [*output_names(plan)]
    if isinstance(plan, QuantilePlan):
        groups = [column.model_copy(update={"role": "dimension"}) for column in _shown(select, names)[:-1]]
        value = FrameColumn(name=names[-1], label=plan.label, kind=Kind.DECIMAL, unit=plan.unit, role="measure")
        return (*groups, value)
    if isinstance(plan, DerivedPlan):
        name = names.pop(plan.place)
        described = [*_shown(select, names)]
        added = FrameColumn(name=name, label=plan.label, kind=Kind.DECIMAL, unit=plan.unit, role="measure")
        described.insert(plan.place, added)
        return tuple(described)
    return tuple(_shown(select, names))


def _shown(select: Select, names: list[str]) -> list[FrameColumn]:
    grouped = set(select.group)
    return [
        FrameColumn(
            name=name,
            label=item.label,
            kind=_kind(item.expr),
            unit=item.unit,
            role="measure" if is_aggregate(item.expr) else "dimension" if item.expr in grouped else "detail",
            grain=item.expr.grain if isinstance(item.expr, Truncated) else None,
        )
        for item, name in zip(select.items, names, strict=True)
    ]


def _kind(expr: Expr) -> Kind:
    match expr:
        case ColumnRef():
            return expr.kind
        case Truncated(_, grain):
            return Kind.INTEGER if grain in _WHOLE_GRAINS else Kind.DATE if grain in _DATE_GRAINS else Kind.TEXT
        case Metric():
            return Kind.DECIMAL
        case Aggregate(function, argument):
            if function is Function.COUNT or argument is None:
                return Kind.INTEGER
            return Kind.DECIMAL if function is Function.AVG else argument.kind
