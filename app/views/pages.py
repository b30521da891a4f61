"""Builds the typed contexts that page templates see."""

from __future__ import annotations

import secrets

from flask import url_for

from agents.artifacts import ProblemArtifact
from agents.errors import NotFound, StarchartError
from app.i18n import current_lang
from app.i18n import gettext as _
from app.security import owner
from app.store import Turn
from app.turns.ports import ConnectionInfo
from app.views.contexts import (
    ConnectionView,
    HealthView,
    Shell,
    ThreadSummary,
    TurnStatus,
    TurnSummary,
    TurnView,
    WorkspacePage,
)
from app.web import web

EARLIER_SHOWN = 12


def connection_info(name: str) -> ConnectionInfo:
    """:raises NotFound: ``not_found.connection``."""
    for info in web().services.connections():
        if info.name == name:
            return info
    raise NotFound("not_found.connection", "There is no connection of that name.", "Choose one from the list.")


def shell(active: str, connection: str | None) -> Shell:
    """The frame around a page; ``connection`` may be unknown, as on an error page."""
    views = tuple(_connection_view(info, connection) for info in web().services.connections())
    current = next((view for view in views if view.current), None)
    return Shell(current_lang(), active, current, views, health_view())


def _connection_view(info: ConnectionInfo, current: str | None) -> ConnectionView:
    return ConnectionView(
        name=info.name,
        engine=info.engine,
        access=info.access,
        about=info.about.get(current_lang()) or info.about.en,
        url=url_for("workspace.new", conn=info.name),
        current=info.name == current,
    )


def health_view() -> HealthView:
    """The small mark in the bar: how answers are made, and what is missing."""
    health = web().services.health()
    label = _("rules only") if health.mode == "rules" else health.mode
    return HealthView(ok=not health.notes, label=label, notes=health.notes)


def turn_summary(turn: TurnView | Turn, *, current: bool = False) -> TurnSummary:
    status: TurnStatus = turn.status  # type: ignore[assignment]  # the store keeps it as text
    return TurnSummary(
        id=turn.id,
        question=turn.question,
        status=status,
        rows=turn.rows,
        ms=turn.ms,
        asked_at=turn.asked_at,
        url=url_for("workspace.turn", conn=turn.connection, thread=turn.thread_id, turn=turn.id),
        current=current,
    )


def thread_turns(thread_id: str | None, current: str | None) -> tuple[TurnSummary, ...]:
    """The thread's questions, oldest first."""
    if thread_id is None:
        return ()
    found = web().turns.store.turns_of(thread_id, web().settings.thread_turns)
    return tuple(turn_summary(turn, current=turn.id == current) for turn in found)


def earlier_threads(connection: str, without: str | None) -> tuple[ThreadSummary, ...]:
    """This person's other threads on the connection, newest first."""
    found = web().turns.store.threads_of(owner(), connection, EARLIER_SHOWN + 1)
    return tuple(
        ThreadSummary(
            thread.id, thread.title, thread.active_at, url_for("workspace.thread", conn=connection, thread=thread.id)
        )
        for thread in found
        if thread.id != without
    )[:EARLIER_SHOWN]


def workspace_page(
    connection: str,
    *,
    thread_id: str | None = None,
    turn: TurnView | None = None,
    workspace: str | None = None,
    typed: str = "",
    error: StarchartError | None = None,
) -> WorkspacePage:
    """The workspace on a connection, at a turn or at a new thread.

    :param error: why what was ``typed`` could not be asked.
    """
    info = connection_info(connection)
    problem = None
    if error is not None:
        problem = ProblemArtifact(id="ask", code=error.code, message=_(error.message), hint=_(error.hint))
    elif info.problem:
        problem = ProblemArtifact(id="ask", code="database.unavailable", message=_(info.problem))
    usable = turn is None and not info.problem
    return WorkspacePage(
        shell=shell("ask", connection),
        workspace_id=workspace or secrets.token_urlsafe(12),
        thread_id=thread_id,
        turns=thread_turns(thread_id, turn.id if turn else None),
        earlier=earlier_threads(connection, thread_id),
        turn=turn,
        starters=web().services.starters(connection, current_lang()) if usable else (),
        typed=typed,
        problem=problem,
    )
