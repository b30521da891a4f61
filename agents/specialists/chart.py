"""The chart specialist: draws the rows where a picture says more than the table."""

from __future__ import annotations

from agents.charts import NotDrawn, chart_artifact, choose
from agents.specialists.base import Findings, Material, Specialist


def run(material: Material) -> Findings:
    chosen = choose(material.meta, material.table, material.lang)
    if isinstance(chosen, NotDrawn):
        return Findings(notes=(chosen.reason,))
    return Findings((chart_artifact(chosen, material.meta, material.lang, id="chart"),))


SPECIALIST = Specialist("chart", 2.0, run)
