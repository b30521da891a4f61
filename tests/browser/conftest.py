"""Chromium, driven by Playwright, over the gallery of page states and over real servers.

Chromium is a program of the machine, not of the project: where there is none, these tests are left out, and one line
says so (``tests/conftest.py``).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import make_server

CHROMIUM = os.environ.get("STARCHART_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def gallery_url() -> Iterator[str]:
    """The gallery, served on a free port."""
    from gallery import make_gallery

    server = make_server("127.0.0.1", 0, make_gallery(), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/gallery"
    server.shutdown()
    thread.join()


@contextmanager
def served(data: Path, *command: str) -> Iterator[str]:
    """The address of a server process, which is stopped at the end."""
    environment = {**os.environ, "STARCHART_DATA": str(data)}
    process = subprocess.Popen(
        [sys.executable, *command], env=environment, stdout=subprocess.PIPE, text=True, cwd=HERE.parents[1]
    )
    assert process.stdout is not None
    try:
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://[\d.:]+", line)))
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


@pytest.fixture(scope="session")
def demo_url(tmp_path_factory: pytest.TempPathFactory, with_demos: Callable[[Path], Path]) -> Iterator[str]:
    """``starchart serve`` over the demo databases."""
    with served(with_demos(tmp_path_factory.mktemp("data")), "-m", "app.cli", "serve", "--port", "0") as url:
        yield url


@pytest.fixture(scope="session")
def scripted_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same application over an engine that waits where it is told to (``tests/app/scripted.py``)."""
    with served(tmp_path_factory.mktemp("data"), str(HERE.parent / "app" / "scripted.py"), "0") as url:
        yield url


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def watched(page: Any) -> Any:
    """The page, with ``problems``: script errors and refusals of the security policy."""
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda message: "Content Security Policy" in message.text and page.problems.append(message.text))
    return page


@pytest.fixture
def open_page(chromium: Any, gallery_url: str) -> Iterator[Callable[..., Any]]:
    """Opens a state of the gallery in a window of its own; see :func:`watched`."""
    contexts = []

    def open_page(state: str, *, width: int = 1440, height: int = 900, **options: Any) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = watched(context.new_page())
        if state:
            page.goto(f"{gallery_url}/{state}")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def kept_page(chromium: Any, gallery_url: str) -> Iterator[Callable[..., Any]]:
    """Opens states one after the other in one window per device, with charts only where the state is about them."""
    pages: dict[int, Any] = {}

    def kept_page(state: str, *, width: int, height: int = 900, **options: Any) -> Any:
        if width not in pages:
            context = chromium.new_context(
                viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **options}
            )
            pages[width] = watched(context.new_page())
        page = pages[width]
        page.problems.clear()
        page.unroute_all()
        if not state.startswith("answered"):
            page.route("**/vendor/vega*/**", lambda route: route.abort())
        page.goto(f"{gallery_url}/{state}")
        return page

    yield kept_page
    for page in pages.values():
        page.context.close()
