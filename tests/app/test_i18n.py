"""The reader's language, and that nothing which people read is left in English."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

import app as package
from app import i18n
from app.views.errors import HTTP_WORDS, UNKNOWN_HOST
from app.views.labels import STATES

ROOT = Path(package.__file__).parent
SOURCES = [
    *(ROOT / "turns").glob("*.py"),
    *(ROOT / "views").glob("*.py"),
    ROOT / "security.py",
    ROOT / "store" / "store.py",
]
ERRORS = {"QuestionError", "NotFound", "TurnError", "RequestRefused", "FrameError"}


@pytest.mark.parametrize(
    ("cookie", "accepted", "expected"),
    [
        ("", "", "en"),
        ("zh", "en", "zh"),
        ("en", "zh-CN,zh;q=0.9", "en"),
        ("fr", "zh", "zh"),
        ("", "zh-Hans-CN", "zh"),
        ("", "fr,de;q=0.8", "en"),
        ("", "fr, zh;q=0.4, en;q=0.7", "en"),
        ("", "zh;q=0, en;q=0.1", "en"),
        ("", "zh;q=abc, *;q=0.1", "en"),
        ("", "en-GB;q=0.2,zh;q=0.3", "zh"),
    ],
)
def test_choice_of_language(cookie: str, accepted: str, expected: str) -> None:
    assert i18n.choose_lang(cookie, accepted) == expected


def said() -> set[str]:
    """Every sentence in the sources that reaches people: arguments of typed errors, of ``_()``, of ends of turns."""
    sentences = set(STATES.values()) | {word for words in (*HTTP_WORDS.values(), UNKNOWN_HOST) for word in words}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            skip = {"_": 0, "_problem": 2, "_answer": 2}.get(node.func.id, 1 if node.func.id in ERRORS else None)
            if skip is not None:
                values = [argument.value for argument in node.args[skip:] if isinstance(argument, ast.Constant)]
                sentences.update(value for value in values if isinstance(value, str) and value)
    return sentences


def test_every_sentence_has_chinese() -> None:
    chinese = i18n.translations("zh")
    assert len(said()) > 60
    assert [sentence for sentence in sorted(said()) if chinese.gettext(sentence) == sentence] == []


def test_times_and_spans_in_both_languages(app: Flask) -> None:
    moment = datetime.now(UTC) - timedelta(minutes=5)
    for lang, expected in (
        ("en", ("42 ms", "1.3 s", "0.4 ms", "", "5 minutes ago")),
        ("zh", ("42 ms", "1.3 s", "0.4 ms", "", "5分钟前")),
    ):
        with app.test_request_context("/", headers={"Accept-Language": lang}):
            assert (i18n.ms(41.7), i18n.ms(1340), i18n.ms(0.41), i18n.ms(None), i18n.ago(moment)) == expected
