"""A finished turn as one plain object: what ``POST /api/query`` and ``starchart ask --json`` give."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.artifacts import (
    Cell,
    CellRef,
    ClarifyArtifact,
    ClarifyOption,
    Evidence,
    FrameColumn,
    FrameMeta,
    ProblemArtifact,
    SqlArtifact,
    TableArtifact,
)
from agents.errors import FrameError
from app.frames import ArrowFrames
from app.views.contexts import TurnView

DEFAULT_ROWS = 100


class _Out(BaseModel):
    model_config = ConfigDict(frozen=True)


class Problem(_Out):
    """What could not be done: a stable code, one plain sentence, and what to do next."""

    code: str
    message: str
    hint: str = ""


class Part(_Out):
    """A piece of the text; with ``cell`` it is a value that the rows hold."""

    text: str
    cell: CellRef | None = None


class Answer(_Out):
    """One answered (or refused) question.

    ``rows`` are at most as many as were asked for; ``total_rows`` is the true count, or ``null`` when it is unknown.
    Integers beyond 2^53 and decimals are strings.
    """

    status: Literal["answered", "clarify", "declined", "error"]
    question: str
    lang: Literal["en", "zh"] = "en"
    sql: str | None = None
    columns: tuple[FrameColumn, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    total_rows: int | None = None
    narrative: str = ""
    confidence: float | None = None
    options: tuple[ClarifyOption, ...] = ()
    warnings: tuple[str, ...] = ()
    evidence: Evidence | None = None
    problem: Problem | None = None
    ms: float | None = None
    turn_id: str
    links: dict[str, str] = Field(default_factory=dict)


def answer_of(
    view: TurnView, frames: ArrowFrames, *, rows: int = DEFAULT_ROWS, links: dict[str, str] | None = None
) -> Answer:
    """The object for a turn that has ended.

    :param rows: how many rows at most.
    """
    sql = next((a.sql for a in view.artifacts if isinstance(a, SqlArtifact)), None)
    table = next((a.frame for a in view.artifacts if isinstance(a, TableArtifact)), None)
    clarify = next((a for a in view.artifacts if isinstance(a, ClarifyArtifact)), None)
    problem = next((a for a in view.artifacts if isinstance(a, ProblemArtifact)), None)
    return Answer(
        status=view.status if view.status in ("answered", "clarify", "declined") else "error",
        question=view.question,
        lang=view.lang,
        sql=sql,
        columns=table.columns if table else (),
        rows=rows_of(table, frames, rows) if table else (),
        total_rows=total_of(table) if table else None,
        narrative=view.text.plain if view.text else "",
        confidence=view.evidence.confidence if view.evidence else None,
        options=clarify.options if clarify else (),
        warnings=view.evidence.warnings if view.evidence else (),
        evidence=view.evidence,
        problem=Problem(code=problem.code, message=problem.message, hint=problem.hint) if problem else None,
        ms=view.ms,
        turn_id=view.id,
        links=links or {},
    )


def rows_of(frame: FrameMeta, frames: ArrowFrames, limit: int) -> tuple[tuple[Cell, ...], ...]:
    """The first rows of a result set, whole; its preview when it is no longer kept."""
    try:
        return frames.page(frame.id, limit=limit, clip=2**31).rows
    except FrameError:
        return frame.preview[:limit]


def total_of(frame: FrameMeta) -> int | None:
    """The true number of rows: ``None`` when rows were left out and nobody counted them."""
    return frame.rows if frame.total is None and not frame.truncated else frame.total
