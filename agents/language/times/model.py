"""What a time expression means: a half-open range, a grain to group by, or a recurring part of the calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Grain(StrEnum):
    """A calendar unit to cut time into, finest first."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Cycle(StrEnum):
    """A part of the calendar that comes again: its buckets are comparable across years, weeks or days."""

    HOUR_OF_DAY = "hour_of_day"
    WEEKDAY = "weekday"
    DAY_OF_MONTH = "day_of_month"
    MONTH_OF_YEAR = "month_of_year"
    QUARTER_OF_YEAR = "quarter_of_year"


@dataclass(frozen=True, slots=True)
class Recurring:
    """A cycle, or chosen members of it.

    :param members: empty means "group by all of them" (by weekday); else only these: weekdays 0 (Monday) to 6,
        days 1 to 31, months 1 to 12, quarters 1 to 4, hours 0 to 23.
    """

    cycle: Cycle
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Half-open range: ``start`` belongs to it, ``end`` does not; None is open. At least one side is given.

    Both sides are dates, or naive datetimes in the clock's zone where the expression tells the time of day.
    """

    start: date | datetime | None
    end: date | datetime | None

    def __post_init__(self) -> None:
        if self.start is None and self.end is None:
            raise ValueError("a time range needs a start or an end")
        if self.start is not None and self.end is not None and as_datetime(self.start) >= as_datetime(self.end):
            raise ValueError(f"a time range must start before it ends: {self.start} - {self.end}")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression of the question.

    Exactly one of these holds: ``range`` is set (a filter, ``grain`` is the unit it was told in); ``range`` is None and
    ``grain`` is set (cut time into such units); only ``recurring`` is set. A month, quarter or weekday without a year
    ("in May", "on Mondays") sets both ``recurring`` with its members and ``range`` with the latest one that has begun,
    and is never ``certain``.

    :param reason: how it was read, with the dates used.
    :param certain: False where another reading is as likely: a bare 4-digit number, a day/month order, a missing year.
    """

    start: int
    end: int
    text: str
    range: TimeRange | None
    grain: Grain | None
    reason: str
    recurring: Recurring | None = None
    certain: bool = True


def as_datetime(moment: date | datetime) -> datetime:
    """Midnight of a date; a datetime stays as it is."""
    return moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day)
