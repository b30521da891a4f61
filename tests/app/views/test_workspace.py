"""The workspace with HTMX and with plain forms."""

from __future__ import annotations

import html
from typing import Any

import pytest
from flask.testing import FlaskClient


def test_the_first_page(client: FlaskClient) -> None:
    assert client.get("/").headers["Location"] == "/c/vega/"
    text = client.get("/c/vega/").get_data(as_text=True)
    for part in ("average miles by origin", "Small data sets.", "rules only", 'id="ask-box"'):
        assert part in text


def test_the_first_page_in_chinese(client: FlaskClient) -> None:
    text = client.get("/c/vega/", headers={"Accept-Language": "zh-CN"}).get_data(as_text=True)
    assert 'lang="zh' in text and "各产地的平均油耗" in text and "小数据集。" in text


def test_a_connection_that_cannot_be_used_says_why(client: FlaskClient) -> None:
    response = client.get("/c/broken/")
    assert response.status_code == 200 and "The file broken.sqlite is not there." in response.get_data(as_text=True)


def test_a_plain_form_waits_and_goes_to_the_answer(page: Any) -> None:
    response = page.ask("miles")
    assert response.status_code == 303
    text = page.client.get(response.headers["Location"]).get_data(as_text=True)
    for part in ("Japan leads with", "<td", "30.5", "SELECT", 'data-status="answered"'):
        assert part in text
    assert "data-socket" not in text
    thread = response.headers["Location"].rsplit("/", 1)[0]
    assert "Japan leads with" in page.client.get(thread).get_data(as_text=True)


def test_htmx_gets_the_canvas_at_once(page: Any, turns: Any, find: Any) -> None:
    response = page.ask("slow", htmx=True)
    text = response.get_data(as_text=True)
    turn = find(r'data-turn="([0-9a-f]{32})"', text)
    assert response.headers["HX-Push-Url"].endswith(turn)
    assert f"/ws?workspace={page.workspace}&amp;turn={turn}" in text
    for part in ('id="thread"', 'id="evidence"', "hx-swap-oob", f'id="turn-link-{turn}"'):
        assert part in text
    assert "<html" not in text
    stopped = page.post(f"/c/vega/turns/{turn}/stop", htmx=True)
    assert (stopped.status_code, stopped.data) == (204, b"")
    assert turns.wait(turn).status == "stopped"
    assert page.post(f"/c/vega/turns/{turn}/stop").status_code == 303


@pytest.mark.parametrize(
    ("question", "code"),
    [("", "question.empty"), ("   ", "question.empty"), ("x" * 10_000, "question.too_long")],
)
@pytest.mark.parametrize("htmx", [True, False])
def test_what_cannot_be_asked_keeps_the_text(page: Any, engine: Any, question: str, code: str, htmx: bool) -> None:
    response = page.ask(question, htmx=htmx)
    text = response.get_data(as_text=True)
    assert response.status_code == 422 and code in text and engine.asked == []
    assert ("<html" in text) is not htmx
    assert htmx or f">{question}</textarea>" in text


def test_busy_keeps_the_text(page: Any, turns: Any, find: Any) -> None:
    running = [
        find(r'data-turn="([0-9a-f]{32})"', page.ask("slow", htmx=True).get_data(as_text=True)) for _ in range(3)
    ]
    response = page.ask("one more")
    assert response.status_code == 422
    assert "turn.busy" in response.get_data(as_text=True) and ">one more</textarea>" in response.get_data(as_text=True)
    for turn in running:
        turns.stop(turn)


def test_an_old_token_keeps_the_text(page: Any) -> None:
    page.token = "old"
    response = page.ask("how many cars")
    assert response.status_code == 422 and ">how many cars</textarea>" in response.get_data(as_text=True)


def test_questions_of_a_thread_stay_together(page: Any, open_page: Any, app: Any) -> None:
    first = page.ask("miles").headers["Location"]
    thread = first.split("/")[4]
    second = page.ask("many", thread=thread).headers["Location"]
    assert second.split("/")[4] == thread
    text = page.client.get(second).get_data(as_text=True)
    assert text.count('id="turn-link-') == 2
    assert 'class="turns earlier"' not in text
    assert first.rsplit("/", 1)[0] in page.client.get("/c/vega/").get_data(as_text=True)
    stranger = open_page(app.test_client())
    assert first.rsplit("/", 1)[0] not in stranger.html
    third = stranger.ask("miles", thread=thread).headers["Location"]
    assert third.split("/")[4] != thread


