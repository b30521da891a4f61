"""``/ws``: one open page follows one turn. Between news the thread sleeps and holds nothing but its socket."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, request
from flask_sock import Sock

from agents.errors import NotFound
from app.security import same_origin
from app.stream.fragments import News, done, snapshot
from app.stream.sockets import NORMAL, RESTARTING, TRY_LATER
from app.turns.service import WATCH_SECONDS
from app.views.ids import is_turn_id
from app.web import web

CHECK_SECONDS = 5.0  # how often a silent turn is checked for a worker that has gone
CLOSING_SECONDS = 1.0
# Daemon threads: a reader that still waits for a page must not keep a stopped server alive.
OPTIONS = {"ping_interval": 25, "max_message_size": 65536, "thread_class": partial(threading.Thread, daemon=True)}

blueprint = Blueprint("stream", __name__)
sock = Sock()


@blueprint.before_request
def refuse_before_the_handshake() -> Response | None:
    """A foreign page may open sockets to anywhere: browsers send its Origin, and leave the check to the server."""
    if not same_origin():
        abort(403)
    turn_id = request.args.get("turn", "")
    if not is_turn_id(turn_id):
        abort(404)
    web().turns.store.turn(turn_id)
    return None


def follow(socket: Any) -> None:
    """Send a snapshot, then the news, and close behind the end of the turn."""
    turn_id = request.args["turn"]
    with web().sockets.place(socket) as free:
        if not free:
            _end(socket, TRY_LATER, "too many sockets")
            return
        leave = web().turns.signals.watch(turn_id, socket.event.set)
        try:
            _follow(socket, turn_id)
        except NotFound:
            _end(socket, NORMAL, "gone")
        finally:
            leave()


sock.route("/ws", bp=blueprint)(follow)


def _follow(socket: Any, turn_id: str) -> None:
    turns, sockets = web().turns, web().sockets
    view = turns.view(turn_id)
    socket.send(snapshot(view))
    news, seq, running = News(view), view.seq, view.status == "running"
    checked = time.monotonic()
    while running:
        socket.event.wait(CHECK_SECONDS if turns.is_here(turn_id) else WATCH_SECONDS)
        socket.event.clear()
        while socket.receive(timeout=0) is not None:
            pass  # the page says nothing over the socket; reading is what notices that it has gone
        if sockets.closing:
            _end(socket, RESTARTING, "restarting")
            return
        if time.monotonic() - checked >= CHECK_SECONDS:
            checked = time.monotonic()
            turns.settle(turn_id)
        for number, event in turns.events(turn_id, seq):
            seq = number
            running = event.event != "done"
            socket.send(news.of(event) if running else done(turns.view(turn_id)))
    _end(socket, NORMAL, "done")


def _end(socket: Any, code: int, reason: str) -> None:
    """Close and wait for the other side to agree, so that the server's main loop never waits for a page that won't."""
    socket.close(code, reason)
    socket.thread.join(CLOSING_SECONDS)
    socket.sock.close()
