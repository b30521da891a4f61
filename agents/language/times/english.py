"""English time expressions.

Rules where English leaves a choice:

- "last 7 days", "past 3 months": the units that end with today, today included; "last month", "previous 2 quarters": whole
  calendar units before the current one; "past week", "past year" without a number roll like "past 1 week".
- "2 months ago" is that whole calendar month, "10 days ago" that day; "more than 30 days ago" is everything before that day.
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
from agents.language.times.combine import Atom, Operators
from agents.language.times.model import Cycle, Grain, Recurring, TimeMention, TimeRange
from agents.language.times.numeric import (
    bare_years,
    fiscal_atom,
    month_without_year,
    numeric_atoms,
    part_without_year,
    plausible,
    year_part,
)

_MONTH_NAMES = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep "
    "sept oct nov dec"
)
_MONTH_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 6, 7, 8, 9, 9, 10, 11, 12)
_MONTHS = dict(zip(_MONTH_NAMES.split(), _MONTH_NUMBERS, strict=True))
_NEEDS_CONTEXT = frozenset(
    ["may", "march", "mar", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"]
)
_WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_WEEKDAYS = {name: n for n, name in enumerate(_WEEKDAY_NAMES.split())}
_NUMBER_NAMES = "one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {name: n for n, name in enumerate(_NUMBER_NAMES.split(), start=1)} | {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
_PARTS = {
    "first": "1",
    "1st": "1",
    "second": "2",
    "2nd": "2",
    "third": "3",
    "3rd": "3",
    "fourth": "4",
    "4th": "4",
    "last": "4",
}

_M = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_Y = r"(?P<year>1[5-9]\d\d|20\d\d)(?![\d%]|[.,]\d)\b"
_D = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d%:/]|[.,]\d)\b"
_N = r"(?P<count>\d{1,4}|" + "|".join(_COUNTS) + r"|a|an)"
_U = r"(?P<unit>hour|day|week|month|quarter|year)"
_B = r"(?<![\w.-])"

_DAY_FIRST = re.compile(rf"{_B}{_D}\s+(?:of\s+)?{_M}(?:,?\s+(?:of\s+)?{_Y})?")
_MONTH_FIRST = re.compile(rf"{_B}{_M}\s+(?:the\s+)?{_D}(?!\s*-?\s*(?:days?|months?|years?|weeks?)\b)(?:,?\s+{_Y})?")
_MONTH_DAYS = re.compile(rf"{_B}{_M}\s+{_D}\s*[-–]\s*(?P<last>[12]\d|3[01]|[1-9])(?:st|nd|rd|th)?,?\s+{_Y}")
_MONTH_YEAR = re.compile(rf"{_B}{_M},?\s+(?:of\s+|in\s+)?(?P<year>1[5-9]\d\d|20\d\d|'\d\d)\b(?![.,]\d)")
_MONTH = re.compile(rf"{_B}(?:(?P<which>last|this|next)\s+)?{_M}(?![\w-])")
_PART_OF_YEAR = re.compile(
    rf"{_B}(?:the\s+)?(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?P<part>quarter|half)"
    rf"(?:\s+(?:of|in)\s+(?:the\s+(?:year\s+)?)?(?:{_Y}|(?P<rel>this|last|next)\s+year))?\b"
)
_UNIT_OF_YEAR = re.compile(
    rf"{_B}(?:the\s+)?(?P<nth>first|last)\s+(?P<part>month|week|day)\s+of\s+(?:the\s+year\s+)?{_Y}"
)
_DECADE = re.compile(rf"{_B}(?:the\s+)?(?:(?P<full>1[5-9]\d0|20\d0)'?s|'?(?P<short>[2-9]0)'?s)\b")
_CENTURY = re.compile(rf"{_B}(?:the\s+)?(?P<nth>1[5-9]|2[01])(?:st|th)\s+century\b")
_NAMED_DAY = re.compile(
    rf"{_B}(?:the\s+day\s+(?P<far>before\s+yesterday|after\s+tomorrow)|(?P<near>today|yesterday|tomorrow)|tonight)\b"
)
_RELATIVE = re.compile(
    rf"{_B}(?:the\s+)?(?P<which>this|current|last|previous|prior|past|next|coming|upcoming)\s+(?P<fiscal>fiscal\s+|financial\s+)?"
    rf"{_U}\b(?!\s+of\b)(?!-)(?P<todate>\s+to\s+date|\s+so\s+far)?"
)
_RELATIVE_N = re.compile(
    rf"{_B}(?:the\s+)?(?P<which>last|previous|prior|past|next|coming|upcoming|trailing|recent|most\s+recent)\s+{_N}[\s-]+"
    rf"(?:full\s+|calendar\s+|whole\s+)?{_U}s?\b"
)
_WITHIN = re.compile(rf"{_B}within\s+(?:the\s+(?:last|past)\s+)?{_N}\s+{_U}s?\b(?!\s+(?:of|after|from)\b)")
_AGO = re.compile(
    rf"{_B}(?:(?P<relation>more\s+than|over|at\s+least|earlier\s+than|before|less\s+than|under|since|until)\s+)?{_N}\s+{_U}s?\s+ago\b"
)
_TO_DATE = re.compile(
    rf"{_B}(?:(?P<unit>year|quarter|month|week)[\s-]to[\s-]date|(?P<short>[yqmw])td|so\s+far\s+this\s+(?P<sofar>year|quarter|month|week))\b"
)
_FISCAL_YEAR = re.compile(rf"{_B}(?:fiscal|financial)\s+(?:year\s+)?{_Y}")
_WEEKDAY = re.compile(
    rf"{_B}(?:(?P<which>last|this|next|on|every|each|since|until|before|after)\s+)?(?P<weekday>{'|'.join(_WEEKDAYS)}|weekend|weekday)(?P<plural>s)?\b"
)

_IN = "in|during|since|until|till|by|before|after|for|of|last|this|next|every|each|between|from|through|within|early|late|mid|around"
_MONTH_CONTEXT = re.compile(
    rf"(?:\b(?:{_IN})|\b(?:{'|'.join(_MONTHS)})(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?,?\s+(?:and|or|to|vs\.?|versus)|"
    rf"\b(?:{'|'.join(_MONTHS)})\s*[,-])\s*$"
)
_MONTH_FOLLOWED = re.compile(rf"[a-z]+\s*(?:,|-|\band|\bor|\bto|\bvs\.?|\bversus)\s*(?:{'|'.join(_MONTHS)})\b")
_YEAR_CERTAIN = re.compile(
    r"(?:\b(?:in|during|since|until|till|for|of|from|before|after|through|throughout|year|years|fiscal|calendar|early|late|mid|end|by|to|"
    r"around|than|vs|versus|compared to)|(?:in|of|for|from|between|during) (?:the )?(?:years? )?\d{4},? (?:and|or|to|,)|\d{4},)\s+(?:the\s+|year\s+)?$"
)
_YEAR_REFUSED = re.compile(
    r"(?:\b(?:more|less|greater|fewer|higher|lower|larger|smaller|bigger|longer|shorter|heavier|cheaper|other|rather)\s+(?:in\s+\w+\s+)?than"
    r"|\b(?:over|above|below|under|exceeds?|exceeding|at least|at most|exactly|approximately|about|top|first|limit|up to|minimum|maximum"
    r"|equals?|equal to|id|ids|number|no|code|order|invoice|room|flight|customer|product|ticket|item|account|phone|employee|boeing|zip|model"
    r"|version|street|box|building|#|than or equal to|times|plus|minus)"
    r"|[<>=≥≤#*+/]|\$|€|£|¥)\s*$"
)
_YEAR_QUANTITY = re.compile(
    r"\s*-?(?:dollars?|usd|euros?|eur|gbp|yuan|rmb|pounds?|lbs?|kgs?|[kmgt]b|m?hz|hp|mpg|cc|kilograms?|grams?|kms?|kilomet\w+|miles?|met(?:er|re)s?|feet|ft|cm|mm|inch\w*"
    r"|percent|people|persons?|students?|users?|rows?|points?|votes?|units?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|times|copies"
    r"|items?|members?|employees?|passengers?|residents?|seats?|calories|words?|pages?|million|thousand|hundred|billion|k\b|or more\b|or less\b"
    r"|or fewer\b|or higher\b|or lower\b)\b"
)

_BUCKET_WORDS = {
    "hourly": Grain.HOUR, "daily": Grain.DAY, "weekly": Grain.WEEK, "monthly": Grain.MONTH, "quarterly": Grain.QUARTER,
    "yearly": Grain.YEAR, "annual": Grain.YEAR, "annually": Grain.YEAR,
}  # fmt: skip
_BUCKET_ADJECTIVE = re.compile(rf"{_B}({'|'.join(_BUCKET_WORDS)})(?![\w-])")
_NOT_UNIT_OF = r"(?!\s+(?:of\s+(?:the\s+)?(?:week|month|year|day|birth)|to\s+date|old|over|ago))"
_BUCKET = re.compile(
    rf"{_B}(?:by|per|in\s+each|for\s+each|for\s+every|each|every|across|group(?:ed)?\s+by)\s+(?:the\s+|calendar\s+)?{_U}s?\b{_NOT_UNIT_OF}"
    rf"(?:\s*(?:,|and)\s+(?:by\s+)?(?P<unit2>hour|day|week|month|quarter|year)s?\b{_NOT_UNIT_OF})?"
)
_BUCKET_LATER = re.compile(
    rf"{_B}(?:by|per|each)\s[^.;?!]{{0,60}}?(?:,\s*|\band\s+)(?P<span>(?:by\s+)?{_U})s?\b(?!\s+(?:of|to|old|over|ago|\d))"
)
_BUCKET_REPEATED = re.compile(rf"{_B}{_U}\s+by\s+(?P=unit)\b")
_BUCKET_ASKED = re.compile(rf"{_B}(?:which|what)\s+(?:calendar\s+)?{_U}s?\b{_NOT_UNIT_OF}")
_CYCLES = re.compile(
    rf"{_B}(?:(?:by|per|each|every|for each|which|what)\s+(?:the\s+)?)?(?:(?P<weekday>week\s?day|day\s+of\s+(?:the\s+)?week)|(?P<hour>hour\s+of\s+(?:the\s+)?day|"
    rf"time\s+of\s+day)|(?P<month>(?:calendar\s+month|month\s+of\s+(?:the\s+)?year))|(?P<dom>day\s+of\s+(?:the\s+)?month)|"
    rf"(?P<quarter>quarter\s+of\s+(?:the\s+)?year))s?\b(?!\s+\d)"
)

_LEAD = r"(?:the\s+)?(?:(?:years?|months?|date|day)\s+(?:of\s+)?)?$"


def _prefix(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\s+{_LEAD}")


OPERATORS = Operators(
    prefixes=(
        (_prefix(r"(?:since|after)\s+(?:the\s+)?end\s+of"), "after"),
        (_prefix(r"(?:by|before|until|till|through|to)\s+(?:the\s+)?end\s+of"), "until"),
        (
            _prefix(r"no\s+earlier\s+than|not\s+before|not\s+earlier\s+than|on\s+or\s+after|since|starting(?:\s+(?:from|in|on|at))?"
                    r"|beginning(?:\s+(?:in|on|from))?|from\s+the\s+(?:start|beginning)\s+of|since\s+the\s+(?:start|beginning)\s+of"),
            "since",
        ),
        (
            _prefix(r"no\s+later\s+than|not\s+later\s+than|not\s+after|on\s+or\s+before|until|till|up\s+to(?:\s+and\s+including)?|through"
                    r"|as\s+of"),
            "until",
        ),
        (_prefix(r"before|prior\s+to|earlier\s+than|(?:by|before)\s+the\s+(?:start|beginning)\s+of"), "before"),
        (_prefix(r"after|later\s+than"), "after"),
    ),
    suffixes=(
        (re.compile(r"\s+(?:onwards?|or\s+later|or\s+after|or\s+newer|and\s+(?:after|later|onwards?|beyond))\b(?!\s+(?:the\s+)?\d)"), "since"),
        (re.compile(r"\s+(?:or\s+(?:earlier|before|older)|and\s+(?:earlier|before))\b(?!\s+(?:the\s+)?\d)"), "until"),
    ),
    between_prefix=re.compile(r"\bbetween\s+(?:the\s+)?(?:years?\s+)?(?:of\s+)?$"),
    between_gap=re.compile(r"\s+and\s+(?:the\s+)?(?:year\s+)?"),
    between_suffix=None,
    from_prefix=re.compile(r"\bfrom\s+(?:the\s+)?(?:years?\s+)?(?:of\s+)?$"),
    range_gap=re.compile(r"\s*[-–—~]\s*|,?\s+(?:to|until|till|through|thru|up\s+to)\s+(?:the\s+)?(?:end\s+of\s+)?(?:year\s+)?"),
    list_gap=re.compile(r"\s*(?:,|&|,?\s+and|,?\s+or|\s+vs\.?|\s+versus|\s+compared\s+(?:to|with))\s+"),
)  # fmt: skip


def english_atoms(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    yield from numeric_atoms(folded, clock)
    yield from bare_years(folded, _YEAR_CERTAIN, _YEAR_REFUSED, _YEAR_QUANTITY)
    for reader in (_named_months, _parts_of_years, _relative_units, _days_and_weekdays):
        yield from reader(text, folded, clock)


def _named_months(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _MONTH_DAYS.finditer(folded):
        year, month = int(found["year"]), _MONTHS[found["month"]]
        try:
            span = TimeRange(date(year, month, int(found["day"])), add_days(date(year, month, int(found["last"])), 1))
        except ValueError:
            continue
        yield Atom(found.start(), found.end(), span, Grain.DAY, "")
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for found in pattern.finditer(folded):
            month, day = _MONTHS[found["month"]], int(found["day"])
            try:
                if found["year"]:
                    span = day_range(int(found["year"]), month, day)
                    yield Atom(found.start(), found.end(), span, Grain.DAY, "")
                elif (
                    found["month"] not in _NEEDS_CONTEXT
                    or text[found.start("month")].isupper()
                    or _may_be_month(text, folded, found.start("month"))
                ):
                    yield from month_without_year(found.start(), found.end(), month, day, clock)
            except OutOfCalendar:
                continue
    for found in _MONTH_YEAR.finditer(folded):
        if re.search(r"\d(?:st|nd|rd|th)?\s+(?:of\s+)?$", folded[max(0, found.start() - 8) : found.start()]):
            continue  # either a whole date, read above, or a day that does not exist
        year = int(found["year"]) if found["year"][0] != "'" else 2000 + int(found["year"][1:])
        yield Atom(found.start(), found.end(), month_range(year, _MONTHS[found["month"]]), Grain.MONTH, "")
    for found in _MONTH.finditer(folded):
        if re.match(r"\s+\d{4}\b", folded[found.end() :]):
            continue  # with its year, read above
        month = _MONTHS[found["month"]]
        which = found["which"]
        if which:
            year = clock.today.year
            if which == "last" and month >= clock.today.month:
                year -= 1
            elif which == "next" and month <= clock.today.month:
                year += 1
            yield Atom(found.start(), found.end(), month_range(year, month), Grain.MONTH, f"{which} {found['month']}")
        elif found["month"] not in _NEEDS_CONTEXT or _may_be_month(text, folded, found.start("month")):
            yield from month_without_year(found.start("month"), found.end("month"), month, None, clock)


def _may_be_month(text: str, folded: str, at: int) -> bool:
    """ "may" and "march" are verbs and "mar" or "dec" may be anything unless a preposition or a neighbour says month."""
    if _MONTH_FOLLOWED.match(folded, at) and text[at].isupper():
        return True
    if _MONTH_CONTEXT.search(folded[max(0, at - 32) : at]) is None:
        return False
    following = folded[at : at + 24]
    if re.match(r"(?:may|march)\s+(?:be|have|not|also|contain|include|need)\b", following):
        return False
    return text[at].isupper() or not re.search(r"\b(?:this|that|it|each|every)\s*$", folded[max(0, at - 8) : at])


def _parts_of_years(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    this_year = clock.today.year
    for found in _PART_OF_YEAR.finditer(folded):
        quarter = found["part"] == "quarter"
        number = _PARTS[found["nth"]] if quarter else {"1": "1", "2": "2", "4": "2"}.get(_PARTS[found["nth"]], "")
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
    for found in _UNIT_OF_YEAR.finditer(folded):
        year, first = int(found["year"]), found["nth"] == "first"
        if found["part"] == "month":
            yield Atom(found.start(), found.end(), month_range(year, 1 if first else 12), Grain.MONTH, "")
        elif found["part"] == "day":
            yield Atom(found.start(), found.end(), day_range(year, *((1, 1) if first else (12, 31))), Grain.DAY, "")
    for found in _DECADE.finditer(folded):
        start = int(found["full"]) if found["full"] else 1900 + int(found["short"])
        if not found["full"] and not found.group().startswith(("the", "'")):
            continue
        note = "" if found["full"] else f"read as the {start}s"
        yield Atom(found.start(), found.end(), year_range(start, 10), Grain.YEAR, note, certain=bool(found["full"]))
    for found in _CENTURY.finditer(folded):
        yield Atom(found.start(), found.end(), year_range(100 * (int(found["nth"]) - 1) + 1, 100), Grain.YEAR, "")
    for found in _FISCAL_YEAR.finditer(folded):
        if plausible(int(found["year"])):
            yield from fiscal_atom(found.start(), found.end(), int(found["year"]), None, clock)


def _relative_units(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _RELATIVE.finditer(folded):
        which, grain = found["which"], Grain(found["unit"])
        start, end = found.span()
        if found["todate"] and which in ("this", "current"):
            yield Atom(start, end, clock.to_date(grain), grain, f"{grain} to date")
            continue
        end = found.end("unit")
        if found["fiscal"]:
            shift = 0 if which in ("this", "current") else (1 if which in ("next", "coming", "upcoming") else -1)
            if grain is Grain.YEAR:
                yield from fiscal_atom(start, end, clock.current_fiscal_year() + shift, None, clock)
            elif grain is Grain.QUARTER:
                yield Atom(start, end, clock.fiscal_quarter_from_now(shift), grain, f"{which} fiscal quarter")
            continue
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
    for found in _RELATIVE_N.finditer(folded):
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
    for found in _WITHIN.finditer(folded):
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
    for found in _AGO.finditer(folded):
        yield from _ago(found, clock)
    for found in _TO_DATE.finditer(folded):
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
    return 1 if word in ("a", "an") else _COUNTS[word]


def _days_and_weekdays(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _NAMED_DAY.finditer(folded):
        if found["far"]:
            shift = -2 if found["far"].startswith("before") else 2
        else:
            shift = {"yesterday": -1, "tomorrow": 1}.get(found["near"] or "", 0)
        yield Atom(found.start(), found.end(), clock.units(Grain.DAY, shift), Grain.DAY, found.group())
    for found in _WEEKDAY.finditer(folded):
        which, name = found["which"], found["weekday"]
        if found["plural"] or which in ("every", "each", None) or name == "weekday":
            continue
        first = 5 if name == "weekend" else _WEEKDAYS[name]
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
    """ "monthly", "by week", "per year", "by day of the week", "on Mondays": how to cut or filter time without a range."""
    for found in _CYCLES.finditer(folded):
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
    for found in _WEEKDAY.finditer(folded):
        name, which = found["weekday"], found["which"]
        if not (found["plural"] or which in ("every", "each")) or (
            name == "weekday" and which in ("every", "each") and not found["plural"]
        ):
            continue
        members = {"weekend": (5, 6), "weekday": (0, 1, 2, 3, 4)}.get(name) or (_WEEKDAYS[name],)
        yield _bucket(text, found.start("weekday"), found.end(), None, Recurring(Cycle.WEEKDAY, members))
    for found in _BUCKET_ADJECTIVE.finditer(folded):
        named = found[1] == "annual" and text[found.start()].isupper() and found.start() > 0
        yield _bucket(text, found.start(), found.end(), _BUCKET_WORDS[found[1]], None, certain=not named)
    for found in _BUCKET.finditer(folded):
        grains = [Grain(found["unit"])] + ([Grain(found["unit2"])] if found["unit2"] else [])
        yield _bucket(text, found.start(), found.end(), min(grains, key=list(Grain).index), None)
    for found in _BUCKET_LATER.finditer(folded):
        yield _bucket(text, found.start("span"), found.end("unit"), Grain(found["unit"]), None, certain=False)
    for found in _BUCKET_REPEATED.finditer(folded):
        yield _bucket(text, found.start(), found.end(), Grain(found["unit"]), None)
    for found in _BUCKET_ASKED.finditer(folded):
        yield _bucket(text, found.start(), found.end(), Grain(found["unit"]), None, certain=False)


def _bucket(
    text: str, start: int, end: int, grain: Grain | None, recurring: Recurring | None, certain: bool = True
) -> TimeMention:
    if recurring is not None and recurring.members:
        reason = f"only {', '.join(_WEEKDAY_NAMES.split()[m].capitalize() for m in recurring.members)}"
    else:
        reason = f"by {(recurring.cycle.replace('_', ' ') if recurring else grain)}"
    return TimeMention(start, end, text[start:end], None, grain, reason, recurring, certain)
