"""From a turn's events to the picture of it that pages show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast

from pydantic import TypeAdapter

from agents.artifacts import Artifact, Evidence, ProblemArtifact, Segment, TableArtifact, TextArtifact
from agents.events import ArtifactReady, Event, NarrativeReady, StateEntered, TextDelta, TurnDone
from app.store import Turn
from app.views.contexts import TurnStatus, TurnView

EVENT: TypeAdapter[Event] = TypeAdapter(Event)

# The order on the canvas; the text stands above all and is kept apart.
CANVAS = ("chart", "table", "sql", "clarify", "problem")


def decode(text: str) -> Event:
    return EVENT.validate_json(text)


def encode(event: Event) -> str:
    return EVENT.dump_json(event).decode()


def fold(turn: Turn, events: Iterable[Event]) -> TurnView:
    """The turn after all given events; ``turn.seq`` must be the number of the last of them."""
    artifacts: dict[str, Artifact] = {}
    text: TextArtifact | None = None
    sentences: dict[int, list[Segment]] = {}
    evidence: Evidence | None = None
    state, status, ms = turn.state, turn.status, turn.ms
    for event in events:
        match event:
            case StateEntered():
                state = event.state
            case (
                ArtifactReady(artifact=TextArtifact() as artifact) | NarrativeReady(artifact=TextArtifact() as artifact)
            ):
                text = artifact
            case ArtifactReady() | NarrativeReady():
                artifacts[event.artifact.id] = event.artifact
            case TextDelta():
                sentences.setdefault(event.sentence, []).append(event.segment)
            case TurnDone():
                evidence, ms = event.evidence, event.ms
                status = ended_as(event, artifacts.values())
    if text is None and sentences:
        streamed = tuple(tuple(sentences[number]) for number in sorted(sentences))
        text = TextArtifact(id="text", lang=language(turn), sentences=streamed)
    ordered = sorted(artifacts.values(), key=lambda artifact: CANVAS.index(artifact.kind))
    return TurnView(
        id=turn.id,
        thread_id=turn.thread_id,
        connection=turn.connection,
        question=turn.question,
        lang=language(turn) if evidence is None else evidence.lang,
        status=cast(TurnStatus, status),
        state=state,
        artifacts=tuple(ordered),
        text=text,
        evidence=evidence,
        rows=rows_in(ordered),
        ms=ms,
        asked_at=turn.asked_at,
        seq=turn.seq,
    )


def ended_as(done: TurnDone, artifacts: Iterable[Artifact]) -> TurnStatus:
    """The status that people see: an end because somebody pressed stop is no error."""
    stopped = any(isinstance(artifact, ProblemArtifact) and artifact.tone == "stopped" for artifact in artifacts)
    return "stopped" if stopped else done.status


def rows_in(artifacts: Iterable[Artifact]) -> int | None:
    """Rows of the answer's table: the true count where it is known."""
    for artifact in artifacts:
        if isinstance(artifact, TableArtifact):
            return artifact.frame.rows if artifact.frame.total is None else artifact.frame.total
    return None


def language(turn: Turn) -> Literal["en", "zh"]:
    return "zh" if turn.lang == "zh" else "en"
