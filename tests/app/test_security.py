"""Headers, hosts, origins, form tokens."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.factory import create_app
from app.serve import loopback_hosts
from app.settings import Settings

FORMS = [
    "/c/vega/refresh",
    "/c/vega/ask",
    "/c/vega/turns/" + "0" * 32 + "/stop",
    "/c/vega/glossary",
    "/language",
    "/theme",
]


@pytest.mark.parametrize("path", ["/c/vega/", "/nowhere", "/static/app.css", "/api/health", "/c/vega/schema"])
def test_every_response_is_guarded(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == policy["style-src"] == policy["default-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == ("no-cache" if path.startswith("/static") else "no-store")


@pytest.mark.parametrize("path", ["/c/vega/", "/c/vega/schema", "/nowhere"])
def test_no_inline_script_or_style(client: FlaskClient, path: str) -> None:
    html = client.get(path).get_data(as_text=True)
    for forbidden in ("<style", " style=", " onclick", " onload", "javascript:", "<script>"):
        assert forbidden not in html


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("token", [None, "wrong"])
def test_a_form_without_a_good_token_does_nothing(
    client: FlaskClient, engine: Any, path: str, token: str | None
) -> None:
    form = {"question": "miles", "lang": "zh", "theme": "dark"} | ({"csrf_token": token} if token else {})
    response = client.post(path, data=form)
    assert response.status_code == (422 if path.endswith("/ask") else 400)
    assert "request.form_token" in response.get_data(as_text=True)
    assert engine.asked == [] and "Set-Cookie" not in {
        k for k, v in response.headers if v.startswith(("lang", "theme"))
    }


def test_every_post_is_checked(app: Flask) -> None:
    posts = {str(rule) for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert posts == {
        "/c/<conn>/ask",
        "/c/<conn>/turns/<id:turn>/stop",
        "/c/<conn>/glossary",
        "/c/<conn>/refresh",
        "/language",
        "/theme",
        "/api/query",
        "/api/query/stream",
    }


@pytest.mark.parametrize(
    ("headers", "data", "status", "code"),
    [
        ({"Content-Type": "text/plain"}, '{"question": "miles"}', 415, "request.content_type"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "question=miles", 415, "request.content_type"),
        (
            {"Content-Type": "application/json", "Origin": "https://evil.example"},
            '{"question": "miles"}',
            403,
            "request.origin",
        ),
        ({"Content-Type": "application/json", "Origin": "null"}, '{"question": "miles"}', 403, "request.origin"),
        ({"Content-Type": "application/json", "Origin": "http://localhost"}, '{"question": "miles"}', 200, None),
        ({"Content-Type": "application/json; charset=utf-8"}, '{"question": "miles"}', 200, None),
        ({"Content-Type": "application/json"}, '{"question": "' + "x" * 300_000 + '"}', 413, "http.413"),
    ],
)
def test_json_posts(client: FlaskClient, headers: dict[str, str], data: str, status: int, code: str | None) -> None:
    response = client.post("/api/query", data=data, headers=headers)
    assert response.status_code == status
    assert code is None or response.get_json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("host", "given", "status"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 302),
        ("localhost:8000", "127.0.0.1", 302),
        ("evil.example", "127.0.0.1", 400),
        ("evil.example", "0.0.0.0", 302),
    ],
)
def test_on_loopback_only_loopback_names_are_answered(
    settings: Settings, engine: Any, host: str, given: str, status: int
) -> None:
    app = create_app(settings, engine, trusted_hosts=loopback_hosts(given))
    assert app.test_client().get("/", headers={"Host": host}).status_code == status
    app.extensions["starchart"].close()


def test_cookies_are_for_this_site_only(client: FlaskClient) -> None:
    cookie = client.get("/c/vega/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


@pytest.mark.parametrize(
    "path", ["/static/../app/settings.py", "/static/%2e%2e/app/settings.py", "/static/nothing.css", "/static/"]
)
def test_static_files_stay_in_their_folder(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_static_files_are_kept_for_good_by_their_hash(client: FlaskClient, find: Any) -> None:
    url = find(r'href="(/static/app\.css\?v=[0-9a-f]{16})"', client.get("/c/vega/").get_data(as_text=True))
    first = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert first.headers["Content-Encoding"] == "gzip" and len(first.data) < 60_000
    again = client.get(url, headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and again.data == b""


def test_a_font_has_one_address_in_the_page_and_in_the_style_sheet(client: FlaskClient, find: Any) -> None:
    html = client.get("/c/vega/").get_data(as_text=True)
    sheet = client.get("/static/app.css").get_data(as_text=True)
    font = find(r'href="/static/(vendor/[^"]+\.woff2[^"]*)"', html)
    assert f'url("{font}")' in sheet
    assert client.get(f"/static/{font}").headers["Cache-Control"] == "public, max-age=604800"
