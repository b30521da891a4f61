"""Retrieve: hybrid search over the schema; what it finds supports the reading and goes into the evidence."""

from __future__ import annotations

from agents.nodes.base import Node, Result, Tools
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    retrieval = tools.connection.retriever.search(" ".join((*turn.continues, turn.question)))
    update: dict[str, object] = {"retrieval": retrieval}
    if retrieval.warning:
        update["warnings"] = (retrieval.warning,)
    if not tools.connection.catalog.tables:
        return Result(Outcome.NOTHING_FOUND, update)
    return Result(Outcome.FOUND, update)


NODE = Node(State.RETRIEVE, frozenset({"question", "continues"}), frozenset({"retrieval", "warnings"}), run)
