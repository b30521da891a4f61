"""Calendar arithmetic around one injected clock: whole units, rolling windows, fiscal years."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from agents.language.times.model import Grain, TimeRange

_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}


class OutOfCalendar(ValueError):
    """The expression leads to a day outside the years 1 to 9999."""


def add_months(day: date, months: int) -> date:
    """The same day ``months`` later (earlier when negative), cut to the length of that month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if not 1 <= year <= 9998:
        raise OutOfCalendar(str(year))
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def add_days(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError as error:
        raise OutOfCalendar(str(error)) from error


@dataclass(frozen=True, slots=True)
class Clock:
    """Now, and how weeks and fiscal years are counted.

    :param week_start: 0 is Monday, 6 is Sunday.
    :param fiscal_start_month: a fiscal year is named after the calendar year in which it ends.
    """

    now: datetime
    week_start: int = 0
    fiscal_start_month: int = 1

    @property
    def today(self) -> date:
        return self.now.date()

    def floor(self, grain: Grain, day: date) -> date:
        """First day of the unit that holds ``day``."""
        if grain is Grain.WEEK:
            return add_days(day, -((day.weekday() - self.week_start) % 7))
        if grain is Grain.MONTH:
            return day.replace(day=1)
        if grain is Grain.QUARTER:
            return date(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
        if grain is Grain.YEAR:
            return date(day.year, 1, 1)
        return day

    def add(self, grain: Grain, day: date, count: int) -> date:
        if grain in _MONTHS:
            return add_months(day, count * _MONTHS[grain])
        return add_days(day, count * (7 if grain is Grain.WEEK else 1))

    def units(self, grain: Grain, first: int, count: int = 1) -> TimeRange:
        """``count`` whole calendar units; the first is ``first`` units after the current one (0 is the current one)."""
        if grain is Grain.HOUR:
            hour = self.now.replace(minute=0, second=0, microsecond=0)
            try:
                return TimeRange(hour + timedelta(hours=first), hour + timedelta(hours=first + count))
            except OverflowError as error:
                raise OutOfCalendar(str(error)) from error
        start = self.add(grain, self.floor(grain, self.today), first)
        return TimeRange(start, self.add(grain, start, count))

    def rolling(self, grain: Grain, count: int) -> TimeRange:
        """The ``count`` units that end with today (hours: with now), today included: 7 days are [today-6, tomorrow)."""
        if grain is Grain.HOUR:
            try:
                return TimeRange(self.now - timedelta(hours=count), self.now + timedelta(microseconds=1))
            except OverflowError as error:
                raise OutOfCalendar(str(error)) from error
        end = add_days(self.today, 1)
        return TimeRange(self.add(grain, end, -count), end)

    def coming(self, grain: Grain, count: int) -> TimeRange:
        """The ``count`` units that begin today."""
        if grain is Grain.HOUR:
            try:
                return TimeRange(self.now, self.now + timedelta(hours=count))
            except OverflowError as error:
                raise OutOfCalendar(str(error)) from error
        return TimeRange(self.today, self.add(grain, self.today, count))

    def to_date(self, grain: Grain) -> TimeRange:
        """From the first day of the current unit up to and including today."""
        return TimeRange(self.floor(grain, self.today), add_days(self.today, 1))

    def fiscal_year(self, year: int) -> TimeRange:
        if self.fiscal_start_month == 1:
            return year_range(year)
        start = date(year - 1, self.fiscal_start_month, 1)
        return TimeRange(start, add_months(start, 12))

    def current_fiscal_year(self) -> int:
        late = self.fiscal_start_month > 1 and self.today.month >= self.fiscal_start_month
        return self.today.year + (1 if late else 0)

    def fiscal_quarter(self, year: int, quarter: int) -> TimeRange:
        first = self.fiscal_year(year).start
        assert first is not None
        start = add_months(first, 3 * (quarter - 1))
        return TimeRange(start, add_months(start, 3))

    def fiscal_quarter_from_now(self, shift: int) -> TimeRange:
        into_quarter = (self.today.month - self.fiscal_start_month) % 3
        start = add_months(self.today.replace(day=1), 3 * shift - into_quarter)
        return TimeRange(start, add_months(start, 3))

    def latest(self, grain: Grain, month: int, day: int | None = None) -> TimeRange:
        """The latest month, quarter start or day of the year that has begun, for an expression without a year."""
        for year in range(self.today.year, self.today.year - 9, -1):
            try:
                start = date(year, month, day or 1)
            except ValueError:  # 29 February outside a leap year
                continue
            if start <= self.today:
                return TimeRange(start, self.add(grain, start, 1))
        raise OutOfCalendar(f"month {month} day {day}")


def year_range(year: int, count: int = 1) -> TimeRange:
    if not (year >= 1 and year + count <= 9998):
        raise OutOfCalendar(str(year))
    return TimeRange(date(year, 1, 1), date(year + count, 1, 1))


def month_range(year: int, month: int, count: int = 1) -> TimeRange:
    try:
        start = date(year, month, 1)
    except ValueError as error:
        raise OutOfCalendar(str(error)) from error
    return TimeRange(start, add_months(start, count))


def day_range(year: int, month: int, day: int) -> TimeRange:
    """One day; raises :class:`OutOfCalendar` where there is no such day."""
    try:
        start = date(year, month, day)
    except ValueError as error:
        raise OutOfCalendar(str(error)) from error
    return TimeRange(start, add_days(start, 1))
