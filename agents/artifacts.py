"""What a turn puts on the canvas: one tagged union, JSON in and out, and nothing that the page cannot show.

Rows never travel whole: a :class:`FrameMeta` names the result set that stays on the server, with types, counts and a
small preview. Cells in a preview are JSON-safe: integers beyond 2^53 and decimals are strings, bytes are ``0x…`` text.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from agents.catalog import Kind

Cell: TypeAlias = str | int | float | bool | None


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FrameColumn(Frozen):
    """One column of a result set.

    :ivar name: unique within the frame, as the SQL named it.
    :ivar label: what people read in the header.
    :ivar role: ``measure`` (a computed number), ``dimension`` (what it is grouped by), ``detail`` (a plain column).
    :ivar grain: ``year``, ``quarter``, ``month``, ``week``, ``day`` … when the column is a truncated time.
    """

    name: str
    label: str
    kind: Kind
    unit: str | None = None
    role: Literal["measure", "dimension", "detail"] = "detail"
    grain: str | None = None


class FrameMeta(Frozen):
    """A stored result set: ``rows`` are kept; ``total`` is the true count when known; ``truncated`` when capped."""

    id: str
    columns: tuple[FrameColumn, ...]
    rows: int
    total: int | None
    truncated: bool = False
    bytes: int = 0
    preview: tuple[tuple[Cell, ...], ...] = ()


class TableArtifact(Frozen):
    kind: Literal["table"] = "table"
    id: str
    title: str
    frame: FrameMeta


class ChartChoice(Frozen):
    """A chart kind with the reason it fits, shown as a switch beside the chart."""

    chart: str
    label: str
    reason: str


class ChartArtifact(Frozen):
    """A Vega-Lite spec without data: the rows of ``frame_id`` are joined to it when it is shown."""

    kind: Literal["chart"] = "chart"
    id: str
    title: str
    chart: str
    spec: dict[str, Any]
    frame_id: str
    reason: str
    alternatives: tuple[ChartChoice, ...] = ()
    notes: tuple[str, ...] = ()


class SqlArtifact(Frozen):
    kind: Literal["sql"] = "sql"
    id: str
    sql: str
    dialect: str
    origin: Literal["rules"] = "rules"


class CellRef(Frozen):
    """The cell a number came from. ``row`` is 0-based in the frame; ``None`` for a fact about the whole column."""

    frame_id: str
    row: int | None
    column: str


class Segment(Frozen):
    """A piece of a sentence; with ``cell`` it is a number (or name) that the rows hold."""

    text: str
    cell: CellRef | None = None


class TextArtifact(Frozen):
    """Sentences, each a run of segments; the first sentence is the lead."""

    kind: Literal["text"] = "text"
    id: str
    lang: Literal["en", "zh"]
    mode: Literal["digest"] = "digest"
    sentences: tuple[tuple[Segment, ...], ...]

    @property
    def plain(self) -> str:
        joint = "" if self.lang == "zh" else " "
        return joint.join("".join(segment.text for segment in sentence) for sentence in self.sentences)


class ClarifyOption(Frozen):
    """One reading of the question: in words, with what it would return; ``question`` asks exactly that."""

    id: str
    text: str
    returns: str
    question: str
    sql: str


class ClarifyArtifact(Frozen):
    kind: Literal["clarify"] = "clarify"
    id: str
    question: str
    options: tuple[ClarifyOption, ...]


class ProblemArtifact(Frozen):
    """Something that could not be done: what happened, and what to do next. ``tone`` says how loud it is shown."""

    kind: Literal["problem"] = "problem"
    id: str
    code: str
    message: str
    hint: str = ""
    tone: Literal["declined", "failed", "stopped"] = "failed"


Artifact = Annotated[
    TableArtifact | ChartArtifact | SqlArtifact | TextArtifact | ClarifyArtifact | ProblemArtifact,
    Field(discriminator="kind"),
]


class MentionEvidence(Frozen):
    """A span of the question and what it was linked to; ``used`` is false for alternatives that lost."""

    start: int
    end: int
    text: str
    kind: str
    target: str
    score: float
    reason: str
    used: bool = True


class HitEvidence(Frozen):
    """A retrieved document with both parts of its score (0..1); a missing side is ``None``."""

    document: str
    kind: str
    label: str
    score: float
    semantic: float | None
    lexical: float | None


class AttemptEvidence(Frozen):
    """One try at SQL."""

    origin: str
    status: Literal["ran", "refused", "failed"]
    sql: str
    code: str = ""
    message: str = ""
    ms: float = 0.0


class TraceEvidence(Frozen):
    """One state of the turn: when it began (ms after the turn's start), how long it took, how it ended."""

    state: str
    outcome: str
    start_ms: float
    ms: float


class ChipEvidence(Frozen):
    """A part of the plan in words, shown under the question. ``role`` is measure, dimension, filter, time, order …"""

    role: str
    text: str


class CandidateEvidence(Frozen):
    """A reading that competed: in words, with its score and the features behind it."""

    sentence: str
    score: float
    features: dict[str, float] = Field(default_factory=dict)


class Evidence(Frozen):
    """Why the answer is what it is.

    :ivar checks: what was made sure of (no double counting, which formula). :ivar notes: plain remarks.
    """

    lang: Literal["en", "zh"] = "en"
    intent: str = ""
    mentions: tuple[MentionEvidence, ...] = ()
    hits: tuple[HitEvidence, ...] = ()
    plan: str = ""
    chips: tuple[ChipEvidence, ...] = ()
    candidates: tuple[CandidateEvidence, ...] = ()
    confidence: float | None = None
    attempts: tuple[AttemptEvidence, ...] = ()
    checks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    trace: tuple[TraceEvidence, ...] = ()
