"""Times as a result set holds them, cut to a grain: read, put in order, written for people.

A truncated time comes as the dialects make it: ``year`` 2023, ``quarter`` ``2023-Q1``, ``month`` ``2023-05``, ``week``
its Monday, ``day`` a date, ``hour`` ``2023-05-01 14:00``; recurring parts are integers, ``weekday`` from Sunday = 0.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache
from typing import Literal, TypeAlias

from babel import Locale
from babel.dates import format_date, format_datetime, format_skeleton, get_day_names, get_month_names

Lang: TypeAlias = Literal["en", "zh"]

RECURRING = frozenset({"weekday", "month_of_year", "hour_of_day"})
"""Grains that come round again: in order, but on no time line."""

_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_MONTH = re.compile(r"(\d{4})-(\d{2})")
_WEEK = re.compile(r"(\d{4})-?W(\d{2})")
_YEAR = re.compile(r"\d{4}")
_LOCALES = {"en": Locale.parse("en"), "zh": Locale.parse("zh_Hans_CN")}


def locale(lang: Lang) -> Locale:
    return _LOCALES[lang]


def start_of(value: object) -> datetime | None:
    """The first moment of the period, without zone; ``None`` for what is no time. Recurring parts are no time."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value).strip()
    try:
        if _YEAR.fullmatch(text):
            return datetime(int(text), 1, 1)
        if quarter := _QUARTER.fullmatch(text):
            return datetime(int(quarter[1]), 3 * int(quarter[2]) - 2, 1)
        if month := _MONTH.fullmatch(text):
            return datetime(int(month[1]), int(month[2]), 1)
        if week := _WEEK.fullmatch(text):
            return datetime.combine(date.fromisocalendar(int(week[1]), int(week[2]), 1), time())
        return datetime.fromisoformat(text).replace(tzinfo=None) if isinstance(value, str) else None
    except ValueError:
        return None


def format_period(value: object, grain: str | None, lang: Lang) -> str:
    """``May 2023`` / ``2023年5月``; what does not fit its grain is written as it is."""
    if grain in RECURRING:
        part = _recurring(value)
        return str(value) if part is None else _format_recurring(part, str(grain), lang)
    moment = start_of(value)
    if moment is None:
        return str(value)
    return _format_moment(moment, grain or ("second" if _has_time(value) else "day"), lang)


@lru_cache(maxsize=4096)
def _format_moment(moment: datetime, grain: str, lang: Lang) -> str:
    where = locale(lang)
    match grain:
        case "year":
            return f"{moment.year}" if lang == "en" else f"{moment.year}年"
        case "quarter":
            return str(format_skeleton("yQQQ", moment, locale=where))
        case "month":
            return str(format_skeleton("yMMM", moment, locale=where))
        case "week":
            day = format_date(moment, "medium", locale=where)
            return f"week of {day}" if lang == "en" else f"{day}起的一周"
        case "hour" | "second":
            clock = f"{moment:%H:%M:%S}" if grain == "second" and moment.second else f"{moment:%H:%M}"
            return f"{format_date(moment, 'medium', locale=where)} {clock}"
        case "day":
            return str(format_date(moment, "medium", locale=where))
    return str(format_datetime(moment, "medium", locale=where))


def _format_recurring(part: int, grain: str, lang: Lang) -> str:
    if grain == "weekday" and 0 <= part <= 7:
        return str(get_day_names(locale=locale(lang))[(part - 1) % 7])
    if grain == "month_of_year" and 1 <= part <= 12:
        wide = get_month_names("wide" if lang == "en" else "abbreviated", context="stand-alone", locale=locale(lang))
        return str(wide[part])
    if grain == "hour_of_day" and 0 <= part <= 24:
        return f"{part:02d}:00"
    return str(part)


def _recurring(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and re.fullmatch(r"\d{1,2}", value) else None


def _has_time(value: object) -> bool:
    return isinstance(value, datetime) or (isinstance(value, str) and ":" in value)
