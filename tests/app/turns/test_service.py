"""Turns run in the background, stopped, lost, refused."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agents.artifacts import ProblemArtifact
from agents.errors import StarchartError
from app.clock import SystemClock, utc_now
from app.store import Turn
from app.turns import TurnService


def start(turns: TurnService, question: str, **given: Any) -> Turn:
    values = {"owner": "me", "thread_id": None, "workspace": "tab", "lang": "en", **given}
    return turns.start(values.pop("connection", "vega"), question, **values)


def until(turns: TurnService, turn_id: str, fits: Any) -> None:
    """Wait for news until the turn's events fit."""
    news = threading.Event()
    leave = turns.signals.watch(turn_id, news.set)
    while not fits(turns.events(turn_id, 0)):
        assert news.wait(10)
        news.clear()
    leave()


def problem_of(view: Any) -> ProblemArtifact | None:
    return next((artifact for artifact in view.artifacts if isinstance(artifact, ProblemArtifact)), None)


def check(turns: TurnService, question: str, status: str, code: str | None) -> None:
    view = turns.wait(start(turns, question).id)
    found = problem_of(view)
    assert (view.status, found.code if found else None) == (status, code)
    assert view.question == question and view.ms is not None


@pytest.mark.parametrize(
    ("question", "status", "code"),
    [
        ("miles", "answered", None),
        ("which", "clarify", None),
        ("weather on mars", "declined", "plan.no_data"),
        ("locked", "error", "execute.locked"),
        ("crash", "error", "turn.failed"),
        ("silent", "error", "turn.unfinished"),
    ],
)
def test_every_question_ends(turns: TurnService, question: str, status: str, code: str | None) -> None:
    check(turns, question, status, code)


def test_rows_come_before_prose(turns: TurnService) -> None:
    turn = start(turns, "miles")
    turns.wait(turn.id)
    told = [getattr(event, "artifact", None) or event for _, event in turns.events(turn.id, 0)]
    names = [getattr(item, "kind", None) or item.event for item in told]
    assert names.index("table") < names.index("delta") < names.index("text") < names.index("done")
    assert [seq for seq, _ in turns.events(turn.id, 0)] == list(range(1, len(names) + 1))


@pytest.mark.parametrize(
    ("question", "given", "code"),
    [
        ("", {}, "question.empty"),
        ("x" * 10_000, {}, "question.too_long"),
        ("miles", {"connection": "nowhere"}, "not_found.connection"),
        ("miles", {"thread_id": "0" * 32}, "not_found.thread"),
    ],
)
def test_what_cannot_be_asked(turns: TurnService, question: str, given: dict[str, str], code: str) -> None:
    with pytest.raises(StarchartError) as caught:
        start(turns, question, **given)
    assert caught.value.code == code and caught.value.hint


def test_too_many_at_once_are_refused_and_places_come_back(turns: TurnService) -> None:
    running = [start(turns, "slow") for _ in range(3)]
    with pytest.raises(StarchartError) as caught:
        start(turns, "miles")
    assert caught.value.code == "turn.busy"
    for turn in running:
        turns.stop(turn.id)
    assert [turns.wait(turn.id).status for turn in running] == ["stopped"] * 3
    assert turns.wait(start(turns, "miles").id).status == "answered"


def queued(app: Any, engine: Any, *, queue: int, seconds: float) -> TurnService:
    """Another worker over the same store: one place, and a queue."""
    return TurnService(
        app.extensions["starchart"].turns.store, engine, SystemClock(),
        turns=1, queue=queue, queue_seconds=seconds, turn_seconds=20, keep_days=7, thread_turns=20,
    )  # fmt: skip


def test_many_at_once_wait_their_turn(app: Any, engine: Any) -> None:
    busy = queued(app, engine, queue=11, seconds=60)
    with ThreadPoolExecutor(12) as people:
        asked = [people.submit(start, busy, "miles") for _ in range(12)]
        assert [busy.wait(turn.result(60).id, 60).status for turn in asked] == ["answered"] * 12
    busy.close()


