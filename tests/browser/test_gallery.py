"""The pages in a real browser under the strict policy: widths, keys, screen readers, and pages without parts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import gallery_states as samples
from waiting import wait_until

OpenPage = Callable[..., Any]
DESK = {"width": 1440, "color_scheme": "light"}
DRAWER = {"width": 900, "color_scheme": "dark"}
HAND = {"width": 390, "height": 844, "color_scheme": "dark"}


@pytest.mark.parametrize("state", samples.STATES)
@pytest.mark.parametrize("device", [DESK, HAND], ids=["desk", "hand"])
def test_nothing_serious_and_nothing_too_wide(kept_page: OpenPage, state: str, device: dict[str, Any]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = kept_page(state, **device)
    assert page.evaluate("document.documentElement.scrollWidth") <= device["width"]
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []
    assert page.problems == []


@pytest.mark.parametrize("device", [DESK, DRAWER, HAND], ids=["desk", "drawer", "hand"])
def test_open_evidence_has_nothing_serious(open_page: OpenPage, device: dict[str, Any]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page("answered#evidence-panel", **device)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.locator("#evidence").is_visible()
    assert page.locator("h1:visible").count() == 1
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("moderate", "serious", "critical")] == []


def test_chart_is_drawn_switched_and_redrawn_at_night(open_page: OpenPage) -> None:
    page = open_page("answered", color_scheme="light")
    line = page.locator(".plot svg path[stroke='#22577a']")
    line.first.wait_for(state="attached")
    drawn = page.locator(".plot svg").text_content()
    assert "Jan 2023" in drawn
    assert "Jul 2023" in drawn
    page.get_by_role("link", name="Bars").click()
    page.locator(".plot svg path[fill='#22577a']").first.wait_for(state="attached")
    assert page.locator(".chart-reason").text_content() == "Bars compare single months."
    page.get_by_role("button", name="Switch to night").click()
    page.locator(".plot svg path[fill='#7fb5d9']").first.wait_for(state="attached")
    assert page.locator(".plot svg").get_attribute("role") == "img"
    assert "Revenue, Europe" in page.locator(".plot svg").get_attribute("aria-label")
    assert page.problems == []


def test_vega_is_not_loaded_without_a_chart(open_page: OpenPage, gallery_url: str) -> None:
    page = open_page("")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{gallery_url}/first", wait_until="networkidle")
    assert [url for url in loaded if "vega" in url or "charts.js" in url] == []
    assert all(url.startswith(gallery_url.rsplit("/", 1)[0]) for url in loaded)


def test_question_is_asked_and_followed_without_a_socket(open_page: OpenPage) -> None:
    page = open_page("first")
    page.keyboard.type("how many orders?")  # the box has the focus from the start
    page.keyboard.press("Enter")
    page.locator(".turn").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H1"
    assert page.locator("#ask-box").input_value() == ""
    assert page.locator(".starters").is_hidden()
    page.locator(".turn-status[data-status=answered]").wait_for()
    page.locator(".lead .cite").first.wait_for()
    page.locator("#announce", has_text="Revenue in Europe rose").wait_for(state="attached")
    assert page.locator("[data-socket]").count() == 0
    assert page.locator(".skeleton:visible").count() == 0
    assert page.locator("#evidence .hits li").count() == 4
    assert page.locator("#thread-panel [aria-current] small").text_content() == "12 rows · 44 ms"
    assert page.problems == []


@pytest.mark.parametrize(
    ("typed", "message"),
    [("fail", "The question is longer than 2,000 characters."), ("crash", "The server could not do this.")],
)
def test_text_is_kept_when_a_question_is_refused(open_page: OpenPage, typed: str, message: str) -> None:
    page = open_page("answered")
    page.locator("#ask-box").fill(typed)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#ask-problem .problem-line").wait_for()
    assert message in page.locator("#ask-problem").text_content()
    assert page.locator("#ask-box").input_value() == typed
    assert page.locator(".turn h1").text_content() == samples.QUESTION


@pytest.mark.parametrize("typed", ["", "   ", "\n"])
def test_empty_question_does_nothing(open_page: OpenPage, typed: str) -> None:
    page = open_page("first")
    asked: list[str] = []
    page.on("request", lambda request: request.method == "POST" and asked.append(request.url))
    page.locator("#ask-box").fill(typed)
    page.locator("#ask-box").press("Enter")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert asked == []


def test_unreachable_server_is_said(open_page: OpenPage) -> None:
    page = open_page("first")
    page.route("**/ask", lambda route: route.abort())
    page.locator("#ask-box").fill("anything")
    page.locator("#ask-box").press("Enter")
    page.locator("#ask-problem .problem-line").wait_for()
    assert "cannot be reached" in page.locator("#ask-problem").text_content()
    assert page.locator("#ask-box").input_value() == "anything"


def test_keys(open_page: OpenPage) -> None:
    page = open_page("answered")
    focused = "document.activeElement.id || document.activeElement.tagName"
    for key, expected in (
        ("/", "ask-box"),
        ("Escape", "BODY"),
        ("e", "evidence-panel"),
        ("s", "PRE"),
        ("c", "chart-title-t2"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == expected, key
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()
    page.keyboard.press("k")
    page.wait_for_url("**/t/th1/t1")


@pytest.mark.parametrize("key", ["j", "k", "e", "?", "ArrowLeft"])
def test_keys_write_in_the_box(open_page: OpenPage, key: str) -> None:
    page = open_page("answered")
    before = page.url
    page.locator("#ask-box").press(key)
    assert page.url == before
    assert page.locator("#keys").is_hidden()


def test_number_lights_its_cell(open_page: OpenPage) -> None:
    page = open_page("answered")
    page.locator(".lead .cite").first.focus()
    assert page.locator(".lit").all_text_contents() == ["214,634"]
    page.locator(".aside .cite").first.hover()
    assert page.locator(".lit").count() == 13  # the whole column and its head
    page.locator("h1").hover()
    assert page.locator(".lit").count() == 0


def test_copying_gives_tab_separated_rows(open_page: OpenPage) -> None:
    page = open_page("wide", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0].split("\t")[:3] == ["name", "city", "age"]
    assert lines[3].split("\t")[1:4] == ["", "", "3,612"]


def test_sorting_keeps_the_focus(open_page: OpenPage) -> None:
    page = open_page("answered")
    link = page.get_by_role("link", name="Revenue 2023")
    link.focus()
    with page.expect_response("**/frames/**"):
        page.keyboard.press("Enter")
    page.locator(".sort:focus").wait_for()
    assert page.locator(".table-page").count() == 1


@pytest.mark.parametrize("panel", ["Evidence", "Thread"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_tabs_of_a_small_screen(open_page: OpenPage, panel: str, script: bool) -> None:
    page = open_page("answered", **HAND, java_script_enabled=script)
    tabs = page.get_by_role("navigation", name="Parts of the answer")
    shown = page.locator(f"#{panel.lower()}-panel")
    assert shown.is_hidden()
    tabs.get_by_role("link", name=panel).click()
    assert shown.is_visible()
    assert page.locator(".turn > .artifact:visible").count() == 0
    tabs.get_by_role("link", name="Answer").click()
    assert shown.is_hidden()
    assert page.locator(".turn > .artifact:visible").count() > 0


def test_box_stays_in_reach_on_a_small_screen(open_page: OpenPage) -> None:
    page = open_page("answered", **HAND)
    box = page.locator(".ask").bounding_box()
    assert box["y"] + box["height"] == 844
    for name in ("Ask", "Stop"):
        for button in page.get_by_role("button", name=name, exact=True).all():
            assert button.bounding_box()["height"] >= 44


@pytest.mark.parametrize("part", ["#canvas .artifact", "#evidence section"])
def test_box_covers_nothing_however_tall_it_grows(open_page: OpenPage, part: str) -> None:
    page = open_page("answered" + ("#evidence-panel" if "evidence" in part else ""), **HAND)
    page.locator("#ask-box").fill("one line\n" * 12)
    wait_until(page, "() => document.querySelector('.ask').offsetHeight > 150")
    wait_until(
        page,
        """(part) => {
            scrollTo(0, 1e6);
            const last = [...document.querySelectorAll(part)].filter((one) => one.offsetHeight).at(-1);
            return last.getBoundingClientRect().bottom <= document.querySelector('.ask').getBoundingClientRect().top;
        }""",
        arg=part,
        seconds=5,
    )


def test_first_column_of_a_wide_table_stays(open_page: OpenPage) -> None:
    page = open_page("wide", **HAND)
    page.locator(".scroll").evaluate("(part) => { part.scrollLeft = 400; }")
    assert page.locator("tbody th").first.bounding_box()["x"] == 0


def test_drawer_opens_and_closes_by_key(open_page: OpenPage) -> None:
    page = open_page("answered", **DRAWER)
    panel = page.locator("#evidence-panel")
    assert panel.is_hidden()
    page.keyboard.press("e")
    assert panel.is_visible()
    page.keyboard.press("Escape")
    assert panel.is_hidden()


@pytest.mark.parametrize("state", ["first", "answered", "running", "clarify", "schema"])
def test_page_without_script(open_page: OpenPage, state: str) -> None:
    page = open_page(state, java_script_enabled=False)
    assert page.locator(".needs-js:visible").count() == 0
    form = page.locator("#ask-form")
    if form.count():
        assert form.get_attribute("method") == "post"
        assert form.get_attribute("action") == "/c/shop/ask"
    for button in page.locator("button[form=again-form]").all():
        assert button.get_attribute("value")


def test_page_without_htmx(open_page: OpenPage, gallery_url: str) -> None:
    page = open_page("")
    page.route("**/vendor/htmx*/**", lambda route: route.abort())
    page.goto(f"{gallery_url}/answered")
    page.locator(".plot svg").first.wait_for()
    page.locator("#ask-box").fill("how many orders?")
    page.locator("#ask-box").press("Enter")
    page.wait_for_url("**/gallery/answered")
    assert page.problems == []
