"""The learned scorer as the engine uses it: candidates in, scores and a confidence out."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from agents.catalog import Catalog
from agents.language.link import Linked
from agents.learn.candidates import Described, candidate_rows
from agents.learn.facts import facts_of
from agents.learn.links import Links
from agents.learn.ranker import Ranker
from agents.learn.roles import RoleModel, role_scores
from agents.learn.sketch import Sketcher
from agents.plan.ir import Plan
from agents.sql.lower import lower

MODELS = Path(__file__).parent.parent / "plan" / "models"
PARTS = ("sketch", "roles", "ranker")
LANGUAGES = ("en",)
"""Languages of the questions that the models were trained on."""


class Rankable(Protocol):
    """What is looked at of a candidate; ``score`` is that of the rules."""

    @property
    def plan(self) -> Plan: ...

    @property
    def features(self) -> Mapping[str, float]: ...

    @property
    def score(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """A score per candidate in the order given, the higher the better, and the probability that the best is right."""

    scores: tuple[float, ...]
    confidence: float


@dataclass(frozen=True)
class Scorer:
    """All learned parts. Immutable; safe to share between threads.

    :ivar missing: why a part is not there, by its name; empty when all are.
    """

    sketch: Sketcher | None = None
    roles: RoleModel | None = None
    ranker: Ranker | None = None
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether candidates can be ranked: the ranker was trained on what the other two say."""
        return self.sketch is not None and self.roles is not None and self.ranker is not None

    @property
    def answer_above(self) -> float | None:
        """The confidence from which to answer; ``None`` where nothing learned says so."""
        return self.ranker.answer_above if self.complete and self.ranker is not None else None

    def without(self, parts: Collection[str]) -> Scorer:
        """The same with some of :data:`PARTS` left out, as if their files were not there."""
        lost: dict[str, Any] = dict.fromkeys(parts)
        return replace(self, **lost, missing={**self.missing, **dict.fromkeys(parts, "left out")})

    def rank(self, linked: Linked, candidates: Sequence[Rankable], catalog: Catalog) -> Ranking | None:
        """``None`` when a part is missing, nothing is to be ranked, or the language was not learned: rules stand."""
        if self.sketch is None or self.roles is None or self.ranker is None:
            return None
        if not candidates or linked.lang not in LANGUAGES:
            return None
        described = [
            Described(facts_of(lower(c.plan, catalog.dialect), catalog), c.features, c.score) for c in candidates
        ]
        links = Links.of(linked)
        sketch = self.sketch.predict(linked)
        roles = role_scores(self.roles, links, catalog, sketch, [one.facts for one in described])
        trees, linear = self.ranker.scores(candidate_rows(described, links, sketch, roles, self.ranker.engine))
        scores = self.ranker.order(trees, linear)
        return Ranking(tuple(float(s) for s in scores), self.ranker.sure(trees, linear))


def load_scorer(folder: Path = MODELS) -> Scorer:
    """Whatever of the learned parts lies in the folder; a part that is missing or broken is left out and named."""
    found: dict[str, object] = {}
    missing: dict[str, str] = {}
    for part, load in zip(PARTS, (Sketcher.load, RoleModel.load, Ranker.load), strict=True):
        path = folder / f"{part}.npz"
        try:
            found[part] = load(path)
        except FileNotFoundError:
            missing[part] = "the file is not there"
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            missing[part] = str(error)
    return Scorer(**found, missing=missing)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def default_scorer() -> Scorer:
    """The models that come with the package."""
    return load_scorer()
