"""The JSON twins."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from app.views import openapi

KEYS = (
    "status question sql columns rows total_rows narrative confidence "
    "options warnings evidence problem ms turn_id links"
).split()


def query(client: FlaskClient, path: str = "/api/query", **body: Any) -> Any:
    return client.post(path, json=body)


def check(client: FlaskClient, question: str, status: str, **expected: Any) -> None:
    answer = query(client, question=question).get_json()
    assert set(KEYS) <= set(answer) and answer["status"] == status and answer["question"] == question
    assert {name: answer[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("question", "status", "expected"),
    [
        (
            "miles",
            "answered",
            {
                "rows": [["Japan", 30.5], ["Europe", 29.5], ["USA", 28.5]],
                "total_rows": 3,
                "narrative": "Japan leads with 30.5 miles. The fewest are in USA.",
                "problem": None,
                "confidence": 0.8,
            },
        ),
        ("which", "clarify", {"rows": [], "sql": None, "total_rows": None}),
        (
            "weather on mars",
            "declined",
            {"problem": {"code": "plan.no_data", "message": "There is no such data.", "hint": "See the schema."}},
        ),
        (
            "locked",
            "error",
            {"problem": {"code": "execute.locked", "message": "The database is locked.", "hint": "Try again."}},
        ),
    ],
)
def test_one_object_per_question(client: FlaskClient, question: str, status: str, expected: dict[str, Any]) -> None:
    check(client, question, status, **expected)


def test_options_of_a_clarification(client: FlaskClient) -> None:
    options = query(client, question="which").get_json()["options"]
    assert [(o["text"], o["question"]) for o in options] == [("by order date", "revenue by order date")]


def test_fields_reach_the_engine(client: FlaskClient, engine: Any) -> None:
    answer = query(client, question="many", lang="zh", now="2026-11-30T10:00:00", limit=2, connection="vega").get_json()
    asked = engine.asked[0]
    assert (asked["lang"], asked["now"].isoformat()) == ("zh", "2026-11-30T10:00:00")
    assert len(answer["rows"]) == 2 and answer["total_rows"] == 60
    assert client.get(answer["links"]["page"]).status_code == 200


@pytest.mark.parametrize("path", ["/api/query", "/api/query/stream"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "request.json"),
        ("[]", 422, "request.fields"),
        ("{}", 422, "request.fields"),
        ('{"question": 5}', 422, "request.fields"),
        ('{"question": "x", "more": 1}', 422, "request.fields"),
        ('{"question": "x", "now": "soon"}', 422, "request.fields"),
        ('{"question": "x", "limit": -1}', 422, "request.fields"),
        ('{"question": "x", "lang": "fr"}', 422, "request.fields"),
        ('{"question": "  "}', 422, "question.empty"),
        (json.dumps({"question": "x" * 10_000}), 422, "question.too_long"),
        ('{"question": "x", "connection": "nowhere"}', 404, "not_found.connection"),
    ],
)
def test_bad_requests_have_one_shape(client: FlaskClient, path: str, body: str, status: int, code: str) -> None:
    response = client.post(path, data=body, content_type="application/json")
    error = response.get_json()["error"]
    assert (response.status_code, error["code"]) == (status, code)
    assert set(error) == {"code", "message", "hint"} and error["message"] and error["hint"]


def test_busy(client: FlaskClient, page: Any, turns: Any, find: Any) -> None:
    running = [
        find(r'data-turn="([0-9a-f]{32})"', page.ask("slow", htmx=True).get_data(as_text=True)) for _ in range(3)
    ]
    response = query(client, question="miles")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert response.get_json()["error"]["code"] == "turn.busy"
    for turn in running:
        turns.stop(turn)


def told(response: Any) -> list[tuple[str, Any]]:
    found = []
    for block in response.get_data(as_text=True).strip().split("\n\n"):
        event, data = block.split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("miles", ["result", *["delta"] * 6, "narrative", "done"]),
        ("which", ["done"]),
        ("weather on mars", ["done"]),
        ("crash", ["done"]),
    ],
)
def test_the_stream(client: FlaskClient, question: str, names: list[str]) -> None:
    response = query(client, "/api/query/stream", question=question)
    assert response.mimetype == "text/event-stream"
    assert [name for name, _ in told(response)] == names


def test_the_stream_says_the_same_as_the_object(client: FlaskClient) -> None:
    whole = query(client, question="miles").get_json()
    events = told(query(client, "/api/query/stream", question="miles"))
    data = dict(events)
    assert {name: data["result"][name] for name in ("columns", "rows", "total_rows", "sql")} == {
        name: whole[name] for name in ("columns", "rows", "total_rows", "sql")
    }
    pieces = [piece for name, piece in events if name == "delta"]
    sentences = ["".join(p["text"] for p in pieces if p["sentence"] == number) for number in (0, 1)]
    assert " ".join(sentences) == data["narrative"]["text"] == whole["narrative"]
    assert pieces[1]["cell"]["column"] == "mpg"
    assert data["done"]["status"] == "answered" and data["done"]["evidence"] == whole["evidence"]


def test_who_stops_listening_stops_the_turn(client: FlaskClient, turns: Any, engine: Any) -> None:
    response = client.post("/api/query/stream", json={"question": "gate"}, buffered=False)
    stream = iter(response.response)
    assert next(stream).decode().startswith("event: result")
    response.close()
    turn = engine.asked[0]["turn_id"]
    assert turns.store.turn(turn).cancel_requested
    engine.gate.set()
    turns.wait(turn)


def test_schema(client: FlaskClient) -> None:
    found = client.get("/api/schema?lang=zh").get_json()
    assert (found["connection"], found["dialect"], len(found["hash"])) == ("vega", "sqlite", 64)
    cars = found["tables"][0]
    assert (cars["names"], cars["description"]) == (["汽车"], "每辆车一行。")
    assert [(c["name"], c["key"], c["references"]) for c in cars["columns"][:2]] == [
        ("id", "primary", ""),
        ("origin_id", "foreign", "origins.id"),
    ]
    assert found["tables"][1]["referenced_by"] == ["cars"]
    assert found["measures"] == [{"name": "power", "description": "", "expression": "AVG(cars.id)"}]
    assert client.get("/api/schema?connection=nowhere").get_json()["error"]["code"] == "not_found.connection"


def test_health(client: FlaskClient, app: Any) -> None:
    found = client.get("/api/health").get_json()
    assert (found["status"], found["mode"]) == ("degraded", "rules")
    assert found["reasons"] == ["lexical: no index yet", "broken: The file broken.sqlite is not there."]
    parts = {part["part"]: part for part in found["parts"]}
    assert parts["embedding"]["active"] == "e5" and parts["store"]["active"].startswith("sqlite 3.")
    assert found["versions"]["starchart"]


def test_the_document_is_openapi_and_names_every_route(client: FlaskClient, app: Any) -> None:
    document = client.get("/api/openapi.json").get_json()
    validate(document)
    assert document == json.loads(json.dumps(openapi.document()))
    routes = {str(rule) for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")}
    assert set(document["paths"]) == routes
