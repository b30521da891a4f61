from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from golden.case import CASES, Case, load_cases
from golden.runner import query
from seed import DEMOS, Demo

ALL = load_cases()


def test_there_are_enough_of_each() -> None:
    assert len(ALL) >= 90
    assert sum(case.lang == "en" for case in ALL) >= 60
    assert sum(case.lang == "zh" for case in ALL) >= 30
    assert sum(not case.answerable for case in ALL) >= 6
    assert {case.connection for case in ALL} == {demo.name for demo in DEMOS}


def test_no_question_is_asked_twice() -> None:
    asked = [(case.connection, case.question.lower()) for case in ALL]
    assert len(asked) == len(set(asked))


def test_the_language_is_the_one_of_the_question() -> None:
    assert [c.id for c in ALL if any("一" <= letter <= "龥" for letter in c.question) != (c.lang == "zh")] == []


@pytest.mark.parametrize("case", [c for c in ALL if c.answerable], ids=lambda case: case.id)
def test_gold_sql_returns_something(case: Case, demos: dict[str, Path]) -> None:
    assert case.sql is not None
    table = query(demos[case.connection], case.sql)
    assert case.empty_ok or any(cell is not None for row in table.rows for cell in row)


@pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.name)
def test_starter_questions_are_golden(demo: Demo) -> None:
    golden = {(c.lang, c.question) for c in ALL if c.connection == demo.name and c.answerable}
    assert [q for lang, texts in demo.questions.items() for q in texts if (lang, q) not in golden] == []


GOOD = {"id": "a", "connection": "shop", "question": "how many?", "lang": "en", "sql": "SELECT 1"}


@pytest.mark.parametrize(
    "change",
    [
        {"sql": None},
        {"expect": "declined"},
        {"expect": ["answered", "declined"]},
        {"lang": "fr"},
        {"id": "Not An Id"},
        {"question": ""},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_malformed_case_is_refused(change: dict[str, object]) -> None:
    Case.model_validate(GOOD)
    with pytest.raises(ValidationError):
        Case.model_validate(GOOD | change)


def test_an_id_is_used_once(tmp_path: Path) -> None:
    for name in ("shop", "vega"):
        (tmp_path / f"{name}.yaml").write_text("- {id: a, question: how many, lang: en, sql: SELECT 1}")
    with pytest.raises(ValueError, match="share an id: a"):
        load_cases(tmp_path)


def test_the_cases_ship_with_the_package() -> None:
    assert {path.stem for path in CASES.glob("*.yaml")} == {demo.name for demo in DEMOS}
