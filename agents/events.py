"""What a running turn tells the outside, in order. The page, the SSE stream and the terminal are all listeners."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agents.artifacts import Artifact, Evidence, Frozen, Segment

Status = Literal["answered", "clarify", "declined", "error"]


class StateEntered(Frozen):
    """The turn is now in this state (its name is shown in the skeleton)."""

    event: Literal["state"] = "state"
    state: str


class ArtifactReady(Frozen):
    """A finished artifact; it replaces an earlier one with the same id."""

    event: Literal["artifact"] = "artifact"
    artifact: Artifact


class TextDelta(Frozen):
    """The next piece of the streamed text. ``sentence`` counts from 0; a new number starts a new sentence."""

    event: Literal["delta"] = "delta"
    sentence: int
    segment: Segment


class NarrativeReady(Frozen):
    """The text is complete; ``text`` replaces whatever the deltas had built."""

    event: Literal["narrative"] = "narrative"
    artifact: Artifact


class TurnDone(Frozen):
    """The turn has ended and is stored."""

    event: Literal["done"] = "done"
    status: Status
    ms: float
    evidence: Evidence


Event = Annotated[
    StateEntered | ArtifactReady | TextDelta | NarrativeReady | TurnDone,
    Field(discriminator="event"),
]
