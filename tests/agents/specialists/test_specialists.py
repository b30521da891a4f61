from __future__ import annotations

import pyarrow as pa
import pytest

from agents.artifacts import ChartArtifact, FrameColumn, FrameMeta
from agents.catalog import Kind
from agents.specialists import Material, Specialist, all_specialists
from agents.specialists.chart import SPECIALIST

COLUMNS = (
    FrameColumn(name="origin", label="origin", kind=Kind.TEXT, role="dimension"),
    FrameColumn(name="power", label="power", kind=Kind.DECIMAL, role="measure"),
)


def material(rows: list[tuple[str, float]]) -> Material:
    table = pa.table({"origin": [row[0] for row in rows], "power": [row[1] for row in rows]})
    return Material(FrameMeta(id="f1", columns=COLUMNS, rows=len(rows), total=len(rows)), table, "en", "data")


def test_inventory() -> None:
    assert [specialist.name for specialist in all_specialists()] == ["chart"]


@pytest.mark.parametrize("specialist", all_specialists(), ids=lambda s: s.name)
def test_every_specialist_keeps_the_contract(specialist: Specialist) -> None:
    assert specialist.seconds > 0
    for given in (material([]), material([("USA", 119.0), ("Japan", 79.8)])):
        found = specialist.run(given)
        assert found == specialist.run(given)
        assert found.artifacts or found.notes
        assert all(artifact.id.startswith(specialist.name) for artifact in found.artifacts)


@pytest.mark.parametrize(("intent", "expected"), [("data", True), ("schema", False), ("talk.hello", False)])
def test_wants(intent: str, expected: bool) -> None:
    assert SPECIALIST.wants(intent) is expected


def test_chart() -> None:
    [chart] = SPECIALIST.run(material([("USA", 119.0), ("Japan", 79.8)])).artifacts
    assert isinstance(chart, ChartArtifact)
    assert (chart.id, chart.chart, chart.frame_id, chart.title) == ("chart", "bar", "f1", "power by origin")


def test_no_chart_says_why() -> None:
    assert SPECIALIST.run(material([])).notes == ("There are no rows to draw.",)
