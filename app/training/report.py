"""Figures of a training run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.learn.facts import HEADS
from app.training.collect import MADE
from app.training.ranking import Bools

COVERAGES = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8)


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: whether a right candidate was there, was first by the rules, is first now, and how sure that is."""

    hardness: str
    solvable: bool
    by_rules: bool
    right: bool
    confidence: float


def figures(judged: Sequence[Judged], answer_above: float, heads: Bools) -> dict[str, object]:
    """Shares of questions, in percent.

    :param heads: for each question whether each part of its sketch was predicted right.
    """
    levels = ("easy", "medium", "hard", "extra")
    made, judged = [j for j in judged if j.hardness == MADE], [j for j in judged if j.hardness != MADE]
    by_level = {level: _accuracy([j for j in judged if j.hardness == level]) for level in levels}
    ordered = sorted(judged, key=lambda j: -j.confidence)
    right = np.cumsum([j.right for j in ordered])
    return {
        "all": _accuracy(judged),
        "by_hardness": by_level,
        "made": _accuracy(made),
        "made_answered": _answered(made, answer_above),
        "answer_above": round(answer_above, 4),
        "answered": _answered(judged, answer_above),
        "precision_at_coverage": {
            f"{share:.0%}": _percent(int(right[n - 1]), n) for share in COVERAGES if (n := int(len(judged) * share))
        },
        "sketch": {name: _percent(int(heads[:, n].sum()), len(heads)) for n, name in enumerate(HEADS)},
        "sketch_all": _percent(int(heads.all(axis=1).sum()), len(heads)),
    }


def _answered(judged: Sequence[Judged], answer_above: float) -> dict[str, float]:
    answered = [j for j in judged if j.confidence >= answer_above]
    return {
        "coverage": _percent(len(answered), len(judged)),
        "precision": _percent(sum(j.right for j in answered), len(answered)),
    }


def _accuracy(judged: Sequence[Judged]) -> dict[str, float]:
    solvable = sum(j.solvable for j in judged)
    return {
        "questions": len(judged),
        "oracle": _percent(solvable, len(judged)),
        "rules": _percent(sum(j.by_rules for j in judged), len(judged)),
        "learned": _percent(sum(j.right for j in judged), len(judged)),
        "rules_given_oracle": _percent(sum(j.by_rules for j in judged), solvable),
        "learned_given_oracle": _percent(sum(j.right for j in judged), solvable),
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0
