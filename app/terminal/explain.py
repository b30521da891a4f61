"""Every stage between a question and its SQL, as one object: what ``starchart explain`` prints or gives as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict

from agents.artifacts import ChipEvidence, HitEvidence, MentionEvidence
from agents.catalog import Table
from agents.language.text import detect_language, tokenize
from agents.plan.ir import Plan
from agents.sql.guard import verdict
from agents.sql.lower import lower
from agents.understood import Candidate, mention_evidence
from app.opened import Opened
from app.turns.ports import Lang
from app.turns.question import clean_question


class _Stage(BaseModel):
    model_config = ConfigDict(frozen=True)


class TokenStage(_Stage):
    text: str
    start: int
    end: int
    lemma: str
    kind: str


class CandidateStage(_Stage):
    """A reading that competed: in words, its SQL, its score and the features behind it."""

    sentence: str
    sql: str
    score: float
    features: dict[str, float]


class Explanation(_Stage):
    """All stages. From ``hits`` on they are empty for a question that needs no rows (``intent`` is not ``data``).

    :ivar reason: why there is no candidate, or none to trust.
    :ivar rejected: why further readings could not be made.
    :ivar plan: the best candidate's plan, one node a line, indented.
    :ivar tree: the same as a sqlglot tree.
    :ivar guard: what the guard says of the SQL: ``verdict``, ``code``, ``reasons``, ``sql``, ``tables``.
    """

    question: str
    connection: str
    lang: str
    intent: str
    tokens: tuple[TokenStage, ...]
    hits: tuple[HitEvidence, ...] = ()
    mentions: tuple[MentionEvidence, ...] = ()
    unknown: tuple[str, ...] = ()
    candidates: tuple[CandidateStage, ...] = ()
    confidence: float = 0.0
    reason: str = ""
    rejected: tuple[str, ...] = ()
    reading: str = ""
    chips: tuple[ChipEvidence, ...] = ()
    checks: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    tree: tuple[str, ...] = ()
    sql: str = ""
    guard: dict[str, Any] | None = None


def explain(opened: Opened, question: str, *, lang: Lang | None, now: datetime) -> Explanation:
    """Take the question through every stage; nothing is run in the database.

    :raises QuestionError: for a text that cannot be asked.
    """
    question = clean_question(question)
    connection, engine = opened.connection, opened.engine
    spoken, intent = engine.route(question)
    lang = lang or spoken
    tokens = tuple(
        TokenStage(text=t.text, start=t.start, end=t.end, lemma=t.lemma, kind=t.kind)
        for t in tokenize(question, detect_language(question))
    )
    start = {"question": question, "connection": connection.name, "lang": lang, "intent": intent, "tokens": tokens}
    if intent != "data":
        return Explanation.model_validate(start)
    hits = opened.retriever.search(question).hits
    understood = engine.read(question, lang, now, hits)
    best = understood.candidates[0] if understood.candidates else None
    return Explanation.model_validate(
        {
            **start,
            "hits": hits,
            "mentions": mention_evidence(understood.linked, best),
            "unknown": understood.unknown,
            "candidates": tuple(_candidate(c) for c in understood.candidates),
            "confidence": round(understood.confidence, 3),
            "reason": understood.reason,
            "rejected": understood.rejected,
            **(_chosen(best, opened) if best is not None else {}),
        }
    )


def _candidate(candidate: Candidate) -> CandidateStage:
    features = {name: round(value, 4) for name, value in candidate.features.items()}
    return CandidateStage(
        sentence=candidate.sentence, sql=candidate.sql, score=round(candidate.score, 3), features=features
    )


def _chosen(best: Candidate, opened: Opened) -> dict[str, Any]:
    catalog = opened.connection.catalog
    return {
        "reading": best.sentence,
        "chips": best.chips,
        "checks": best.checks,
        "plan": tuple(plan_lines(best.plan)),
        "tree": tuple(repr(lower(best.plan, catalog.dialect)).splitlines()),
        "sql": best.sql,
        "guard": verdict(best.sql, catalog),
    }


def plan_lines(plan: Plan) -> Iterator[str]:
    """The plan's nodes, one a line; tables by name only, empty parts left out."""
    yield from _lines("", plan, 0)


def _lines(name: str, node: object, depth: int) -> Iterator[str]:
    head = "  " * depth + (f"{name}: " if name else "")
    if isinstance(node, Table):
        yield f"{head}{node.name}"
    elif isinstance(node, tuple):
        yield f"{head.rstrip()}"
        for part in node:
            yield from _lines("", part, depth + 1)
    elif is_dataclass(node):
        leaves = [(f.name, getattr(node, f.name)) for f in fields(node)]
        shown = [(key, value) for key, value in leaves if value not in (None, (), False)]
        flat = " ".join(f"{key}={_leaf(value)}" for key, value in shown if _is_leaf(value))
        yield f"{head}{type(node).__name__}{f'  {flat}' if flat else ''}"
        for key, value in shown:
            if not _is_leaf(value):
                yield from _lines(key, value, depth + 1)
    else:
        yield f"{head}{_leaf(node)}"


def _is_leaf(value: object) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(part, str | int | float) for part in value)
    return isinstance(value, Table) or not is_dataclass(value)


def _leaf(value: object) -> str:
    match value:
        case Table():
            return value.name
        case Enum():
            return str(value.value)
        case datetime():
            return value.isoformat(sep=" ")
        case tuple():
            return f"({', '.join(_leaf(part) for part in value)})"
    return repr(value) if isinstance(value, str) and not value.isidentifier() else str(value)
