"""The workspace in a real browser against real servers: questions, stopping, reconnecting, tabs, keys, widths."""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from waiting import wait_until

OpenTab = Callable[..., Any]

# How often parts of an answer had come when the others came: the order in which they were first seen.
ARRIVALS = """
    window.arrived = [];
    const parts = {rows: ".table-page tbody tr", text: ".lead .cite", end: ".turn-status[data-status=answered]"};
    new MutationObserver(() => {
        for (const [name, part] of Object.entries(parts))
            if (!window.arrived.includes(name) && document.querySelector(part)) window.arrived.push(name);
    }).observe(document, {childList: true, subtree: true, attributes: true});
"""
# Keeps the page's sockets, so that a test can cut them.
SOCKETS = """
    window.sockets = [];
    window.WebSocket = class extends WebSocket {
        constructor(...given) { super(...given); window.sockets.push(this); }
    };
"""
# Pairs of labels along the bottom of the chart that stand closer than a few pixels.
TOUCHING = """() => {
    const axis = document.querySelector(".plot svg .role-axis-label");
    const shown = [...axis.querySelectorAll("text")].filter((text) => +getComputedStyle(text).opacity);
    const boxes = shown.map((text) => text.getBoundingClientRect());
    return boxes.slice(1).filter((box, place) => box.left - boxes[place].right < 4).length;
}"""


