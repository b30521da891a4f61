"""The conditions of a plan, one by one, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from agents.catalog import Table
from agents.plan.ir import (
    And,
    ComparedPlan,
    CountPlan,
    DerivedPlan,
    Exists,
    Or,
    Plan,
    PortionPlan,
    Predicate,
    QuantilePlan,
    Select,
    SetPlan,
    SummaryPlan,
    TopPlan,
)

Condition: TypeAlias = tuple[Predicate, Mapping[str, Table]]
"""A condition that is neither AND nor OR, with the tables of its source by alias."""


def conditions(plan: Plan) -> Iterator[Condition]:
    """What rows must meet, in the plan's order; what is ruled out ("not in 2024") is not looked into."""
    match plan:
        case SetPlan(_, left, right):
            yield from conditions(left)
            yield from conditions(right)
        case CountPlan(inner) | DerivedPlan(inner) | QuantilePlan(inner) | TopPlan(inner) | ComparedPlan(inner):
            yield from conditions(inner)
        case SummaryPlan(inner):
            yield from conditions(inner)
        case PortionPlan(part):
            yield from conditions(part)
        case Select(source=source, where=where) if where is not None:
            yield from _parts(where, {ref.alias: ref.table for ref in source.refs()})


def _parts(predicate: Predicate, tables: Mapping[str, Table]) -> Iterator[Condition]:
    match predicate:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _parts(part, tables)
        case Exists(inner=inner):
            yield from conditions(inner)
        case _:
            yield predicate, tables
