"""The workspace: ask, watch, stop, look at earlier turns."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from agents.errors import NotFound, StarchartError
from app.i18n import current_lang
from app.i18n import gettext as _
from app.security import check_form, owner
from app.stream.fragments import snapshot
from app.views.contexts import TurnView
from app.views.ids import is_turn_id, workspace_id
from app.views.pages import connection_info, earlier_threads, thread_turns, workspace_page
from app.web import web

blueprint = Blueprint("workspace", __name__)


@blueprint.get("/")
def home() -> AnyResponse:
    return redirect(url_for("workspace.new", conn=web().services.connections()[0].name))


@blueprint.get("/c/<conn>/")
def new(conn: str) -> str:
    connection_info(conn)
    web().turns.tidy()
    return render_template("pages/workspace.html", page=workspace_page(conn))


@blueprint.get("/c/<conn>/t/<id:thread>")
def thread(conn: str, thread: str) -> str:
    _thread_on(conn, thread)
    turns = web().turns.store.turns_of(thread, 1)
    view = web().turns.view(turns[-1].id) if turns else None
    return render_template("pages/workspace.html", page=workspace_page(conn, thread_id=thread, turn=view))


@blueprint.get("/c/<conn>/t/<id:thread>/<id:turn>")
def turn(conn: str, thread: str, turn: str) -> str:
    view = _turn_on(conn, turn)
    if view.thread_id != thread:
        raise NotFound("not_found.turn", "This question is no longer kept.", "Ask it again.")
    return render_template("pages/workspace.html", page=workspace_page(conn, thread_id=thread, turn=view))


@blueprint.post("/c/<conn>/ask")
def ask(conn: str) -> AnyResponse:
    """Start a turn. With HTMX the answer is its empty canvas; a plain form waits for the end and goes to its page."""
    connection_info(conn)
    workspace = workspace_id(request.form.get("workspace", ""))
    typed = request.form.get("question", "")
    try:
        check_form()
        started = web().turns.start(
            conn,
            typed,
            owner=owner(),
            thread_id=_own_thread(conn, request.form.get("thread", "")),
            workspace=workspace,
            lang=current_lang(),
        )
    except StarchartError as error:
        return _refused(conn, workspace, typed, error)
    url = url_for("workspace.turn", conn=conn, thread=started.thread_id, turn=started.id)
    if not _htmx():
        web().turns.wait(started.id)
        return redirect(url, 303)
    view = web().turns.view(started.id)
    response = make_response(
        render_template("_partials/turn.html", turn=view, workspace_id=workspace)
        + render_template(
            "_partials/thread.html",
            turns=thread_turns(view.thread_id, view.id),
            earlier=earlier_threads(conn, view.thread_id),
            conn=conn,
            oob=True,
        )
        + render_template("_partials/evidence.html", turn=view, oob=True)
    )
    response.headers["HX-Push-Url"] = url
    return response


@blueprint.post("/c/<conn>/turns/<id:turn>/stop")
def stop(conn: str, turn: str) -> AnyResponse:
    view = _turn_on(conn, turn)
    web().turns.stop(turn)
    if _htmx():
        return Response(status=204)
    return redirect(url_for("workspace.turn", conn=conn, thread=view.thread_id, turn=turn), 303)


@blueprint.get("/c/<conn>/turns/<id:turn>/evidence")
def evidence(conn: str, turn: str) -> str:
    return render_template("_partials/evidence.html", turn=_turn_on(conn, turn), oob=False)


@blueprint.get("/c/<conn>/turns/<id:turn>/fragments")
def fragments(conn: str, turn: str) -> Response:
    """The news of a turn for a page without a socket: nothing (204), or the turn as it is now."""
    view = _turn_on(conn, turn)
    after = request.args.get("after", -1, type=int)
    news = view.seq > after
    response = Response(snapshot(view) if news else "", status=200 if news else 204, mimetype="text/html")
    response.headers["X-Starchart-Seq"] = str(view.seq)
    if view.status != "running":
        response.headers["X-Starchart-Done"] = "1"
    return response


def _htmx() -> bool:
    return request.headers.get("HX-Request") == "true"


def _turn_on(conn: str, turn_id: str) -> TurnView:
    view = web().turns.view(turn_id)
    if view.connection != conn:
        raise NotFound("not_found.turn", "This question is no longer kept.", "Ask it again.")
    return view


def _thread_on(conn: str, thread_id: str) -> None:
    if web().turns.store.thread(thread_id).connection != conn:
        raise NotFound("not_found.thread", "This thread is no longer kept.", "Start a new one.")


def _own_thread(conn: str, thread_id: str) -> str | None:
    """The thread to go on with. Another person's, or one that is no longer kept, is left alone: a new one begins."""
    if not is_turn_id(thread_id):
        return None
    try:
        found = web().turns.store.thread(thread_id)
    except NotFound:
        return None
    return thread_id if found.owner == owner() and found.connection == conn else None


def _refused(conn: str, workspace: str, typed: str, error: StarchartError) -> AnyResponse:
    status = 422  # also when busy: the page then shows the message at the box and keeps the text
    if _htmx():
        problem = {"code": error.code, "message": _(error.message), "hint": _(error.hint)}
        return make_response(render_template("_partials/problem.html", problem=problem), status)
    thread_id = _own_thread(conn, request.form.get("thread", ""))
    page = workspace_page(conn, thread_id=thread_id, workspace=workspace, typed=typed, error=error)
    return make_response(render_template("pages/workspace.html", page=page), status)
