"""Roles: how likely each column is selected, filtered, grouped and ordered by; boosted trees over how it is linked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.catalog import Catalog
from agents.learn.facts import ROLES, ColumnKey, Facts
from agents.learn.links import COLUMN_FEATURES, ColumnRows, Links
from agents.learn.trees import Trees

Floats = NDArray[np.float64]

_LEAST = 0.005


@dataclass(frozen=True)
class RoleModel:
    """One ensemble per role of :data:`ROLES`."""

    trees: tuple[Trees, ...]

    def probabilities(self, rows: Floats) -> Floats:
        """Shape ``(columns, roles)``, kept off 0 and 1."""
        return np.clip(np.stack([t.probability(rows) for t in self.trees], axis=1), _LEAST, 1 - _LEAST)

    def save(self, path: Path) -> None:
        arrays = {"columns": np.array(COLUMN_FEATURES), "roles": np.array(ROLES)}
        for role, trees in zip(ROLES, self.trees, strict=True):
            arrays |= trees.arrays(role)
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> RoleModel:
        """:raises ValueError: when the file was made for other features. :raises OSError: when it cannot be read."""
        with np.load(path) as data:
            if data["columns"].tolist() != list(COLUMN_FEATURES) or data["roles"].tolist() != list(ROLES):
                raise ValueError("the role model was trained for other features")
            return cls(tuple(Trees.of(data, role) for role in ROLES))


def considered(links: Links, facts: Iterable[Facts]) -> list[ColumnKey]:
    """The columns that the question touches or that a candidate uses, in a fixed order."""
    found = set(links.touches)
    for one in facts:
        for columns in one.roles.values():
            found |= columns
    return sorted(found)


@dataclass(frozen=True)
class RoleScores:
    """Log-probabilities of every considered column in (``yes``) and out of (``no``) each role."""

    columns: dict[ColumnKey, int]
    yes: Floats
    no: Floats

    @classmethod
    def of(cls, columns: Sequence[ColumnKey], probabilities: Floats) -> RoleScores:
        return cls({c: n for n, c in enumerate(columns)}, np.log(probabilities), np.log1p(-probabilities))

    def fit(self, role: int, used: Iterable[ColumnKey]) -> tuple[float, float, float]:
        """How well a set of columns fits a role, in log-probabilities: the likelihood below that of the best set, the
        least likely column of the set (0 for an empty one), the likeliest one left out."""
        inside = np.zeros(len(self.columns), dtype=bool)
        for column in used:
            inside[self.columns[column]] = True
        yes, no = self.yes[:, role], self.no[:, role]
        loss = float((np.maximum(yes, no) - np.where(inside, yes, no)).sum())
        worst = float(yes[inside].min()) if inside.any() else 0.0
        missed = float(yes[~inside].max()) if not inside.all() else float(np.log(_LEAST))
        return -loss, worst, missed


def role_scores(
    model: RoleModel | None, links: Links, catalog: Catalog, sketch: Sequence[Floats], facts: Sequence[Facts]
) -> RoleScores | None:
    """Scores for one question, ``None`` without a model."""
    if model is None:
        return None
    columns = considered(links, facts)
    return RoleScores.of(columns, model.probabilities(ColumnRows(links, catalog, sketch).rows(columns)))
