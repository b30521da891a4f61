"""The one object that goes round: frozen, typed, each field with one writer or a merge rule.

A node never changes the state; it returns an update, and the runner makes the next state from it. ``OWNERS`` says which
state may write which field (where there are two, no way through the table passes both: checked on import); fields in
``MERGED`` may be added to by several and are concatenated in table order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Literal

from agents.artifacts import (
    Artifact,
    AttemptEvidence,
    CandidateEvidence,
    ChipEvidence,
    ClarifyOption,
    FrameColumn,
    FrameMeta,
    MentionEvidence,
    ProblemArtifact,
    TextArtifact,
    TraceEvidence,
)
from agents.plan.ir import Plan
from agents.ports import Retrieval
from agents.sql.allowed import AllowedSql
from agents.table import TABLE, State, TableError, reachable

Lang = Literal["en", "zh"]


@dataclass(frozen=True)
class TurnState:
    """Everything known about one question. Fields up to ``earlier`` are given; the rest is written on the way.

    :ivar wanted_lang: language of the answer; ``None`` means the question's own.
    :ivar earlier: the session's questions before this one, oldest first; few and recent.
    :ivar continues: those of them that the question goes on from; empty for a complete question.
    :ivar now: what "now" means for "last month"; naive local time.
    :ivar columns: the labels, units and roles of the columns that the statement will return, from the plan.
    :ivar filters: the plan's filters in words, for the text ("2023 · Europe").
    """

    turn_id: str
    question: str
    now: datetime
    wanted_lang: Lang | None = None
    earlier: tuple[str, ...] = ()
    continues: tuple[str, ...] = ()
    lang: Lang = "en"
    intent: str = ""
    retrieval: Retrieval | None = None
    mentions: tuple[MentionEvidence, ...] = ()
    candidates: tuple[CandidateEvidence, ...] = ()
    confidence: float | None = None
    plan: Plan | None = None
    reading: str = ""
    filters: str = ""
    chips: tuple[ChipEvidence, ...] = ()
    columns: tuple[FrameColumn, ...] = ()
    options: tuple[ClarifyOption, ...] = ()
    sql: str = ""
    allowed: AllowedSql | None = None
    frame: FrameMeta | None = None
    text: TextArtifact | None = None
    status: Literal["", "answered", "clarify", "declined", "error"] = ""
    problem: ProblemArtifact | None = None
    artifacts: tuple[Artifact, ...] = ()
    attempts: tuple[AttemptEvidence, ...] = ()
    checks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    trace: tuple[TraceEvidence, ...] = field(default=(), repr=False)


GIVEN: frozenset[str] = frozenset({"turn_id", "question", "now", "wanted_lang", "earlier"})
MERGED: frozenset[str] = frozenset({"artifacts", "attempts", "checks", "notes", "warnings"})
RUNNER: frozenset[str] = frozenset({"trace"})

OWNERS: dict[str, tuple[State, ...]] = {
    "continues": (State.RECALL,),
    "lang": (State.ROUTE,),
    "intent": (State.ROUTE,),
    "retrieval": (State.RETRIEVE,),
    "mentions": (State.PLAN,),
    "candidates": (State.PLAN,),
    "confidence": (State.PLAN,),
    "plan": (State.PLAN,),
    "reading": (State.PLAN,),
    "filters": (State.PLAN,),
    "chips": (State.PLAN,),
    "columns": (State.PLAN, State.SCHEMA),
    "options": (State.PLAN,),
    "sql": (State.GENERATE,),
    "allowed": (State.GUARD,),
    "frame": (State.EXECUTE, State.SCHEMA),
    "text": (State.SYNTHESIZE,),
    "status": (State.SYNTHESIZE,),
}

for _name, _owners in OWNERS.items():
    for _owner in _owners:
        if any(other is not _owner and other in reachable(TABLE, _owner) for other in _owners):
            raise TableError(f"{_name!r} could be written twice in one turn")

SHARED: dict[str, frozenset[State]] = {
    "problem": frozenset(set(State) - {State.START, State.DONE}),
}
"""Fields that the first state which fails writes, once; a second write is an error."""


class OwnershipError(ValueError):
    """A node read or wrote a field that is not its own."""


def apply(state: TurnState, by: State, update: dict[str, Any], allowed: frozenset[str]) -> TurnState:
    """The next state object.

    :param by: the state whose node made the update.
    :param allowed: fields that the node declared as written.
    :raises OwnershipError: for a field that is not declared, not owned, or already written where it may be only once.
    """
    known = {f.name for f in fields(TurnState)}
    for name in update:
        if name not in known or name in GIVEN or name in RUNNER:
            raise OwnershipError(f"{by} may not write {name!r}")
        if name not in allowed:
            raise OwnershipError(f"{by} wrote {name!r} without declaring it")
        if name in MERGED:
            continue
        if name in SHARED:
            if by not in SHARED[name] or getattr(state, name) is not None:
                raise OwnershipError(f"{by} may not write {name!r} again")
        elif by not in OWNERS[name]:
            raise OwnershipError(f"{name!r} belongs to {' or '.join(OWNERS[name])}, not to {by}")
    merged = {name: getattr(state, name) + tuple(value) if name in MERGED else value for name, value in update.items()}
    return replace(state, **merged)


class View:
    """A read-only look at the state that shows only the fields a node declared."""

    __slots__ = ("_by", "_reads", "_state")

    def __init__(self, state: TurnState, by: State, reads: frozenset[str]) -> None:
        self._state, self._by, self._reads = state, by, reads

    def __getattr__(self, name: str) -> Any:
        if name not in self._reads:
            raise OwnershipError(f"{self._by} read {name!r} without declaring it")
        return getattr(self._state, name)
