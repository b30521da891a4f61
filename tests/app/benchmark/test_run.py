"""The whole way: questions in, predictions and a report out; what is kept, refused and asked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agents.learn.scorer import PARTS
from app.benchmark.predict import ADDED, Asker, Options, TimedEngine
from app.benchmark.questions import BenchmarkError, choose, database_path, golds_of, load_lines
from app.benchmark.run import judge, predict
from app.cli import main
from app.settings import load_settings

Lines = list[dict[str, Any]]
Write = Callable[[Lines], Path]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(load_settings({"STARCHART_DATA": str(tmp_path / "data")}), meaning=False)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were really put."""
    found: list[str] = []
    ask = Asker.ask

    def noted(self: Asker, line: dict[str, Any]) -> dict[str, Any]:
        found.append(line["question"])
        return ask(self, line)

    monkeypatch.setattr(Asker, "ask", noted)
    return found


def ignore(done: int) -> None:
    pass


def test_each_question_comes_back(options: Options, questions: Lines, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    lines, kept, memory = predict(options, questions, root, out, jobs=1, fresh=False, step=ignore)
    assert (kept, load_lines(out)) == (0, lines)
    assert memory is not None and memory > 10
    assert [line["question"] for line in lines] == [line["question"] for line in questions]
    many, number, titles, delete = lines
    assert all(line.keys() >= ADDED for line in lines)
    assert "COUNT(*)" in many["pred_sql"] and many["pred_sql"] == many["forced_sql"]
    assert many["candidates"][0] and "pets" in many["hits"] and 0 < many["confidence"] <= 1
    assert {"route", "retrieve", "link", "assign", "read", "compile", "score", "guard"} <= many["stages"].keys()
    assert sum(many["stages"].values()) == pytest.approx(many["ms"], rel=0.1, abs=1)
    assert number["status"] == titles["status"] == "answered"
    # What is declined has a best reading all the same.
    assert (delete["status"], delete["reason"], delete["pred_sql"]) == ("declined", "write.read_only", None)
    assert delete["forced_sql"] and "retrieve" in delete["stages"]


@pytest.mark.parametrize(("without", "learned"), [((), True), (("ranker",), False), (PARTS, False)])
def test_learned_parts_may_be_left_out(
    options: Options, questions: Lines, root: Path, without: tuple[str, ...], learned: bool
) -> None:
    line = questions[0]
    asker = Asker(replace(options, without=without), line["db_id"], database_path(root, line["db_id"]))
    asker.ask(line)
    engine = asker._services.open(line["db_id"]).engine
    asker.close()
    assert isinstance(engine, TimedEngine) and engine.understood is not None
    assert engine.understood.learned is learned


def test_two_processes_give_the_same(options: Options, questions: Lines, root: Path, tmp_path: Path) -> None:
    found: list[list[tuple[Any, ...]]] = []
    for jobs in (1, 2):
        lines, _, _ = predict(options, questions, root, tmp_path / str(jobs), jobs=jobs, fresh=False, step=ignore)
        judged = judge(lines, [root], jobs=jobs, seconds=5.0, step=ignore)
        found.append([(line["forced_sql"], line["confidence"], one) for line, one in zip(lines, judged, strict=True)])
    assert found[0] == found[1]
    assert [one.right for _, _, one in found[0]] == [True, True, True, False]


def test_a_run_that_was_broken_off_goes_on(
    options: Options, questions: Lines, root: Path, tmp_path: Path, asked: list[str]
) -> None:
    out = tmp_path / "out.jsonl"
    steps: list[int] = []

    def run(lines: Lines, fresh: bool = False) -> tuple[Lines, int]:
        asked.clear()
        steps.clear()
        found, kept, _ = predict(options, lines, root, out, jobs=1, fresh=fresh, step=steps.append)
        return found, kept

    first, _ = run(questions[:2])
    text = out.read_text(encoding="utf-8")
    out.write_text(text + text[:40], encoding="utf-8")
    found, kept = run(questions)
    assert (kept, asked, sum(steps)) == (2, [questions[2]["question"], questions[3]["question"]], 4)
    assert found[:2] == first and load_lines(out) == found
    # Another gold makes it another question.
    _, kept = run([{**questions[0], "gold": "SELECT 7"}, questions[1]])
    assert (kept, len(asked)) == (1, 1)
    _, kept = run(questions[:2], fresh=True)
    assert (kept, len(asked)) == (0, 2)


@pytest.mark.parametrize("text", ['{"db_id": "pets", "question": "?"}\n', "notes\n", "[]\n", "notes"])
def test_a_file_of_something_else_is_not_written_over(
    options: Options, questions: Lines, root: Path, tmp_path: Path, text: str
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"benchmark\.out"):
        predict(options, questions, root, out, jobs=1, fresh=False, step=ignore)
    assert out.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("limit", "seed", "expected"),
    [(None, None, "abcdef"), (9, None, "abcdef"), (3, None, "ace"), (2, None, "ad"), (6, 1, "abcdef")],
)
def test_choose(limit: int | None, seed: int | None, expected: str) -> None:
    lines = [{"question": letter} for letter in "abcdef"]
    assert "".join(line["question"] for line in choose(lines, limit, seed)) == expected


