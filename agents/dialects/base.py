"""What lowering needs to know about a dialect. One file a dialect; each declares one constant ``LOWERING``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from sqlglot import exp


@dataclass(frozen=True, slots=True)
class Lowering:
    """How a dialect says what the plan means.

    :ivar name: sqlglot's dialect name.
    :ivar truncate: ``(column, grain)`` to the expression that cuts a time to a grain or takes its recurring part.
    :ivar moment: a date or datetime literal as the dialect's stored times are compared with.
    :ivar shift: ``(period, grain, steps)``, where the period is what ``truncate`` gave, to the one so many steps later.
    :ivar contains: ``(column, piece, where)`` to a case-ignoring text test.
    """

    name: str
    truncate: Callable[[exp.Expr, str], exp.Expr]
    moment: Callable[[date | datetime], exp.Expr]
    contains: Callable[[exp.Expr, str, str], exp.Expr]
    shift: Callable[[exp.Expr, str, int], exp.Expr]
