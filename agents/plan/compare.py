"""Comparing readings by what they return: two close readings with the same rows are no ambiguity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from agents.artifacts import ClarifyOption
from agents.errors import ExecutionError, GuardRejected
from agents.language.ir import ColumnTarget, ValueTarget
from agents.sql.guard import check

if TYPE_CHECKING:
    from agents.nodes.base import Tools
    from agents.understood import Candidate, Understood

CLOSE = 0.06
"""Score difference below which the second reading is as good as the first."""

MAX_OPTIONS = 3
_PROBE_ROWS, _PROBE_SECONDS = 200, 4.0


def rivals(understood: Understood, tools: Tools) -> tuple[Candidate, ...]:
    """Readings as good as the best one that return something else; empty when the best stands alone.

    Each is guarded and run under a small limit. A reading that the guard refuses is no rival; one that takes too long
    is.
    """
    best, *others = understood.candidates
    if understood.learned:
        # A learned confidence has weighed other readings, but not which column a value of several is meant to be in.
        alike = [c for c in others if abs(best.score - c.score) < CLOSE]
        others = [c for c in alike if _same_but_for_a_column(best, c, understood)]
    close = [c for c in others if best.score - c.score < CLOSE][: MAX_OPTIONS - 1]
    if not close:
        return ()
    known = [_rows(best, tools)]
    found: list[Candidate] = []
    for candidate in close:
        if not _may_run(candidate, tools):
            continue
        rows = _rows(candidate, tools)
        # A reading that could not be tried in time may differ: what was not looked at is not the same.
        if rows is None or all(other is None or not _same(rows, other) for other in known):
            known.append(rows)
            found.append(candidate)
    return tuple(found)


def _same_but_for_a_column(best: Candidate, other: Candidate, understood: Understood) -> bool:
    """Whether the readings differ only in which column holds a value that several hold, none of which is named."""
    if other.problem is not None or len(best.mentions) != len(other.mentions):
        return False
    named = {m.target for slot in understood.linked.slots for m in slot[:1] if isinstance(m.target, ColumnTarget)}
    differs = False
    for left, right in zip(best.mentions, other.mentions, strict=True):
        if left.target == right.target:
            continue
        a, b = left.target, right.target
        if not isinstance(a, ValueTarget) or not isinstance(b, ValueTarget) or a.value != b.value:
            return False
        if left.score != right.score or {ColumnTarget(a.table, a.column), ColumnTarget(b.table, b.column)} & named:
            return False
        differs = True
    return differs


def options_for(candidates: tuple[Candidate, ...], tools: Tools, lang: str) -> tuple[ClarifyOption, ...]:
    """The readings as options in words, each with what it would return."""
    options: list[ClarifyOption] = []
    for number, candidate in enumerate(candidates, start=1):
        rows = _rows(candidate, tools)
        options.append(
            ClarifyOption(
                id=str(number),
                text=candidate.sentence,
                returns=_returns(rows, lang) if rows is not None else "",
                question=candidate.sentence,
                sql=candidate.sql,
            )
        )
    return tuple(options)


def _may_run(candidate: Candidate, tools: Tools) -> bool:
    try:
        check(candidate.sql, tools.connection.catalog)
    except GuardRejected:
        return False
    return True


def _rows(candidate: Candidate, tools: Tools) -> pa.Table | None:
    try:
        allowed = check(candidate.sql, tools.connection.catalog)
        database = tools.connection.database
        return database.execute(allowed, limit=_PROBE_ROWS, seconds=_PROBE_SECONDS, cancel=tools.cancel).table
    except (GuardRejected, ExecutionError):
        return None


def _same(left: pa.Table, right: pa.Table) -> bool:
    """Equal rows, whatever the columns are called."""
    if left.num_rows != right.num_rows or left.num_columns != right.num_columns:
        return False
    return bool([c.to_pylist() for c in left.columns] == [c.to_pylist() for c in right.columns])


def _returns(table: pa.Table, lang: str) -> str:
    if table.num_rows == 1 and table.num_columns == 1:
        return str(table.column(0)[0].as_py())
    first = ", ".join(str(v) for v in table.slice(0, 1).to_pylist()[0].values()) if table.num_rows else ""
    count = f"{table.num_rows}+" if table.num_rows >= _PROBE_ROWS else str(table.num_rows)
    if lang == "zh":
        return f"{count} 行，首行：{first}" if first else f"{count} 行"
    rows = "row" if count == "1" else "rows"
    return f"{count} {rows}, the first: {first}" if first else f"{count} {rows}"
