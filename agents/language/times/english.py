"""English time expressions.

Rules where English leaves a choice:

- "last 7 days", "past 3 months": the units that end with today, today included; "last month", "previous 2 quarters":
  whole calendar units before the current one; "past week", "past year" without a number roll like "past 1 week".
- "2 months ago" is that whole calendar month, "10 days ago" that day; "more than 30 days ago" is everything before
  that day.
- "until X", "through X", "as of X", "by the end of X" include X; "after X" begins when X is over.
- A month, quarter or day without a year is the latest that has begun, never certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial

from agents.language.times.calendar import (
    Clock,
    OutOfCalendar,
    add_days,
    day_range,
    month_range,
    year_range,
)
from agents.language.times.combine import Atom
from agents.language.times.english_patterns import (
    AGO,
    BUCKET,
    BUCKET_ADJECTIVE,
    BUCKET_ASKED,
    BUCKET_LATER,
    BUCKET_REPEATED,
    BUCKET_WORDS,
    CENTURY,
    COUNTS,
    CYCLES,
    DAY_FIRST,
    DECADE,
    MONTH,
    MONTH_CONTEXT,
    MONTH_DAYS,
    MONTH_FIRST,
    MONTH_FOLLOWED,
    MONTH_YEAR,
    MONTHS,
    NAMED_DAY,
    NEEDS_CONTEXT,
    PART_OF_YEAR,
    PARTS,
    RELATIVE,
    RELATIVE_N,
    TO_DATE,
    UNIT_OF_YEAR,
    WEEKDAY,
    WEEKDAY_NAMES,
    WEEKDAYS,
    WITHIN,
    YEAR_CERTAIN,
    YEAR_QUANTITY,
    YEAR_REFUSED,
)
from agents.language.times.fiscal import fiscal_atoms
from agents.language.times.model import Cycle, Grain, Recurring, TimeMention, TimeRange
from agents.language.times.numeric import (
    bare_years,
    month_without_year,
    numeric_atoms,
    part_without_year,
    year_part,
)


def english_atoms(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    yield from fiscal_atoms(folded, "en", clock)
    yield from numeric_atoms(folded, clock)
    yield from bare_years(folded, YEAR_CERTAIN, YEAR_REFUSED, YEAR_QUANTITY)
    for reader in (_named_months, _parts_of_years, _relative_units, _days_and_weekdays):
        yield from reader(text, folded, clock)


def _named_months(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in MONTH_DAYS.finditer(folded):
        year, month = int(found["year"]), MONTHS[found["month"]]
        try:
            span = TimeRange(date(year, month, int(found["day"])), add_days(date(year, month, int(found["last"])), 1))
        except ValueError:
            continue
        yield Atom(found.start(), found.end(), span, Grain.DAY, "")
    for pattern in (DAY_FIRST, MONTH_FIRST):
        for found in pattern.finditer(folded):
            month, day = MONTHS[found["month"]], int(found["day"])
            try:
                if found["year"]:
                    span = day_range(int(found["year"]), month, day)
                    yield Atom(found.start(), found.end(), span, Grain.DAY, "")
                elif (
                    found["month"] not in NEEDS_CONTEXT
                    or text[found.start("month")].isupper()
                    or _may_be_month(text, folded, found.start("month"))
                ):
                    yield from month_without_year(found.start(), found.end(), month, day, clock)
            except OutOfCalendar:
                continue
    for found in MONTH_YEAR.finditer(folded):
        if re.search(r"\d(?:st|nd|rd|th)?\s+(?:of\s+)?$", folded[max(0, found.start() - 8) : found.start()]):
            continue  # either a whole date, read above, or a day that does not exist
        year = int(found["year"]) if found["year"][0] != "'" else 2000 + int(found["year"][1:])
        yield Atom(found.start(), found.end(), month_range(year, MONTHS[found["month"]]), Grain.MONTH, "")
    for found in MONTH.finditer(folded):
        if re.match(r"\s+\d{4}\b", folded[found.end() :]):
            continue  # with its year, read above
        month = MONTHS[found["month"]]
        which = found["which"]
        if which:
            year = clock.today.year
            if which == "last" and month >= clock.today.month:
                year -= 1
            elif which == "next" and month <= clock.today.month:
                year += 1
            yield Atom(found.start(), found.end(), month_range(year, month), Grain.MONTH, f"{which} {found['month']}")
        elif found["month"] not in NEEDS_CONTEXT or _may_be_month(text, folded, found.start("month")):
            yield from month_without_year(found.start("month"), found.end("month"), month, None, clock)


def _may_be_month(text: str, folded: str, at: int) -> bool:
    """Whether a neighbour says that it is a month: "may" and "march" are verbs, "mar" and "dec" may be anything."""
    if MONTH_FOLLOWED.match(folded, at) and text[at].isupper():
        return True
    if MONTH_CONTEXT.search(folded[max(0, at - 32) : at]) is None:
        return False
    following = folded[at : at + 24]
    if re.match(r"(?:may|march)\s+(?:be|have|not|also|contain|include|need)\b", following):
        return False
    return text[at].isupper() or not re.search(r"\b(?:this|that|it|each|every)\s*$", folded[max(0, at - 8) : at])


def _parts_of_years(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    this_year = clock.today.year
    for found in PART_OF_YEAR.finditer(folded):
        quarter = found["part"] == "quarter"
        number = PARTS[found["nth"]] if quarter else {"1": "1", "2": "2", "4": "2"}.get(PARTS[found["nth"]], "")
        if not number:
            continue
        part = ("q" if quarter else "h") + number
        year = int(found["year"]) if found["year"] else None
        if found["rel"]:
            year = this_year + {"this": 0, "last": -1, "next": 1}[found["rel"]]
        if year is not None:
            yield Atom(found.start(), found.end(), year_part(year, part), Grain.QUARTER if quarter else Grain.MONTH, "")
        elif found["nth"] != "last":
            yield part_without_year(found.start(), found.end(), part, clock)
    for found in UNIT_OF_YEAR.finditer(folded):
        year, first = int(found["year"]), found["nth"] == "first"
        if found["part"] == "month":
            yield Atom(found.start(), found.end(), month_range(year, 1 if first else 12), Grain.MONTH, "")
        elif found["part"] == "day":
            yield Atom(found.start(), found.end(), day_range(year, *((1, 1) if first else (12, 31))), Grain.DAY, "")
    for found in DECADE.finditer(folded):
        start = int(found["full"]) if found["full"] else 1900 + int(found["short"])
        if not found["full"] and not found.group().startswith(("the", "'")):
            continue
        note = "" if found["full"] else f"read as the {start}s"
        yield Atom(found.start(), found.end(), year_range(start, 10), Grain.YEAR, note, certain=bool(found["full"]))
    for found in CENTURY.finditer(folded):
        yield Atom(found.start(), found.end(), year_range(100 * (int(found["nth"]) - 1) + 1, 100), Grain.YEAR, "")


def _relative_units(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in RELATIVE.finditer(folded):
        which, grain = found["which"], Grain(found["unit"])
        start, end = found.span()
        if found["todate"] and which in ("this", "current"):
            yield Atom(start, end, clock.to_date(grain), grain, f"{grain} to date")
            continue
        end = found.end("unit")
        if which == "past":
            yield Atom(start, end, clock.rolling(grain, 1), grain, f"the {grain} that ends with today")
            continue
        shift = 0 if which in ("this", "current") else (1 if which in ("next", "coming", "upcoming") else -1)
        certain = not (
            which == "last"
            and re.search(r"\b(?:in|over|within|during)\s+$", folded[max(0, start - 8) : start])
            and found.group().startswith("the")
        )
        yield Atom(start, end, clock.units(grain, shift), grain, f"{which} {grain}", certain)
    for found in RELATIVE_N.finditer(folded):
        count, grain, which = _count(found["count"]), Grain(found["unit"]), found["which"]
        if not count or found["count"] in ("a", "an"):
            continue
        plural = f"{count} {grain}s"
        if which in ("next", "coming", "upcoming"):
            yield from _when_possible(
                found, partial(clock.coming, grain, count), grain, f"the {plural} that begin today"
            )
        elif which in ("previous", "prior"):
            yield from _when_possible(
                found, partial(clock.units, grain, -count, count), grain, f"the {plural} before the current {grain}"
            )
        else:
            yield from _when_possible(
                found, partial(clock.rolling, grain, count), grain, f"the {plural} that end with today"
            )
    for found in WITHIN.finditer(folded):
        count, grain = _count(found["count"]), Grain(found["unit"])
        if count:
            note = f"the {count} {grain}s that end with today"
            yield from _when_possible(
                found,
                partial(clock.rolling, grain, count),
                grain,
                note,
                certain="past" in found.group() or "last" in found.group(),
            )
    for found in AGO.finditer(folded):
        yield from _ago(found, clock)
    for found in TO_DATE.finditer(folded):
        short = {"y": "year", "q": "quarter", "m": "month", "w": "week"}
        grain = Grain(found["unit"] or found["sofar"] or short[found["short"]])
        yield Atom(found.start(), found.end(), clock.to_date(grain), grain, f"{grain} to date")


def _ago(found: re.Match[str], clock: Clock) -> Iterator[Atom]:
    count, grain, relation = _count(found["count"]), Grain(found["unit"]), re.sub(r"\s+", " ", found["relation"] or "")
    note = f"{count} {grain}{'s' if count > 1 else ''} ago"
    if not count:
        return
    if not relation:
        yield from _when_possible(found, partial(clock.units, grain, -count), grain, note)
        return
    try:
        edge = clock.units(grain, -count).start if grain is Grain.HOUR else clock.add(grain, clock.today, -count)
    except OutOfCalendar:
        return
    if relation in ("less than", "under", "since"):
        span = TimeRange(edge, None)
    elif relation == "until" and edge is not None and grain is not Grain.HOUR:
        span = TimeRange(None, add_days(edge, 1))
    else:
        span = TimeRange(None, edge)
    yield Atom(found.start(), found.end(), span, grain, f"{relation} {note}", fixed=True)


def _when_possible(
    found: re.Match[str], make: Callable[[], TimeRange], grain: Grain, note: str, certain: bool = True
) -> Iterator[Atom]:
    """The atom, or nothing where the arithmetic leaves the calendar ("last 9999 years")."""
    try:
        yield Atom(found.start(), found.end(), make(), grain, note, certain)
    except OutOfCalendar:
        return


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    return 1 if word in ("a", "an") else COUNTS[word]


def _days_and_weekdays(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in NAMED_DAY.finditer(folded):
        if found["far"]:
            shift = -2 if found["far"].startswith("before") else 2
        else:
            shift = {"yesterday": -1, "tomorrow": 1}.get(found["near"] or "", 0)
        yield Atom(found.start(), found.end(), clock.units(Grain.DAY, shift), Grain.DAY, found.group())
    for found in WEEKDAY.finditer(folded):
        which, name = found["which"], found["weekday"]
        if found["plural"] or which in ("every", "each", None) or name == "weekday":
            continue
        first = 5 if name == "weekend" else WEEKDAYS[name]
        length = 2 if name == "weekend" else 1
        back = (clock.today.weekday() - first) % 7
        if which == "last":
            start = add_days(clock.today, -(back or 7))
        elif which == "next":
            start = add_days(clock.today, 7 - back)
        elif which == "this":
            monday = add_days(clock.today, -clock.today.weekday())
            start = add_days(monday, first)
        else:
            start = add_days(clock.today, -back)
        span = TimeRange(start, add_days(start, length))
        told = which in ("last", "this", "next")
        at = found.start() if told else found.start("weekday")
        members = (5, 6) if name == "weekend" else (first,)
        recurring = None if told else Recurring(Cycle.WEEKDAY, members)
        note = found.group() if told else "the latest that has begun"
        yield Atom(at, found.end(), span, Grain.DAY, note, certain=told, recurring=recurring)


def english_buckets(text: str, folded: str) -> Iterator[TimeMention]:
    """ "monthly", "by week", "per year", "by day of the week", "on Mondays": how to cut or filter time without a
    range.
    """
    for found in CYCLES.finditer(folded):
        kind = found.lastgroup
        cycle = {
            "weekday": Cycle.WEEKDAY,
            "hour": Cycle.HOUR_OF_DAY,
            "month": Cycle.MONTH_OF_YEAR,
            "dom": Cycle.DAY_OF_MONTH,
        }.get(kind or "", Cycle.QUARTER_OF_YEAR)
        if kind == "weekday" and found.group() in ("weekday", "weekdays"):
            continue
        yield _bucket(text, found.start(), found.end(), None, Recurring(cycle))
    for found in WEEKDAY.finditer(folded):
        name, which = found["weekday"], found["which"]
        if not (found["plural"] or which in ("every", "each")) or (
            name == "weekday" and which in ("every", "each") and not found["plural"]
        ):
            continue
        members = {"weekend": (5, 6), "weekday": (0, 1, 2, 3, 4)}.get(name) or (WEEKDAYS[name],)
        yield _bucket(text, found.start("weekday"), found.end(), None, Recurring(Cycle.WEEKDAY, members))
    for found in BUCKET_ADJECTIVE.finditer(folded):
        named = found[1] == "annual" and text[found.start()].isupper() and found.start() > 0
        yield _bucket(text, found.start(), found.end(), BUCKET_WORDS[found[1]], None, certain=not named)
    for found in BUCKET.finditer(folded):
        grains = [Grain(found["unit"])] + ([Grain(found["unit2"])] if found["unit2"] else [])
        yield _bucket(text, found.start(), found.end(), min(grains, key=list(Grain).index), None)
    for found in BUCKET_LATER.finditer(folded):
        yield _bucket(text, found.start("span"), found.end("unit"), Grain(found["unit"]), None, certain=False)
    for found in BUCKET_REPEATED.finditer(folded):
        yield _bucket(text, found.start(), found.end(), Grain(found["unit"]), None)
    for found in BUCKET_ASKED.finditer(folded):
        yield _bucket(text, found.start(), found.end(), Grain(found["unit"]), None, certain=False)


def _bucket(
    text: str, start: int, end: int, grain: Grain | None, recurring: Recurring | None, certain: bool = True
) -> TimeMention:
    if recurring is not None and recurring.members:
        reason = f"only {', '.join(WEEKDAY_NAMES.split()[m].capitalize() for m in recurring.members)}"
    else:
        reason = f"by {(recurring.cycle.replace('_', ' ') if recurring else grain)}"
    return TimeMention(start, end, text[start:end], None, grain, reason, recurring, certain)
