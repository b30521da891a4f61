"""Language and theme, kept in cookies; plain forms, so they work without JavaScript."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from app.i18n import COOKIE, LANGUAGES
from app.security import RequestRefused
from app.web import web

blueprint = Blueprint("preferences", __name__)
THEMES = ("light", "dark", "auto")
YEAR_SECONDS = 365 * 24 * 3600


@blueprint.post("/language")
def language() -> Response:
    return _kept(COOKIE, request.form.get("lang", ""), LANGUAGES)


@blueprint.post("/theme")
def theme() -> Response:
    return _kept("theme", request.form.get("theme", ""), THEMES)


def _kept(cookie: str, value: str, allowed: tuple[str, ...]) -> Response:
    if value not in allowed:
        raise RequestRefused("request.form", "That choice does not exist.", "Use the buttons of the page.")
    response = redirect(local_path(request.form.get("next", "")), 303)
    response.set_cookie(cookie, value, max_age=YEAR_SECONDS, samesite="Lax", secure=web().settings.https, httponly=True)
    return response


def local_path(target: str) -> str:
    """The address when it is a path of this site, else the start page: nobody is sent elsewhere."""
    plain = (
        target.startswith("/") and target[1:2] not in ("/", "\\") and not any(ord(c) < 32 or c == "\\" for c in target)
    )
    return target if plain else "/"