@pytest.mark.parametrize(("queue", "seconds"), [(0, 60), (5, 0), (1, 0.3)])
def test_beyond_queue_or_patience_busy_is_told(app: Any, engine: Any, queue: int, seconds: float) -> None:
    busy = queued(app, engine, queue=queue, seconds=seconds)
    running = start(busy, "slow")
    with pytest.raises(StarchartError) as caught:
        start(busy, "miles")
    assert caught.value.code == "turn.busy"
    busy.stop(running.id)
    assert busy.wait(running.id).status == "stopped"
    assert busy.wait(start(busy, "miles").id).status == "answered"
    busy.close()


def test_those_who_wait_are_let_go_when_closing(app: Any, engine: Any) -> None:
    busy = queued(app, engine, queue=1, seconds=60)
    start(busy, "slow")
    with ThreadPoolExecutor(1) as people:
        waiting = people.submit(start, busy, "miles")
        busy.close()
        error = waiting.exception(30)
    assert isinstance(error, StarchartError) and error.code == "turn.busy"


def test_a_stop_pressed_at_another_worker(app: Any, turns: TurnService, engine: Any) -> None:
    other = TurnService(turns.store, engine, SystemClock(), turns=1, turn_seconds=20, keep_days=7, thread_turns=20)
    turn = start(turns, "slow")
    assert not other.is_here(turn.id)
    other.stop(turn.id)
    view = other.wait(turn.id, 5)
    assert view.status == "stopped" and problem_of(view)
    other.stop(turn.id)
    assert other.view(turn.id).status == "stopped"
    other.close()


def test_a_turn_whose_worker_is_gone_fails_with_its_question_kept(turns: TurnService) -> None:
    long_ago = utc_now() - timedelta(minutes=5)
    lost = replace(
        turns.store.turn(start(turns, "miles").id),
        id="f" * 32, thread_id="e" * 32, question="kept?", status="running", seq=0, asked_at=long_ago, beat_at=long_ago,
    )  # fmt: skip
    turns.store.begin(lost, "me")
    view = turns.view(lost.id)
    found = problem_of(view)
    assert view.status == "error" and view.question == "kept?" and found is not None and found.code == "turn.lost"
    assert turns.store.turn(lost.id).status == "error"


def test_tidy_ends_the_lost_and_forgets_the_old(turns: TurnService) -> None:
    asked_at = datetime(2020, 1, 1, tzinfo=UTC)
    turn = turns.store.turn(start(turns, "miles").id)
    turns.wait(turn.id)
    lost = replace(turn, id="d" * 32, thread_id="c" * 32, status="running", seq=0, asked_at=asked_at, beat_at=asked_at)
    turns.store.begin(lost, "me")
    turns.tidy()
    with pytest.raises(StarchartError) as caught:
        turns.store.turn(lost.id)
    assert caught.value.code == "not_found.turn"
    assert turns.view(turn.id).status == "answered"


def test_events_after_a_turn_was_taken_away_cancel_it(turns: TurnService, engine: Any) -> None:
    turn = start(turns, "gate")
    until(
        turns,
        turn.id,
        lambda events: any(getattr(e, "artifact", None) and e.artifact.kind == "chart" for _, e in events),
    )
    long_ago = utc_now() - timedelta(minutes=5)
    turns.store.beat((turn.id,), long_ago)
    other = TurnService(turns.store, engine, SystemClock(), turns=1, turn_seconds=20, keep_days=7, thread_turns=20)
    assert other.view(turn.id).status == "error"
    engine.gate.set()
    assert turns.wait(turn.id).status == "error"
    other.close()
    assert problem_of(turns.view(turn.id)).code == "turn.lost"


def test_nothing_starts_once_closing(turns: TurnService) -> None:
    turns.cancel_all()
    with pytest.raises(StarchartError) as caught:
        start(turns, "miles")
    assert caught.value.code == "turn.busy"
