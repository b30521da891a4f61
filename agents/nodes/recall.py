"""Recall: what the session was about, when the question is a fragment that goes on from it."""

from __future__ import annotations

from agents.nodes.base import Node, Result, Tools
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    chain = tools.engine.continues(turn.question, turn.earlier)
    if not chain:
        return Result(Outcome.RECALLED)
    said = " → ".join(chain)
    english = turn.wanted_lang == "en" or (turn.wanted_lang is None and turn.question.isascii())
    note = f"Goes on from: {said}" if english else f"接着前面的问题：{said}"
    return Result(Outcome.RECALLED, {"continues": chain, "notes": (note,)})


NODE = Node(
    State.RECALL,
    frozenset({"question", "earlier", "wanted_lang"}),
    frozenset({"continues", "notes"}),
    run,
)
