"""``starchart ask``: rows, text, exit status, and what it says of bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Starchart = Callable[..., Result]

FIELDS = {
    "status", "question", "lang", "sql", "columns", "rows", "total_rows", "narrative", "confidence", "options",
    "warnings", "evidence", "problem", "ms", "turn_id", "links",
}  # fmt: skip
POWER = [["USA", 119.9], ["Europe", 81.0], ["Japan", 79.84]]
TOP = [["Ordnung Ergonomic Chair", 255595.45], ["Maple Ridge Family Tent", 245111.62]]


def test_how_rows_were_joined_and_counted_is_said(starchart: Starchart, odd: Path) -> None:
    shown = starchart("ask", "number of staff by department name", "--db", str(odd / "staff.sqlite")).stdout
    assert "staff.department_id → departments.id" in shown
    assert "nobody declared" in shown and "No double counting" in shown


@pytest.mark.parametrize("command", ["ask", "explain"])
@pytest.mark.parametrize(
    "question", ["list items", "show everything about items", "how many items", "list note of items"]
)
def test_nothing_steers_the_terminal(starchart: Starchart, odd: Path, command: str, question: str) -> None:
    result = starchart(command, question, "--db", str(odd / "escape.sqlite"))
    assert "items" in result.stdout
    for text in (result.stdout, result.stderr):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)


def as_json(result: Result) -> dict[str, Any]:
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout)
    assert set(answer) == FIELDS
    return answer


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (("average horsepower by origin", "--connection", "vega"), POWER),
        (("各产地的平均马力", "--connection", "vega"), POWER),
        (("how many cars", "--connection", "vega"), [[406]]),
        (("top 2 products by revenue in 2023",), TOP),
    ],
)
def test_answers(starchart: Starchart, arguments: tuple[str, ...], rows: list[list[Any]]) -> None:
    result = starchart("ask", *arguments, "--now", "2026-11-30T10:00:00", "--json")
    answer = as_json(result)
    assert (result.exit_code, answer["status"], answer["total_rows"]) == (0, "answered", len(rows))
    assert [[round(c, 2) if isinstance(c, float) else c for c in row] for row in answer["rows"]] == rows
    assert answer["sql"] and answer["narrative"] and answer["evidence"]["trace"]


def test_the_terminal_shows_reading_rows_text_and_sql(starchart: Starchart) -> None:
    result = starchart("ask", "average horsepower by origin", "--connection", "vega")
    assert result.exit_code == 0
    for part in ("Read as:", "119.90", "Japan", "AVG(horsepower)", "confidence", " ms"):
        assert part in result.stdout


def test_clock_and_language_can_be_given(starchart: Starchart) -> None:
    result = starchart("ask", "monthly revenue last year", "--now", "2024-02-01", "--lang", "zh", "--json")
    answer = as_json(result)
    assert answer["lang"] == "zh" and len(answer["rows"]) == 12
    assert "'2023-01-01'" in answer["sql"] and "'2024-01-01'" in answer["sql"]


@pytest.mark.parametrize(("limit", "shown"), [("0", 0), ("3", 3)])
def test_a_limit_cuts_what_is_shown_but_not_the_count(starchart: Starchart, limit: str, shown: int) -> None:
    arguments = ("ask", "list the name of all cars", "--connection", "vega", "--limit", limit)
    answer = as_json(starchart(*arguments, "--json"))
    assert len(answer["rows"]) == shown and answer["total_rows"] > 300
    assert f"{shown} of {answer['total_rows']} rows shown" in starchart(*arguments).stdout


def test_any_file_is_asked_without_preparation(starchart: Starchart, odd: Path) -> None:
    answer = as_json(starchart("ask", "how many pets are there?", "--db", f"sqlite:///{odd / 'pets.sqlite'}", "--json"))
    assert answer["rows"] == [[4]]


def test_cells_cannot_steer_the_terminal(starchart: Starchart, odd: Path) -> None:
    result = starchart("ask", "list all gadgets", "--db", str(odd / "evil.sqlite"))
    assert result.exit_code == 0
    for text in ("<script>alert(1)</script>", "[bold]markup[/bold]"):
        assert text in result.stdout
    assert "\x1b" not in result.stdout and len(result.stdout) < 5000


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("missing", "database.missing"),
        ("empty", "database.empty_file"),
        ("text", "database.not_sqlite"),
        ("corrupt", "database.corrupt"),
        ("", "database.is_directory"),
    ],
)
def test_a_file_that_is_no_database(starchart: Starchart, odd: Path, file: str, code: str) -> None:
    path = str(odd / f"{file}.sqlite" if file else odd)
    for command in (("ask", "how many?"), ("explain", "how many?"), ("guard",), ("serve",)):
        result = starchart(*command, "--db", path)
        assert (result.exit_code, result.stdout) == (1, "")
        message, hint = result.stderr.splitlines()
        assert message.endswith(f"[{code}]") and hint
    assert as_json(starchart("ask", "how many?", "--db", path, "--json"))["problem"]["code"] == code


def test_a_locked_database_says_so(starchart: Starchart, locked: Path) -> None:
    result = starchart("ask", "how many pets?", "--db", str(locked))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "[database.locked]" in result.stderr


def test_a_statement_that_would_run_for_minutes_is_stopped(
    starchart: Starchart, odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STARCHART_STATEMENT_SECONDS", "0.2")
    result = starchart("ask", "how many slow things", "--db", str(odd / "slow.sqlite"), "--json")
    answer = as_json(result)
    assert (result.exit_code, answer["status"], answer["problem"]["code"]) == (1, "error", "execute.timeout")
    assert answer["ms"] < 10_000


@pytest.mark.parametrize(
    ("question", "exit_code", "code"),
    [
        ("", 1, "question.empty"),
        (" \n\t ", 1, "question.empty"),
        ("how many cars " * 720, 1, "question.too_long"),
        ("😀😀😀", 3, "question.nothing_known"),
        ("what is the weather on mars", 3, "question.unknown_words"),
        ("delete all cars", 3, "write.read_only"),
    ],
)
def test_a_question_that_cannot_be_answered(starchart: Starchart, question: str, exit_code: int, code: str) -> None:
    result = starchart("ask", question, "--connection", "vega", "--json")
    answer = as_json(result)
    assert (result.exit_code, answer["problem"]["code"]) == (exit_code, code)
    assert answer["rows"] == [] and answer["problem"]["message"]
    assert code in starchart("ask", question, "--connection", "vega").stdout


def test_columns_that_do_not_match_are_declined(starchart: Starchart, odd: Path) -> None:
    result = starchart("ask", "average salary by department", "--db", str(odd / "bare.sqlite"), "--json")
    assert (result.exit_code, as_json(result)["status"]) == (3, "declined")


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "how many", "--now", "yesterday"),
        ("ask", "how many", "--lang", "fr"),
        ("ask", "how many", "--limit", "-1"),
        ("ask", "how many", "--db", "x.sqlite", "--connection", "vega"),
        ("serve", "--port", "70000"),
        ("benchmark", "nothing.jsonl"),
        ("golden", "--connection", "nowhere"),
        ("fly",),
    ],
    ids=str,
)
def test_usage(starchart: Starchart, arguments: tuple[str, ...]) -> None:
    result = starchart(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


def test_an_unknown_connection_names_the_known_ones(starchart: Starchart) -> None:
    result = starchart("ask", "how many cars", "--connection", "flights")
    assert result.exit_code == 1
    assert "[not_found.connection]" in result.stderr and "shop, vega" in result.stderr


def test_a_bad_setting_and_an_unknown_one(starchart: Starchart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARCHART_ROW", "5")
    monkeypatch.setenv("STARCHART_ROWS", "many")
    result = starchart("ask", "how many cars")
    assert result.exit_code == 1 and "[settings.invalid]" in result.stderr
    monkeypatch.setenv("STARCHART_ROWS", "5")
    result = starchart("ask", "list all cars", "--connection", "vega")
    assert "There is no setting STARCHART_ROW; it is ignored." in result.stderr
