"""Cells for people: numbers grouped and trimmed, units, dates by grain. Tables, charts and sentences share it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from babel.numbers import NumberPattern, get_currency_symbol, is_currency, parse_pattern

from agents.artifacts import FrameColumn
from agents.narrate.periods import Lang, format_period, locale

Number: TypeAlias = int | float | Decimal

NULL = "—"
NO_BREAK = "\u00a0"

_HUGE = 10**15
_TINY = 1e-6
_WORDS = {"en": ("yes", "no"), "zh": ("是", "否")}
_NAMED_NUMBER = re.compile(
    r"(?i:(?:^|[_\W])(?:id|ids|uuid|code|zip|zipcode|postcode|phone|tel|year|yr|no|nr|number|isbn))$"
    r"|(?<=[a-z])(?:Id|ID|Code|Year)$"
)
_YEAR_NAME = re.compile(r"(?i:(?:^|[_\W])(?:year|yr))$|(?<=[a-z])Year$|(?:年份|年度|[^天今去]年)$")
_NAMED_NUMBER_ZH = re.compile(r"(?:编号|号码|年份|年度|邮编|电话|代码|[^天今去]年)$")


def format_cell(
    value: object, column: FrameColumn, lang: Lang, *, decimals: int | None = None, unit: bool = False
) -> str:
    """One value as text.

    :param value: as Arrow gives it, or as a JSON-safe cell (decimals and large integers as text).
    :param decimals: fixed places after the point, for a column that should line up; see :func:`decimals_for`.
    :param unit: write the column's unit behind the number.
    """
    if value is None:
        return NULL
    if isinstance(value, bool):
        return _WORDS[lang][0 if value else 1]
    if column.grain is not None or column.kind.is_time:
        return format_period(value, column.grain, lang)
    number = as_number(value, column)
    if number is not None:
        text = str(number) if is_name(column) else format_number(number, lang, decimals, column.unit)
        return with_unit(text, column.unit, lang) if unit else text
    if isinstance(value, bytes):
        return f"0x{value[:16].hex()}" + ("…" if len(value) > 16 else "")
    if isinstance(value, float):
        return NULL if math.isnan(value) else ("∞" if value > 0 else "-∞")
    if isinstance(value, int | Decimal):
        return str(value)
    return value if isinstance(value, str) else format_period(value, None, lang)


def as_number(value: object, column: FrameColumn) -> Number | None:
    """The value as a finite number; text only where the column's kind says that it is one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and column.kind.is_number and re.fullmatch(r"[+-]?\d+(\.\d+)?", value):
        return Decimal(value)
    return value if isinstance(value, Decimal) and value.is_finite() else None


def is_name(column: FrameColumn) -> bool:
    """Whether whole numbers of the column name something (an id, a year, a code): they are not grouped or added."""
    if column.grain is not None:
        return True
    if column.role == "measure":
        return False
    return any(_NAMED_NUMBER.search(text) or _NAMED_NUMBER_ZH.search(text) for text in (column.name, column.label))


def is_year_name(column: FrameColumn) -> bool:
    """Whether the column is called a year, so that its whole numbers are read as years."""
    return any(_YEAR_NAME.search(text) for text in (column.name, column.label))


def format_number(number: Number, lang: Lang, decimals: int | None = None, unit: str | None = None) -> str:
    """``214,634.5``: thousands grouped; without ``decimals`` as many as say something (:func:`decimals_for`).

    Whole numbers and decimals keep every digit before the point; floats beyond 10^15, and what would round to nothing
    where no ``decimals`` are asked for, are written as ``1.5e+20``.
    """
    if isinstance(number, float) and (abs(number) >= _HUGE or (decimals is None and 0 < abs(number) < _TINY)):
        return f"{number:.4g}"
    places = decimals_for([number], unit) if decimals is None else decimals
    if -_HUGE < number < _HUGE:
        text: str = _pattern(places).apply(number, locale(lang))
    else:  # Babel refuses what does not fit a decimal of 28 digits.
        text = f"{Decimal(number):,.{places}f}"
    # Rounded to nothing, a negative number would read "-0".
    return text if any(c in "123456789" for c in text) else text.removeprefix("-")


def decimals_for(numbers: Iterable[Number], unit: str | None = None) -> int:
    """Places after the point that a column of numbers needs: none for whole numbers, two for money, else four
    significant digits for the numbers as large as their median, at least one and at most eight places, and none
    that are zero throughout."""
    given = list(numbers)
    if all(isinstance(number, int) or number == _whole(number) for number in given):
        return 0
    if unit and is_currency(unit):
        return 2
    sizes = sorted(abs(float(number)) for number in given if number and -_HUGE < number < _HUGE)
    middle = sizes[len(sizes) // 2] if sizes else 1.0
    magnitude = math.floor(math.log10(middle)) if middle else 0
    places = min(8, max(1, 3 - magnitude)) if magnitude < 1 else 2 if magnitude < 4 else 1
    while places > 1 and all(round(size, places) == round(size, places - 1) for size in sizes):
        places -= 1
    return places


def _whole(number: float | Decimal) -> float | Decimal:
    return number.to_integral_value() if isinstance(number, Decimal) else float(math.floor(number))


def with_unit(text: str, unit: str | None, lang: Lang) -> str:
    """``214,634 €``, ``80 kg``, ``18.2 %``; nothing for no unit. In Chinese a percent sign stands close."""
    if not unit:
        return text
    if unit == "%" and lang == "zh":
        return f"{text}%"
    return f"{text}{NO_BREAK}{unit_sign(unit, lang)}"


def unit_sign(unit: str, lang: Lang) -> str:
    """``€`` for ``EUR``; other units as they are."""
    return str(get_currency_symbol(unit, locale=locale(lang))) if is_currency(unit) else unit


def format_percent(ratio: float, lang: Lang) -> str:
    """``18.2 %`` for 0.182; more places for what would round to nothing, none above 1,000 %."""
    percent = ratio * 100
    places = 0 if abs(percent) >= 1000 else 1 if abs(percent) >= 0.1 or percent == 0 else 2
    text = format_number(percent, lang, places)
    return with_unit(re.sub(r"\.0+$", "", text), "%", lang)


@lru_cache(maxsize=16)
def _pattern(places: int) -> NumberPattern:
    return parse_pattern("#,##0" + ("." + "0" * places if places else ""))
