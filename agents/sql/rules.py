"""What the guard must know about one SQL dialect. Each dialect's file declares one :data:`GUARD`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import agents.dialects
from agents.errors import GuardRejected


def words(text: str) -> frozenset[str]:
    """The words of a block of text, for lists that are easier to read without quotes and commas."""
    return frozenset(text.split())


@dataclass(frozen=True)
class DialectRules:
    """Lists of what is let through; whatever they do not name is refused.

    :ivar name: sqlglot's name of the dialect.
    :ivar functions: lower-case names of harmless functions.
    :ivar formatters: those of them whose first argument is a format as of ``printf``: it may pad without end.
    :ivar infix: functions that are also written between their arguments (``a LIKE b``).
    :ivar cast_types: type names, upper case, that CAST may name.
    :ivar faithful_types: type names that sqlglot would respell to something that behaves differently.
    :ivar is_system_table: whether an unqualified name belongs to the database itself.
    :ivar schemas: lower-case schema names that may stand before a table.
    :ivar row_ids: names under which a table answers to a hidden key.
    :ivar flat_set_operations: whether the grammar forbids parentheses around the parts of a UNION.
    :ivar keywords: lower-case words that must be quoted to be a name.
    :ivar advice: for functions of other dialects, what to write instead.
    """

    name: str
    functions: frozenset[str]
    cast_types: frozenset[str]
    is_system_table: Callable[[str], bool]
    formatters: frozenset[str] = frozenset()
    infix: frozenset[str] = frozenset()
    faithful_types: dict[str, str] = field(default_factory=dict)
    schemas: frozenset[str] = frozenset()
    row_ids: frozenset[str] = frozenset()
    flat_set_operations: bool = False
    keywords: frozenset[str] = frozenset()
    advice: dict[str, str] = field(default_factory=dict)


@cache
def all_rules() -> dict[str, DialectRules]:
    """The rules of every dialect in ``agents/dialects``, by name."""
    found: dict[str, DialectRules] = {}
    for entry in pkgutil.iter_modules(agents.dialects.__path__):
        module = importlib.import_module(f"agents.dialects.{entry.name}")
        rules = getattr(module, "GUARD", None)
        if isinstance(rules, DialectRules):
            found[rules.name] = rules
    return found


def rules_for(dialect: str) -> DialectRules:
    """The rules of a dialect.

    :raises GuardRejected: ``guard.dialect`` when there are none, because nothing could be checked.
    """
    try:
        return all_rules()[dialect]
    except KeyError:
        raise GuardRejected(
            "guard.dialect", f"There are no safety rules for the SQL dialect {dialect!r}.", "Connect another database."
        ) from None