@pytest.mark.parametrize("thread", ["", "0" * 32, "../../etc", "' OR 1=1"])
def test_a_thread_that_is_none_begins_a_new_one(page: Any, thread: str) -> None:
    assert page.ask("miles", thread=thread).status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/c/nowhere/",
        "/c/vega/t/" + "0" * 32,
        "/c/vega/t/" + "0" * 32 + "/" + "0" * 32,
        "/c/vega/t/abc",
        "/c/vega/turns/" + "0" * 32 + "/evidence",
        "/c/vega/turns/xyz/fragments",
        "/c/vega/charts/" + "0" * 32 + "/chart.json",
        "/nothing",
    ],
)
def test_what_is_not_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_turn_belongs_to_its_connection_and_thread(page: Any) -> None:
    _, _, _, _, thread, turn = page.ask("miles").headers["Location"].split("/")
    assert page.client.get(f"/c/broken/t/{thread}/{turn}").status_code == 404
    assert page.client.get(f"/c/vega/t/{'0' * 32}/{turn}").status_code == 404
    assert page.client.get(f"/c/broken/turns/{turn}/evidence").status_code == 404


def test_evidence_and_fragments(page: Any) -> None:
    turn = page.ask("miles").headers["Location"].rsplit("/", 1)[1]
    assert "average of cars" in page.client.get(f"/c/vega/turns/{turn}/evidence").get_data(as_text=True)
    url = f"/c/vega/turns/{turn}/fragments"
    response = page.client.get(url)
    text = response.get_data(as_text=True)
    for kind in ("chart", "table", "sql", "text"):
        assert f'id="artifact-{turn}-{kind}"' in text
    assert response.headers["X-Starchart-Done"] == "1"
    seq = response.headers["X-Starchart-Seq"]
    again = page.client.get(f"{url}?after={seq}")
    assert (again.status_code, again.data, again.headers["X-Starchart-Done"]) == (204, b"", "1")


def test_markup_in_questions_and_data_is_only_text(page: Any, evil: str, find: Any) -> None:
    answer = page.client.get(page.ask("evil").headers["Location"]).get_data(as_text=True)
    echoed = page.client.get(page.ask(evil).headers["Location"]).get_data(as_text=True)
    refused = page.ask(evil * 100).get_data(as_text=True)
    schema = page.client.get(f"/c/vega/schema?q={evil}").get_data(as_text=True)
    frame = find(r'data-frame="([A-Za-z0-9_-]+)"', answer)
    filtered = page.client.get(f"/c/vega/frames/{frame}?filter={evil}&dom={evil}").get_data(as_text=True)
    for text in (answer, echoed, refused, schema, filtered):
        assert "<img src=x" not in text
        assert html.escape(evil, quote=False)[:10] in text


def test_the_data_page_has_the_data_read_again(page: Any, engine: Any, evil: str) -> None:
    shown = page.client.get("/c/vega/schema").get_data(as_text=True)
    assert "Tables and values were last read" in shown and f"New tables: {html.escape(evil)}"[:30] in shown
    refused = page.client.post("/c/vega/refresh", data={})
    assert refused.status_code == 400 and engine.refreshed == []
    done = page.post("/c/vega/refresh")
    assert (done.status_code, done.headers["Location"]) == (303, "/c/vega/schema")
    assert engine.refreshed == ["vega"]
    assert page.post("/c/nowhere/refresh").status_code == 404


def test_a_table_whose_rows_are_gone_shows_its_preview(page: Any, settings: Any) -> None:
    url = page.ask("many").headers["Location"]
    for path in settings.frames_folder.glob("*.arrow"):
        path.unlink()
    text = page.client.get(url).get_data(as_text=True)
    assert "c0" in text and "c19" in text and "c20" not in text
