"""Charts for the browser and as pictures."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def chart_url(page: Any) -> str:
    turn = page.ask("miles").headers["Location"].rsplit("/", 1)[1]
    return f"/c/vega/charts/{turn}/chart"


def test_data(page: Any, chart_url: str) -> None:
    found = page.client.get(f"{chart_url}.json").get_json()
    assert found["spec"]["data"] == {"name": "frame"}
    first = found["rows"][0]
    assert (first["xt"], first["y"], first["yt"]) == ("Japan", 30.5, "30.5") and len(found["rows"]) == 3


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (".json?chart=pie", 404, "not_found.chart"),
        ("x.json", 404, "not_found.chart"),
        (".svg?chart=pie", 404, "not_found.chart"),
    ],
)
def test_what_is_not_there(page: Any, chart_url: str, path: str, status: int, code: str) -> None:
    response = page.client.get(chart_url + path)
    assert response.status_code == status and code in response.get_data(as_text=True)


def test_rows_that_are_gone(page: Any, chart_url: str, settings: Any) -> None:
    for path in settings.frames_folder.glob("*.arrow"):
        path.unlink()
    response = page.client.get(f"{chart_url}.json")
    assert (response.status_code, response.get_json()["error"]["code"]) == (410, "frame.gone")


def test_a_picture(page: Any, chart_url: str) -> None:
    response = page.client.get(f"{chart_url}.svg")
    assert response.mimetype == "image/svg+xml"
    assert response.get_data(as_text=True).startswith("<svg") and "Japan" in response.get_data(as_text=True)
