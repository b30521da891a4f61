"""Puts the web application together."""

from __future__ import annotations

from flask import Flask, request
from flask_compress import Compress
from jinja2 import pass_context
from jinja2.runtime import Context

from agents.artifacts import TableArtifact
from app import i18n, security, static_files
from app.clock import SystemClock
from app.settings import Settings
from app.store import Store, open_store
from app.stream import socket
from app.stream.sockets import Sockets
from app.turns import TurnService
from app.turns.ports import AskService
from app.views import api, charts, errors, frames, glossary, ids, labels, preferences, schema, workspace
from app.views.contexts import TablePage
from app.views.tables import table_of_artifact
from app.web import Web, folder, web


def create_app(
    settings: Settings,
    services: AskService,
    *,
    store: Store | None = None,
    trusted_hosts: tuple[str, ...] | None = None,
) -> Flask:
    """The application over its parts.

    :param store: opened from the settings when not given.
    :param trusted_hosts: host names that requests may carry; default the settings' ones (none given: any).
    :raises StoreError: when the store cannot be opened.
    """
    app = Flask(__name__, template_folder=str(folder("templates")), static_folder=None)
    turns = TurnService(
        store or open_store(settings.store_url),
        services,
        SystemClock(),
        turns=settings.turns,
        queue=settings.queue,
        queue_seconds=settings.queue_seconds,
        turn_seconds=settings.turn_seconds,
        keep_days=settings.keep_days,
        thread_turns=settings.thread_turns,
    )
    app.extensions["starchart"] = Web(settings, services, turns, Sockets(settings.sockets))
    app.url_map.converters.update(id=ids.TurnIdConverter, frame=ids.FrameIdConverter, artifact=ids.ArtifactIdConverter)
    app.url_map.strict_slashes = False
    app.config.update(SOCK_SERVER_OPTIONS=socket.OPTIONS, COMPRESS_ALGORITHM=["br", "gzip"], COMPRESS_STREAMS=False)
    # Registered first, so that it runs last and compresses what the others have finished.
    Compress(app)
    security.protect(app, settings, settings.hosts if trusted_hosts is None else trusted_hosts)
    static_files.install(app, folder("static"))
    i18n.install(app)
    labels.install(app)
    errors.install(app)
    app.jinja_env.globals["table_page"] = _table_page
    app.context_processor(_page_state)
    for blueprint in (workspace, frames, charts, schema, glossary, preferences, api, socket):
        app.register_blueprint(blueprint.blueprint)
    return app


@pass_context
def _table_page(context: Context, artifact: TableArtifact) -> TablePage:
    return table_of_artifact(web().services.frames, context["conn"], artifact)


def _page_state() -> dict[str, str]:
    here = request.full_path.rstrip("?") if request.method == "GET" else ""
    return {"here": here, "theme_choice": request.cookies.get("theme", "")}
