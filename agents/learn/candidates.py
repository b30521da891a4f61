"""A question's candidates as rows of numbers: what the engine says of each, how it agrees with what the words suggest,
and how it stands among the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.learn.facts import HEADS, ROLES, Facts
from agents.learn.links import Links
from agents.learn.roles import RoleScores

Floats = NDArray[np.float64]

_FITS = ("fit", "worst", "missed")
_OWN = (
    *(f"sketch.{head}" for head in HEADS),
    *(f"is.{head}" for head in HEADS),
    "sketch.sum",
    "sketch.least",
    "sketch.certain",
    *(f"role.{role}.{name}" for role in ROLES for name in _FITS),
    "role.sum",
    *("shown tables idle_tables missing_tables inversions repeated unnamed clash rank score").split(),
    *("score_gap sketch_gap role_gap both_gap candidates same_sketch same_shown same_where words slots").split(),
)


def feature_names(engine: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns, given the names of the engine's own features."""
    return tuple(f"engine.{name}" for name in engine) + _OWN


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate with all that its row is made of.

    :ivar features: the engine's own features by name.
    :ivar score: the score of the rules.
    """

    facts: Facts
    features: Mapping[str, float]
    score: float


def candidate_rows(
    described: Sequence[Described],
    links: Links,
    sketch: Sequence[Floats] | None,
    roles: RoleScores | None,
    engine: Sequence[str],
) -> Floats:
    """Shape ``(candidates, features)`` in the order of :func:`feature_names`."""
    rows = np.array([_own(one, links, sketch, roles, engine) for one in described], dtype=np.float64)
    return np.hstack([rows, _among(described, rows, links, len(engine))])


def _own(
    one: Described, links: Links, sketch: Sequence[Floats] | None, roles: RoleScores | None, engine: Sequence[str]
) -> list[float]:
    facts = one.facts
    agree = [float(p[c] - p.max()) for p, c in zip(sketch, facts.sketch, strict=True)] if sketch else [0.0] * len(HEADS)
    certain = sum(float(p.max()) for p in sketch) if sketch else 0.0
    fits: list[float] = []
    for number, role in enumerate(ROLES):
        fits += roles.fit(number, facts.roles[role]) if roles is not None else (0.0, 0.0, 0.0)
    named = [links.order(column) for column, aggregate in facts.shown if column is not None]
    placed = [at for at in named if at >= 0]
    idle = [t for t in facts.tables if t not in links.tables and t not in links.columns_of and t not in links.values_of]
    missing = [t for t, score in links.tables.items() if score >= 0.85 and t not in facts.tables]
    return [
        *(one.features.get(name, 0.0) for name in engine),
        *agree,
        *(float(c) for c in facts.sketch),
        sum(agree),
        min(agree),
        certain,
        *fits,
        sum(fits[:: len(_FITS)]),
        float(min(len(facts.shown), 8)),
        float(len(facts.tables)),
        float(len(idle)),
        float(len(missing)),
        float(sum(a > b for n, a in enumerate(placed) for b in placed[n + 1 :])),
        float(len(facts.shown) - len(set(facts.shown))),
        float(sum(at < 0 for at in named)),
        float(facts.clash),
    ]


def _among(described: Sequence[Described], rows: Floats, links: Links, engine: int) -> Floats:
    names = list(_OWN)
    scores = np.array([one.score for one in described])
    sketch, roles = rows[:, engine + names.index("sketch.sum")], rows[:, engine + names.index("role.sum")]
    both = sketch + roles
    count = len(described)
    ranks = np.argsort(np.argsort(-scores, kind="stable"), kind="stable").astype(np.float64)
    shares = []
    for key in (
        [one.facts.sketch for one in described],
        [frozenset(one.facts.shown) for one in described],
        [one.facts.roles["where"] for one in described],
    ):
        counted = Counter(key)
        shares.append(np.array([counted[k] / count for k in key]))
    return np.stack(
        [
            ranks,
            scores,
            *(values - _best_other(values) for values in (scores, sketch, roles, both)),
            np.full(count, float(count)),
            *shares,
            np.full(count, float(len(links.linked.tokens))),
            np.full(count, float(len(links.linked.slots))),
        ],
        axis=1,
    )


def _best_other(values: Floats) -> Floats:
    """For each value the largest of the others; alone, the value itself."""
    if len(values) < 2:
        return values
    order = np.argsort(-values, kind="stable")
    found = np.full(len(values), values[order[0]])
    found[order[0]] = values[order[1]]
    return found
