"""Chinese words for English names: how runs of characters are cut, and what they may be called in English."""

from __future__ import annotations

import pytest

from agents.language.bilingual import compounds, english_of


@pytest.mark.parametrize(
    ("text", "end", "english"),
    [
        ("公寓类型代码", 6, "apartment type code"),
        ("公寓类型代码", 2, "apartment"),
        ("出生日期是", 4, "birth date"),
        ("浴室数量的", 4, "bathroom count"),
        ("航班号码", 4, "flight number"),
    ],
)
def test_compounds_are_read(text: str, end: int, english: str) -> None:
    found = {(one.end, " ".join(reading)) for one in compounds(text, 0) for reading in one.readings}
    assert (end, english) in found


@pytest.mark.parametrize("text", ["的学生", "abc", "，城市"])
def test_nothing_begins_where_no_word_is_known(text: str) -> None:
    assert not list(compounds(text, 0))


def test_every_word_is_chinese_and_every_phrase_english() -> None:
    for word, phrases in english_of().items():
        assert any("\u4e00" <= c <= "\u9fff" for c in word), word
        assert phrases
        assert all(part.isascii() for phrase in phrases for part in phrase), word
