"""One shape for everything that goes wrong: JSON for programs and scripts, a whole page for people."""

from __future__ import annotations

import structlog
from flask import Flask, Response, jsonify, render_template, request, url_for
from werkzeug.exceptions import HTTPException, SecurityError

from agents.errors import (
    CatalogError,
    ConnectionFailed,
    FrameError,
    GuardRejected,
    NotFound,
    QuestionError,
    StarchartError,
    TurnTimedOut,
)
from app.i18n import gettext as _
from app.views.contexts import ProblemPage
from app.views.pages import shell

_log = structlog.get_logger()

STATUS: tuple[tuple[type[StarchartError], int], ...] = (
    (NotFound, 404),
    (FrameError, 410),
    (QuestionError, 422),
    (GuardRejected, 422),
    (TurnTimedOut, 504),
    (ConnectionFailed, 503),
    (CatalogError, 503),
)
CODE_STATUS = {
    "turn.busy": 503,
    "request.origin": 403,
    "request.content_type": 415,
    "request.form_token": 400,
    "request.form": 400,
    "request.json": 400,
    "request.fields": 422,
    "frame.no_column": 404,
}
HTTP_WORDS = {
    400: ("This request cannot be read.", "Go back and try again."),
    403: ("Requests from other sites are not answered.", "Open the page itself."),
    404: ("There is nothing at this address.", "Check the address, or start at the first page."),
    405: ("This address does not answer that kind of request.", "Go back and use the buttons of the page."),
    413: ("What was sent is too large.", "Send less than 256 kB."),
    415: ("The body must be JSON.", "Send it with Content-Type: application/json."),
}
UNKNOWN_HOST = ("This server does not answer to that name.", "Name it in STARCHART_HOSTS.")


def install(app: Flask) -> None:
    app.register_error_handler(StarchartError, _typed)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def status_of(error: StarchartError) -> int:
    """The HTTP status for a typed error."""
    if error.code in CODE_STATUS:
        return CODE_STATUS[error.code]
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def _typed(error: StarchartError) -> Response:
    response = _answer(status_of(error), error.code, error.message, error.hint)
    if response.status_code == 503:
        response.headers["Retry-After"] = "2"
    return response


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:  # a redirect that the router asks for
        return Response(error.get_body(), status, error.get_headers())
    if isinstance(error, SecurityError):  # a foreign host name: no address of ours can be built from it
        return Response(f"{_(UNKNOWN_HOST[0])} {_(UNKNOWN_HOST[1])}\n", status, mimetype="text/plain")
    words = HTTP_WORDS.get(status, (error.description or error.name, ""))
    response = _answer(status, f"http.{status}", *words)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response:
    _log.exception("request.failed", path=request.path)
    return _answer(
        500,
        "server.failed",
        "Something went wrong inside the server.",
        "Try again; nothing was lost. The log says more.",
    )


def _answer(status: int, code: str, message: str, hint: str) -> Response:
    message, hint = _(message), _(hint)
    if wants_json():
        response = jsonify(error={"code": code, "message": message, "hint": hint})
        response.status_code = status
        return response
    if request.headers.get("HX-Request") == "true":
        problem = {"code": code, "message": message, "hint": hint}
        return Response(render_template("_partials/problem.html", problem=problem), status)
    conn = (request.view_args or {}).get("conn")
    frame = shell("", conn)
    home = frame.connection.url if frame.connection else url_for("workspace.home")
    links = ((_("Ask a question"), home),)
    page = ProblemPage(frame, status, code, message, hint, links)
    return Response(render_template("pages/problem.html", page=page), status)


def wants_json() -> bool:
    """Whether the caller is a program: by address, or because it takes JSON and no HTML."""
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        return True
    return request.accept_mimetypes.best_match(["text/html", "application/json"], "text/html") == "application/json"
