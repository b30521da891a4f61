"""Events folded into the picture of a turn."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.artifacts import ClarifyArtifact, Evidence, ProblemArtifact, Segment, SqlArtifact, TextArtifact
from agents.events import ArtifactReady, Event, NarrativeReady, StateEntered, TextDelta, TurnDone
from app.store import Turn
from app.turns.fold import decode, encode, fold

TURN = Turn(
    "t", "th", "vega", "tab", "how many cars", "en", "running", "start", 0, *[datetime(2026, 1, 1, tzinfo=UTC)] * 2
)
SQL = ArtifactReady(artifact=SqlArtifact(id="sql", sql="SELECT 1", dialect="sqlite"))
CLARIFY = ArtifactReady(artifact=ClarifyArtifact(id="clarify", question="Which?", options=()))
TEXT = TextArtifact(id="text", lang="zh", sentences=((Segment(text="共三辆。"),),))


def delta(sentence: int, text: str) -> TextDelta:
    return TextDelta(sentence=sentence, segment=Segment(text=text))


def problem(tone: str) -> ArtifactReady:
    return ArtifactReady(
        artifact=ProblemArtifact.model_validate({"id": "p", "code": "c", "message": "m", "tone": tone})
    )


def done(status: str, lang: str = "en") -> TurnDone:
    return TurnDone.model_validate({"status": status, "ms": 9.0, "evidence": Evidence.model_validate({"lang": lang})})


def check(events: list[Event], **expected: object) -> None:
    view = fold(TURN, events)
    seen = {
        "status": view.status,
        "state": view.state,
        "kinds": [artifact.kind for artifact in view.artifacts],
        "text": view.text.plain if view.text else None,
        "lang": view.lang,
        "ms": view.ms,
    }
    assert {name: seen[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], {"status": "running", "state": "start", "text": None, "kinds": []}),
        ([StateEntered(state="plan")], {"state": "plan"}),
        ([CLARIFY, SQL], {"kinds": ["sql", "clarify"]}),
        ([SQL, SQL], {"kinds": ["sql"]}),
        ([delta(0, "a "), delta(0, "b."), delta(1, "c.")], {"text": "a b. c.", "status": "running"}),
        ([delta(0, "half"), NarrativeReady(artifact=TEXT)], {"text": "共三辆。", "kinds": []}),
        ([done("answered", "zh")], {"status": "answered", "lang": "zh", "ms": 9.0}),
        ([problem("failed"), done("error")], {"status": "error", "kinds": ["problem"]}),
        ([problem("declined"), done("declined")], {"status": "declined"}),
        ([problem("stopped"), done("error")], {"status": "stopped"}),
    ],
)
def test_folding(events: list[Event], expected: dict[str, object]) -> None:
    check(events, **expected)


@given(
    st.lists(st.sampled_from([SQL, CLARIFY, StateEntered(state="guard"), delta(0, "x"), NarrativeReady(artifact=TEXT)]))
)
def test_a_replay_through_the_store_changes_nothing(events: list[Event]) -> None:
    assert fold(TURN, [decode(encode(event)) for event in events]) == fold(TURN, events)
