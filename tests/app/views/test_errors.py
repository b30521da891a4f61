"""Everything that goes wrong has one shape."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("path", "method", "headers", "status", "code", "form"),
    [
        ("/nothing", "GET", {}, 404, "http.404", "page"),
        ("/nothing", "GET", {"Accept": "application/json"}, 404, "http.404", "json"),
        ("/nothing", "GET", {"HX-Request": "true"}, 404, "http.404", "partial"),
        ("/api/nothing", "GET", {"Accept": "text/html"}, 404, "http.404", "json"),
        ("/c/vega/ask", "GET", {}, 405, "http.405", "page"),
        ("/api/query", "GET", {}, 405, "http.405", "json"),
        ("/c/nowhere/schema", "GET", {}, 404, "not_found.connection", "page"),
        ("/broken", "GET", {}, 500, "server.failed", "page"),
        ("/broken", "GET", {"Accept": "application/json"}, 500, "server.failed", "json"),
    ],
)
def test_shapes(app: Flask, path: str, method: str, headers: dict[str, str], status: int, code: str, form: str) -> None:
    def broken() -> str:
        raise ValueError("secret detail")

    app.add_url_rule("/broken", "broken", broken)
    response = app.test_client().open(path, method=method, headers=headers)
    text = response.get_data(as_text=True)
    assert response.status_code == status and code in text and "secret detail" not in text
    assert ("<html" in text) is (form == "page")
    if form == "json":
        assert set(response.get_json()) == {"error"} and set(response.get_json()["error"]) == {
            "code",
            "message",
            "hint",
        }


def test_a_page_in_chinese(client: FlaskClient) -> None:
    text = client.get("/nothing", headers={"Accept-Language": "zh"}).get_data(as_text=True)
    assert "这个地址没有内容。" in text


def test_an_address_without_its_slash_leads_there(client: FlaskClient) -> None:
    assert client.get("/c/vega", follow_redirects=True).status_code == 200


def test_the_process_goes_on(client: FlaskClient, page: Any) -> None:
    assert page.ask("crash").status_code == 303
    assert page.ask("miles").status_code == 303


@pytest.mark.parametrize(
    ("path", "form", "next_page", "cookie"),
    [
        ("/language", {"lang": "zh"}, "/c/vega/schema?q=a", "lang=zh"),
        ("/theme", {"theme": "dark"}, "https://evil.example/", "theme=dark"),
        ("/theme", {"theme": "auto"}, "//evil.example/", "theme=auto"),
        ("/theme", {"theme": "light"}, "/\\evil.example", "theme=light"),
        ("/theme", {"theme": "pink"}, "/", None),
        ("/language", {"lang": "fr"}, "/", None),
    ],
)
def test_preferences(page: Any, path: str, form: dict[str, str], next_page: str, cookie: str | None) -> None:
    response = page.post(path, next=next_page, **form)
    if cookie is None:
        assert response.status_code == 400
        return
    assert response.status_code == 303 and response.headers["Set-Cookie"].startswith(cookie)
    assert response.headers["Location"] == (next_page if next_page.startswith("/c/") else "/")