@pytest.fixture
def open_tab(chromium: Any) -> Iterator[OpenTab]:
    """Opens an address in a tab, by default of a new window; no tab may have had anything to complain about."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def note(message: Any) -> None:
        if message.type in ("error", "warning") and "ERR_INTERNET_DISCONNECTED" not in message.text:
            complaints.append(message.text)

    def open_tab(url: str, *, context: Any = None, width: int = 1440, height: int = 900) -> Any:
        if context is None:
            context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
            context.set_default_timeout(60_000)
            contexts.append(context)
        tab = context.new_page()
        tab.add_init_script(ARRIVALS + SOCKETS)
        tab.on("console", note)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(url)
        return tab

    yield open_tab
    for context in contexts:
        context.close()
    assert complaints == []


def ask(tab: Any, question: str) -> None:
    tab.locator("#ask-box").fill(question)
    tab.locator("#ask-box").press("Enter")
    tab.locator(".turn h1", has_text=re.compile(re.escape(question), re.IGNORECASE)).wait_for()


def ended(tab: Any, status: str = "answered") -> None:
    tab.locator(f".turn-status[data-status={status}]").wait_for()


def drawn(tab: Any) -> Any:
    chart = tab.locator(".plot svg")
    chart.wait_for()
    return chart


def open_gate(url: str, gate: str) -> None:
    """Let the question of that name go on behind its rows."""
    body = json.dumps({"question": f"open the {gate}"}).encode()
    request = urllib.request.Request(f"{url}/api/query", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=60).read()


@pytest.mark.parametrize(
    ("connection", "question", "first_row", "text"),
    [
        ("vega", "average horsepower by origin", "USA", "USA"),
        ("vega", "各产地的平均马力", "USA", "USA"),
        ("shop", "top 5 products by revenue in 2023", "Ergonomic Chair", "Ergonomic Chair"),
    ],
)
def test_rows_chart_and_text(
    open_tab: OpenTab, demo_url: str, connection: str, question: str, first_row: str, text: str
) -> None:
    tab = open_tab(f"{demo_url}/c/{connection}/")
    ask(tab, question)
    ended(tab)
    assert first_row in tab.locator(".table-page tbody tr").first.text_content()
    assert text in tab.locator(".lead").text_content()
    assert drawn(tab).locator("path").count() > 3
    assert "SELECT" in tab.locator(".artifact-sql pre").text_content()
    assert tab.locator("#evidence .waterfall tr").count() > 3
    assert tab.evaluate("window.arrived")[0] == "rows"
    assert tab.locator("#thread-panel [aria-current]").count() == 1
    # The same page, asked for anew, is the same answer.
    before = tab.locator(".lead").text_content()
    tab.reload()
    assert tab.locator(".lead").text_content() == before


def test_what_the_data_does_not_hold_is_declined(open_tab: OpenTab, demo_url: str) -> None:
    tab = open_tab(f"{demo_url}/c/shop/")
    ask(tab, "how many spaceships")
    ended(tab, "declined")
    assert tab.locator(".artifact-problem").is_visible()
    assert tab.locator(".table-page").count() == 0


def test_the_whole_way_by_keyboard(open_tab: OpenTab, demo_url: str) -> None:
    tab = open_tab(f"{demo_url}/c/vega/")
    focused = "document.activeElement.id || document.activeElement.tagName"
    keys = tab.keyboard
    assert tab.evaluate(focused) == "ask-box"
    keys.press("Escape")
    assert tab.evaluate(focused) == "BODY"
    keys.press("/")
    keys.type("average horsepower by origin")
    keys.press("Enter")
    ended(tab)
    drawn(tab)
    first = tab.url
    assert tab.evaluate(focused).startswith("question-")
    for key, expected in (("e", "evidence-panel"), ("s", "PRE"), ("c", "chart-title-"), ("/", "ask-box")):
        keys.press(key)
        assert tab.evaluate(focused).startswith(expected), key
    keys.type("number of cars by origin")
    keys.press("Enter")
    tab.wait_for_url(lambda url: url != first)
    ended(tab)
    second = tab.url
    keys.press("?")
    assert tab.locator("#keys").is_visible()
    keys.press("Escape")
    assert tab.locator("#keys").is_hidden()
    keys.press("ArrowLeft")
    tab.wait_for_url(first)
    keys.press("ArrowRight")
    tab.wait_for_url(second)
    ended(tab)


def test_a_small_screen_from_question_to_evidence(open_tab: OpenTab, demo_url: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    tab = open_tab(f"{demo_url}/c/shop/", width=390, height=844)
    wide = "document.documentElement.scrollWidth"
    assert tab.evaluate(wide) == 390
    ask(tab, "monthly revenue last year")
    ended(tab)
    drawn(tab)
    assert tab.evaluate(TOUCHING) == 0
    for name in ("Evidence", "Thread", "Answer"):
        tab.get_by_role("navigation", name="Parts of the answer").get_by_role("link", name=name).click()
        assert tab.evaluate(wide) == 390, name
        assert tab.locator("h1:visible").count() == 1, name
        found = Axe().run(tab).response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("moderate", "serious", "critical")] == [], name


def test_rows_and_chart_before_the_text(open_tab: OpenTab, scripted_url: str) -> None:
    tab = open_tab(f"{scripted_url}/c/vega/")
    ask(tab, "gate of order")
    drawn(tab)
    assert tab.locator(".table-page tbody tr").count() == 3
    assert tab.locator(".lead:not(:empty)").count() == 0
    assert tab.locator(".turn-status").get_attribute("data-status") == "running"
    open_gate(scripted_url, "gate of order")
    ended(tab)
    assert tab.evaluate("window.arrived") == ["rows", "text", "end"]
    assert tab.locator(".lead").text_content() == "Japan leads with 30.5 miles."
    assert tab.locator(".aside").text_content() == "The fewest are in USA."


def test_the_stop_button_ends_a_long_question(open_tab: OpenTab, scripted_url: str) -> None:
    tab = open_tab(f"{scripted_url}/c/vega/")
    ask(tab, "slow")
    tab.get_by_role("button", name="Stop").click()
    ended(tab, "stopped")
    assert tab.get_by_role("button", name="Stop").count() == 0
    assert tab.locator(".skeleton:visible").count() == 0
    ask(tab, "miles")
    ended(tab)


@pytest.mark.parametrize("missed", ["the end", "all"])
def test_what_was_missed_is_replayed(open_tab: OpenTab, scripted_url: str, missed: str) -> None:
    gate = f"gate when {missed} is missed"
    tab = open_tab(f"{scripted_url}/c/vega/")
    ask(tab, gate)
    drawn(tab)
    tab.context.set_offline(True)
    tab.evaluate("window.sockets.forEach((socket) => socket.close(4000))")
    wait_until(tab, "() => window.sockets.every((socket) => socket.readyState === WebSocket.CLOSED)")
    open_gate(scripted_url, gate)
    if missed == "all":
        tab.context.set_offline(False)
        tab.reload()
    else:
        assert tab.locator(".lead:not(:empty)").count() == 0
        tab.context.set_offline(False)
    ended(tab)
    assert tab.locator(".lead").text_content() == "Japan leads with 30.5 miles."
    assert tab.locator(".table-page").count() == 1
    drawn(tab)


def test_two_tabs_do_not_mix(open_tab: OpenTab, scripted_url: str) -> None:
    one = open_tab(f"{scripted_url}/c/vega/")
    two = open_tab(f"{scripted_url}/c/vega/", context=one.context)
    ask(one, "gate of one")
    ask(two, "gate of two")
    drawn(one)
    drawn(two)
    open_gate(scripted_url, "gate of two")
    ended(two)
    assert one.locator(".turn-status").get_attribute("data-status") == "running"
    assert one.locator(".lead:not(:empty)").count() == 0
    assert "of one" in one.locator("h1").text_content() and "of two" in two.locator("h1").text_content()
    open_gate(scripted_url, "gate of one")
    ended(one)
    assert one.url != two.url
    assert "of two" in two.locator("h1").text_content()


def test_markup_in_data_stays_text(open_tab: OpenTab, scripted_url: str) -> None:
    tab = open_tab(f"{scripted_url}/c/vega/")
    ask(tab, "evil")
    ended(tab)
    drawn(tab)
    assert tab.locator("img[src=x]").count() == 0
    assert "<img src=x" in tab.locator(".lead").text_content()
