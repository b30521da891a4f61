"""What names mean at one place of a query: sources of FROM, aliases of the result, common table expressions."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp


@dataclass(slots=True)
class Source:
    """A table, view, sub-query or common table expression in FROM. ``columns`` are lower case."""

    name: str
    columns: list[str]
    is_table: bool = False


@dataclass(slots=True)
class Scope:
    """What names mean inside one SELECT."""

    outer: Scope | None
    sources: list[Source] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Cte:
    """A common table expression; ``columns`` is ``None`` until its body is resolved."""

    node: exp.CTE
    defined_in: Ctes
    outer: Scope | None
    columns: list[str] | None = None
    busy: bool = False


@dataclass(slots=True)
class Ctes:
    """Common table expressions that can be seen, innermost first."""

    outer: Ctes | None = None
    by_name: dict[str, Cte] = field(default_factory=dict)

    def find(self, name: str) -> Cte | None:
        place: Ctes | None = self
        while place is not None:
            if name in place.by_name:
                return place.by_name[name]
            place = place.outer
        return None
