"""The turn's state: one writer per field, declared reads, nothing written twice."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

import pytest

from agents.artifacts import ProblemArtifact
from agents.state import GIVEN, MERGED, OWNERS, RUNNER, SHARED, OwnershipError, TurnState, View, apply
from agents.table import State

TURN = TurnState(turn_id="t", question="q", now=datetime(2026, 11, 30))
PROBLEM = ProblemArtifact(id="problem", code="x.y", message="No.")
ALL = frozenset(f.name for f in fields(TurnState))

REFUSED: list[tuple[str, TurnState, State, dict[str, Any], frozenset[str], str]] = [
    ("not declared", TURN, State.ROUTE, {"lang": "zh"}, frozenset(), "without declaring"),
    ("not the owner", TURN, State.PLAN, {"lang": "zh"}, ALL, "belongs to route"),
    ("given", TURN, State.ROUTE, {"question": "other"}, ALL, "may not write 'question'"),
    ("the runner's", TURN, State.ROUTE, {"trace": ()}, ALL, "may not write 'trace'"),
    ("unknown", TURN, State.ROUTE, {"colour": "red"}, ALL, "may not write 'colour'"),
    (
        "a second problem",
        TurnState(turn_id="t", question="q", now=datetime(2026, 11, 30), problem=PROBLEM),
        State.PLAN,
        {"problem": PROBLEM},
        ALL,
        "again",
    ),
]


@pytest.mark.parametrize(("name", "turn", "by", "update", "declared", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_a_write_that_is_not_the_nodes_own_is_refused(
    name: str, turn: TurnState, by: State, update: dict[str, Any], declared: frozenset[str], message: str
) -> None:
    with pytest.raises(OwnershipError, match=message):
        apply(turn, by, update, declared)


def test_merged_fields_are_appended_in_order() -> None:
    once = apply(TURN, State.RETRIEVE, {"warnings": ("a",)}, ALL)
    twice = apply(once, State.EXECUTE, {"warnings": ("b", "c")}, ALL)
    assert twice.warnings == ("a", "b", "c")
    assert TURN.warnings == ()


def test_every_field_has_a_rule() -> None:
    assert GIVEN | MERGED | RUNNER | set(OWNERS) | set(SHARED) == ALL


def test_a_view_shows_only_what_was_declared() -> None:
    view = View(TURN, State.ROUTE, frozenset({"question"}))
    assert view.question == "q"
    with pytest.raises(OwnershipError, match="route read 'sql' without declaring it"):
        _ = view.sql
