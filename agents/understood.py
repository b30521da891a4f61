"""What the engine makes of a question: the readings, best first, and how sure it is of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.artifacts import ChipEvidence, MentionEvidence
from agents.language.ir import Mention
from agents.language.link import Linked
from agents.language.text import Language
from agents.plan.ir import Plan
from agents.plan.read.draft import Draft
from agents.plan.read.shown import CannotCompile
from agents.plan.trust import SURE_ENOUGH


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading: the plan, its SQL, how it reads back, and the features behind its score.

    :ivar problem: reason and detail of what the plan leaves out although the question says it; such a reading is shown
        among the candidates but never answered.
    """

    plan: Plan
    sql: str
    sentence: str
    chips: tuple[ChipEvidence, ...]
    filters: str
    checks: tuple[str, ...]
    features: dict[str, float]
    score: float
    used: frozenset[tuple[int, int]]
    mentions: tuple[Mention, ...]
    draft: Draft
    problem: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """Everything the engine made of a question.

    :ivar candidates: best first, each with different SQL; empty when nothing could be made.
    :ivar confidence: of the first candidate, 0 to 1.
    :ivar reason: why there is no candidate, or none to trust: ``unknown_words``, ``no_date``, ``not_connected`` …
    :ivar unknown: the content words that nothing was linked to.
    :ivar answer_above: the confidence from which the first candidate is answered.
    :ivar learned: whether the learned scorer ranked them; its confidence already weighs the runners-up.
    :ivar failed: why what the words most likely mean made no plan; other meanings may have made one.
    """

    lang: Language
    linked: Linked
    candidates: tuple[Candidate, ...]
    confidence: float
    reason: str = ""
    detail: str = ""
    unknown: tuple[str, ...] = ()
    rejected: tuple[str, ...] = field(default=())
    failed: CannotCompile | None = None
    answer_above: float = SURE_ENOUGH
    learned: bool = False


def mention_evidence(linked: Linked, chosen: Candidate | None) -> tuple[MentionEvidence, ...]:
    """All mentions for the evidence: those of the chosen reading as used, the rest as alternatives."""
    picked = set(chosen.mentions) if chosen else set()
    used = chosen.used if chosen else frozenset()
    shown = [m for slot in linked.slots for m in slot] + list(linked.losers)
    return tuple(
        MentionEvidence(
            start=m.start,
            end=m.end,
            text=m.text,
            kind=_KINDS[type(m.target).__name__],
            target=str(m.target),
            score=round(m.score, 3),
            reason=m.reason,
            used=m in picked and (m.start, m.end) in used,
        )
        for m in sorted(shown, key=lambda m: (m.start, m.end, -m.score))
    )


_KINDS = {
    "TableTarget": "table",
    "ColumnTarget": "column",
    "MeasureTarget": "measure",
    "ValueTarget": "value",
    "NumberTarget": "number",
    "TimeTarget": "time",
    "PhraseTarget": "phrase",
    "TextTarget": "text",
}
