"""Execute: the allowed statement runs read-only under its limits; the rows become a frame on disk."""

from __future__ import annotations

from agents.artifacts import AttemptEvidence, FrameColumn, ProblemArtifact, TableArtifact
from agents.catalog import Kind
from agents.errors import ExecutionError
from agents.nodes.base import Node, Result, Tools
from agents.nodes.probe import probed_value
from agents.ports import Rows
from agents.sql.allowed import AllowedSql
from agents.state import TurnState
from agents.table import Outcome, State

COUNT_SECONDS = 1.0
"""How long counting the rows of a cut result may take."""


def run(turn: TurnState, tools: Tools) -> Result:
    assert turn.allowed is not None
    limits = tools.limits
    seconds = min(limits.statement_seconds, max(0.1, tools.cancel.remaining))
    began = tools.clock.monotonic()
    try:
        rows = tools.connection.database.execute(turn.allowed, limit=limits.rows, seconds=seconds, cancel=tools.cancel)
    except ExecutionError as error:
        attempt = AttemptEvidence(
            origin="rules",
            status="failed",
            sql=turn.allowed.text,
            code=error.code,
            message=error.message,
            ms=round((tools.clock.monotonic() - began) * 1000, 2),
        )
        problem = ProblemArtifact(id="problem", code=error.code, message=error.message, hint=error.hint)
        return Result(Outcome.FAILED, {"attempts": (attempt,), "problem": problem})
    attempt = AttemptEvidence(origin="rules", status="ran", sql=turn.allowed.text, ms=round(rows.ms, 2))
    total = _count(turn.allowed, tools) if rows.truncated else rows.table.num_rows
    columns = _columns(turn.columns, rows)
    frame = tools.frames.put(rows.table, columns, total=total, truncated=rows.truncated)
    update: dict[str, object] = {
        "frame": frame,
        "attempts": (attempt,),
        "artifacts": (TableArtifact(id="table", title=turn.reading, frame=frame),),
    }
    if rows.truncated:
        update["warnings"] = (_cut_text(rows.table.num_rows, total, turn.lang),)
    return Result(Outcome.RETURNED_ROWS, update)


def _count(allowed: AllowedSql, tools: Tools) -> int | None:
    """The true number of rows of a result that was cut, when counting them takes less than a moment."""
    counted = probed_value(f"SELECT COUNT(*) AS n FROM ({allowed.text}) AS result", tools, seconds=COUNT_SECONDS)
    return counted if isinstance(counted, int) else None


def _cut_text(kept: int, total: int | None, lang: str) -> str:
    if lang == "zh":
        return f"只保留了前 {kept:,} 行，共 {total:,} 行。" if total else f"只保留了前 {kept:,} 行，总行数未知。"
    whole = f"of {total:,} " if total else ""
    return f"Only the first {kept:,} {whole}rows were kept{'' if total else '; how many there are is not known'}."


def _columns(planned: tuple[FrameColumn, ...], rows: Rows) -> tuple[FrameColumn, ...]:
    """The plan's column descriptions under the names that came back; plain ones where the plan says nothing."""
    names = rows.table.column_names
    if len(planned) == len(names):
        return tuple(column.model_copy(update={"name": name}) for column, name in zip(planned, names, strict=True))
    return tuple(FrameColumn(name=name, label=name, kind=Kind.OTHER) for name in names)


NODE = Node(
    State.EXECUTE,
    frozenset({"allowed", "columns", "reading", "lang"}),
    frozenset({"frame", "attempts", "artifacts", "warnings", "problem"}),
    run,
)
