"""Runs one turn through the table: per-node time, trace, declared reads and writes, stop and deadline.

The runner is the only place where a state is followed by another, and it asks :func:`agents.table.step` which.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import structlog

from agents.artifacts import Evidence, ProblemArtifact, TraceEvidence
from agents.errors import StarchartError, TurnCancelled
from agents.events import ArtifactReady, Event, StateEntered, Status, TurnDone
from agents.nodes import Node, Result, Tools, all_nodes
from agents.ports import CancelToken, Clock, Connection, FrameStore, Limits, Listener
from agents.state import TurnState, View, apply
from agents.table import TABLE, Outcome, Row, State, step

if TYPE_CHECKING:
    from agents.engine import Engine

log = structlog.get_logger(__name__)

_ALWAYS_RUN = frozenset({State.SYNTHESIZE})
"""States that run even after a stop or past the deadline, so that every turn ends with an answer."""


def run_turn(
    turn: TurnState,
    *,
    connection: Connection,
    engine: Engine,
    frames: FrameStore,
    clock: Clock,
    limits: Limits,
    listener: Listener,
    cancel: CancelToken | None = None,
    rows: tuple[Row, ...] = TABLE,
    nodes: dict[State, Node] | None = None,
) -> TurnState:
    """Take a turn from ``start`` to ``done`` and return its last state.

    Never raises for what happens inside the turn: a typed error becomes the turn's ``problem``, an unexpected one is
    logged and becomes ``internal.error``.

    :param listener: called with every event in order, never from two threads at once.
    """
    nodes = nodes or all_nodes()
    lock = threading.Lock()
    emitted: set[int] = set()

    def emit(event: Event) -> None:
        with lock:
            if isinstance(event, ArtifactReady):
                emitted.add(id(event.artifact))
            listener(event)

    cancel = cancel or CancelToken(clock, limits.turn_seconds)
    tools = Tools(connection, engine, frames, limits, clock, cancel, emit)
    began = clock.monotonic()
    state = step(State.START, Outcome.ASKED, turn, rows)
    while state is not State.DONE:
        emit(StateEntered(state=state))
        entered = clock.monotonic()
        outcome, turn = _run_node(nodes[state], turn, tools)
        elapsed = TraceEvidence(
            state=state,
            outcome=outcome,
            start_ms=round((entered - began) * 1000, 2),
            ms=round((clock.monotonic() - entered) * 1000, 2),
        )
        turn = replace(turn, trace=(*turn.trace, elapsed))
        for artifact in turn.artifacts:
            if id(artifact) not in emitted:
                emit(ArtifactReady(artifact=artifact))
        state = step(state, outcome, turn, rows)
    emit(TurnDone(status=_status(turn), ms=round((clock.monotonic() - began) * 1000, 2), evidence=evidence(turn)))
    return turn


def _run_node(node: Node, turn: TurnState, tools: Tools) -> tuple[Outcome, TurnState]:
    try:
        if node.state not in _ALWAYS_RUN:
            tools.cancel.check()
        # The view has the state's attributes, but only those the node declared.
        result: Result = node.run(cast(TurnState, View(turn, node.state, node.reads)), tools)
        return result.outcome, apply(turn, node.state, result.update, node.writes)
    except StarchartError as error:
        problem = problem_of(error, tone="stopped" if isinstance(error, TurnCancelled) else "failed")
    except Exception as error:
        log.exception("node failed", state=str(node.state), turn=turn.turn_id)
        problem = ProblemArtifact(
            id="problem",
            code="internal.error",
            message=f"Something went wrong inside Starchart ({type(error).__name__} in {node.state}).",
            hint="The question was kept. Ask it again; if it fails again, the server's log has the details.",
        )
    if turn.problem is not None:
        return Outcome.INTERRUPTED, turn
    return Outcome.INTERRUPTED, replace(turn, problem=problem)


def problem_of(error: StarchartError, tone: str = "failed") -> ProblemArtifact:
    """A typed error as the card that people see."""
    return ProblemArtifact.model_validate(
        {"id": "problem", "code": error.code, "message": error.message, "hint": error.hint, "tone": tone}
    )


def _status(turn: TurnState) -> Status:
    return turn.status or "error"


def evidence(turn: TurnState) -> Evidence:
    """Why the answer is what it is, gathered from the state."""
    return Evidence(
        lang=turn.lang,
        intent=turn.intent,
        mentions=turn.mentions,
        hits=turn.retrieval.hits if turn.retrieval else (),
        plan=turn.reading,
        chips=turn.chips,
        candidates=turn.candidates,
        confidence=turn.confidence,
        attempts=turn.attempts,
        checks=turn.checks,
        notes=turn.notes,
        warnings=turn.warnings,
        trace=turn.trace,
    )
