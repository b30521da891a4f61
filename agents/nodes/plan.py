"""Plan: the question becomes candidate plans; the best one is taken, asked back about, or declined."""

from __future__ import annotations

from agents.artifacts import CandidateEvidence
from agents.engine import mention_evidence
from agents.nodes.base import Node, Result, Tools
from agents.plan.columns import frame_columns
from agents.plan.compare import options_for, rivals
from agents.plan.declined import declined
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    hits = turn.retrieval.hits if turn.retrieval is not None else ()
    understood = tools.engine.read(turn.question, turn.lang, turn.now, hits)
    best = understood.candidates[0] if understood.candidates else None
    update: dict[str, object] = {
        "mentions": mention_evidence(understood.linked, best),
        "candidates": tuple(
            CandidateEvidence(sentence=c.sentence, score=round(c.score, 3), features=c.features)
            for c in understood.candidates[:5]
        ),
        "confidence": round(understood.confidence, 3),
    }
    if best is None or best.problem is not None or understood.confidence < understood.answer_above:
        update["problem"] = declined(understood, tools.connection)
        return Result(Outcome.CANNOT_EXPRESS, update)
    close = rivals(understood, tools)
    if close:
        update["options"] = options_for((best, *close), tools, turn.lang)
        return Result(Outcome.AMBIGUOUS, update)
    update |= {
        "plan": best.plan,
        "reading": best.sentence,
        "filters": best.filters,
        "chips": best.chips,
        "columns": frame_columns(best.plan),
        "checks": best.checks,
    }
    return Result(Outcome.PLANNED, update)


NODE = Node(
    State.PLAN,
    frozenset({"question", "lang", "now", "retrieval"}),
    frozenset(
        {
            "mentions",
            "candidates",
            "confidence",
            "problem",
            "options",
            "plan",
            "reading",
            "filters",
            "chips",
            "columns",
            "checks",
        }
    ),
    run,
)
