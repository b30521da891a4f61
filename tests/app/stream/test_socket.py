"""Live fragments from real server processes."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from threading import Event
from typing import Any

from simple_websocket import Client, ConnectionClosed

# No test measures time: these only keep a hang from lasting for ever.
PATIENCE = 60


def eventually(fits: Callable[[], bool]) -> None:
    """Ask again until it is so."""
    pause, end = Event(), time.monotonic() + PATIENCE
    while not fits():
        assert time.monotonic() < end, "it never came to be"
        pause.wait(0.02)


class Tab:
    """A browser tab at a real server."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        html = self.get("/c/vega/").read().decode()
        self.token = re.search(r'name="csrf_token" value="([^"]+)"', html)[1]  # type: ignore[index]
        self.workspace = re.search(r'name="workspace" value="([^"]+)"', html)[1]  # type: ignore[index]

    def get(self, path: str) -> Any:
        return self.opener.open(self.server.url + path, timeout=PATIENCE)

    def post(self, path: str, **form: str) -> str:
        data = urllib.parse.urlencode({"csrf_token": self.token, **form}).encode()
        request = urllib.request.Request(self.server.url + path, data, {"HX-Request": "true"})
        return str(self.opener.open(request, timeout=PATIENCE).read().decode())

    def ask(self, question: str) -> str:
        html = self.post("/c/vega/ask", question=question, workspace=self.workspace)
        return re.search(r'data-turn="([0-9a-f]{32})"', html)[1]  # type: ignore[index]

    def stop(self, turn: str) -> None:
        self.post(f"/c/vega/turns/{turn}/stop")

    def fragments(self, turn: str) -> Any:
        return self.get(f"/c/vega/turns/{turn}/fragments")


@contextmanager
def socket(server: Any, turn: str) -> Iterator[Client]:
    client = Client.connect(f"ws://127.0.0.1:{server.port}/ws?workspace=tab12345&turn={turn}")
    try:
        yield client
    finally:
        if client.connected:
            client.close()


def messages(client: Client, until: str | None = None) -> tuple[list[str], int | None]:
    """All messages until one that contains ``until``, or until the server closes; with the close code."""
    heard: list[str] = []
    try:
        while until is None or not heard or until not in heard[-1]:
            message = client.receive(timeout=PATIENCE)
            assert message is not None, heard
            heard.append(message)
    except ConnectionClosed as closed:
        return heard, closed.reason
    return heard, None


def open_gate(server: Any) -> None:
    """The question ``gate`` waits between its rows and its text until another question is asked."""
    body = json.dumps({"question": "open the gate"}).encode()
    urllib.request.urlopen(
        urllib.request.Request(f"{server.url}/api/query", body, {"Content-Type": "application/json"}), timeout=PATIENCE
    ).read()


def test_rows_before_prose_and_prose_piece_by_piece(serve: Callable[..., Any]) -> None:
    server = serve()
    tab = Tab(server)
    turn = tab.ask("gate")
    with socket(server, turn) as client:
        before, _ = messages(client, until=f'id="artifact-{turn}-chart"')
        assert f'id="artifact-{turn}-table"' in "".join(before) and "#lead-" not in "".join(before)
        open_gate(server)
        after, code = messages(client)
    assert code == 1000
    pieces = [message for message in after if "beforeend:#" in message]
    assert len(pieces) == 6 and sum("#lead-" in piece for piece in pieces) == 3
    assert pieces[1].count("30.5") == 1
    complete = next(number for number, message in enumerate(after) if "data-complete" in message)
    assert complete == after.index(pieces[-1]) + 1
    assert (
        'data-status="answered"' in after[-1] and 'id="evidence"' in after[-1] and f'id="turn-link-{turn}"' in after[-1]
    )


