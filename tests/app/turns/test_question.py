"""What may be asked at all."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import QuestionError
from app.turns.question import LONGEST, clean_question


def check(text: str, expected: str) -> None:
    if expected.startswith("!"):
        with pytest.raises(QuestionError) as caught:
            clean_question(text)
        assert caught.value.code == expected[1:] and caught.value.hint
    else:
        assert clean_question(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "!question.empty"),
        (" \t\n\u3000", "!question.empty"),
        ("\x00\x07\u200b", "!question.empty"),
        ("x" * LONGEST, "x" * LONGEST),
        ("x" * (LONGEST + 1), "!question.too_long"),
        ("x" * 10_000, "!question.too_long"),
        ("how many\r\ncars?", "how many  cars?"),
        ("a\x00b\x1b[31mc\ud800", "ab[31mc"),
        ("  各产地的平均马力 ", "各产地的平均马力"),
        ("👩‍🚀", "👩‍🚀"),
        ("<b>cars</b>", "<b>cars</b>"),
    ],
)
def test_questions(text: str, expected: str) -> None:
    check(text, expected)


@given(st.text(max_size=300))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    try:
        once = clean_question(text)
    except QuestionError:
        return
    assert clean_question(once) == once
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in once)
    assert once.encode().decode() == once
