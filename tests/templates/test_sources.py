"""The templates as text: nothing inline, every string translated, every name that is used documented."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from agents.catalog import Kind

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OPTIONS = {"newstyle_gettext": "true", "extensions": "jinja2.ext.do"}


def strings_of(path: Path) -> set[str]:
    found = babel_extract(BytesIO(path.read_bytes()), ("_", "gettext"), [], OPTIONS)
    # With variables the message comes as a tuple; ``_(name)`` with a word of the engine has none.
    messages = [message if isinstance(message, str) else (message or (None,))[0] for _l, _f, message, _c in found]
    return {message for message in messages if message}


@pytest.fixture(scope="module")
def chinese() -> dict[str, str]:
    with (ROOT / "app" / "translations" / "zh.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_inline(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=[\"']|hx-on|javascript:|\bhx-vals='?js|\|safe\b", text)
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_says_what_it_sees(path: Path) -> None:
    assert re.match(r"\{#- .+? (Sees|Blocks)", path.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_string_is_in_chinese(path: Path, chinese: dict[str, str]) -> None:
    missing = {text for text in strings_of(path) if not chinese.get(text)}
    assert missing == set()


def test_translations_keep_their_variables(chinese: dict[str, str]) -> None:
    def names(text: str) -> list[str]:
        return sorted(re.findall(r"%\((\w+)\)s", text))

    assert {text for text, translated in chinese.items() if names(text) != names(translated)} == set()


def test_no_translation_is_left_over(chinese: dict[str, str]) -> None:
    used = set().union(*(strings_of(path) for path in TEMPLATES))
    with (ROOT / "app" / "translations" / "zh.po").open("rb") as file:
        from_engine = {str(message.id) for message in read_po(file) if message.id and message.auto_comments}
    assert set(chinese) - used - from_engine == set()


@pytest.mark.parametrize("word", [*Kind, "read-only", "rules", "measure", "dimension", "filter", "order"])
def test_words_of_the_engine_are_in_chinese(word: str, chinese: dict[str, str]) -> None:
    assert chinese.get(str(word))


def test_no_unfinished_words() -> None:
    for path in [*TEMPLATES, ROOT / "static" / "app.css", ROOT / "static" / "app.js", ROOT / "static" / "charts.js"]:
        assert not re.search(r"TODO|FIXME|lorem|placeholder text", path.read_text("utf-8"), re.IGNORECASE), path.name