def test_a_reconnect_replays_what_was_missed(serve: Callable[..., Any]) -> None:
    server = serve()
    tab = Tab(server)
    turn = tab.ask("gate")
    with socket(server, turn) as client:
        messages(client, until="-chart")
    open_gate(server)
    eventually(lambda: tab.fragments(turn).headers["X-Starchart-Done"] is not None)
    with socket(server, turn) as client:
        heard, code = messages(client)
    assert code == 1000 and len(heard) == 1
    for part in ("chart", "table", "sql", "text"):
        assert f'id="artifact-{turn}-{part}"' in heard[0]
    assert "Japan leads with" in heard[0] and 'data-status="answered"' in heard[0]


def test_two_tabs_do_not_mix(serve: Callable[..., Any]) -> None:
    server = serve()
    first, second = Tab(server), Tab(server)
    slow, quick = first.ask("slow"), second.ask("miles")
    assert first.workspace != second.workspace
    with socket(server, slow) as one, socket(server, quick) as two:
        heard, code = messages(two)
        assert code == 1000 and quick in "".join(heard) and slow not in "".join(heard)
        first.stop(slow)
        heard, code = messages(one)
        assert code == 1000 and 'data-status="stopped"' in heard[-1] and quick not in "".join(heard)


def test_another_worker_shows_and_stops_the_turn(serve: Callable[..., Any]) -> None:
    here, there = serve(), serve()
    tab = Tab(here)
    turn = tab.ask("gate")
    with socket(there, turn) as client:
        messages(client, until="-chart")
        open_gate(here)
        heard, code = messages(client)
        assert code == 1000 and sum("beforeend:#" in message for message in heard) == 6
    slow = tab.ask("slow")
    other = Tab(there)
    with socket(here, slow) as client:
        other.stop(slow)
        heard, code = messages(client)
        assert code == 1000 and 'data-status="stopped"' in heard[-1]


def test_who_may_open_a_socket(serve: Callable[..., Any]) -> None:
    server = serve()
    known = Tab(server).ask("miles")
    for turn, origin, status in (
        ("0" * 32, None, 404),
        ("nonsense", None, 404),
        (known, "https://evil.example", 403),
        (known, "null", 403),
        (known, server.url, 101),
        (known, None, 101),
    ):
        headers = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
        headers |= {"Connection": "Upgrade", "Upgrade": "websocket"} | ({"Origin": origin} if origin else {})
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", f"/ws?turn={turn}", headers=headers)
        assert connection.getresponse().status == status, (turn, origin)
        connection.close()


def test_over_the_cap_a_socket_is_sent_away_and_pages_still_answer(serve: Callable[..., Any]) -> None:
    server = serve(STARCHART_SOCKETS="2", STARCHART_THREADS="8")
    tab = Tab(server)
    turn = tab.ask("slow")
    with socket(server, turn) as one, socket(server, turn) as two:
        messages(one, until="state-")
        messages(two, until="state-")
        with socket(server, turn) as three:
            assert messages(three) == ([], 1013)
        assert turn in tab.fragments(turn).read().decode()
        two.close()
        eventually(lambda: json.load(tab.get("/api/health"))["sockets"] == 1)
        with socket(server, turn) as three:
            messages(three, until="state-")
    tab.stop(turn)


def test_a_large_message_closes_only_its_socket(serve: Callable[..., Any]) -> None:
    server = serve()
    tab = Tab(server)
    turn = tab.ask("slow")
    with socket(server, turn) as client:
        messages(client, until="state-")
        client.send("x" * 100_000)
        assert messages(client)[1] == 1009
    tab.stop(turn)
    assert tab.fragments(turn).status == 200


def test_stopping_the_server_ends_sockets_and_turns_in_order(serve: Callable[..., Any]) -> None:
    server = serve()
    tab = Tab(server)
    turn = tab.ask("slow")
    with socket(server, turn) as client:
        messages(client, until="state-")
        server.process.terminate()
        _heard, code = messages(client)
        assert code in (1000, 1012)
    assert server.process.wait(PATIENCE) == 0
    # A process that had to be killed would have left the turn running.
    tab.server = serve()
    assert 'data-status="stopped"' in tab.fragments(turn).read().decode()
