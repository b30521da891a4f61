"""Changes put into a text: what is not touched stays, whatever the layout."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.glossary import parse_yaml
from agents.glossary.text import _as_text, dump, merge, patch

BLOCK = """# What we say.
about: {en: shop}   # short

tables:
  # the heart
  orders:
    names: {en: [order, purchase]}   # both
    columns:
      id: {hidden: true}

  # the people
  customers:
    label: name
questions:
  en:
    - how many orders
    - why
"""

PATCHES = [
    (BLOCK, {}, BLOCK),
    (BLOCK, {"about": {"en": "store"}}, BLOCK.replace("{en: shop}", "{en: store}")),
    (BLOCK, {"about.en": "a: b # c"}, BLOCK.replace("{en: shop}", "{en: 'a: b # c'}")),
    (BLOCK, {"tables.orders.names.en": ["order"]}, BLOCK.replace("{en: [order, purchase]}", "{en: [order]}")),
    (BLOCK, {"tables.orders.label": "id"}, BLOCK.replace("   # both\n", "   # both\n    label: id\n")),
    (BLOCK, {"currency": "EUR"}, BLOCK.replace("# short\n", "# short\ncurrency: EUR\n")),
    (BLOCK, {"tables.customers": None}, BLOCK.replace("  customers:\n    label: name\n", "")),
    (BLOCK, {"tables.orders.columns.id": {"unit": "kg"}}, BLOCK.replace("{hidden: true}", "{unit: kg}")),
    (
        BLOCK,
        {"tables.orders.columns.NO": {"names": {"zh": ["无"]}}},
        BLOCK.replace("{hidden: true}\n", "{hidden: true}\n      'NO': {names: {zh: [无]}}\n"),
    ),
    (BLOCK, {"questions.en": ["why"]}, BLOCK.replace("  en:\n    - how many orders\n    - why\n", "  en: [why]\n")),
    ("# nothing yet\n", {"currency": "EUR"}, "# nothing yet\ncurrency: EUR\n"),
    ("", {"currency": "EUR"}, "currency: EUR\n"),
    ("currency: EUR", {"currency": None}, ""),
    ("{currency: EUR}", {"currency": "USD"}, "currency: USD\n"),
    ("a:\nb: 2 # two\n", {"a": "1"}, "a: '1'\nb: 2 # two\n"),
    ("a: >-\n  long\n  text\nb: 2\n", {"a": "short"}, "a: short\nb: 2\n"),
    ("a: |\n  long\n\n\n# comment\nb: 2\n", {"b": "3"}, "a: |\n  long\n\n\n# comment\nb: '3'\n"),
    # An anchor is shared: what stood for both must be said twice.
    ("a: &x {b: c}\nd: *x\n", {"a.b": "e"}, "a: {b: e}\nd: {b: c}\n"),
    ("a: &x {b: c}\nd: *x\n", {"d.b": "e"}, "a: &x {b: c}\nd: {b: e}\n"),
    ("a: &x {b: c}\nd: *x\n", {"a": None}, "d: {b: c}\n"),
]


def changed(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    data = {key: changed(value, {}) if isinstance(value, dict) else value for key, value in data.items()}
    for path, value in changes.items():
        *above, last = path.split(".")
        at = data
        for key in above:
            at = at[key]
        if value is None:
            del at[last]
        else:
            at[last] = value
    return data


@pytest.mark.parametrize(("text", "changes", "expected"), PATCHES)
def test_patch(text: str, changes: dict[str, Any], expected: str) -> None:
    data = changed(parse_yaml(text)[0], changes)
    assert patch(text, data) == expected
    assert _as_text(parse_yaml(expected)[0]) == _as_text(data)


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
values = st.recursive(
    st.one_of(words, st.booleans(), st.lists(words, max_size=3)),
    lambda below: st.dictionaries(words, below, max_size=4),
    max_leaves=12,
)
glossaries = st.dictionaries(words, values, max_size=4)


@given(old=glossaries, new=glossaries)
def test_any_change_is_made_and_what_is_written_is_read(old: dict[str, Any], new: dict[str, Any]) -> None:
    text = dump(old)
    assert _as_text(parse_yaml(text)[0]) == _as_text(old)
    mixed = {**old, **dict(list(new.items())[:2])}
    for data in (new, mixed):
        assert _as_text(parse_yaml(patch(text, data))[0]) == _as_text(data)


@given(raw=glossaries, new=glossaries)
def test_merging_gives_what_is_new(raw: dict[str, Any], new: dict[str, Any]) -> None:
    assert merge(raw, raw, new) == new


def test_merging_leaves_what_only_the_text_says() -> None:
    raw = {"hidden": "false", "names": {"en": "order"}, "label": None}
    assert merge(raw, {"names": {"en": ["order"]}}, {"names": {"en": ["order"]}, "unit": "kg"}) == {**raw, "unit": "kg"}