def test_choose_by_chance_is_repeatable_and_in_order() -> None:
    lines = [{"at": at} for at in range(1000)]
    drawn = [line["at"] for line in choose(lines, 50, 7)]
    assert drawn == sorted(set(drawn)) == [line["at"] for line in choose(lines, 50, 7)]
    assert drawn != [line["at"] for line in choose(lines, 50, 8)]


@pytest.mark.parametrize(
    ("gold", "expected"),
    [("SELECT 1", ("SELECT 1",)), (["a", None, " ", "b"], ("a", "b")), (None, ()), (" ", ()), (3, ())],
)
def test_golds_of(gold: object, expected: tuple[str, ...]) -> None:
    assert golds_of({"gold": gold}) == expected


@pytest.mark.parametrize("name", ["d/d.sqlite", "d.sqlite", "d/d.db", "d.db"])
def test_database_path(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    assert database_path(tmp_path, "d") == path
    with pytest.raises(BenchmarkError):
        database_path(tmp_path, "e")


@pytest.fixture
def benchmark(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("STARCHART_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")

    def run(path: Path, *more: str) -> Result:
        out = str(tmp_path / "out.jsonl")
        return CliRunner().invoke(
            main, ["benchmark", str(path), "--db-root", str(root), "--out", out, "--no-embedding", *more]
        )

    return run


def test_the_report_on_the_screen(
    benchmark: Callable[..., Result], written: Write, questions: Lines, variant: Path
) -> None:
    path = written(questions)
    result = benchmark(path, "--variants", str(variant))
    assert result.exit_code == 0, result.output
    for text in (
        "4 questions (3 answered, 1 declined); coverage 3/4 = 75.0 %",
        "Right when answered: 3/3 = 100.0 %",
        "Right when forced to answer",
        "90 % right at a coverage of",
        "Oracle (a right plan among the first 20 candidates): 3/4",
        "Stability (pairs of questions with one gold, both right or both wrong): 1/1",
        "Gold found by schema search",
        "question to SQL",
        "Peak memory of a process that asked:",
        "gold SELECT max(weight) FROM pets",
    ):
        assert text in result.stdout
    again = benchmark(path, "--examples", "0")
    assert "4 predictions were in out.jsonl already" in again.stderr
    assert "Peak memory" not in again.stdout and "max(weight)" not in again.stdout


def test_the_report_as_json(benchmark: Callable[..., Result], written: Write, questions: Lines) -> None:
    result = benchmark(written(questions), "--json", "--lang", "zh", "--limit", "2", "--seed", "3")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["asked"], report["judged"]) == (2, 2)
    assert set(report["recall"]) == {"tables", "columns"}


def test_questions_without_gold_are_answered_and_not_judged(benchmark: Callable[..., Result], written: Write) -> None:
    result = benchmark(written([{"db_id": "pets", "question": "How many pets are there?"}]))
    assert result.exit_code == 0 and "nothing was judged" in result.stdout
