"""Whether two results are the same, by the rules of execution accuracy.

Rows count as a multiset, or as a list where the gold has an ORDER BY of its own. Columns may come in any order but must
be as many; their names do not count. Numbers agree within a relative difference of 1e-6 (``1`` is ``1.0``), texts
exactly, ``NULL`` with ``NULL``; a number is never a text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from golden.compare import paired

Cell: TypeAlias = Any
Row: TypeAlias = tuple[Cell, ...]
Key: TypeAlias = tuple[tuple[int, str], ...]

RELATIVE, ABSOLUTE = 1e-6, 1e-9
# Assignments of columns that are tried before two results count as different.
_MOST_TRIES = 20_000
# Rows at a rounding border that are paired one by one.
_MOST_BORDER_ROWS = 300

_SPANS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/""", re.S)
_MARKS = re.compile(r"[()]|\bselect\b|\border\s+by\b", re.I)


def is_ordered(sql: str) -> bool:
    """Whether the statement, or a branch of its set operation, has an ORDER BY of its own: none of a subquery's."""
    depth = 0
    selects: list[int] = []
    orders: list[int] = []
    for token in _MARKS.findall(_SPANS.sub(" ", sql)):
        depth += (token == "(") - (token == ")")
        if token[0] in "sS":
            selects.append(depth)
        elif token[0] in "oO":
            orders.append(depth)
    return bool(selects) and min(selects) in orders


def same_result(gold: Sequence[Row], got: Sequence[Row], width: int, got_width: int, *, ordered: bool) -> bool:
    """Whether some assignment of columns makes the rows equal.

    :param width: columns of the gold, which its rows cannot tell when there are none.
    """
    if width != got_width or len(gold) != len(got):
        return False
    if not gold:
        return True
    mine = [tuple(map(_plain, row)) for row in gold]
    theirs = [tuple(map(_plain, row)) for row in got]
    equal = _same_list if ordered else _same_bag
    fits = [
        [j for j in range(width) if equal([(row[i],) for row in mine], [(row[j],) for row in theirs])]
        for i in range(width)
    ]
    if not all(fits):
        return False
    # In order, equal columns are equal rows: it is enough that each column finds a partner of its own.
    return _matched(fits) if ordered else _assigned(mine, theirs, fits)


def _assigned(mine: list[Row], theirs: list[Row], fits: list[list[int]]) -> bool:
    order = sorted(range(len(fits)), key=lambda i: len(fits[i]))
    tries = 0

    def search(chosen: tuple[int, ...]) -> bool:
        nonlocal tries
        if chosen:
            tries += 1
            if tries > _MOST_TRIES:
                return False
            columns = order[: len(chosen)]
            if not _same_bag(
                [tuple(row[i] for i in columns) for row in mine], [tuple(row[j] for j in chosen) for row in theirs]
            ):
                return False
        if len(chosen) == len(order):
            return True
        return any(search((*chosen, j)) for j in fits[order[len(chosen)]] if j not in chosen)

    return search(())


def _matched(fits: list[list[int]]) -> bool:
    owner: dict[int, int] = {}

    def place(column: int, seen: set[int]) -> bool:
        for j in fits[column]:
            if j not in seen:
                seen.add(j)
                if j not in owner or place(owner[j], seen):
                    owner[j] = column
                    return True
        return False

    return all(place(column, set()) for column in range(len(fits)))


def _same_list(mine: Sequence[Row], theirs: Sequence[Row]) -> bool:
    return all(_same_row(a, b) for a, b in zip(mine, theirs, strict=True))


def _same_bag(mine: Sequence[Row], theirs: Sequence[Row]) -> bool:
    keys, their_keys = Counter(map(_key, mine)), Counter(map(_key, theirs))
    if keys == their_keys:
        return True
    if _same_list(sorted(mine, key=_key), sorted(theirs, key=_key)):
        return True
    # Numbers at a rounding border have different keys and are equal all the same: what is left is paired.
    rest = [row for row in mine if keys[_key(row)] > their_keys[_key(row)]]
    other = [row for row in theirs if their_keys[_key(row)] > keys[_key(row)]]
    return len(rest) == len(other) and len(rest) <= _MOST_BORDER_ROWS and paired(rest, other, _same_row)


def _same_row(mine: Row, theirs: Row) -> bool:
    return all(_same_cell(a, b) for a, b in zip(mine, theirs, strict=True))


def _same_cell(a: Cell, b: Cell) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (a != a and b != b)
    return type(a) is type(b) and bool(a == b)


def _plain(cell: Cell) -> Cell:
    if isinstance(cell, int | float):
        return float(cell) or 0.0  # -0.0 is 0.0
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _key(row: Row) -> Key:
    return tuple(_cell_key(cell) for cell in row)


def _cell_key(cell: Cell) -> tuple[int, str]:
    if cell is None:
        return 0, ""
    return (1, f"{cell:+.6e}") if isinstance(cell, float) else (2, cell)
