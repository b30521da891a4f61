"""What a specialist is: it looks at the rows after they came back, beside the others, under its own time limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from agents.artifacts import Artifact, FrameMeta
from agents.narrate.periods import Lang


@dataclass(frozen=True, slots=True)
class Material:
    """What a specialist works on.

    :ivar table: the frame's rows; when ``meta.truncated`` it says so in what it makes of them.
    :ivar intent: the turn's intent, as the route state named it.
    """

    meta: FrameMeta
    table: pa.Table
    lang: Lang
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a specialist adds to the canvas, and what it has to say in the evidence (why it added nothing)."""

    artifacts: tuple[Artifact, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Specialist:
    """One fork of the analysis. One that fails or runs late costs only its own artifacts.

    :ivar seconds: how long it may take.
    :ivar run: pure: the same material gives the same findings.
    :ivar intents: those it works for.
    """

    name: str
    seconds: float
    run: Callable[[Material], Findings]
    intents: frozenset[str] = frozenset({"data"})

    def wants(self, intent: str) -> bool:
        return intent in self.intents
