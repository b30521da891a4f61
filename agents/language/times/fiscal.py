"""Business years and their parts: FY24, Q2 FY2024, "last fiscal quarter", 2024财年第二季度, 本会计年度.

A fiscal year is named after the calendar year in which it ends; ``FY2023/24`` names both of its years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.language.text import Language
from agents.language.times.calendar import Clock, add_days, add_months
from agents.language.times.combine import Atom
from agents.language.times.model import Grain, TimeRange
from agents.language.times.numeric import plausible

_NUMBERS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)}
_ORDINALS = {
    **{word: n for n, word in enumerate("first second third fourth".split(), start=1)},
    **{word: n for n, word in enumerate("1st 2nd 3rd 4th".split(), start=1)},
}
_HAN = {"一": 1, "二": 2, "三": 3, "四": 4}
_BEFORE = {"last", "previous", "prior", "past", "上", "上个", "上一", "上一个", "去年"}
_AFTER = {"next", "coming", "upcoming", "下", "下个", "下一", "下一个", "明年"}

_FISCAL = r"(?:fiscal|financial|business|accounting)"
_TOLD = r"'?(?P<year>\d{4}|\d{2})(?:\s?[/-]\s?'?(?P<second>\d{4}|\d{2})(?!\d))?(?![a-z0-9_%]|[.,]\d)"
_YEARS = (
    re.compile(rf"(?<![\w.-])(?:the\s+)?(?:fy\s?|{_FISCAL}\s+years?\s+){_TOLD}"),
    re.compile(r"(?<![\w.-])(?:the\s+)?(?:fiscal|financial)\s+(?P<year>\d{4})(?P<second>)(?!\d|[.,]\d)"),
    re.compile(
        r"(?<![\d.])(?P<year>\d{4}|\d{2})(?:[/-](?P<second>\d{4}|\d{2}))?\s*年?(?:财年|财政年度?|会计年度)"
        r"|(?:财年|财政年度|会计年度)\s*(?P<year_behind>\d{4})年?"
    ),
)
_NEAR = (
    re.compile(
        r"(?<![\w.-])(?:the\s+)?(?P<which>this|current|last|previous|prior|past|next|coming|upcoming)\s+"
        rf"(?:(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+)?(?:{_FISCAL}\s+(?P<unit>year|quarter)s?|fy)\b"
        r"(?P<to_date>\s+to\s+date|\s+so\s+far)?"
    ),
    re.compile(
        r"(?P<which>本|这个?|当前|今年的?|上一?个?|去年的?|下一?个?|明年的?)"
        r"(?:财年|财政年度?|会计年度|财务年度|(?P<unit>财季|财政季度))(?P<to_date>至今|以来|到目前)?"
    ),
)
_TO_DATE = re.compile(rf"(?<![\w.-])(?:fytd|fy\s+to\s+date|{_FISCAL}[\s-]year[\s-]to[\s-]date|{_FISCAL}\s+ytd)\b")
_QUARTER_OF = re.compile(
    rf"(?<![\w.-])(?:the\s+)?(?:(?P<nth>{'|'.join(_ORDINALS)})\s+{_FISCAL}\s+quarter|{_FISCAL}\s+q(?P<q>[1-4]))\s*"
    r"(?:,|of|in)?\s*(?P<year>\d{4})(?!\d|[.,]\d)"
)
_OF_YEAR = re.compile(rf"(?:the\s+)?{_FISCAL}\s+year\b")
_PART_BEFORE = re.compile(
    rf"(?<![\w.-])(?:the\s+)?(?:(?P<nth>{'|'.join(_ORDINALS)})\s+(?P<unit>quarter|half)|(?P<code>[qh])(?P<n>[1-4]))"
    r"[\s,/-]*(?:(?:of|in)\s+)?(?:the\s+)?\Z"
)
_PART_BEHIND = re.compile(
    rf"[\s,/-]*(?:(?P<nth>{'|'.join(_ORDINALS)})\s+(?P<unit>quarter|half)|(?P<code>[qh])(?P<n>[1-4]))(?![a-z0-9_])"
    r"|\s*的?(?:第?(?P<han>[一二三四1-4])个?(?:季度?|财季)|(?P<half>[上下])半年)"
)


def fiscal_atoms(folded: str, lang: Language, clock: Clock) -> Iterator[Atom]:
    """:param folded: lower case, quoted text blanked out."""
    for start, end, year, said in _years(folded, lang, clock):
        part = _part(folded, start, end)
        if part is None:
            yield Atom(start, end, said, Grain.YEAR, f"fiscal year {year}")
        else:
            first, after, grain, months, position = part
            begin = said.start
            assert begin is not None
            cut = TimeRange(add_months(begin, months * (position - 1)), add_months(begin, months * position))
            yield Atom(first, after, cut, grain, f"fiscal year {year}")
    for found in _NEAR[lang == "zh"].finditer(folded):
        if found["unit"] in ("quarter", "财季", "财政季度"):
            yield from _near_quarter(found, clock)
    for found in _QUARTER_OF.finditer(folded):
        year = int(found["year"])
        if plausible(year):
            position = int(found["q"]) if found["q"] else _ORDINALS[found["nth"]]
            span = clock.fiscal_quarter(year, position)
            yield Atom(found.start(), found.end(), span, Grain.QUARTER, f"fiscal year {year}")
    for found in _TO_DATE.finditer(folded):
        yield _so_far(found.start(), found.end(), clock)


def _years(folded: str, lang: Language, clock: Clock) -> Iterator[tuple[int, int, int, TimeRange]]:
    """Whole fiscal years: place, number of the last, and the range."""
    for pattern in _YEARS:
        for found in pattern.finditer(folded):
            year, second = found["year"] or found.groupdict().get("year_behind") or "", found["second"]
            number = _full(year)
            if second:
                last = _full(second)
                if last <= number:
                    continue
                # "FY2023/24" is the one year that begins in 2023 and ends in 2024.
                first = last if last == number + 1 and clock.fiscal_start_month > 1 else number
                span = TimeRange(clock.fiscal_year(first).start, clock.fiscal_year(last).end)
                number = last
            elif plausible(number):
                span = clock.fiscal_year(number)
            else:
                continue
            yield found.start(), found.end(), number, span
    for found in _NEAR[lang == "zh"].finditer(folded):
        if found["unit"] not in (None, "year"):
            continue
        current, shift = clock.current_fiscal_year(), _shift(found["which"])
        count = _count(found.groupdict().get("count"))
        if found["to_date"] and not shift:
            so_far = _so_far(found.start(), found.end(), clock)
            yield found.start(), found.end(), current, so_far.span
            continue
        if not shift and count > 1:
            continue
        first, last = sorted((current + shift, current + shift * count))
        if plausible(first) and plausible(last):
            span = TimeRange(clock.fiscal_year(first).start, clock.fiscal_year(last).end)
            yield found.start(), found.end(), last, span
    for found in _OF_YEAR.finditer(folded):
        # "Q2 of the fiscal year": the current one; alone it says no time.
        if _PART_BEFORE.search(folded[max(0, found.start() - 32) : found.start()]):
            current = clock.current_fiscal_year()
            yield found.start(), found.end(), current, clock.fiscal_year(current)


def _near_quarter(found: re.Match[str], clock: Clock) -> Iterator[Atom]:
    shift, count = _shift(found["which"]), _count(found.groupdict().get("count"))
    if not shift and count > 1:
        return
    first, last = sorted((shift, shift * count))
    begin, end = clock.fiscal_quarter_from_now(first).start, clock.fiscal_quarter_from_now(last).end
    if found["to_date"] and not shift:
        end = add_days(clock.today, 1)
    yield Atom(found.start(), found.end(), TimeRange(begin, end), Grain.QUARTER, "fiscal quarter")


def _so_far(start: int, end: int, clock: Clock) -> Atom:
    year = clock.current_fiscal_year()
    span = TimeRange(clock.fiscal_year(year).start, add_days(clock.today, 1))
    return Atom(start, end, span, Grain.YEAR, f"fiscal year {year}")


def _part(folded: str, start: int, end: int) -> tuple[int, int, Grain, int, int] | None:
    """A quarter or half that is named beside a year: place, grain, its months, its number in the year."""
    before = _PART_BEFORE.search(folded[max(0, start - 32) : start])
    found = before or _PART_BEHIND.match(folded, end)
    if found is None:
        return None
    parts = found.groupdict()
    if parts.get("half"):
        grain, months, position = Grain.MONTH, 6, 1 if parts["half"] == "上" else 2
    elif parts.get("han"):
        grain, months, position = Grain.QUARTER, 3, _HAN.get(parts["han"]) or int(parts["han"])
    else:
        is_half = parts["unit"] == "half" or parts["code"] == "h"
        position = int(parts["n"]) if parts["n"] else _ORDINALS[parts["nth"]]
        grain, months = (Grain.MONTH, 6) if is_half else (Grain.QUARTER, 3)
        if is_half and position > 2:
            return None
    if before:
        return start - len(before.group()), end, grain, months, position
    return start, found.end(), grain, months, position


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _count(word: str | None) -> int:
    return 1 if word is None else int(word) if word.isdigit() else _NUMBERS[word]


def _shift(which: str) -> int:
    bare = which.rstrip("的")
    return -1 if bare in _BEFORE else 1 if bare in _AFTER else 0
