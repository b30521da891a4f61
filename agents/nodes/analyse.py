"""Analyse: the specialists run side by side on the rows, each under its own time limit; the join keeps their order.

A specialist that fails or is late costs only its own artifacts and leaves a warning. A late one cannot be killed: it is
left to end by itself, and what it brings is dropped.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late

import structlog

from agents.artifacts import Artifact
from agents.events import ArtifactReady
from agents.nodes.base import Node, Result, Tools
from agents.specialists import Findings, Material, Specialist, all_specialists
from agents.state import TurnState
from agents.table import Outcome, State

log = structlog.get_logger(__name__)

_TEXTS = {
    "en": ("The {} was left out: it took longer than {:g} seconds.", "The {} was left out: it failed ({})."),
    "zh": ("{} 未显示：用时超过 {:g} 秒。", "{} 未显示：出现错误（{}）。"),
}


def run(turn: TurnState, tools: Tools) -> Result:
    return fork_join(turn, tools, all_specialists())


def fork_join(turn: TurnState, tools: Tools, specialists: tuple[Specialist, ...]) -> Result:
    """Run the specialists that want this turn, side by side, and join what they found in their order."""
    assert turn.frame is not None
    wanted = [s for s in specialists if s.wants(turn.intent)]
    material = Material(turn.frame, tools.frames.open(turn.frame.id), turn.lang, turn.intent)
    artifacts: list[Artifact] = []
    notes: list[str] = []
    warnings: list[str] = []
    late, failed = _TEXTS[turn.lang]
    began = tools.clock.monotonic()
    pool = ThreadPoolExecutor(max(1, len(wanted)), thread_name_prefix="starchart-specialist")
    try:
        futures = [(s, pool.submit(_one, s, material, tools)) for s in wanted]
        for specialist, future in futures:
            left = min(specialist.seconds - (tools.clock.monotonic() - began), tools.cancel.remaining)
            try:
                findings = future.result(timeout=max(0.0, left))
            except Late:
                _drop(future)
                warnings.append(late.format(specialist.name, specialist.seconds))
                continue
            except Exception as error:
                log.exception("specialist failed", specialist=specialist.name, turn=turn.turn_id)
                warnings.append(failed.format(specialist.name, type(error).__name__))
                continue
            artifacts += findings.artifacts
            notes += findings.notes
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return Result(Outcome.JOINED, {"artifacts": tuple(artifacts), "notes": tuple(notes), "warnings": tuple(warnings)})


def _one(specialist: Specialist, material: Material, tools: Tools) -> Findings:
    began = tools.clock.monotonic()
    findings = specialist.run(material)
    # Shown as soon as it is ready; the join only orders what is kept. A late finding must not surprise the page.
    if tools.clock.monotonic() - began <= specialist.seconds and not tools.cancel.cancelled:
        for artifact in findings.artifacts:
            tools.emit(ArtifactReady(artifact=artifact))
    return findings


def _drop(future: Future[Findings]) -> None:
    future.cancel()


NODE = Node(
    State.ANALYSE,
    frozenset({"frame", "lang", "intent", "turn_id"}),
    frozenset({"artifacts", "notes", "warnings"}),
    run,
)
