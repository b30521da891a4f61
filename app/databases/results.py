"""Fetched rows as an Arrow table: a type per column found from the values, nothing rounded, nothing dropped.

SQLite has no column types in results, so each column is judged by what is in it:

- integers -> int64, with floats among them -> float64; integers that would lose digits -> exact decimals or text
- text -> string; text that is ISO dates throughout -> date32, date and time throughout -> timestamp[us]
- bytes -> binary; a mixture -> string, each value in its plain spelling
- nothing but NULL -> null
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from app.databases.kinds import is_iso_date, is_iso_datetime

_EXACT_FLOAT = 2**53
_DECIMAL_DIGITS = 38
# Arrow knows a year 0, Python does not.
_YEAR = r"(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])"
_DATES = rf"^{_YEAR}-\d{{2}}-\d{{2}}$"
_DATETIMES = rf"^{_YEAR}-\d{{2}}-\d{{2}}[ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d{{1,6}})?)?$"


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
    array = pa.array(values, pa.string())
    first = next(value for value in values if value is not None)
    # Looking at one value first keeps plain text columns cheap; Arrow then parses thousands in one go.
    if is_iso_date(first):
        return _parsed(array, _DATES, pa.date32())
    if is_iso_datetime(first):
        # Times with an offset would be shifted: they do not match the pattern and stay as they are written.
        return _parsed(array, _DATETIMES, pa.timestamp("us"))
    return array


def _parsed(array: pa.Array, pattern: str, kind: pa.DataType) -> pa.Array:
    """The array as dates when every value is one, else unchanged: a mixture must look as it does in the database."""
    if not pc.all(pc.match_substring_regex(array, pattern)).as_py():
        return array
    try:
        return array.cast(kind)
    except pa.ArrowInvalid:
        return array


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
