"""The regular expressions of English time expressions, over the folded text."""

from __future__ import annotations

import re

from agents.language.times.combine import Operators
from agents.language.times.model import Grain

MONTH_NAMES = (
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep "
    "sept oct nov dec"
)
MONTH_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 6, 7, 8, 9, 9, 10, 11, 12)
MONTHS = dict(zip(MONTH_NAMES.split(), MONTH_NUMBERS, strict=True))
NEEDS_CONTEXT = frozenset(
    ["may", "march", "mar", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"]
)
WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = {name: n for n, name in enumerate(WEEKDAY_NAMES.split())}
NUMBER_NAMES = "one two three four five six seven eight nine ten eleven twelve"
COUNTS = {name: n for n, name in enumerate(NUMBER_NAMES.split(), start=1)} | {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
PARTS = {
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

M = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
Y = r"(?P<year>1[5-9]\d\d|20\d\d)(?![\d%]|[.,]\d)\b"
D = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d%:/]|[.,]\d)\b"
N = r"(?P<count>\d{1,4}|" + "|".join(COUNTS) + r"|a|an)"
U = r"(?P<unit>hour|day|week|month|quarter|year)"
B = r"(?<![\w.-])"

DAY_FIRST = re.compile(rf"{B}{D}\s+(?:of\s+)?{M}(?:,?\s+(?:of\s+)?{Y})?")
MONTH_FIRST = re.compile(rf"{B}{M}\s+(?:the\s+)?{D}(?!\s*-?\s*(?:days?|months?|years?|weeks?)\b)(?:,?\s+{Y})?")
MONTH_DAYS = re.compile(rf"{B}{M}\s+{D}\s*[-–]\s*(?P<last>[12]\d|3[01]|[1-9])(?:st|nd|rd|th)?,?\s+{Y}")
MONTH_YEAR = re.compile(rf"{B}{M},?\s+(?:of\s+|in\s+)?(?P<year>1[5-9]\d\d|20\d\d|'\d\d)\b(?![.,]\d)")
MONTH = re.compile(rf"{B}(?:(?P<which>last|this|next)\s+)?{M}(?![\w-])")
PART_OF_YEAR = re.compile(
    rf"{B}(?:the\s+)?(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?P<part>quarter|half)"
    rf"(?:\s+(?:of|in)\s+(?:the\s+(?:year\s+)?)?(?:{Y}|(?P<rel>this|last|next)\s+year))?\b"
)
UNIT_OF_YEAR = re.compile(rf"{B}(?:the\s+)?(?P<nth>first|last)\s+(?P<part>month|week|day)\s+of\s+(?:the\s+year\s+)?{Y}")
DECADE = re.compile(rf"{B}(?:the\s+)?(?:(?P<full>1[5-9]\d0|20\d0)'?s|'?(?P<short>[2-9]0)'?s)\b")
CENTURY = re.compile(rf"{B}(?:the\s+)?(?P<nth>1[5-9]|2[01])(?:st|th)\s+century\b")
NAMED_DAY = re.compile(
    rf"{B}(?:the\s+day\s+(?P<far>before\s+yesterday|after\s+tomorrow)|(?P<near>today|yesterday|tomorrow)|tonight)\b"
)
RELATIVE = re.compile(
    rf"{B}(?:the\s+)?(?P<which>this|current|last|previous|prior|past|next|coming|upcoming)\s+"
    rf"{U}\b(?!\s+of\b)(?!-)(?P<todate>\s+to\s+date|\s+so\s+far)?"
)
RELATIVE_N = re.compile(
    rf"{B}(?:the\s+)?(?P<which>last|previous|prior|past|next|coming|upcoming|trailing|recent|most\s+recent)\s+{N}[\s-]+"
    rf"(?:full\s+|calendar\s+|whole\s+)?{U}s?\b"
)
WITHIN = re.compile(rf"{B}within\s+(?:the\s+(?:last|past)\s+)?{N}\s+{U}s?\b(?!\s+(?:of|after|from)\b)")
AGO = re.compile(
    rf"{B}(?:(?P<relation>more\s+than|over|at\s+least|earlier\s+than|before|less\s+than|under|since|until)\s+)?{N}\s+{U}s?\s+ago\b"
)
TO_DATE = re.compile(
    rf"{B}(?:(?P<unit>year|quarter|month|week)[\s-]to[\s-]date|(?P<short>[yqmw])td|so\s+far\s+this\s+(?P<sofar>year|quarter|month|week))\b"
)
WEEKDAY = re.compile(
    rf"{B}(?:(?P<which>last|this|next|on|every|each|since|until|before|after)\s+)?(?P<weekday>{'|'.join(WEEKDAYS)}|weekend|weekday)(?P<plural>s)?\b"
)

IN = (
    "in|during|since|until|till|by|before|after|for|of|last|this|next|every|each|between|from|through|within|early"
    "|late|mid|around"
)
MONTH_CONTEXT = re.compile(
    rf"(?:\b(?:{IN})|\b(?:{'|'.join(MONTHS)})(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?,?\s+(?:and|or|to|vs\.?|versus)|"
    rf"\b(?:{'|'.join(MONTHS)})\s*[,-])\s*$"
)
MONTH_FOLLOWED = re.compile(rf"[a-z]+\s*(?:,|-|\band|\bor|\bto|\bvs\.?|\bversus)\s*(?:{'|'.join(MONTHS)})\b")
YEAR_CERTAIN = re.compile(
    r"(?:\b(?:in|during|since|until|till|for|of|from|before|after|through|throughout|year|years|fiscal|calendar|early|late|mid|end|by|to|"
    r"around|than|vs|versus|compared to)|(?:in|of|for|from|between|during) (?:the )?(?:years? )?\d{4},? (?:and|or|to"
    r"|,)|\d{4},)\s+(?:the\s+|year\s+)?$"
)
YEAR_REFUSED = re.compile(
    r"(?:\b(?:more|less|greater|fewer|higher|lower|larger|smaller|bigger|longer|shorter|heavier|cheaper|other|rather)\s+(?:in\s+\w+\s+)?than"
    r"|\b(?:over|above|below|under|exceeds?|exceeding|at least|at most|exactly|approximately|about|top|first|limit"
    r"|up to|minimum|maximum"
    r"|equals?|equal to|id|ids|number|no|code|order|invoice|room|flight|customer|product|ticket|item|account|phone"
    r"|employee|boeing|zip|model"
    r"|version|street|box|building|#|than or equal to|times|plus|minus)"
    r"|[<>=≥≤#*+/]|\$|€|£|¥)\s*$"
)
YEAR_QUANTITY = re.compile(
    r"\s*-?(?:dollars?|usd|euros?|eur|gbp|yuan|rmb|pounds?|lbs?|kgs?|[kmgt]b|m?hz|hp|mpg|cc|kilograms?|grams?|kms?|kilomet\w+|miles?|met(?:er|re)s?|feet|ft|cm|mm|inch\w*"
    r"|percent|people|persons?|students?|users?|rows?|points?|votes?|units?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|times|copies"
    r"|items?|members?|employees?|passengers?|residents?|seats?|calories|words?|pages?|million|thousand|hundred"
    r"|billion|k\b|or more\b|or less\b"
    r"|or fewer\b|or higher\b|or lower\b)\b"
)

BUCKET_WORDS = {
    "hourly": Grain.HOUR, "daily": Grain.DAY, "weekly": Grain.WEEK, "monthly": Grain.MONTH, "quarterly": Grain.QUARTER,
    "yearly": Grain.YEAR, "annual": Grain.YEAR, "annually": Grain.YEAR,
}  # fmt: skip
BUCKET_ADJECTIVE = re.compile(rf"{B}({'|'.join(BUCKET_WORDS)})(?![\w-])")
NOT_UNIT_OF = r"(?!\s+(?:of\s+(?:the\s+)?(?:week|month|year|day|birth)|to\s+date|old|over|ago))"
BUCKET = re.compile(
    rf"{B}(?:by|per|in\s+each|for\s+each|for\s+every|each|every|across|group(?:ed)?\s+by)\s+(?:the\s+|calendar\s+)?{U}s?\b{NOT_UNIT_OF}"
    rf"(?:\s*(?:,|and)\s+(?:by\s+)?(?P<unit2>hour|day|week|month|quarter|year)s?\b{NOT_UNIT_OF})?"
)
BUCKET_LATER = re.compile(
    rf"{B}(?:by|per|each)\s[^.;?!]{{0,60}}?(?:,\s*|\band\s+)(?P<span>(?:by\s+)?{U})s?\b(?!\s+(?:of|to|old|over|ago|\d))"
)
BUCKET_REPEATED = re.compile(rf"{B}{U}\s+by\s+(?P=unit)\b")
BUCKET_ASKED = re.compile(rf"{B}(?:which|what)\s+(?:calendar\s+)?{U}s?\b{NOT_UNIT_OF}")
CYCLES = re.compile(
    rf"{B}(?:(?:by|per|each|every|for each|which|what)\s+(?:the\s+)?)?(?:(?P<weekday>week\s?day"
    rf"|day\s+of\s+(?:the\s+)?week)|(?P<hour>hour\s+of\s+(?:the\s+)?day|"
    rf"time\s+of\s+day)|(?P<month>(?:calendar\s+month|month\s+of\s+(?:the\s+)?year))|(?P<dom>day\s+of\s+(?:the\s+)?month)|"
    rf"(?P<quarter>quarter\s+of\s+(?:the\s+)?year))s?\b(?!\s+\d)"
)

LEAD = r"(?:the\s+)?(?:(?:years?|months?|date|day)\s+(?:of\s+)?)?$"


def _prefix(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\s+{LEAD}")


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
        (re.compile(
            r"\s+(?:onwards?|or\s+later|or\s+after|or\s+newer|and\s+(?:after|later|onwards?"
            r"|beyond))\b(?!\s+(?:the\s+)?\d)"), "since"),
        (re.compile(r"\s+(?:or\s+(?:earlier|before|older)|and\s+(?:earlier|before))\b(?!\s+(?:the\s+)?\d)"), "until"),
    ),
    between_prefix=re.compile(r"\bbetween\s+(?:the\s+)?(?:years?\s+)?(?:of\s+)?$"),
    between_gap=re.compile(r"\s+and\s+(?:the\s+)?(?:year\s+)?"),
    between_suffix=None,
    from_prefix=re.compile(r"\bfrom\s+(?:the\s+)?(?:years?\s+)?(?:of\s+)?$"),
    range_gap=re.compile(r"\s*[-–—~]\s*|,?\s+(?:to|until|till|through|thru|up\s+to)\s+(?:the\s+)?(?:end\s+of\s+)?(?:year\s+)?"),
    list_gap=re.compile(r"\s*(?:,|&|,?\s+and|,?\s+or|\s+vs\.?|\s+versus|\s+compared\s+(?:to|with))\s+"),
)  # fmt: skip
