"""Whether two result tables say the same.

Rows are compared as a multiset, or in order where asked; columns in any order (names do not count). Numbers agree
within a relative difference of 1e-6, two whole numbers only when equal; a number and its text are the same. A period
counts as the same in each of its spellings: ``2023`` and ``2023-01-01``, ``2023-Q2`` and ``2023-04-01``, ``2023-05``
and ``2023-05-01``.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar

Cell: TypeAlias = "str | int | float | None"
Row: TypeAlias = tuple[Cell, ...]
R = TypeVar("R")

TOLERANCE = 1e-6
_GREEDY_UP_TO = 500

_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_MONTH = re.compile(r"\d{4}-\d{2}")
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_START = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(:00(\.0+)?)?")


@dataclass(frozen=True, slots=True)
class Table:
    """A result set: names of columns (for people), and rows of plain cells."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
        """From any driver's rows: dates, decimals, NaN and numbers in text are brought to one form each."""
        return cls(tuple(columns), tuple(tuple(_plain(cell) for cell in row) for row in rows))

    def column(self, index: int) -> list[Cell]:
        return [row[index] for row in self.rows]


def difference(expected: Table, got: Table, *, order: bool = False, extra_ok: bool = False) -> str | None:
    """What is wrong with ``got`` in a few words, or ``None`` when it says the same as ``expected``."""
    if len(expected.rows) != len(got.rows):
        return f"{_count(len(got.rows), 'row')} instead of {len(expected.rows)}"
    wanted, have = len(expected.columns), len(got.columns)
    if have < wanted or (have > wanted and not extra_ok):
        return f"{_count(have, 'column')} instead of {wanted}"
    candidates: list[list[tuple[int, list[Cell]]]] = []
    for index, name in enumerate(expected.columns):
        mine = expected.column(index)
        fitting = [
            (other, cells)
            for other in range(have)
            for cells in [_spelled_like(mine, got.column(other))]
            if _same_rows([(cell,) for cell in mine], [(cell,) for cell in cells], order)
        ]
        if not fitting:
            return f"no column has the values of {name!r}"
        candidates.append(fitting)
    if _assign(expected, candidates, [], set(), order):
        return None
    return "the values of the columns do not belong together"


def _assign(
    expected: Table,
    candidates: list[list[tuple[int, list[Cell]]]],
    chosen: list[list[Cell]],
    used: set[int],
    order: bool,
) -> bool:
    if len(chosen) == len(candidates):
        return _same_rows(expected.rows, list(zip(*chosen, strict=True)), order)
    return any(
        _assign(expected, candidates, [*chosen, cells], used | {index}, order)
        for index, cells in candidates[len(chosen)]
        if index not in used
    )


def _same_rows(expected: Sequence[Row], got: Sequence[Row], order: bool) -> bool:
    if order:
        return all(_same_row(a, b) for a, b in zip(expected, got, strict=True))
    # Text is exact, so rows can only match inside groups of equal text; numbers are then compared within a group.
    groups: dict[tuple[str | None, ...], tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((expected, got)):
        for row in rows:
            groups[tuple("#" if _is_number(cell) else cell and f"={cell}" for cell in row)][side].append(row)  # type: ignore[misc]
    return all(_same_group(mine, theirs) for mine, theirs in groups.values())


def _same_group(expected: list[Row], got: list[Row]) -> bool:
    if len(expected) != len(got):
        return False
    mine, theirs = (
        sorted(rows, key=lambda row: tuple(cell for cell in row if _is_number(cell))) for rows in (expected, got)
    )
    if all(_same_row(a, b) for a, b in zip(mine, theirs, strict=True)):
        return True
    # Numbers that differ in the last digits may sort differently.
    return len(mine) <= _GREEDY_UP_TO and paired(mine, theirs, _same_row)


def paired(rows: Sequence[R], others: Sequence[R], same: Callable[[R, R], bool]) -> bool:
    """Whether each row finds a partner of its own among the others; the first that fits is taken."""
    left = list(others)
    for row in rows:
        partner = next((place for place, other in enumerate(left) if same(row, other)), None)
        if partner is None:
            return False
        del left[partner]
    return True


def _same_row(expected: Row, got: Row) -> bool:
    return all(_same_cell(a, b) for a, b in zip(expected, got, strict=True))


def _same_cell(expected: Cell, got: Cell) -> bool:
    if isinstance(expected, float) or isinstance(got, float):
        if not isinstance(expected, int | float) or not isinstance(got, int | float):
            return False
        return math.isclose(expected, got, rel_tol=TOLERANCE, abs_tol=1e-9)
    return expected == got


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float)


def _plain(cell: Any) -> Cell:
    if isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if cell is None or isinstance(cell, int):
        return cell
    if isinstance(cell, datetime):
        return _plain(cell.replace(tzinfo=None).isoformat(sep=" "))
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, bytes):
        return f"0x{cell.hex()}"
    text = str(cell)
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text or "e" in text.lower() else int(text)
    start = _START.fullmatch(text)
    return start.group(1) if start else text


def _spelled_like(expected: list[Cell], got: list[Cell]) -> list[Cell]:
    """``got`` with its periods in the spelling of ``expected``, where all of both are periods."""
    told = [cell for cell in expected if cell is not None]
    if not told or len(told) != len([cell for cell in got if cell is not None]):
        return got
    for spelled in (_as_month, _as_quarter, _as_year):
        if all(spelled(cell) == cell for cell in told):
            respelled = [cell if cell is None else spelled(cell) for cell in got]
            return (
                got
                if any(new is None and cell is not None for new, cell in zip(respelled, got, strict=True))
                else respelled
            )
    return got


def _as_month(cell: Cell) -> Cell:
    text = str(cell)
    if _MONTH.fullmatch(text):
        return text
    return text[:7] if _is_start(text, "01") else None


def _as_quarter(cell: Cell) -> Cell:
    text = str(cell)
    if _QUARTER.fullmatch(text):
        return text
    return (
        f"{text[:4]}-Q{(int(text[5:7]) + 2) // 3}"
        if _is_start(text, "01") and text[5:7] in ("01", "04", "07", "10")
        else None
    )


def _as_year(cell: Cell) -> Cell:
    if isinstance(cell, int) and 1000 <= cell <= 9999:
        return cell
    text = str(cell)
    return int(text[:4]) if _is_start(text, "01") and text[5:7] == "01" else None


def _is_start(text: str, day: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text[8:] == day and text[:4].isdigit()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
