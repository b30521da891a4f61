"""The encoder's scores as probabilities of columns, for the proposals of the plan reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.language.ir import ColumnTarget
from agents.learn.encoder import OUTPUTS, EncoderScores
from agents.learn.facts import HEADS

_HEADS = list(HEADS)


@dataclass(frozen=True)
class EncoderChances:
    """See :class:`agents.plan.read.propose.Chances`."""

    scores: EncoderScores

    def columns(self, role: str, least: float) -> list[tuple[ColumnTarget, float]]:
        place = OUTPUTS.index(role)
        found = [
            (ColumnTarget(*name), float(np.exp(self.scores.yes[row, place])))
            for name, row in self.scores.rows.items()
            if name[1]
        ]
        return sorted(((c, p) for c, p in found if p >= least), key=lambda pair: -pair[1])

    def of(self, role: str, column: ColumnTarget) -> float:
        row = self.scores.rows.get((column.table, column.column))
        return float(np.exp(self.scores.yes[row, OUTPUTS.index(role)])) if row is not None else 0.0

    def table(self, name: str) -> float:
        row = self.scores.rows.get((name, ""))
        return float(np.exp(self.scores.yes[row, OUTPUTS.index("used")])) if row is not None else 0.5

    def sketch(self, head: str, name: str) -> float:
        return float(np.exp(self.scores.sketch[_HEADS.index(head)][HEADS[head].index(name)]))
