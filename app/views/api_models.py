"""What the JSON interface takes and gives; the OpenAPI document is made from these."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.artifacts import Cell, CellRef, ClarifyOption, Evidence, FrameColumn
from app.turns.answer import DEFAULT_ROWS, Problem
from app.turns.ports import PartHealth


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Query(_Body):
    """A question. ``now`` is what "last month" counts from; without it the server's clock counts."""

    question: str
    connection: str | None = None
    lang: Literal["en", "zh"] | None = None
    now: datetime | None = None
    limit: int = Field(default=DEFAULT_ROWS, ge=0, le=10_000, description="Most rows to give back.")


class Error(BaseModel):
    """The one shape of every error."""

    error: Problem


class SchemaColumn(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    type: str
    kind: str
    key: Literal["", "primary", "foreign", "unique"]
    nullable: bool
    references: str
    inferred: bool
    names: tuple[str, ...]
    description: str
    samples: tuple[str, ...]


class SchemaTable(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    kind: str
    rows: int | None
    names: tuple[str, ...]
    description: str
    columns: tuple[SchemaColumn, ...]
    referenced_by: tuple[str, ...]


class SchemaMeasure(BaseModel):
    name: str
    description: str
    expression: str


class Schema(BaseModel):
    """``hash`` changes when anything about the tables changes."""

    connection: str
    dialect: str
    hash: str
    tables: tuple[SchemaTable, ...]
    measures: tuple[SchemaMeasure, ...]


class ConnectionHealth(BaseModel):
    name: str
    engine: str
    access: str
    problem: str = ""


class Versions(BaseModel):
    starchart: str
    flask: str
    sqlglot: str


class HealthReport(BaseModel):
    """``mode`` is how SQL is made; ``sockets`` are the open live connections of this process."""

    status: Literal["ok", "degraded"]
    reasons: tuple[str, ...]
    mode: str
    parts: tuple[PartHealth, ...]
    connections: tuple[ConnectionHealth, ...]
    sockets: int
    versions: Versions


class StreamResult(BaseModel):
    """Event ``result``: the rows, before any text."""

    sql: str | None
    columns: tuple[FrameColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total_rows: int | None


class StreamDelta(BaseModel):
    """Event ``delta``: the next piece of the text."""

    sentence: int
    text: str
    cell: CellRef | None = None


class StreamNarrative(BaseModel):
    """Event ``narrative``: the complete text; it replaces what the deltas had built."""

    text: str


class StreamDone(BaseModel):
    """Event ``done``: how it ended."""

    status: Literal["answered", "clarify", "declined", "error"]
    turn_id: str
    ms: float | None
    confidence: float | None
    options: tuple[ClarifyOption, ...]
    warnings: tuple[str, ...]
    evidence: Evidence | None
    problem: Problem | None
    links: dict[str, str]


STREAM_EVENTS: dict[str, type[BaseModel]] = {
    "result": StreamResult,
    "delta": StreamDelta,
    "narrative": StreamNarrative,
    "done": StreamDone,
}
