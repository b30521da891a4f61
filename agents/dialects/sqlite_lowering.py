"""SQLite: times are ISO text, so cutting them is ``strftime`` and comparing them is comparing text."""

from __future__ import annotations

from datetime import date, datetime

import sqlglot
from sqlglot import exp

from agents.dialects.base import Lowering

_TEMPLATES = {
    "year": "CAST(strftime('%Y', {c}) AS INTEGER)",
    "quarter": "strftime('%Y', {c}) || '-Q' || ((CAST(strftime('%m', {c}) AS INTEGER) + 2) / 3)",
    "month": "strftime('%Y-%m', {c})",
    "week": "date({c}, 'weekday 0', '-6 days')",
    "day": "date({c})",
    "hour": "strftime('%Y-%m-%d %H:00', {c})",
    "weekday": "CAST(strftime('%w', {c}) AS INTEGER)",
    "month_of_year": "CAST(strftime('%m', {c}) AS INTEGER)",
    "day_of_month": "CAST(strftime('%d', {c}) AS INTEGER)",
    "quarter_of_year": "(CAST(strftime('%m', {c}) AS INTEGER) + 2) / 3",
    "hour_of_day": "CAST(strftime('%H', {c}) AS INTEGER)",
}


def truncate(column: exp.Expr, grain: str) -> exp.Expr:
    """The column cut to a grain.

    ``year`` is an integer, ``quarter`` is ``2023-Q1``, ``month`` is ``2023-05``, ``week`` is its Monday, ``day`` is the
    date, ``weekday`` counts from Sunday = 0.

    :raises KeyError: for a grain that the dialect does not know.
    """
    text = _TEMPLATES[grain].format(c="__column__")
    tree = sqlglot.parse_one(text, dialect="sqlite")
    return tree.transform(
        lambda node: column.copy() if isinstance(node, exp.Column) and node.name == "__column__" else node
    )


def moment(value: date | datetime) -> exp.Expr:
    """``2023-05-01``, with a time of day only where there is one."""
    if isinstance(value, datetime) and (value.hour or value.minute or value.second or value.microsecond):
        return exp.Literal.string(value.isoformat(sep=" ", timespec="seconds"))
    return exp.Literal.string(f"{value:%Y-%m-%d}" if value.year > 999 else value.isoformat()[:10])


def contains(column: exp.Expr, piece: str, where: str) -> exp.Expr:
    """``LIKE`` (which ignores the case of ASCII letters in SQLite) with its wildcards escaped."""
    escaped = piece.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    pattern = {"starts": f"{escaped}%", "ends": f"%{escaped}", "contains": f"%{escaped}%"}[where]
    like = exp.Like(this=column, expression=exp.Literal.string(pattern))
    if escaped == piece:
        return like
    return exp.Escape(this=like, expression=exp.Literal.string("\\"))


_SHIFTS = {
    "year": "{c} + ({n})",
    "quarter": (
        "((CAST(substr({c}, 1, 4) AS INTEGER) * 4 + CAST(substr({c}, 7) AS INTEGER) - 1 + ({n})) / 4) || '-Q' || "
        "((CAST(substr({c}, 1, 4) AS INTEGER) * 4 + CAST(substr({c}, 7) AS INTEGER) - 1 + ({n})) % 4 + 1)"
    ),
    "month": "strftime('%Y-%m', {c} || '-01', '{n} months')",
    "week": "date({c}, '{days} days')",
    "day": "date({c}, '{n} days')",
}


def shift(period: exp.Expr, grain: str, steps: int) -> exp.Expr:
    """The period so many steps later, in the form that :func:`truncate` gives.

    :raises KeyError: for a recurring grain, which has no next one.
    """
    text = _SHIFTS[grain].format(c="__period__", n=steps, days=7 * steps)
    tree = sqlglot.parse_one(text, dialect="sqlite")
    return tree.transform(lambda n: period.copy() if isinstance(n, exp.Column) and n.name == "__period__" else n)


LOWERING = Lowering("sqlite", truncate, moment, contains, shift)
