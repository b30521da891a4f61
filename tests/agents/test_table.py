"""The transition table: its promises hold, and breaking any of them is caught."""

from __future__ import annotations

import pytest

from agents.nodes import all_nodes
from agents.table import TABLE, Condition, Outcome, Row, State, TableError, as_mermaid, as_text, check, outcomes, step

S, Out = State, Outcome


def without(state: State, outcome: Outcome) -> tuple[Row, ...]:
    return tuple(row for row in TABLE if (row.state, row.outcome) != (state, outcome))


def with_row(*rows: Row) -> tuple[Row, ...]:
    return (*TABLE, *rows)


BROKEN = {
    "a state that nothing leads to": (without(S.PLAN, Out.AMBIGUOUS), "unreachable: clarify"),
    "an answer that is not spoken": (
        (*without(S.ANALYSE, Out.JOINED), Row(S.ANALYSE, Out.JOINED, S.DONE)),
        "start reaches done without synthesize",
    ),
    "a statement that is not guarded": (
        (
            *without(S.GENERATE, Out.GENERATED),
            Row(S.GENERATE, Out.GENERATED, S.EXECUTE),
            Row(S.PLAN, Out.FOUND, S.GUARD),
        ),
        "start reaches execute without guard",
    ),
    "an unbounded cycle": (
        (*without(S.EXECUTE, Out.FAILED), Row(S.EXECUTE, Out.FAILED, S.GUARD)),
        "unbounded cycle through",
    ),
    "a trap": (
        tuple(row for row in TABLE if row.state is not S.CLARIFY),
        "trap: clarify never reaches done",
    ),
    "an outcome with two ways": (
        with_row(Row(S.GUARD, Out.ALLOWED, S.SYNTHESIZE)),
        "guard · allowed: only the last row may be, and must be, without a guard",
    ),
    "an outcome that may be stuck": (
        (
            *without(S.GUARD, Out.REJECTED),
            Row(S.GUARD, Out.REJECTED, S.SYNTHESIZE, Condition("never", lambda turn: False)),
        ),
        "guard · rejected: only the last row may be, and must be, without a guard",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_promise_is_named(name: str) -> None:
    rows, message = BROKEN[name]
    with pytest.raises(TableError) as caught:
        check(rows)
    assert message in str(caught.value)


def test_a_bounded_cycle_is_allowed_when_its_breaker_is_named() -> None:
    rows = (*without(S.EXECUTE, Out.FAILED), Row(S.EXECUTE, Out.FAILED, S.GENERATE))
    check(rows, cycle_breakers=frozenset({S.GENERATE}))
    with pytest.raises(TableError):
        check(rows)


def test_the_first_row_whose_condition_holds_is_taken() -> None:
    rows = (
        Row(S.GUARD, Out.REJECTED, S.GENERATE, Condition("always", lambda turn: True)),
        Row(S.GUARD, Out.REJECTED, S.SYNTHESIZE),
    )
    assert step(S.GUARD, Out.REJECTED, None, rows) is S.GENERATE  # type: ignore[arg-type]


def test_an_outcome_without_a_row_is_an_error() -> None:
    with pytest.raises(TableError, match="no row for guard · spoken"):
        step(S.GUARD, Out.SPOKEN, None)  # type: ignore[arg-type]


def test_every_working_state_has_a_node_and_every_node_a_state() -> None:
    assert set(all_nodes()) == set(State) - {S.START, S.DONE}
    assert all(node.state is state for state, node in all_nodes().items())


def test_every_outcome_is_used() -> None:
    assert {row.outcome for row in TABLE} == set(Outcome)
    assert outcomes(S.GUARD) == {Out.ALLOWED, Out.REJECTED, Out.INTERRUPTED}


def test_the_printed_forms_hold_every_row() -> None:
    for row in TABLE:
        assert f"| {row.state} | {row.outcome} | {row.next} |" in as_text()
        assert f"{row.state} --> {row.next}: {row.outcome}" in as_mermaid()
