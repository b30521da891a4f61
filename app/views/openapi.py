"""The OpenAPI 3.1 document, made from the models that the views use."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic.json_schema import models_json_schema

from app.turns.answer import Answer
from app.views.api_models import STREAM_EVENTS, Error, HealthReport, Query, Schema

_LANG = {"name": "lang", "in": "query", "schema": {"enum": ["en", "zh"]}}
_CONNECTION = {"name": "connection", "in": "query", "schema": {"type": "string"}}


@cache
def document() -> dict[str, Any]:
    """The whole document, JSON-ready."""
    models = (Answer, Error, HealthReport, Schema, *STREAM_EVENTS.values())
    _refs, schemas = models_json_schema(
        [(Query, "validation"), *((model, "serialization") for model in models)],  # type: ignore[list-item]
        ref_template="#/components/schemas/{model}",
    )
    events = ", ".join(f"`{name}` ({model.__name__})" for name, model in STREAM_EVENTS.items())
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Starchart",
            "version": version("starchart"),
            "description": "Ask a database in plain English or Chinese.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            "/api/query": {
                "post": _operation("query", "Answer a question and wait for the answer.", Answer, takes=True)
            },
            "/api/query/stream": {
                "post": _operation(
                    "queryStream", f"Answer a question as server-sent events: {events}.", None, takes=True
                )
            },
            "/api/schema": {
                "get": _operation(
                    "schema", "Tables, columns and measures of a connection.", Schema, parameters=[_CONNECTION, _LANG]
                )
            },
            "/api/health": {"get": _operation("health", "Which parts are real, degraded or missing.", HealthReport)},
            "/api/openapi.json": {
                "get": {
                    "operationId": "openapi",
                    "summary": "This document.",
                    "responses": {
                        "200": {"description": "Done.", "content": {"application/json": {"schema": {"type": "object"}}}}
                    },
                }
            },
        },
        "components": {"schemas": schemas["$defs"]},
    }


def _operation(
    name: str, summary: str, gives: type | None, *, takes: bool = False, parameters: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    content = (
        {"application/json": {"schema": _ref(gives)}}
        if gives
        else {"text/event-stream": {"schema": {"type": "string"}}}
    )
    operation: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": "Done.", "content": content},
            "default": {"description": "An error.", "content": {"application/json": {"schema": _ref(Error)}}},
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if takes:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(Query)}}}
    return operation


def _ref(model: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}
