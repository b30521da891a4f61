"""Starting and stopping the server."""

from __future__ import annotations

import signal
import socket
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.serve import ServeError, address_of, bind, loopback_hosts

PATIENCE = 60  # seconds; keeps a hang from lasting for ever, measures nothing


def test_a_port_in_use_says_which_and_what_to_do() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ServeError) as caught:
            bind("127.0.0.1", port)
    assert caught.value.code == "serve.port_in_use"
    assert str(port) in caught.value.message and f"--port {port + 1}" in caught.value.hint


@pytest.mark.parametrize(
    ("host", "port"), [("192.0.2.1", 8000), ("no.such.host.invalid", 8000), ("127.0.0.1", 70_000), ("127.0.0.1", -1)]
)
def test_addresses_that_cannot_be_opened(host: str, port: int) -> None:
    with pytest.raises(ServeError) as caught:
        bind(host, port)
    assert caught.value.code == "serve.address" and caught.value.hint


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", "http://127.0.0.1:{}/"), ("0.0.0.0", "http://127.0.0.1:{}/"), ("localhost", "http://localhost:{}/")],
)
def test_the_address_to_type(host: str, expected: str) -> None:
    with bind(host, 0) as listener:
        assert address_of(listener, host) == expected.format(listener.getsockname()[1])


@pytest.mark.parametrize(
    ("host", "known"),
    [("127.0.0.1", True), ("localhost", True), ("127.1.2.3", True), ("0.0.0.0", False), ("example.org", False)],
)
def test_names_on_loopback(host: str, known: bool) -> None:
    assert (host in loopback_hosts(host)) is known


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order(serve: Callable[..., Any], how: signal.Signals) -> None:
    server = serve()
    assert urllib.request.urlopen(f"{server.url}/api/health", timeout=PATIENCE).status == 200
    server.process.send_signal(how)
    assert server.process.wait(PATIENCE) == 0


def test_two_workers_share_one_port(serve: Callable[..., Any]) -> None:
    server = serve(STARCHART_WORKERS="2")
    for _ in range(4):
        assert urllib.request.urlopen(f"{server.url}/c/vega/", timeout=PATIENCE).status == 200


def test_an_application_that_cannot_start_says_why(serve: Callable[..., Any], tmp_path: Any) -> None:
    with pytest.raises(AssertionError, match="STARCHART_STORE is not the address of a database"):
        serve(STARCHART_STORE="nonsense")


def test_ctrl_c_in_a_terminal_reaches_all_processes(serve: Callable[..., Any]) -> None:
    server = serve()
    workers = subprocess.run(
        ["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True, check=True
    ).stdout.split()
    for pid in (*workers, str(server.process.pid)):
        subprocess.run(["kill", "-INT", pid], check=True)
    assert server.process.wait(PATIENCE) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
