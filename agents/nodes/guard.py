"""Guard: the one check that every statement passes, whoever wrote it."""

from __future__ import annotations

import sqlglot

from agents.artifacts import AttemptEvidence, ProblemArtifact, SqlArtifact
from agents.errors import GuardRejected
from agents.nodes.base import Node, Result, Tools
from agents.sql.guard import check
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    catalog = tools.connection.catalog
    try:
        allowed = check(turn.sql, catalog)
    except GuardRejected as error:
        attempt = AttemptEvidence(
            origin="rules", status="refused", sql=turn.sql, code=error.code, message=error.message
        )
        problem = ProblemArtifact(id="problem", code=error.code, message=error.message, hint=error.hint)
        return Result(Outcome.REJECTED, {"attempts": (attempt,), "problem": problem})
    # Set in lines for the eye; the statement that runs is the same, on one.
    shown = sqlglot.parse_one(allowed.text, dialect=allowed.dialect).sql(dialect=allowed.dialect, pretty=True)
    artifact = SqlArtifact(id="sql", sql=shown, dialect=allowed.dialect)
    return Result(Outcome.ALLOWED, {"allowed": allowed, "artifacts": (artifact,)})


NODE = Node(State.GUARD, frozenset({"sql"}), frozenset({"allowed", "artifacts", "attempts", "problem"}), run)
