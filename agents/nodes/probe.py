"""One more small question to the database, beside the one that was asked: guarded, short, and never in the way."""

from __future__ import annotations

import pyarrow as pa

from agents.errors import ExecutionError, GuardRejected
from agents.nodes.base import Tools
from agents.plan.ir import Plan
from agents.sql.guard import check
from agents.sql.lower import to_sql


def probe(asked: Plan | str, tools: Tools, *, seconds: float, limit: int = 1) -> pa.Table | None:
    """The rows of a plan or a statement; ``None`` when the guard or the database refuses, or it takes too long.

    :param seconds: at most; less where the turn has less left.
    """
    connection = tools.connection
    text = asked if isinstance(asked, str) else to_sql(asked, connection.catalog.dialect)
    try:
        allowed = check(text, connection.catalog)
        within = min(seconds, tools.cancel.remaining)
        return connection.database.execute(allowed, limit=limit, seconds=within, cancel=tools.cancel).table
    except (GuardRejected, ExecutionError):
        return None


def probed_value(asked: Plan | str, tools: Tools, *, seconds: float) -> object | None:
    """The first value of the first row of :func:`probe`."""
    found = probe(asked, tools, seconds=seconds)
    return found.column(0)[0].as_py() if found is not None else None
