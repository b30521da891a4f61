from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.glossaries.names import join_lines, join_names, split_lines, split_names

SPLIT = [
    ("", []),
    (" , ,", []),
    ("order", ["order"]),
    ("order, sales  order ,purchase", ["order", "sales order", "purchase"]),
    ("订单，单子、下单；购买", ["订单", "单子", "下单", "购买"]),
    ('"ship, sent", order', ["ship, sent", "order"]),
    ('"say ""hi"", you"', ['say "hi", you']),
    ('5" disk, x', ['5" disk', "x"]),
    ('"quoted" and more, x', ['"quoted" and more', "x"]),
    ('"never closed, x', ['"never closed', "x"]),
    ("order\npurchase", ["order", "purchase"]),
    ("order, order", ["order"]),
]


@pytest.mark.parametrize(("text", "expected"), SPLIT)
def test_split(text: str, expected: list[str]) -> None:
    assert split_names(text) == expected
    assert split_names(join_names(expected)) == expected


even = st.text(max_size=12).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(even, unique=True, max_size=5))
def test_any_names_come_back(names: list[str]) -> None:
    assert split_names(join_names(names)) == names


@given(st.text(alphabet='ab",，"\n ', max_size=20))
def test_any_text_can_be_split(text: str) -> None:
    names = split_names(text)
    assert split_names(join_names(names)) == names


@given(st.lists(even, unique=True, max_size=5))
def test_lines(texts: list[str]) -> None:
    assert split_lines(join_lines(texts)) == texts
