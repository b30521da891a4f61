"""The JSON twins of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Literal

from flask import Blueprint, Response, jsonify, request, stream_with_context, url_for
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from app.i18n import Lang, current_lang
from app.security import RequestRefused
from app.store import Turn
from app.stream.sse import answer_events
from app.turns.answer import answer_of
from app.turns.ports import PartHealth
from app.views import openapi
from app.views.api_models import ConnectionHealth, HealthReport, Query, Schema, Versions
from app.views.pages import connection_info
from app.views.schema import schema_measures, schema_tables
from app.web import web

blueprint = Blueprint("api", __name__, url_prefix="/api")

OWNER = "api"  # threads asked by programs are in nobody's list


@blueprint.post("/query")
def query() -> Response:
    """Answer a question and wait for the answer."""
    asked = _query()
    turn = _start(asked)
    view = web().turns.wait(turn.id)
    if view.status == "running":
        web().turns.stop(turn.id)
        view = web().turns.wait(turn.id, 5.0)
    return _json(answer_of(view, web().services.frames, rows=asked.limit, links=_links(turn)))


@blueprint.post("/query/stream")
def stream() -> Response:
    """Answer a question as server-sent events: ``result``, ``delta``, ``narrative``, ``done``."""
    asked = _query()
    turn = _start(asked)
    links = _links(turn)

    def pieces() -> Iterator[str]:
        yield from answer_events(web().turns, web().services.frames, turn.id, rows=asked.limit, links=links)

    response = Response(stream_with_context(pieces()), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response


@blueprint.get("/schema")
def schema() -> Response:
    """Tables, columns and measures of a connection."""
    name = request.args.get("connection") or web().services.connections()[0].name
    connection_info(name)
    lang: Lang = "zh" if request.args.get("lang", current_lang()) == "zh" else "en"
    catalog, glossary = web().services.catalog(name), web().services.glossary(name)
    measures = [
        dict(zip(("name", "description", "expression"), row, strict=True)) for row in schema_measures(glossary, lang)
    ]
    return _json(
        Schema.model_validate(
            {
                "connection": name,
                "dialect": catalog.dialect,
                "hash": catalog.hash,
                "tables": schema_tables(catalog, glossary, lang),
                "measures": measures,
            },
            from_attributes=True,
        )
    )


@blueprint.get("/health")
def health() -> Response:
    """Which parts are real, degraded or missing. Always 200 while the process can answer at all."""
    found = web().services.health()
    parts = [*found.parts, _store_health()]
    connections = [
        ConnectionHealth(name=info.name, engine=info.engine, access=info.access, problem=info.problem)
        for info in web().services.connections()
    ]
    reasons = [f"{part.part}: {part.note}" for part in parts if part.state != "ok"]
    reasons += [f"{connection.name}: {connection.problem}" for connection in connections if connection.problem]
    status: Literal["ok", "degraded"] = "degraded" if reasons else "ok"
    return _json(
        HealthReport(
            status=status,
            reasons=tuple(reasons),
            mode=found.mode,
            parts=tuple(parts),
            connections=tuple(connections),
            sockets=len(web().sockets),
            versions=Versions(starchart=version("starchart"), flask=version("flask"), sqlglot=version("sqlglot")),
        )
    )


@blueprint.get("/openapi.json")
def document() -> Response:
    """This interface as an OpenAPI 3.1 document."""
    return jsonify(openapi.document())


def _store_health() -> PartHealth:
    try:
        return PartHealth("store", "ok", web().turns.store.describe())
    except SQLAlchemyError as error:
        return PartHealth("store", "missing", "", str(getattr(error, "orig", None) or error))


def _query() -> Query:
    body = request.get_data()
    try:
        return Query.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            raise RequestRefused("request.json", "The body is not valid JSON.", "Send one JSON object.") from error
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise RequestRefused(
            "request.fields", f"{where}: {first['msg']}", "See /api/openapi.json for the fields."
        ) from error


def _start(asked: Query) -> Turn:
    return web().turns.start(
        asked.connection or web().services.connections()[0].name,
        asked.question,
        owner=OWNER,
        thread_id=None,
        workspace=OWNER,
        lang=asked.lang or current_lang(),
        answer_lang=asked.lang,
        now=asked.now,
    )


def _links(turn: Turn) -> dict[str, str]:
    return {"page": url_for("workspace.turn", conn=turn.connection, thread=turn.thread_id, turn=turn.id)}


def _json(model: BaseModel) -> Response:
    return Response(model.model_dump_json(), mimetype="application/json")
