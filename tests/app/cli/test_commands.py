"""The other commands, and what starting the program costs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from agents.table import as_mermaid, as_text

Starchart = Callable[..., Result]


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from app.cli import main; main(['--help'], standalone_mode=False);"
        "heavy = {'flask', 'sqlalchemy', 'pyarrow', 'sqlglot', 'onnxruntime', 'pandas', 'rich'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("serve", "ask", "explain", "graph", "doctor", "golden", "guard", "benchmark"):
        assert f"\n  {command} " in done.stdout


def test_graph_prints_the_table_and_the_drawing(starchart: Starchart) -> None:
    assert starchart("graph").stdout == f"{as_text()}\n\n```mermaid\n{as_mermaid()}\n```\n"


def test_explain_prints_every_stage(starchart: Starchart) -> None:
    result = starchart("explain", "average horsepower of cars from Japan by year", "--connection", "vega")
    assert result.exit_code == 0
    titles = ("tokens", "schema search", "mentions", "candidates", "plan", "sqlglot tree", "SQL", "guard")
    places = [
        result.stdout.index(f"\n{title}  " if title not in ("sqlglot tree", "SQL") else f"\n{title} ")
        for title in titles
    ]
    assert places == sorted(places)
    for part in ("Select", "source: Source", "function=avg", "AVG(horsepower)", "'Japan'", "allow", "stored value"):
        assert part in result.stdout


def test_explain_as_json_has_the_same_stages(starchart: Starchart) -> None:
    explained = json.loads(starchart("explain", "how many cars", "--connection", "vega", "--json").stdout)
    assert explained["intent"] == "data" and [t["text"] for t in explained["tokens"]] == ["how", "many", "cars"]
    assert explained["candidates"][0]["sql"] == explained["sql"] and explained["candidates"][0]["features"]
    assert any(m["target"] == "cars" and m["used"] and m["reason"] for m in explained["mentions"])
    assert explained["guard"]["verdict"] == "allow" and explained["guard"]["tables"] == ["cars"]


@pytest.mark.parametrize("question", ["which tables are there", "hello"])
def test_explain_says_when_no_rows_are_needed(starchart: Starchart, question: str) -> None:
    result = starchart("explain", question, "--connection", "vega")
    assert result.exit_code == 0 and "Answered without rows" in result.stdout


@pytest.mark.parametrize(
    ("sql", "exit_code", "code"),
    [
        ("SELECT COUNT(*) FROM cars -- all of them", 0, ""),
        ("DELETE FROM cars", 3, "guard.writes"),
        ("SELECT 1; SELECT 2", 3, "guard.not_one_statement"),
        ("SELECT * FROM flights", 3, "guard.unknown_table"),
        ("", 3, "guard.empty"),
        (b"\xff\xfe", 3, "guard.not_a_query"),
    ],
)
def test_guard(starchart: Starchart, sql: str | bytes, exit_code: int, code: str) -> None:
    result = starchart("guard", "--connection", "vega", stdin=sql)
    verdict = json.loads(result.stdout)
    assert (result.exit_code, verdict["code"]) == (exit_code, code)
    assert set(verdict) == {"verdict", "code", "reasons", "sql", "tables"}


def test_guard_refuses_a_dialect_without_rules(starchart: Starchart) -> None:
    result = starchart("guard", "--connection", "vega", "--dialect", "klingon", stdin="SELECT 1")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (3, "guard.dialect")


def test_doctor_finds_everything_real_and_hides_secrets(starchart: Starchart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARCHART_SECRET_KEY", "a-secret-of-many-characters")
    result = starchart("doctor")
    assert result.exit_code == 0 and "Everything is real." in result.stdout
    assert "a-secret-of" not in result.stdout
    diagnosis = json.loads(starchart("doctor", "--json").stdout)
    assert diagnosis["status"] == "ok"
    parts = {part["part"]: part for part in diagnosis["parts"]}
    assert {"python", "packages", "embedding model", "pages", "data folder", "store", "demo shop", "demo vega"} <= set(
        parts
    )
    assert parts["search vega"]["active"] == "hybrid"


def test_doctor_names_what_is_missing_and_why(starchart: Starchart, odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARCHART_TURN_SECOND", "5")
    result = starchart("doctor", "--db", str(odd / "text.sqlite"), "--json")
    diagnosis = json.loads(result.stdout)
    parts = {part["part"]: part for part in diagnosis["parts"]}
    assert (result.exit_code, diagnosis["status"]) == (1, "missing")
    assert (
        parts["connection text"]["state"] == "missing" and "not an SQLite database" in parts["connection text"]["note"]
    )
    assert parts["setting STARCHART_TURN_SECOND"]["state"] == "degraded"


def test_benchmark_writes_each_question_back(starchart: Starchart, odd: Path, tmp_path: Path) -> None:
    asked = [
        {"db_id": "pets", "question": "how many pets are there?", "gold": "SELECT 4", "hardness": "easy"},
        {"db_id": "pets", "question": "what is the weather on mars", "gold": "SELECT 0"},
        {"db_id": "evil", "question": "", "gold": "SELECT 0"},
    ]
    questions, out = tmp_path / "questions.jsonl", tmp_path / "out.jsonl"
    questions.write_text("\n".join(map(json.dumps, asked)) + "\n\n")
    result = starchart("benchmark", str(questions), "--db-root", str(odd), "--out", str(out))
    assert result.exit_code == 0
    assert "3 questions (1 answered, 1 declined, 1 error); coverage 1/3" in result.stdout
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [{key: line[key] for key in given} for line, given in zip(lines, asked, strict=True)] == asked
    assert [line["status"] for line in lines] == ["answered", "declined", "error"]
    assert lines[0]["pred_sql"] == lines[0]["forced_sql"] and "COUNT(*)" in lines[0]["pred_sql"]
    assert lines[1]["pred_sql"] is None and lines[2]["forced_sql"] is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "benchmark.questions"),
        ("[]", "benchmark.questions"),
        ('{"question": "how many"}', "benchmark.questions"),
        ('{"db_id": "gone", "question": "how many"}', "benchmark.database"),
    ],
)
def test_benchmark_refuses(starchart: Starchart, odd: Path, tmp_path: Path, line: str, code: str) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(line)
    result = starchart("benchmark", str(questions), "--db-root", str(odd), "--out", str(tmp_path / "out.jsonl"))
    assert result.exit_code == 1 and f"[{code}]" in result.stderr


def test_what_breaks_inside_is_one_line(starchart: Starchart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.table.as_text", lambda: 1 / 0)
    result = starchart("graph")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "ZeroDivisionError" in result.stderr and "Traceback" not in result.stderr


def test_two_files_of_one_name_are_two_connections() -> None:
    from app.cli import _targets

    targets = _targets(None, ("a/shop.sqlite", "b/shop.sqlite", "c/other.sqlite"))  # type: ignore[arg-type]
    assert [target.name for target in targets] == ["shop", "shop-2", "other"]
