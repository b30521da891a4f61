"""Values of a frame as JSON-safe cells: nothing that JSON cannot say, nothing that JavaScript would round."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from agents.artifacts import Cell

# The largest integer that a JavaScript number holds exactly.
SAFE_INTEGER = 2**53 - 1
BYTES_SHOWN = 32


def moment(value: datetime) -> str:
    """``2024-01-31 10:00:00``; fractions and offset only where there are any."""
    return value.isoformat(sep=" ")


def number_word(value: float) -> str | None:
    """``NaN``, ``∞`` or ``-∞``, which JSON has no number for; ``None`` for every other float."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return None


def _hex(value: bytes, clip: int | None) -> str:
    if clip is None:
        return "0x" + value.hex()
    more = "…" if len(value) > BYTES_SHOWN else ""
    size = "1 byte" if len(value) == 1 else f"{len(value)} bytes"
    return f"0x{value[:BYTES_SHOWN].hex()}{more} ({size})"


def clipped(text: str, clip: int | None) -> str:
    """The text, cut to ``clip`` characters with an ellipsis at the end when it is longer."""
    return text if clip is None or len(text) <= clip else text[: max(0, clip - 1)] + "…"


def to_cell(value: Any, clip: int | None = None) -> Cell:
    """One value as a cell.

    :param clip: longest text in characters; bytes are shown by their size and first 32. ``None`` keeps everything.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return number_word(value) or value
    if isinstance(value, str):
        return clipped(value, clip)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return _hex(value, clip)
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return clipped(json.dumps(value, ensure_ascii=False, default=str), clip)
