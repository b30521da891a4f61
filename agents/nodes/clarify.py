"""Clarify: close readings with different results become a question back, with what each would return."""

from __future__ import annotations

from agents.artifacts import ClarifyArtifact
from agents.nodes.base import Node, Result, Tools
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    question = (
        "这个问题有几种理解，结果不同。您指的是哪一种？"
        if turn.lang == "zh"
        else ("This can be read in ways that give different results. Which one do you mean?")
    )
    artifact = ClarifyArtifact(id="clarify", question=question, options=turn.options)
    return Result(Outcome.ASKED_BACK, {"artifacts": (artifact,)})


NODE = Node(State.CLARIFY, frozenset({"lang", "options"}), frozenset({"artifacts"}), run)
