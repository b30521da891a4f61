"""Generate: the plan becomes SQL of the connection's dialect."""

from __future__ import annotations

from agents.nodes.base import Node, Result, Tools
from agents.sql.lower import to_sql
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    assert turn.plan is not None
    return Result(Outcome.GENERATED, {"sql": to_sql(turn.plan, tools.connection.catalog.dialect)})


NODE = Node(State.GENERATE, frozenset({"plan"}), frozenset({"sql"}), run)
