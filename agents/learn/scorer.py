"""The learned scorer as the engine uses it: candidates in, scores and a confidence out."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from agents.catalog import Catalog
from agents.language.link import Linked
from agents.learn.candidates import Described, candidate_rows
from agents.learn.confidence import EncodedConfidence, Ranked
from agents.learn.facts import facts_of
from agents.learn.links import Links
from agents.learn.ranker import Ranker
from agents.learn.roles import RoleModel, role_scores
from agents.learn.sketch import Sketcher
from agents.plan.ir import Plan
from agents.sql.lower import lower

MODELS = Path(__file__).parent.parent / "plan" / "models"
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
    """A score per candidate in the order given, the higher the better.

    :ivar confidence: the probability that the best is right.
    :ivar answer_above: the confidence from which answers were right often enough in training.
    :ivar encoded: whether the encoder had a say in the confidence.
    """

    scores: tuple[float, ...]
    confidence: float
    answer_above: float
    encoded: bool = False


@dataclass(frozen=True)
class Scorer:
    """All learned parts. Immutable; safe to share between threads.

    :ivar encoder: makes the confidence surer; without it the ranker's own stands.
    :ivar missing: why a part is not there, by its name; empty when all are.
    """

    sketch: Sketcher | None = None
    roles: RoleModel | None = None
    ranker: Ranker | None = None
    encoder: EncodedConfidence | None = None
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether candidates can be ranked: the ranker was trained on what the other two say."""
        return self.sketch is not None and self.roles is not None and self.ranker is not None

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
        rows = candidate_rows(described, links, sketch, roles, self.ranker.engine)
        trees, linear = self.ranker.scores(rows)
        scores = tuple(float(s) for s in self.ranker.order(trees, linear))
        if self.encoder is not None:
            ranked = Ranked(rows, self.ranker.engine, trees, linear, self.ranker.mix)
            sure = self.encoder.sure(links, catalog, [one.facts for one in described], ranked)
            if sure is not None:
                return Ranking(scores, sure, self.encoder.model.answer_above, encoded=True)
        return Ranking(scores, self.ranker.sure(trees, linear), self.ranker.answer_above)


_LOADED: Mapping[str, Callable[[Path], object]] = {
    "sketch": lambda folder: Sketcher.load(folder / "sketch.npz"),
    "roles": lambda folder: RoleModel.load(folder / "roles.npz"),
    "ranker": lambda folder: Ranker.load(folder / "ranker.npz"),
    "encoder": lambda folder: EncodedConfidence.load(folder / "encoder"),
}

PARTS = tuple(_LOADED)


def load_scorer(folder: Path = MODELS) -> Scorer:
    """Whatever of the learned parts lies in the folder; a part that is missing or broken is left out and named."""
    found: dict[str, object] = {}
    missing: dict[str, str] = {}
    for part, load in _LOADED.items():
        try:
            found[part] = load(folder)
        except FileNotFoundError:
            missing[part] = "the file is not there"
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            missing[part] = str(error)
    return Scorer(**found, missing=missing)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def default_scorer() -> Scorer:
    """The models that come with the package."""
    return load_scorer()
