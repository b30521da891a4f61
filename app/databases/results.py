"""Fetched rows as an Arrow table: a type per column found from the values, nothing rounded, nothing dropped.

SQLite has no column types in results, so each column is judged by what is in it:

- integers -> int64, with floats among them -> float64; integers that would lose digits -> exact decimals or text
- text -> string; text that is ISO dates throughout -> date32, date and time throughout -> timestamp[us]
- bytes -> binary; a mixture -> string, each value in its plain spelling
- nothing but NULL -> null
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from app.databases.kinds import is_iso_date, is_iso_datetime

_INT64 = 2**63
_EXACT_FLOAT = 2**53
_DECIMAL_DIGITS = 38


def unique_names(names: Sequence[str]) -> list[str]:
    """Column names made distinct: ``id, name, id`` -> ``id, name, id_2``; empty names become ``column_N``."""
    taken: set[str] = set()
    wanted = {name.strip().lower() for name in names if name.strip()}
    unique: list[str] = []
    for position, name in enumerate(names, start=1):
        base = name if name.strip() else f"column_{position}"
        chosen, count = base, 1
        # A suffix must not collide with a name that another column has by right.
        while chosen.lower() in taken or (count > 1 and chosen.lower() in wanted):
            count += 1
            chosen = f"{base}_{count}"
        taken.add(chosen.lower())
        unique.append(chosen)
    return unique


def _spelled(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return repr(value) if isinstance(value, float) else str(value)


def _integers(values: Sequence[int | None]) -> pa.Array:
    try:
        return pa.array(values, pa.int64())
    except (OverflowError, pa.ArrowInvalid):
        if all(value is None or abs(value) < 10**_DECIMAL_DIGITS for value in values):
            exact = [None if value is None else Decimal(value) for value in values]
            return pa.array(exact, pa.decimal128(_DECIMAL_DIGITS, 0))
        return pa.array([_spelled(value) for value in values], pa.string())


def _numbers(values: Sequence[int | float | None]) -> pa.Array:
    if any(isinstance(value, int) and abs(value) > _EXACT_FLOAT for value in values):
        return pa.array([_spelled(value) for value in values], pa.string())
    return pa.array([None if value is None else float(value) for value in values], pa.float64())


def _texts(values: Sequence[str | None]) -> pa.Array:
    present = [value for value in values if value is not None]
    first = present[0]
    # Looking at one value first keeps plain text columns cheap.
    if is_iso_date(first) and all(map(is_iso_date, present)):
        return pa.array([None if v is None else date.fromisoformat(v) for v in values], pa.date32())
    if is_iso_datetime(first) and all(len(v) >= 16 and is_iso_datetime(v) for v in present):
        moments = [None if v is None else datetime.fromisoformat(v) for v in values]
        # Text with an offset would be shifted, and a mixture compared wrongly: both stay as they are written.
        if not any(moment is not None and moment.tzinfo is not None for moment in moments):
            return pa.array(moments, pa.timestamp("us"))
    return pa.array(values, pa.string())


def to_array(values: Sequence[Any]) -> pa.Array:
    """One column of Python values as an Arrow array of the narrowest type that keeps every value exactly."""
    kinds = set(map(type, values))
    kinds.discard(type(None))
    if not kinds:
        return pa.nulls(len(values))
    if kinds == {int}:
        return _integers(values)
    if kinds <= {int, float}:
        return _numbers(values)
    if kinds == {str}:
        return _texts(values)
    if kinds == {bytes}:
        return pa.array(values, pa.binary())
    return pa.array([_spelled(value) for value in values], pa.string())


def to_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Rows as an Arrow table; without rows the columns are kept, typed ``null``."""
    unique = unique_names(names)
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(unique)
    return pa.Table.from_arrays([to_array(column) for column in columns], names=unique)
