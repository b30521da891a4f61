"""The way of a question: every state, every outcome, and what follows. Nothing else decides the order.

A row is *(state, outcome, guard, next)*; where two rows share state and outcome, the first whose guard holds is taken.
The table is checked when this module is imported; see :func:`check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.state import TurnState


class State(StrEnum):
    """A state is a verb; ``START`` and ``DONE`` are the two ends and run nothing."""

    START = "start"
    RECALL = "recall"
    ROUTE = "route"
    SCHEMA = "schema"
    RETRIEVE = "retrieve"
    PLAN = "plan"
    CLARIFY = "clarify"
    GENERATE = "generate"
    GUARD = "guard"
    EXECUTE = "execute"
    ANALYSE = "analyse"
    SYNTHESIZE = "synthesize"
    DONE = "done"


class Outcome(StrEnum):
    """How a state ended: a past participle."""

    ASKED = "asked"
    RECALLED = "recalled"
    DATA_QUESTION = "data_question"
    SCHEMA_QUESTION = "schema_question"
    WRITE_REQUEST = "write_request"
    TALK = "talk"
    REFUSED = "refused"
    ANSWERED = "answered"
    FOUND = "found"
    NOTHING_FOUND = "nothing_found"
    PLANNED = "planned"
    AMBIGUOUS = "ambiguous"
    CANNOT_EXPRESS = "cannot_express"
    ASKED_BACK = "asked_back"
    GENERATED = "generated"
    GAVE_UP = "gave_up"
    ALLOWED = "allowed"
    REJECTED = "rejected"
    RETURNED_ROWS = "returned_rows"
    FAILED = "failed"
    JOINED = "joined"
    SPOKEN = "spoken"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Condition:
    """A named test on the state that a row may carry; the name is what people read in the printed table."""

    name: str
    holds: Callable[[TurnState], bool]


@dataclass(frozen=True, slots=True)
class Row:
    state: State
    outcome: Outcome
    next: State
    guard: Condition | None = None


class TableError(ValueError):
    """The transition table breaks one of its promises; the message names the state and the promise."""


S, O = State, Outcome

_WAY: tuple[Row, ...] = (
    Row(S.START, O.ASKED, S.RECALL),
    Row(S.RECALL, O.RECALLED, S.ROUTE),
    Row(S.ROUTE, O.DATA_QUESTION, S.RETRIEVE),
    Row(S.ROUTE, O.SCHEMA_QUESTION, S.SCHEMA),
    Row(S.ROUTE, O.WRITE_REQUEST, S.SYNTHESIZE),
    Row(S.ROUTE, O.TALK, S.SYNTHESIZE),
    Row(S.ROUTE, O.REFUSED, S.SYNTHESIZE),
    Row(S.SCHEMA, O.ANSWERED, S.SYNTHESIZE),
    Row(S.RETRIEVE, O.FOUND, S.PLAN),
    Row(S.RETRIEVE, O.NOTHING_FOUND, S.SYNTHESIZE),
    Row(S.PLAN, O.PLANNED, S.GENERATE),
    Row(S.PLAN, O.AMBIGUOUS, S.CLARIFY),
    Row(S.PLAN, O.CANNOT_EXPRESS, S.SYNTHESIZE),
    Row(S.CLARIFY, O.ASKED_BACK, S.SYNTHESIZE),
    Row(S.GENERATE, O.GENERATED, S.GUARD),
    Row(S.GENERATE, O.GAVE_UP, S.SYNTHESIZE),
    Row(S.GUARD, O.ALLOWED, S.EXECUTE),
    Row(S.GUARD, O.REJECTED, S.SYNTHESIZE),
    Row(S.EXECUTE, O.RETURNED_ROWS, S.ANALYSE),
    Row(S.EXECUTE, O.FAILED, S.SYNTHESIZE),
    Row(S.ANALYSE, O.JOINED, S.SYNTHESIZE),
    Row(S.SYNTHESIZE, O.SPOKEN, S.DONE),
)

_WORKING = (S.RECALL, S.ROUTE, S.SCHEMA, S.RETRIEVE, S.PLAN, S.CLARIFY, S.GENERATE, S.GUARD, S.EXECUTE, S.ANALYSE)

TABLE: tuple[Row, ...] = (
    *_WAY,
    # A stop button, a deadline or a fault in a node: the turn still ends with a spoken answer.
    *(Row(state, O.INTERRUPTED, S.SYNTHESIZE) for state in _WORKING),
    Row(S.SYNTHESIZE, O.INTERRUPTED, S.DONE),
)

ENTRIES: tuple[State, ...] = (State.START,)
"""States in which a turn can start or be resumed."""

CYCLE_BREAKERS: frozenset[State] = frozenset()
"""States that may close a cycle because a budget bounds them; without them the graph has no cycle."""


def successors(rows: Iterable[Row], state: State) -> tuple[State, ...]:
    return tuple(dict.fromkeys(row.next for row in rows if row.state is state))


def reachable(rows: tuple[Row, ...], start: State, without: frozenset[State] = frozenset()) -> set[State]:
    """States that can be reached from ``start`` (itself included) when the given states are walled off."""
    if start in without:
        return set()
    seen, queue = {start}, [start]
    while queue:
        for following in successors(rows, queue.pop()):
            if following not in seen and following not in without:
                seen.add(following)
                queue.append(following)
    return seen


def check(
    rows: tuple[Row, ...],
    entries: tuple[State, ...] = ENTRIES,
    cycle_breakers: frozenset[State] = CYCLE_BREAKERS,
) -> None:
    """Prove the table's promises.

    1. Every state that the table names can be reached from an entry, and from every one ``done`` can be reached.
    2. ``done`` is reached only through ``synthesize``: walled off, no entry leads to it.
    3. ``execute`` is reached only through ``guard``, from every entry.
    4. Without ``cycle_breakers`` there is no cycle.
    5. Rows of one state and outcome: all but the last carry a guard, and the last carries none (no outcome is stuck).

    :raises TableError: naming the promise that is broken.
    """
    named = {row.state for row in rows} | {row.next for row in rows} | set(entries)
    reached: set[State] = set().union(*(reachable(rows, entry) for entry in entries))
    if lost := named - reached:
        raise TableError(f"unreachable: {', '.join(sorted(lost))}")
    for state in sorted(named):
        if State.DONE not in reachable(rows, state):
            raise TableError(f"trap: {state} never reaches done")
    for entry in entries:
        if State.DONE in reachable(rows, entry, frozenset({State.SYNTHESIZE})):
            raise TableError(f"{entry} reaches done without synthesize")
        if State.EXECUTE in reachable(rows, entry, frozenset({State.GUARD})):
            raise TableError(f"{entry} reaches execute without guard")
    remaining = tuple(r for r in rows if r.state not in cycle_breakers and r.next not in cycle_breakers)
    for state in sorted({row.state for row in remaining}):
        if any(state in reachable(remaining, following) for following in successors(remaining, state)):
            raise TableError(f"unbounded cycle through {state}")
    grouped: dict[tuple[State, Outcome], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row.state, row.outcome), []).append(row)
    for (state, outcome), group in grouped.items():
        if group[-1].guard is not None or any(row.guard is None for row in group[:-1]):
            raise TableError(f"{state} · {outcome}: only the last row may be, and must be, without a guard")


def step(state: State, outcome: Outcome, turn: TurnState, rows: tuple[Row, ...] = TABLE) -> State:
    """The next state.

    :raises TableError: when the table has no row for this state and outcome.
    """
    for row in rows:
        if row.state is state and row.outcome is outcome and (row.guard is None or row.guard.holds(turn)):
            return row.next
    raise TableError(f"no row for {state} · {outcome}")


def outcomes(state: State, rows: tuple[Row, ...] = TABLE) -> frozenset[Outcome]:
    return frozenset(row.outcome for row in rows if row.state is state)


def as_text(rows: tuple[Row, ...] = TABLE) -> str:
    """The table as Markdown."""
    lines = ["| state | outcome | next |", "| --- | --- | --- |"]
    for row in rows:
        outcome = row.outcome if row.guard is None else f"{row.outcome} [{row.guard.name}]"
        lines.append(f"| {row.state} | {outcome} | {row.next} |")
    return "\n".join(lines)


def as_mermaid(rows: tuple[Row, ...] = TABLE) -> str:
    """The table as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    [*] --> start"]
    for row in rows:
        label = row.outcome if row.guard is None else f"{row.outcome} [{row.guard.name}]"
        lines.append(f"    {row.state} --> {row.next}: {label}")
    lines.append("    done --> [*]")
    return "\n".join(lines)


check(TABLE)
