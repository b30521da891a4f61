"""Plan: the question becomes candidate plans; the best one is taken, asked back about, or declined."""

from __future__ import annotations

from agents.artifacts import CandidateEvidence
from agents.nodes.base import Node, Result, Tools
from agents.nodes.members import says_every, with_every_member
from agents.nodes.ties import with_ties
from agents.plan.columns import frame_columns
from agents.plan.compare import options_for, rivals
from agents.plan.declined import declined
from agents.plan.ir import Plan
from agents.state import TurnState
from agents.table import Outcome, State
from agents.understood import Candidate, mention_evidence


def run(turn: TurnState, tools: Tools) -> Result:
    hits = turn.retrieval.hits if turn.retrieval is not None else ()
    if turn.continues:
        understood = tools.engine.read_on(turn.question, turn.continues, turn.lang, turn.now, hits)
    else:
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
    plan, told, warnings = _complete(best, tools, turn.lang)
    update |= {
        "plan": plan,
        "reading": best.sentence + told + _continued(turn),
        "warnings": warnings,
        "filters": best.filters,
        "chips": best.chips,
        "columns": frame_columns(plan),
        "checks": best.checks,
    }
    return Result(Outcome.PLANNED, update)


def _complete(best: Candidate, tools: Tools, lang: str) -> tuple[Plan, str, tuple[str, ...]]:
    """The plan with the rows that belong to its answer and that its first form leaves out: members without a row where
    each was asked for, and those that tie with the last of a ranking; with what the reading and a warning say of it."""
    if says_every(best.mentions) and (every := with_every_member(best.plan, tools)) is not None:
        plan, absent = every
        return plan, f"，含 {absent} 个为零的" if lang == "zh" else f", with the {absent} that have none", ()
    if (tied := with_ties(best.plan, tools, lang)) is not None:
        return tied[0], "", (tied[1],)
    return best.plan, "", ()


def _continued(turn: TurnState) -> str:
    """What a follow-up goes on from, said where its reading is said."""
    if not turn.continues:
        return ""
    return f"（接着“{turn.continues[-1]}”）" if turn.lang == "zh" else f" — going on from “{turn.continues[-1]}”"


NODE = Node(
    State.PLAN,
    frozenset({"question", "continues", "lang", "now", "retrieval"}),
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
            "warnings",
        }
    ),
    run,
)
