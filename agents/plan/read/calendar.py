"""Time ranges seen as whole years."""

from __future__ import annotations

from datetime import date, datetime

from agents.language.times import TimeRange


def whole_years(time: TimeRange) -> tuple[int | None, int | None] | None:
    """The half-open range of years when both ends are at a new year; ``None`` otherwise."""

    def year(moment: date | datetime | None) -> int | None:
        return None if moment is None else moment.year

    def at_new_year(moment: date | datetime | None) -> bool:
        return moment is None or (moment.month, moment.day) == (1, 1)

    if not at_new_year(time.start) or not at_new_year(time.end):
        return None
    return year(time.start), year(time.end)
