"""Time expressions written mainly with digits, the same in both languages: ISO dates, 5/6/2023, 2023Q3, bare years."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from agents.language.times.calendar import (
    Clock,
    OutOfCalendar,
    day_range,
    month_range,
    year_range,
)
from agents.language.times.combine import Atom
from agents.language.times.model import Cycle, Grain, Recurring, TimeRange

FIRST_YEAR, LAST_YEAR = 1500, 2100

_OPEN, _CLOSE = r"(?<![a-z0-9_.,/$€£¥#-])", r"(?![a-z0-9_/]|[.,-]\d)"
_ISO_DAY = re.compile(
    rf"{_OPEN}(\d{{4}})(?P<m>[-/.])(\d{{1,2}})(?P=m)(\d{{1,2}})(?:[ t](\d{{1,2}}):(\d{{2}})(?::(\d{{2}}))?)?{_CLOSE}"
)
_SLASHED = re.compile(rf"{_OPEN}(\d{{1,2}})(?P<m>[/.-])(\d{{1,2}})(?P=m)(\d{{4}}){_CLOSE}")
_ISO_MONTH = re.compile(rf"{_OPEN}(\d{{4}})[-/](0[1-9]|1[0-2]){_CLOSE}")
_YEAR_SPAN = re.compile(rf"{_OPEN}(\d{{4}})[-/](\d{{2}}){_CLOSE}")
_QUARTER = re.compile(
    rf"{_OPEN}(?:(?P<y1>\d{{4}})\s*[-/年]?\s*(?P<q1>[qh][1-4])|(?P<q2>[qh][1-4])\s*(?:of\s+|[-/,]\s*)?(?P<y2>\d{{4}})(?!\d)"
    rf"|(?P<q3>q[1-4])){_CLOSE}"
)
_YEAR = re.compile(rf"(?:(?<=\d{{4}}-)|{_OPEN})(\d{{4}})(?![a-z0-9_年/%°]|\s*%|[.,]\d|-\d{{1,2}}(?!\d))")


def numeric_atoms(folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _ISO_DAY.finditer(folded):
        year, month, day = int(found[1]), int(found[3]), int(found[4])
        span = _guarded(day_range, year, month, day)
        if span is None:
            continue
        if found[5]:
            moment = _moment(year, month, day, found)
            if moment is not None:
                yield Atom(found.start(), found.end(), moment, Grain.HOUR, "")
                continue
        yield Atom(found.start(), found.end(), span, Grain.DAY, "")
    for found in _SLASHED.finditer(folded):
        atom = _slashed(found)
        if atom is not None:
            yield atom
    for found in _ISO_MONTH.finditer(folded):
        span = _guarded(month_range, int(found[1]), int(found[2]))
        if span is not None and plausible(int(found[1])):
            yield Atom(found.start(), found.end(), span, Grain.MONTH, "")
    for found in _YEAR_SPAN.finditer(folded):
        year, last = int(found[1]), int(found[2])
        if plausible(year) and last > 12 and (year + 1) % 100 == last:
            yield Atom(found.start(), found.end(), year_range(year, 2), Grain.YEAR, "two years", certain=False)
    for found in _QUARTER.finditer(folded):
        part = found["q1"] or found["q2"] or found["q3"]
        told = found["y1"] or found["y2"]
        if part[0] == "h" and part[1] not in "12":
            continue
        if told:
            if plausible(int(told)):
                grain = Grain.QUARTER if part[0] == "q" else Grain.MONTH
                yield Atom(found.start(), found.end(), year_part(int(told), part), grain, "")
        else:
            yield part_without_year(found.start(), found.end(), part, clock)


def bare_years(
    folded: str, certain_after: re.Pattern[str], refused_after: re.Pattern[str], refused_before: re.Pattern[str]
) -> Iterator[Atom]:
    """Four digits that may be a year.

    :param certain_after: words before it that make it a year; ``refused_after``: words before it that make it none.
    :param refused_before: words behind it that make it a quantity.
    """
    for found in _YEAR.finditer(folded):
        year = int(found[1])
        if not plausible(year) or refused_before.match(folded, found.end()):
            continue
        before = folded[max(0, found.start() - 32) : found.start()]
        if refused_after.search(before):
            continue
        certain = certain_after.search(before) is not None
        note = "" if certain else "a bare number read as a year"
        yield Atom(found.start(), found.end(), year_range(year), Grain.YEAR, note, certain, bare_year=True)


def plausible(year: int) -> bool:
    return FIRST_YEAR <= year <= LAST_YEAR


def year_part(year: int, part: str) -> TimeRange:
    """``q1`` to ``q4`` and ``h1``, ``h2`` of a calendar year."""
    length = 3 if part[0] == "q" else 6
    return month_range(year, 1 + (int(part[1]) - 1) * length, length)


def part_without_year(start: int, end: int, part: str, clock: Clock) -> Atom:
    """A quarter or half year whose year is not told: the latest one that has begun."""
    year = clock.today.year
    span = year_part(year, part)
    if span.start is not None and span.start > clock.today:
        span = year_part(year - 1, part)
    quarter, number = part[0] == "q", int(part[1])
    members = (number,) if quarter else ((1, 2) if number == 1 else (3, 4))
    return Atom(
        start,
        end,
        span,
        Grain.QUARTER if quarter else Grain.MONTH,
        "no year told: the latest that has begun",
        certain=False,
        recurring=Recurring(Cycle.QUARTER_OF_YEAR, members),
        of_year=lambda y: year_part(y, part),
    )


def month_without_year(start: int, end: int, month: int, day: int | None, clock: Clock) -> Iterator[Atom]:
    """A month or a day of a month whose year is not told: the latest one that has begun."""
    grain = Grain.DAY if day else Grain.MONTH
    try:
        span = clock.latest(grain, month, day)
    except OutOfCalendar:
        return
    recurring = None if day else Recurring(Cycle.MONTH_OF_YEAR, (month,))
    yield Atom(
        start,
        end,
        span,
        grain,
        "no year told: the latest that has begun",
        certain=False,
        recurring=recurring,
        of_year=lambda y: day_range(y, month, day) if day else month_range(y, month),
    )


def _slashed(found: re.Match[str]) -> Atom | None:
    a, b, year = int(found[1]), int(found[3]), int(found[4])
    readings = [("day", b, a), ("month", a, b)] if found["m"] == "." else [("month", a, b), ("day", b, a)]
    spans = [(first, span) for first, month, day in readings if (span := _guarded(day_range, year, month, day))]
    if not spans:
        return None
    first, span = spans[0]
    open_question = len(spans) == 2 and a != b
    note = f"read as {first} first; the other order is possible" if open_question else ""
    return Atom(found.start(), found.end(), span, Grain.DAY, note, certain=not open_question)


def _moment(year: int, month: int, day: int, found: re.Match[str]) -> TimeRange | None:
    try:
        start = datetime(year, month, day, int(found[5]), int(found[6]), int(found[7] or 0))
        return TimeRange(start, start + timedelta(seconds=1 if found[7] else 60))
    except (ValueError, OverflowError):
        return None


def _guarded(make: Callable[..., TimeRange], *parts: int) -> TimeRange | None:
    try:
        return make(*parts)
    except OutOfCalendar:
        return None
