"""Specialists: every file of this folder that declares ``SPECIALIST`` takes part in the analysis."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from agents.specialists.base import Findings, Material, Specialist

__all__ = ["Findings", "Material", "Specialist", "all_specialists"]


@cache
def all_specialists() -> tuple[Specialist, ...]:
    """Every specialist, in the order of their file names, which is the order of the join.

    :raises RuntimeError: when two files declare the same name.
    """
    found: list[Specialist] = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        specialist = getattr(importlib.import_module(f"{__name__}.{module.name}"), "SPECIALIST", None)
        if isinstance(specialist, Specialist):
            if specialist.name in {other.name for other in found}:
                raise RuntimeError(f"two specialists are called {specialist.name!r}")
            found.append(specialist)
    return tuple(found)
