"""The known sets of names, each a family of meanings with all their spellings in English and Chinese.

Sources: the Unicode CLDR as babel ships it (territories and their codes, languages, currencies, scripts, months,
weekdays, the towns of time zones), and three small lists beside this file for what CLDR does not have: adjectives and
people of countries, parts of countries, and the words that databases everywhere store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

import yaml
from babel import Locale
from babel.core import get_global

from agents.language.spelling import is_cjk, plain

Grade = Literal["name", "people", "code"]

_HINTS: dict[str, str] = {
    "territory": "country nation nationality citizenship territory region continent origin homeland",
    "language": "language lang tongue",
    "currency": "currency money",
    "script": "script writing",
    "month": "month",
    "weekday": "weekday day dow",
    "us_state": "state province",
    "ca_province": "province state",
    "cn_province": "province region",
    "town": "city town location place hometown destination origin",
    "gender": "gender sex",
    "flag": "is has flag active enabled",
    "color": "color colour",
    "season": "season semester term",
    "direction": "direction region area zone side",
    "size": "size",
    "level": "level priority severity grade rank",
    "degree": "degree education qualification",
    "marital": "marital marriage",
    "relation": "relation relationship",
    "status": "status state outcome result decision",
    "payment": "payment method",
    "subject": "subject department dept major course field",
    "department": "department dept division",
    "occupation": "occupation job profession position role rank",
    "genre": "genre",
    "sport": "sport game position",
    "animal": "animal pet species",
    "goods": "product item goods",
    "building": "building facility attraction",
    "media": "channel medium media format",
    "religion": "religion",
    "weather": "weather condition event",
    "trade": "segment sector ownership quality",
}
_GENERIC_HINTS = frozenset("type category kind class description code".split())
# Short or ordinary words: known only in a column that holds nothing else.
_WHOLE_ONLY = frozenset("flag size direction month weekday script".split())
# Their Chinese names mean nothing else, so one such value in any column can be asked for in Chinese.
_ANYWHERE = frozenset(
    "territory language us_state ca_province cn_province town color season degree marital payment subject level "
    "status".split()
)
# An upper-case word of these letters is an abbreviation, a lower-case one an ordinary word.
_ORDINARY_WORDS = frozenset({"us", "la"})
_CURRENCY_YEARS = " ("


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a meaning.

    :ivar exact: only in this case of letters ("US" is a country, "us" is not).
    """

    text: str
    grade: Grade = "name"
    exact: bool = False


@dataclass(frozen=True)
class Family:
    """One set of names.

    :ivar meanings: the spellings of each meaning, the usual one first.
    :ivar by_text: plain form of a spelling to the meanings it may stand for and whether it is a mere code.
    :ivar anywhere: whether a single value, in any column, is recognised across languages.
    """

    name: str
    source: str
    meanings: tuple[tuple[Spelling, ...], ...]
    anywhere: bool
    hints: frozenset[str]
    by_text: dict[str, tuple[tuple[int, Grade], ...]] = field(repr=False)

    def suits(self, column_words: Iterable[str]) -> bool:
        """Whether a column of that name is likely to hold such values."""
        words = set(column_words)
        return bool(words & self.hints)

    def named_by(self, column_words: Iterable[str]) -> bool:
        """Whether such a name is enough to take a single value for one of these."""
        return self.name not in _WHOLE_ONLY and self.suits(column_words)

    def generic(self, column_words: Iterable[str]) -> bool:
        """Whether a column's name ("type", "category") leaves open what it holds."""
        return self.name not in _WHOLE_ONLY and bool(set(column_words) & _GENERIC_HINTS)


