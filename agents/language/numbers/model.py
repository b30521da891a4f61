"""A number in the question, and how digits become a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number and where it stands.

    :param start: offset of its first character in the question; ``end`` is exclusive.
    :param value: int where the number is whole, else float; for 20 % the value is 20 and the unit ``percent``.
    :param unit: ``percent``, an ISO 4217 code, ``times`` (twice, 三次), or a measure in the singular (``kg``, ``km``,
        ``mile``, ``year`` …); None where none is written.
    :param ordinal: a rank (third, 3rd, 第三) instead of a quantity.
    :param approx: softened by "about", "around", 约, 左右 …
    """

    start: int
    end: int
    text: str
    value: int | float
    unit: str | None = None
    ordinal: bool = False
    approx: bool = False


def plain(value: float) -> int | float:
    """A whole value as int, anything else as float."""
    return int(value) if value == int(value) and abs(value) < 2**63 else value


def parse_digits(digits: str) -> int | float:
    """Digits with thousand separators and a decimal point."""
    cleaned = digits.replace(",", "")
    return int(cleaned) if cleaned.isdigit() and len(cleaned) < 19 else plain(min(float(cleaned), 1e300))
