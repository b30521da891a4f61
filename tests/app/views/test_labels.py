"""Small marks: SQL in colours, mentions in the question."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from agents.artifacts import MentionEvidence
from app.views.labels import highlight_sql, mention_spans, state_label


def marked(sql: str) -> str:
    """The SQL with spans as ``[k:SELECT]``."""
    html = str(highlight_sql(sql))
    return Markup(re.sub(r'<span class="(.)">(.*?)</span>', r"[\1:\2]", html, flags=re.DOTALL)).unescape()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM t", "[k:SELECT] a [k:FROM] t"),
        ("a = 'it''s' AND b > 3.5", "a = [s:'it''s'] [k:AND] b > [n:3.5]"),
        ('SELECT "select" -- why', '[k:SELECT] "select"[c: -- why]'),
        ("SELECT /* x */ 1", "[k:SELECT][c: /* x */ ][n:1]"),
        ("'unclosed", "'unclosed"),
        ("", ""),
    ],
)
def test_sql(sql: str, expected: str) -> None:
    assert marked(sql) == expected


@given(st.text(alphabet="SELECT ab'\"<>&-*/;1.\n中", max_size=60))
def test_highlighting_never_changes_the_text_and_never_lets_markup_through(sql: str) -> None:
    html = str(highlight_sql(sql))
    bare = re.sub(r'<span class="[kscn]">|</span>', "", html)
    assert "<" not in bare and Markup(bare).unescape() == sql


def mention(start: int, end: int, **given: Any) -> MentionEvidence:
    values = {"text": "", "kind": "column", "target": "cars.mpg", "score": 1.0, "reason": "name", **given}
    return MentionEvidence(start=start, end=end, **values)


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        ([], [("abcdef", None)]),
        ([mention(2, 4)], [("ab", None), ("cd", "kind-column"), ("ef", None)]),
        ([mention(0, 6, kind="time x")], [("abcdef", "kind-time-x")]),
        ([mention(2, 4), mention(3, 5)], [("ab", None), ("cd", "kind-column"), ("ef", None)]),
        ([mention(2, 4, used=False), mention(5, 99), mention(3, 3)], [("abcdef", None)]),
    ],
)
def test_mentions(mentions: list[MentionEvidence], expected: list[tuple[str, str | None]]) -> None:
    assert [(text, css) for text, css, _title in mention_spans("abcdef", mentions)] == expected


def test_states() -> None:
    assert (state_label("plan"), state_label("some_new")) == ("Reading the question", "Some new")
