"""A small engine that tells a fixed story per question, over real result sets; run as a script it is served."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from agents.artifacts import (
    CellRef,
    ChartArtifact,
    ChipEvidence,
    ClarifyArtifact,
    ClarifyOption,
    Evidence,
    FrameColumn,
    HitEvidence,
    MentionEvidence,
    ProblemArtifact,
    Segment,
    SqlArtifact,
    TableArtifact,
    TextArtifact,
    TraceEvidence,
)
from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.charts import chart_artifact, choose, rechart
from agents.charts.choose import ChosenChart
from agents.errors import NotFound, StarchartError, TurnCancelled
from agents.events import ArtifactReady, NarrativeReady, StateEntered, TextDelta, TurnDone
from agents.glossary import Glossary, GlossaryProblem, Texts, check_glossary
from agents.ports import CancelToken
from app.databases.changes import Changes
from app.frames import ArrowFrames
from app.freshness import Reading
from app.glossaries import GlossaryFile
from app.turns.ports import ConnectionInfo, Health, PartHealth

EVIL = '<img src=x onerror="alert(1)">'
SENTENCES = (("Japan leads with ", "30.5", " miles."), ("The fewest are in ", "USA", "."))

CATALOG = Catalog(
    "vega",
    "sqlite",
    (
        Table(
            "cars",
            (
                Column("id", "INTEGER", Kind.INTEGER, nullable=False),
                Column("origin_id", "INTEGER", Kind.INTEGER),
                Column(EVIL, "TEXT", Kind.TEXT, samples=(EVIL,)),
            ),
            primary_key=("id",),
            foreign_keys=(ForeignKey(("origin_id",), "origins", ("id",)),),
            rows=406,
        ),
        Table(
            "origins", (Column("id", "INTEGER", Kind.INTEGER), Column("name", "TEXT", Kind.TEXT, unique=True)), rows=3
        ),
    ),
)
GLOSSARY = Glossary.model_validate(
    {
        "tables": {
            "cars": {
                "names": {"en": ["car"], "zh": ["汽车"]},
                "description": {"en": "One row per car.", "zh": "每辆车一行。"},
            }
        },
        "measures": {"power": {"names": {"en": ["power"]}, "expression": "AVG(cars.id)"}},
    }
)


class ScriptedEngine:
    """Implements :class:`app.turns.ports.AskService`.

    Questions: ``slow`` waits until it is stopped, ``gate`` waits in the middle until ``gate`` is set or ``open the
    gate`` is asked (``gate 2`` has a gate of its own, and so on), ``crash`` raises, ``locked`` fails in a typed way,
    ``which`` asks back, ``evil`` has markup everywhere, ``many`` has 60 rows, ``silent`` never ends properly; anything
    else is answered.
    """

    def __init__(self, folder: Path) -> None:
        self._frames = ArrowFrames(folder)
        self._glossary_file = GlossaryFile(folder.parent / "glossaries", "vega")
        self.gates: defaultdict[str, threading.Event] = defaultdict(threading.Event)
        self.gate = self.gates["gate"]
        self.asked: list[dict[str, Any]] = []
        self.refreshed: list[str] = []

    @property
    def frames(self) -> ArrowFrames:
        return self._frames

    def connections(self) -> tuple[ConnectionInfo, ...]:
        return (
            ConnectionInfo("vega", "SQLite", "read-only", Texts(en="Small data sets.", zh="小数据集。")),
            ConnectionInfo("broken", "SQLite", "read-only", problem="The file broken.sqlite is not there."),
        )

    def ask(
        self,
        connection: str,
        question: str,
        *,
        earlier: tuple[str, ...] = (),
        turn_id: str,
        listener: Any,
        cancel: CancelToken,
        **given: Any,
    ) -> object:
        self.asked.append({"connection": connection, "question": question, "turn_id": turn_id, **given})
        listener(StateEntered(state="route"))
        if question == "crash":
            raise RuntimeError("a bug")
        if question == "locked":
            raise StarchartError("execute.locked", "The database is locked.", "Try again.")
        if question == "silent":
            return None
        if question == "slow":
            stopped = threading.Event()
            cancel.on_cancel(stopped.set)
            stopped.wait(30)
            raise TurnCancelled
        if question.startswith("open the "):
            self.gates[question.removeprefix("open the ")].set()
        evidence = self._evidence(question)
        if question == "which":
            option = ClarifyOption(
                id="1", text="by order date", returns="12 rows", question="revenue by order date", sql="SELECT 1"
            )
            listener(ArtifactReady(artifact=ClarifyArtifact(id="clarify", question="Which date?", options=(option,))))
            listener(TurnDone(status="clarify", ms=3.0, evidence=evidence))
            return None
        if question == "weather on mars":
            problem = ProblemArtifact(
                id="problem",
                code="plan.no_data",
                message="There is no such data.",
                hint="See the schema.",
                tone="declined",
            )
            listener(ArtifactReady(artifact=problem))
            listener(TurnDone(status="declined", ms=3.0, evidence=evidence))
            return None
        self._answer(question, listener, evidence)
        return None

    def _answer(self, question: str, listener: Callable[[Any], None], evidence: Evidence) -> None:
        evil = question == "evil"
        names = (
            [f"c{number}" for number in range(60)]
            if question == "many"
            else ["Japan", "Europe", EVIL if evil else "USA"]
        )
        table = pa.table({"origin": names, "mpg": [30.5 - number for number in range(len(names))]})
        columns = (
            FrameColumn(name="origin", label=EVIL if evil else "Origin", kind=Kind.TEXT, role="dimension"),
            FrameColumn(name="mpg", label="Miles", kind=Kind.DECIMAL, role="measure"),
        )
        frame = self._frames.put(table, columns, total=len(names), truncated=False)
        listener(StateEntered(state="execute"))
        listener(
            ArtifactReady(
                artifact=SqlArtifact(
                    id="sql", sql=f"SELECT origin FROM cars -- {EVIL if evil else ''}", dialect="sqlite"
                )
            )
        )
        listener(
            ArtifactReady(artifact=TableArtifact(id="table", title=EVIL if evil else "Miles by origin", frame=frame))
        )
        chosen = choose(frame, self._frames.open(frame.id), "en")
        assert isinstance(chosen, ChosenChart)
        chart = chart_artifact(chosen, frame, "en", id="chart")
        listener(ArtifactReady(artifact=chart))
        if question.startswith("gate"):
            self.gates[question].wait(30)
        listener(StateEntered(state="synthesize"))
        sentences = []
        for number, texts in enumerate(SENTENCES):
            cell = CellRef(frame_id=frame.id, row=0, column="mpg")
            segments = tuple(
                Segment(text=EVIL if evil else text, cell=cell if place == 1 else None)
                for place, text in enumerate(texts)
            )
            for segment in segments:
                listener(TextDelta(sentence=number, segment=segment))
            sentences.append(segments)
        listener(NarrativeReady(artifact=TextArtifact(id="text", lang="en", sentences=tuple(sentences))))
        listener(TurnDone(status="answered", ms=12.5, evidence=evidence))

    def _evidence(self, question: str) -> Evidence:
        evil = EVIL if question == "evil" else "cars"
        return Evidence(
            mentions=(
                MentionEvidence(start=0, end=2, text=question[:2], kind="table", target=evil, score=0.9, reason=evil),
            ),
            hits=(HitEvidence(document="table:cars", kind="table", label=evil, score=0.8, semantic=0.9, lexical=None),),
            plan=f"average of {evil}",
            chips=(ChipEvidence(role="measure", text=evil),),
            confidence=0.8,
            warnings=(f"careful with {evil}",),
            trace=(TraceEvidence(state="route", outcome="data_question", start_ms=0.0, ms=1.0),),
        )

    def catalog(self, connection: str) -> Catalog:
        return CATALOG

    def glossary(self, connection: str) -> Glossary:
        return GLOSSARY

    def glossary_file(self, connection: str) -> GlossaryFile:
        return self._glossary_file

    def check_glossary(self, connection: str, text: str) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
        return check_glossary(text, CATALOG)

    def reading(self, connection: str) -> Reading:
        return Reading(datetime.now(UTC), Changes(new_tables=(EVIL,)))

    def refresh_soon(self, connection: str, seconds: float) -> bool:
        self.refreshed.append(connection)
        return True

    def starters(self, connection: str, lang: str) -> tuple[str, ...]:
        return ("各产地的平均油耗",) if lang == "zh" else ("average miles by origin",)

    def chart(self, artifact: ChartArtifact, kind: str) -> ChartArtifact:
        again = rechart(artifact, kind, self._frames.meta(artifact.frame_id), self._frames.open(artifact.frame_id))
        if again is None:
            raise NotFound(
                "not_found.chart", "These rows do not fit that kind of chart.", "Choose one of those offered."
            )
        return again

    def health(self) -> Health:
        return Health(
            "rules", (PartHealth("embedding", "ok", "e5"), PartHealth("lexical", "degraded", "", "no index yet"))
        )


def main() -> None:
    import sys

    from app.factory import create_app
    from app.serve import loopback_hosts, serve
    from app.settings import load_settings

    settings = load_settings()
    port = int(sys.argv[1])
    engine = ScriptedEngine(settings.frames_folder)
    serve(lambda: create_app(settings, engine, trusted_hosts=loopback_hosts("127.0.0.1")), settings, port=port)


if __name__ == "__main__":
    main()
