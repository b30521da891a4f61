"""CSV export that spreadsheets read right: RFC 4180, UTF-8, and no text that turns into a formula.

A text cell that starts with ``= + - @``, tab, CR or LF gets a leading apostrophe. Numbers never do, and neither does
text that as a whole is a number (``-5``, ``+3.2%``): a negative number must stay one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from app.frames.cells import to_cell

BOM = b"\xef\xbb\xbf"

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s?%?")
_NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$')
_ROWS_PER_PIECE = 2_000


def formula_safe(text: str) -> str:
    """The text as a spreadsheet will show it, never run it."""
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        safe = formula_safe(value)
        # An empty text is written as "" so that it differs from NULL.
        return '"' + safe.replace('"', '""') + '"' if not safe or _NEEDS_QUOTES.search(safe) else safe
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else repr(value)
    cell = str(to_cell(value))
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell


def _line(values: Sequence[Any]) -> str:
    line = ",".join(map(_field, values))
    # A line with nothing in it would be skipped by readers: the row of a single NULL.
    return (line or '""') + "\r\n"


def csv_pieces(table: pa.Table, header: Sequence[str], *, bom: bool = True) -> Iterator[bytes]:
    """The table as CSV in pieces of some thousand rows.

    :param header: one title per column.
    :param bom: start with a byte order mark, without which Excel takes UTF-8 for the local code page.
    """
    yield (BOM if bom else b"") + _line([str(title) for title in header]).encode()
    for start in range(0, table.num_rows, _ROWS_PER_PIECE):
        part = table.slice(start, _ROWS_PER_PIECE)
        rows = zip(*(column.to_pylist() for column in part.columns), strict=True)
        yield "".join(map(_line, rows)).encode()
