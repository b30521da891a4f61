"""A time range in a few words, for the explanation of a plan."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from agents.language.text import Language
from agents.language.times.calendar import add_months
from agents.language.times.model import TimeRange, as_datetime

_MONTHS_SHORT = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTHS_LONG = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_HAN_QUARTER = "一二三四"


def range_text(span: TimeRange, lang: Language) -> str:
    """``2023``, ``May 2023``, ``Q3 2023``, ``1 Mar 2024 – 31 Mar 2024``, ``since 2020``; 2023年5月, 2020年起.

    Whole units are named; anything else is told by its first and last day, both included.
    """
    start, end = span.start, span.end
    zh = lang == "zh"
    if start is None:
        assert end is not None
        return f"{_edge(end, lang)}之前" if zh else f"before {_edge(end, lang)}"
    if end is None:
        return f"{_edge(start, lang)}起" if zh else f"since {_edge(start, lang)}"
    if not (_is_day(start) and _is_day(end)):
        between = " 至 " if zh else " – "
        return f"{_moment(as_datetime(start), lang)}{between}{_moment(as_datetime(end), lang)}"
    first, after = as_datetime(start).date(), as_datetime(end).date()
    last = after - timedelta(days=1)
    months = _whole_months(first, after)
    between = "至" if zh else " – "
    if months == 12 and first.month == 1:
        return f"{first.year}年" if zh else str(first.year)
    if months % 12 == 0 and months and first.month == 1:
        return f"{first.year}年{between}{last.year}年" if zh else f"{first.year}{between}{last.year}"
    if months == 6 and first.month in (1, 7):
        half = 1 if first.month == 1 else 2
        return f"{first.year}年{'上' if half == 1 else '下'}半年" if zh else f"H{half} {first.year}"
    if months == 3 and first.month % 3 == 1:
        quarter = (first.month + 2) // 3
        return f"{first.year}年第{_HAN_QUARTER[quarter - 1]}季度" if zh else f"Q{quarter} {first.year}"
    if months == 1:
        return f"{first.year}年{first.month}月" if zh else f"{_MONTHS_LONG[first.month - 1]} {first.year}"
    if months:
        return f"{_month(first, lang)}{between}{_month(last, lang)}"
    if first == last:
        return _day(first, lang)
    return f"{_day(first, lang)}{between}{_day(last, lang)}"


def _is_day(moment: date | datetime) -> bool:
    return as_datetime(moment).time() == datetime.min.time()


def _whole_months(first: date, after: date) -> int:
    if first.day != 1 or after.day != 1:
        return 0
    months = (after.year - first.year) * 12 + after.month - first.month
    return months if months > 0 and add_months(first, months) == after else 0


def _edge(moment: date | datetime, lang: Language) -> str:
    if not _is_day(moment):
        return _moment(as_datetime(moment), lang)
    day = as_datetime(moment).date()
    if day.month == 1 and day.day == 1:
        return f"{day.year}年" if lang == "zh" else str(day.year)
    return _day(day, lang)


def _month(day: date, lang: Language) -> str:
    return f"{day.year}年{day.month}月" if lang == "zh" else f"{_MONTHS_SHORT[day.month - 1]} {day.year}"


def _day(day: date, lang: Language) -> str:
    if lang == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {_MONTHS_SHORT[day.month - 1]} {day.year}"


def _moment(moment: datetime, lang: Language) -> str:
    shown = f"{moment:%H:%M}"
    return f"{_day(moment.date(), lang)} {shown}"
