"""Exceptions: "all films except those that cost more than 200", "everyone other than those from France"."""

from __future__ import annotations

from dataclasses import replace

from agents.plan.read.draft import Reading


def read_exceptions(reading: Reading) -> None:
    """What is said behind the phrase must not hold."""
    draft = reading.draft
    for item in reading.items:
        if not item.is_concept("set.except") or not reading.free(item):
            continue
        behind = [f for f in draft.filters if f.at > item.at]
        if not behind:
            continue
        reading.use(item, "negation")
        draft.filters = [replace(f, negated=not f.negated) if f in behind else f for f in draft.filters]
