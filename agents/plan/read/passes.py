"""The passes that read roles off the items, in order. Each is small, looks only at what is still free, and marks what
it
used; the order is the tuple :data:`PASSES` and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from agents.plan.read.absences import read_absences
from agents.plan.read.aggregates import read_aggregates, read_implicit_measures
from agents.plan.read.amounts import read_amounts
from agents.plan.read.averages import read_averages, read_superiors
from agents.plan.read.comparisons import read_column_comparisons, read_comparisons, read_equalities
from agents.plan.read.compounds import read_compounds
from agents.plan.read.derived import read_derived, read_operands
from agents.plan.read.draft import Item, Reading
from agents.plan.read.exceptions import read_exceptions
from agents.plan.read.filters import read_alternatives, read_literals, read_times, read_values
from agents.plan.read.flags import read_flags
from agents.plan.read.groups import read_grains, read_groups
from agents.plan.read.orders import read_orders
from agents.plan.read.places import read_places
from agents.plan.read.projections import (
    read_defaults,
    read_flows,
    read_how_much,
    read_plain_list,
    read_projections,
    read_trend,
)
from agents.plan.read.quantified import read_quantified
from agents.plan.read.rankings import read_rankings

Pass = Callable[[Reading], None]

PASSES: tuple[Pass, ...] = (
    read_flags,
    read_compounds,
    read_quantified,
    read_amounts,
    read_averages,
    read_superiors,
    read_column_comparisons,
    read_comparisons,
    read_absences,
    read_operands,
    read_places,
    read_rankings,
    read_aggregates,
    read_orders,
    read_grains,
    read_groups,
    read_times,
    read_values,
    read_literals,
    read_equalities,
    read_exceptions,
    read_alternatives,
    read_implicit_measures,
    read_projections,
    read_how_much,
    read_flows,
    read_trend,
    read_plain_list,
    read_defaults,
    read_derived,
)


UNSUPPORTED = (
    "amount",
    "aggregate.median",
    "aggregate.stddev",
    "aggregate.variance",
    "average",
    "cumulative",
    "difference",
    "growth",
    "negation",
    "null",
    "percent",
    "rank",
    "ratio",
    "set.except",
    "set.neither",
)
"""Concepts that the plan cannot express yet. A reading that leaves one of them unused would answer another question."""


def unsupported(reading: Reading) -> Item | None:
    """A phrase that means something the plan cannot say, when the reading holds one."""
    return next(
        (
            i
            for i in reading.items
            if reading.free(i) and (i.is_concept(*UNSUPPORTED) or "correlation" in i.mention.text.lower())
        ),
        None,
    )


def read(reading: Reading) -> Reading:
    """Run every pass over the reading, in order; returns the same reading with its draft filled."""
    for one in PASSES:
        one(reading)
    return reading
