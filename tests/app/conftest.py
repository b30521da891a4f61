"""A web application over a scripted engine, in this process and as real servers."""

from __future__ import annotations

import importlib.util
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.factory import create_app
from app.settings import Settings, load_settings

SCRIPT = Path(__file__).with_name("scripted.py")


def _scripted() -> Any:
    spec = importlib.util.spec_from_file_location("scripted", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scripted = _scripted()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(
        {
            "STARCHART_DATA": str(tmp_path / "data"),
            "STARCHART_TURN_SECONDS": "20",
            "STARCHART_TURNS": "3",
            "STARCHART_QUEUE": "0",
        }
    )


@pytest.fixture
def engine(settings: Settings) -> Any:
    return scripted.ScriptedEngine(settings.frames_folder)


@pytest.fixture
def evil() -> str:
    """Markup that every cell, name and text of the question ``evil`` holds."""
    return str(scripted.EVIL)


@pytest.fixture
def app(settings: Settings, engine: Any) -> Iterator[Flask]:
    app = create_app(settings, engine)
    yield app
    engine.gate.set()
    app.extensions["starchart"].close()


@pytest.fixture
def turns(app: Flask) -> Any:
    return app.extensions["starchart"].turns


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


class Page:
    """A browser tab: knows its form token and its id."""

    def __init__(self, client: FlaskClient, path: str = "/c/vega/", headers: dict[str, str] | None = None) -> None:
        self.client = client
        self.html = client.get(path, headers=headers).get_data(as_text=True)
        self.token = found(r'name="csrf_token" value="([^"]+)"', self.html)
        self.workspace = found(r'name="workspace" value="([^"]+)"', self.html)

    def post(self, path: str, *, htmx: bool = False, **form: str) -> Any:
        headers = {"HX-Request": "true"} if htmx else {}
        form = {"csrf_token": self.token, **form}
        return self.client.post(path, data=form, headers=headers)

    def ask(self, question: str, *, htmx: bool = False, **form: str) -> Any:
        return self.post("/c/vega/ask", htmx=htmx, question=question, workspace=self.workspace, **form)


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, f"{pattern} not in {text[:2000]}"
    return match.group(1)


@pytest.fixture
def page(client: FlaskClient) -> Page:
    return Page(client)


@pytest.fixture
def open_page() -> type[Page]:
    return Page


@pytest.fixture
def find() -> Callable[[str, str], str]:
    return found


class Server:
    """A real server process over the scripted engine."""

    def __init__(self, data: Path, port: int, **environment: str) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(port)],
            env={**os.environ, "STARCHART_DATA": str(data), "STARCHART_TURNS": "8", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def ready(self) -> Server:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert self.url in line, line + self.process.stdout.read()
        return self

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers on one common data folder; all are stopped at the end."""
    started: list[Server] = []

    def start(**environment: str) -> Server:
        server = Server(tmp_path / "shared", free_port(), **environment)
        started.append(server)
        return server.ready()

    yield start
    for server in started:
        server.stop()