def _data(name: str) -> Any:
    return yaml.safe_load(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """Every known family; read once."""
    words = _data("words.yaml")
    places = _data("places.yaml")
    found = [
        _family("territory", "CLDR", _territories()),
        _family("language", "CLDR", [*_cldr_names("languages"), *_listed(words.pop("language"))]),
        _family("currency", "CLDR", [*_currencies(), *_listed(words.pop("currency"))]),
        _family("script", "CLDR", _cldr_names("scripts")),
        _family("month", "CLDR", _calendar("months", range(1, 13))),
        _family("weekday", "CLDR", _calendar("days", range(7))),
        _family("us_state", "states", _parts(places["us_state"], "州")),
        _family("ca_province", "provinces", _parts(places["ca_province"], "省")),
        _family("cn_province", "provinces", [[Spelling(t) for t in _with_suffixes(e)] for e in places["cn_province"]]),
        _family("town", "towns", [*_towns(), *([Spelling(str(t)) for t in e] for e in places["town"])]),
    ]
    found += [_family(name, "known words", _listed(meanings)) for name, meanings in words.items()]
    return tuple(found)


def _family(name: str, source: str, meanings: Iterable[list[Spelling]]) -> Family:
    """Meanings that share a name (not a mere code) are one: CLDR's "Bangla" and the list's "Bangla, Bengali"."""
    merged: list[dict[str, Spelling]] = []
    by_name: dict[str, int] = {}
    for spellings in meanings:
        names = [plain(s.text) for s in spellings if s.grade == "name" and not s.exact]
        at = next((by_name[n] for n in names if n in by_name), len(merged))
        if at == len(merged):
            merged.append({})
        for spelling in spellings:
            ordinary = plain(spelling.text) in _ORDINARY_WORDS
            merged[at].setdefault(spelling.text, Spelling(spelling.text, spelling.grade, spelling.exact or ordinary))
        for n in names:
            by_name.setdefault(n, at)
    by_text: dict[str, list[tuple[int, Grade]]] = {}
    for number, entry in enumerate(merged):
        for spelling in entry.values():
            known = by_text.setdefault(plain(spelling.text), [])
            if all(other != number for other, _ in known):
                # "UK" is a name, but a column is not one of countries because it holds two capitals.
                short = spelling.text.isascii() and spelling.text.isupper() and len(plain(spelling.text)) <= 3
                known.append((number, "code" if short else spelling.grade))
    return Family(
        name,
        source,
        tuple(tuple(entry.values()) for entry in merged),
        name in _ANYWHERE,
        frozenset(_HINTS[name].split()),
        {text: tuple(numbers) for text, numbers in by_text.items()},
    )


def _listed(entries: Iterable[Iterable[object]]) -> Iterator[list[Spelling]]:
    """Lists of words.yaml: codes stand before a bar in the first places."""
    for entry in entries:
        texts = ", ".join(str(text) for text in entry)
        codes, bar, names = texts.rpartition(" | ")
        found = [Spelling(t.strip(), "code", True) for t in codes.split(", ")] if bar else []
        yield [*(Spelling(t.strip()) for t in names.split(", ")), *found]


def _parts(states: dict[str, list[str]], suffix: str) -> Iterator[list[Spelling]]:
    for code, names in states.items():
        longer = [n + suffix for n in names if is_cjk(n) and not n.endswith(suffix)]
        yield [*(Spelling(n) for n in (*names, *longer)), Spelling(str(code), "code", True)]


def _with_suffixes(names: list[str]) -> list[str]:
    return [*names, *(n + suffix for n in names for suffix in ("省", "市") if is_cjk(n))]


def _cldr_names(kind: str) -> Iterator[list[Spelling]]:
    english, chinese = getattr(Locale("en"), kind), getattr(Locale("zh"), kind)
    other_codes: dict[str, list[str]] = {}
    if kind == "languages":
        for code, targets in get_global("language_aliases").items():
            if len(code) == 3:
                other_codes.setdefault(str(targets), []).append(code)
    for code, name in english.items():
        texts = [name]
        if code in chinese:
            texts.append(chinese[code])
            if chinese[code].endswith("语"):
                texts.append(chinese[code][:-1] + "文")
        codes = [code, *other_codes.get(code, ())]
        yield [*map(Spelling, texts), *(Spelling(c, "code", True) for c in codes)]


def _currencies() -> Iterator[list[Spelling]]:
    english, chinese = Locale("en"), Locale("zh")
    plural = english._data["currency_names_plural"]
    for code, name in english.currencies.items():
        if _CURRENCY_YEARS in name:
            continue
        texts = [name, *plural.get(code, {}).values()]
        if code in chinese.currencies:
            texts.append(chinese.currencies[code])
        yield [*map(Spelling, dict.fromkeys(texts)), Spelling(code, "code", True)]


def _calendar(kind: str, numbers: Iterable[int]) -> Iterator[list[Spelling]]:
    for number in numbers:
        texts: dict[str, Spelling] = {}
        for lang in ("en", "zh"):
            widths = getattr(Locale(lang), kind)["format"]
            for width in ("wide", "abbreviated"):
                text = widths[width][number]
                short = lang == "en" and width == "abbreviated" and text not in texts
                texts.setdefault(text, Spelling(text, "name", short))
        if kind == "days":
            last = Locale("zh").days["format"]["wide"][number][-1]
            for text in (f"周{last}", f"礼拜{last}", *(("星期天", "周天") if last == "日" else ())):
                texts.setdefault(text, Spelling(text))
        yield list(texts.values())


def _territories() -> Iterator[list[Spelling]]:
    english, chinese = Locale("en").territories, Locale("zh").territories
    listed = _data("territories.yaml")
    alpha3: dict[str, list[str]] = {}
    for code, targets in get_global("territory_aliases").items():
        if len(code) == 3 and code.isalpha() and len(targets) == 1:
            alpha3.setdefault(targets[0], []).append(code)
    for code in (*english, *(c for c in listed if c not in english)):
        more = listed.get(code, {})
        texts = [n for n in (english.get(code), chinese.get(code)) if n]
        found = [Spelling(t) for t in (*texts, *more.get("names", ()))]
        found += [Spelling(t.replace("&", "and")) for t in texts if "&" in t]
        found += [Spelling(t, "people") for t in more.get("people", ())]
        codes = [code] if code.isalpha() and code.isupper() else []
        found += [Spelling(c, "code", True) for c in (*codes, *alpha3.get(code, ()), *more.get("codes", ()))]
        yield found


def _towns() -> Iterator[list[Spelling]]:
    english, chinese = Locale("en").time_zones, Locale("zh").time_zones
    for zone, names in chinese.items():
        if "city" not in names or "/" not in zone or zone.startswith("Etc/"):
            continue
        own = english.get(zone, {}).get("city") or zone.rpartition("/")[2].replace("_", " ")
        yield [Spelling(own), Spelling(names["city"])]
