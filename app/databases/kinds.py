"""What kind of values a column holds, from its declared type and a sample of its stored values.

SQLite stores any value in any column, so the declaration is a hint and the values decide: a ``TEXT`` column that holds
only ISO dates is a ``DATE``, an ``INTEGER`` column full of words is ``TEXT``, a ``BOOLEAN`` of ``'T'`` and ``'F'`` is
``TEXT`` because ``= 1`` would never match it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TypeAlias

from agents.catalog import Kind

Stored: TypeAlias = str | int | float | bytes

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")

# Below this share of numbers a numeric declaration is not believed.
_NUMERIC_SHARE = 0.8


def declared_kind(declared: str) -> Kind | None:
    """The kind that a declaration promises (SQLite's affinity rules, finer where names are telling)."""
    name = declared.upper().split("(", 1)[0].strip()
    if not name:
        return None
    if "BOOL" in name:
        return Kind.BOOLEAN
    if "DATETIME" in name or "TIMESTAMP" in name:
        return Kind.DATETIME
    if name == "DATE":
        return Kind.DATE
    if name == "TIME":
        return Kind.TIME
    if "JSON" in name:
        return Kind.JSON
    if "INT" in name or name == "YEAR":
        return Kind.INTEGER
    if any(part in name for part in ("CHAR", "CLOB", "TEXT", "STRING", "ENUM", "UUID")):
        return Kind.TEXT
    if "BLOB" in name or "BINARY" in name:
        return Kind.BLOB
    if any(part in name for part in ("REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY")):
        return Kind.DECIMAL
    return None


def is_iso_date(text: str) -> bool:
    """Whether the text is exactly ``YYYY-MM-DD`` and names a day that exists."""
    if len(text) != 10 or not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_iso_datetime(text: str) -> bool:
    """Whether the text is an ISO date with a time of day, separated by a space or ``T``."""
    if len(text) < 16 or not _DATETIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_number_text(text: str) -> bool:
    """Whether the text as a whole is a plain decimal number."""
    return _NUMBER.fullmatch(text.strip()) is not None


def text_kind(texts: Iterable[str]) -> Kind:
    """``DATE``, ``DATETIME`` or ``TIME`` when every non-blank text is one, else ``TEXT``."""
    dates = datetimes = times = 0
    for text in texts:
        if not text or text.isspace():
            continue
        if is_iso_date(text):
            dates += 1
        elif is_iso_datetime(text):
            datetimes += 1
        elif _TIME.fullmatch(text):
            times += 1
        else:
            return Kind.TEXT
        if times and (dates or datetimes):
            return Kind.TEXT
    if datetimes:
        return Kind.DATETIME
    if dates:
        return Kind.DATE
    return Kind.TIME if times else Kind.TEXT


def column_kind(declared: str, values: Sequence[Stored]) -> Kind:
    """The kind of a column.

    :param declared: the type as written in ``CREATE TABLE``; may be empty.
    :param values: non-null stored values of some rows, repeats welcome; may be empty.
    """
    promised = declared_kind(declared)
    if not values:
        return promised or Kind.OTHER
    if all(isinstance(value, bytes) for value in values):
        return Kind.BLOB
    texts = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers:
        if promised in (Kind.JSON, Kind.BLOB):
            return promised
        return text_kind(texts)
    if len(numbers) < _NUMERIC_SHARE * len(values):
        return Kind.TEXT
    if promised is Kind.BOOLEAN and all(value in (0, 1) for value in numbers):
        return Kind.BOOLEAN
    if promised is Kind.DECIMAL or any(isinstance(value, float) for value in numbers):
        return Kind.DECIMAL
    return Kind.INTEGER
