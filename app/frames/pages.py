"""A page of a frame: filtered, sorted and cut on the server, so that only what is looked at travels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from agents.artifacts import Cell, FrameColumn, Frozen
from agents.errors import FrameError
from app.frames.cells import to_cell


class Sort(NamedTuple):
    """By which column, and whether the largest comes first."""

    column: str
    descending: bool = False


class FramePage(Frozen):
    """Some rows of a frame.

    :ivar rows: cells in column order; long texts are cut, see ``ArrowFrames.cell`` for the whole.
    :ivar row_numbers: for each row its 0-based place in the unsorted frame, which is what a cell reference names.
    :ivar total: rows in the frame. :ivar matching: rows that pass the filters.
    """

    frame_id: str
    columns: tuple[FrameColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_numbers: tuple[int, ...]
    offset: int
    limit: int
    total: int
    matching: int


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column
    if pa.types.is_null(kind) or pa.types.is_binary(kind) or pa.types.is_nested(kind):
        return None
    return pc.cast(column, pa.string())


def _contains(column: pa.ChunkedArray, needle: str) -> pa.ChunkedArray | None:
    text = _as_text(column)
    if text is None:
        return None
    # Both sides folded the same way: RE2's own ignore_case knows fewer letters than utf8_lower.
    found = pc.match_substring(pc.utf8_lower(text), needle.lower())
    return pc.fill_null(found, False)


def _column(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        raise FrameError("frame.no_column", f"The result has no column {name!r}.", "Reload the page.")
    return table.column(name)


def filtered_rows(table: pa.Table, text: str | None, columns: Mapping[str, str]) -> pa.Array | None:
    """Numbers of the rows that contain ``text`` in any column and each column's own text in that column; ``None``
    stands for all rows. Case does not matter; NULL and bytes contain nothing.

    :raises FrameError: ``frame.no_column``.
    """
    mask: pa.ChunkedArray | None = None
    if text and text.strip():
        anywhere = [
            hit for name in table.column_names if (hit := _contains(table.column(name), text.strip())) is not None
        ]
        mask = pa.chunked_array([pa.repeat(pa.scalar(False), table.num_rows)])
        for hit in anywhere:
            mask = pc.or_(mask, hit)
    for name, needle in columns.items():
        column = _column(table, name)
        if not needle.strip():
            continue
        hit = _contains(column, needle.strip())
        if hit is None:
            hit = pa.chunked_array([pa.repeat(pa.scalar(False), table.num_rows)])
        mask = hit if mask is None else pc.and_(mask, hit)
    if mask is None:
        return None
    return pc.indices_nonzero(mask)


def _sort_key(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """What a column is sorted by: text that is numbers throughout as numbers, other text without regard to case."""
    if pa.types.is_null(column.type) or pa.types.is_nested(column.type):
        return None
    if not pa.types.is_string(column.type):
        return column
    try:
        return pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        return pc.utf8_lower(column)


def sorted_rows(table: pa.Table, rows: pa.Array | None, sort: Sort | None) -> pa.Array | None:
    """Row numbers in sorted order, NULL last in both directions; equal rows keep the order they had.

    :raises FrameError: ``frame.no_column``.
    """
    if sort is None:
        return rows
    key = _sort_key(_column(table, sort.column))
    if key is None:
        return rows
    if rows is not None:
        key = key.take(rows)
    direction = "descending" if sort.descending else "ascending"
    order = pc.sort_indices(pa.table({"key": key}), sort_keys=[("key", direction)])
    return order if rows is None else rows.take(order)


def selected(table: pa.Table, sort: Sort | None, text: str | None, columns: Mapping[str, str]) -> pa.Array | None:
    """Row numbers after filter and sort; ``None`` for all rows as they are."""
    return sorted_rows(table, filtered_rows(table, text, columns), sort)


def cut_page(
    frame_id: str,
    columns: tuple[FrameColumn, ...],
    table: pa.Table,
    *,
    offset: int,
    limit: int,
    sort: Sort | None,
    text: str | None,
    column_texts: Mapping[str, str],
    clip: int,
) -> FramePage:
    """The page; an offset past the end gives no rows."""
    offset, limit = max(0, offset), max(0, limit)
    rows = selected(table, sort, text, column_texts)
    if rows is None:
        matching = table.num_rows
        part = table.slice(offset, limit)
        numbers = list(range(offset, offset + part.num_rows))
    else:
        matching = len(rows)
        wanted = rows.slice(offset, limit)
        part = table.take(wanted)
        numbers = wanted.to_pylist()
    return FramePage(
        frame_id=frame_id,
        columns=columns,
        rows=to_rows(part, clip),
        row_numbers=tuple(numbers),
        offset=offset,
        limit=limit,
        total=table.num_rows,
        matching=matching,
    )


def to_rows(table: pa.Table, clip: int | None) -> tuple[tuple[Cell, ...], ...]:
    """All rows of a (small) table as cells."""
    if table.num_rows == 0:
        return ()
    cells = [[to_cell(value, clip) for value in column.to_pylist()] for column in table.columns]
    return tuple(zip(*cells, strict=True))
