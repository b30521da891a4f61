"""Known sets of names: which column holds which, what its values are also called, and in which language."""

from __future__ import annotations

import pytest

from agents.language.known import families
from agents.language.values import Flag, ValueIndex

COUNTRIES = ("Germany", "France", "United Kingdom", "United States", "China", "Ivory Coast")
CODES = ("DE", "FR", "GB", "US", "CN", "JP", "IT", "ES", "NO")


def check(column: str, values: tuple[str, ...], text: str, expected: str) -> None:
    """``expected`` lists the values found, the surest first."""
    index = ValueIndex([("t", column, values)])
    assert ", ".join(one.target.value for one in index.lookup(text)) == expected


@pytest.mark.parametrize(
    ("column", "values", "text", "expected"),
    [
        ("country", COUNTRIES, "german", "Germany"),
        ("country", COUNTRIES, "Germans", "Germany"),
        ("country", COUNTRIES, "德国", "Germany"),
        ("country", COUNTRIES, "DE", "Germany"),
        ("country", COUNTRIES, "DEU", "Germany"),
        ("country", COUNTRIES, "GER", "Germany"),
        ("country", COUNTRIES, "de", ""),
        ("country", COUNTRIES, "UK", "United Kingdom"),
        ("country", COUNTRIES, "British", "United Kingdom"),
        ("country", COUNTRIES, "USA", "United States"),
        ("country", COUNTRIES, "U.S.", "United States"),
        ("country", COUNTRIES, "us", ""),
        ("country", COUNTRIES, "Côte d'Ivoire", "Ivory Coast"),
        ("country", CODES, "Germany", "DE"),
        ("country", CODES, "美国", "US"),
        ("country", CODES, "Norwegian", "NO"),
        ("c", CODES, "Germany", "DE"),
        ("c", ("DE", "US"), "Germany", ""),
        ("country", ("DE", "US"), "Germany", "DE"),
        ("国家", ("德国", "法国", "美国"), "Germany", "德国"),
        ("国家", ("德国", "法国", "美国"), "French", "法国"),
        ("region", ("Europe", "Asia", "North America"), "欧洲", "Europe"),
        ("region", ("Europe", "Asia", "North America"), "asian", "Asia"),
        # The same words are people of countries in one column and languages in another.
        ("nationality", ("German", "French", "Chinese"), "Germany", "German"),
        ("language", ("German", "French", "Chinese"), "Germany", ""),
        ("language", ("German", "French", "Chinese"), "中文", "Chinese"),
        ("language", ("German", "French", "Bangla"), "Bengali", "Bangla"),
        ("lang", ("de", "fr", "zh"), "德语", "de"),
        ("lang", ("de", "fr", "zh"), "French", "fr"),
        ("currency", ("EUR", "USD", "CNY"), "dollars", "USD"),
        ("currency", ("EUR", "USD", "CNY"), "人民币", "CNY"),
        ("currency", ("Euro", "US Dollar"), "USD", "US Dollar"),
        ("month", ("January", "May", "June"), "五月", "May"),
        ("month", ("Jan", "May", "Jun"), "January", "Jan"),
        ("month", ("Jan", "May", "Jun"), "6月", "Jun"),
        ("weekday", ("Mon", "Tue", "Sun"), "Sunday", "Sun"),
        ("weekday", ("Monday", "Sunday"), "周日", "Sunday"),
        ("weekday", ("Monday", "Sunday"), "sun", ""),
        ("state", ("FL", "CA", "NY"), "Florida", "FL"),
        ("state", ("FL", "CA", "NY"), "加州", "CA"),
        ("state", ("Florida", "Georgia"), "GA", "Georgia"),
        ("billing_state", ("CA", "VV", "Dublin", "RJ", "SP"), "California", "CA"),
        ("city", ("Los Angeles", "Chicago"), "洛杉矶", "Los Angeles"),
        ("city", ("北京", "上海"), "Shanghai", "上海"),
        ("sex", ("M", "F"), "female", "F"),
        ("sex", ("M", "F"), "men", "M"),
        ("sex", ("M", "F"), "女性", "F"),
        ("gender", ("Male", "Female"), "women", "Female"),
        ("gender", ("男", "女"), "male", "男"),
        ("sex", ("M", "F", "X"), "girls", "F"),
        ("grade", ("M", "F", "A", "B"), "female", ""),
        ("is_male", ("T", "F"), "female", "F"),
        ("is_male", ("T", "F"), "male", "T"),
        ("active", ("Y", "N"), "yes", "Y"),
        ("active", ("Y", "N"), "否", "N"),
        ("degree", ("Ph.D.", "MA"), "博士", "Ph.D."),
        ("dept_name", ("Comp. Sci.", "Biology", "Mech. Eng."), "computer science", "Comp. Sci."),
        # One country among other things: only what cannot mean anything else.
        ("subject_line", ("Germany", "hello", "invoice", "parcel"), "德国", "Germany"),
        ("subject_line", ("Germany", "hello", "invoice", "parcel"), "German", ""),
        ("first_name", ("May", "June", "Paul", "Anna"), "五月", ""),
        ("first_name", ("Jordan", "Paul", "Anna", "Chad"), "Jordanian", ""),
        ("wind", ("NE", "SW", "N"), "Nebraska", ""),
        ("membership_card", ("Black", "Gold"), "黑色", "Black"),
    ],
)
def test_other_names(column: str, values: tuple[str, ...], text: str, expected: str) -> None:
    check(column, values, text, expected)


@pytest.mark.parametrize(
    ("text", "score", "reason"),
    [
        ("Germany", 1.0, "stored value"),
        ("德国", 0.92, "other name for Germany (CLDR)"),
        ("German", 0.9, "other name for Germany (CLDR)"),
        ("DE", 0.88, "other name for Germany (CLDR)"),
    ],
)
def test_other_names_are_worth_less(text: str, score: float, reason: str) -> None:
    found = ValueIndex([("t", "country", COUNTRIES)]).lookup(text)[0]
    assert (found.score, found.reason) == (score, reason)


def test_the_same_value_in_several_columns() -> None:
    index = ValueIndex([("a", "country", ("Germany", "France")), ("b", "nation", ("DE", "FR"))])
    assert [str(one.target) for one in index.lookup("German")] == ["a.country = Germany", "b.nation = DE"]


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("approved", ("Yes", "No"), Flag("t", "approved", "Yes", "No")),
        ("approved", ("N", "Y"), Flag("t", "approved", "Y", "N")),
        ("approved", ("1", "0"), Flag("t", "approved", "1", "0")),
        ("approved", ("T",), Flag("t", "approved", "T", None)),
        ("是否启用", ("是", "否"), Flag("t", "是否启用", "是", "否")),
        ("approved", ("Yes", "No", "Maybe"), None),
        ("sex", ("M", "F"), None),
        ("grade", ("A", "B"), None),
    ],
)
def test_flags(column: str, values: tuple[str, ...], expected: Flag | None) -> None:
    assert ValueIndex([("t", column, values)]).flag("T", column.upper()) == expected


def test_families_are_whole() -> None:
    assert len({family.name for family in families()}) == len(families()) > 30
    for family in families():
        assert family.meanings
        for spellings in family.meanings:
            assert all(one.text.strip() == one.text != "" for one in spellings)
    territory = next(family for family in families() if family.name == "territory")
    people = [entry for entry in territory.meanings if any(one.grade == "people" for one in entry)]
    assert len(people) > 120
