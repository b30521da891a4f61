"""What a node is: one state's work, with the fields it reads and writes declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents.events import Event
from agents.ports import CancelToken, Clock, Connection, FrameStore, Limits
from agents.table import Outcome, State

if TYPE_CHECKING:
    from agents.engine import Engine
    from agents.state import TurnState


@dataclass(frozen=True, slots=True)
class Tools:
    """The ports of one turn. ``emit`` passes an event to the listener at once."""

    connection: Connection
    engine: Engine
    frames: FrameStore
    limits: Limits
    clock: Clock
    cancel: CancelToken
    emit: Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Result:
    """How a node ended and the fields it writes."""

    outcome: Outcome
    update: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Node:
    """One state's work.

    :ivar reads: fields of :class:`~agents.state.TurnState` that ``run`` may look at; others raise.
    :ivar writes: fields that its update may contain; others raise.
    """

    state: State
    reads: frozenset[str]
    writes: frozenset[str]
    run: Callable[[TurnState, Tools], Result]
