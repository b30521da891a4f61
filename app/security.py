"""Headers, host and origin checks, form tokens, and who a browser is."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, request, session
from flask_wtf.csrf import generate_csrf, validate_csrf
from wtforms.validators import ValidationError

from agents.errors import StarchartError
from app.settings import Settings

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
API = "api"  # blueprint whose posts are JSON
CHECK_THEMSELVES = ("workspace.ask", "glossary.save")  # whose refusal must still show what was typed
LARGEST_BODY = 256 * 1024


class RequestRefused(StarchartError):
    """A request that is not served: ``request.origin``, ``request.content_type``, ``request.form_token`` …"""


def protect(app: Flask, settings: Settings, trusted_hosts: tuple[str, ...]) -> None:
    """Install cookies, form tokens, size limits and headers.

    :param trusted_hosts: host names that requests may carry; empty for any. Without a list, another site could point
        its own name at this machine and read what its visitors' browsers can reach.
    """
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SESSION_COOKIE_NAME="starchart",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.https,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        TRUSTED_HOSTS=list(trusted_hosts) or None,
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session: a page left open over night must still be able to ask
        WTF_CSRF_SSL_STRICT=False,  # the Referer adds nothing to the token and is often stripped
    )
    app.jinja_env.globals["csrf_token"] = generate_csrf
    app.before_request(_check_post)
    app.after_request(_headers)


def _check_post() -> None:
    """Every post is checked here, but for those that check themselves."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.endpoint in (None, *CHECK_THEMSELVES):
        return
    if request.blueprint == API:
        check_api_request()
    else:
        check_form()


def _headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static" and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def check_form() -> None:
    """Whether a posted form comes from one of our pages.

    :raises RequestRefused: ``request.form_token``.
    """
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError as error:
        raise RequestRefused(
            "request.form_token",
            "This page is out of date.",
            "Reload the page and send it again; copy your text first.",
        ) from error


def owner() -> str:
    """A random name of this browser, kept in the signed session cookie: whose threads are listed."""
    if "owner" not in session:
        session["owner"] = secrets.token_hex(16)
        session.permanent = True
    return str(session["owner"])


def same_origin() -> bool:
    """Whether the request comes from our own pages, or from no page at all (a program)."""
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    return origin != "null" and urlsplit(origin).netloc.lower() == request.host.lower()


def check_api_request() -> None:
    """JSON posts are not protected by form tokens: a foreign page cannot send this content type unasked.

    :raises RequestRefused: for another content type or a foreign origin.
    """
    if not same_origin():
        raise RequestRefused(
            "request.origin", "Requests from other sites are not answered.", "Call it from a program or this site."
        )
    if request.method == "POST" and request.mimetype != "application/json":
        raise RequestRefused(
            "request.content_type", "The body must be JSON.", "Send it with Content-Type: application/json."
        )
