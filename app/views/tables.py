"""One page of a result set as the table partial shows it: cells as words, addresses for sorting, filtering, paging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from babel.numbers import format_decimal
from flask import url_for

from agents.artifacts import Cell, FrameColumn, FrameMeta, TableArtifact
from agents.catalog import Kind
from agents.errors import FrameError
from agents.narrate.format import unit_sign
from agents.narrate.periods import format_period
from app.frames import ArrowFrames, FramePage, Sort
from app.i18n import Lang, current_lang
from app.i18n import gettext as _
from app.views.contexts import TableCell, TableHead, TablePage

PAGE_ROWS = 25
CLIP = 300
MOST_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class TableQuery:
    """What of a frame is looked at. ``dom`` is the id of the element on the page that shows it."""

    connection: str
    frame_id: str
    offset: int = 0
    sort: str = ""
    descending: bool = False
    filter: str = ""
    dom: str = ""

    def url(self, endpoint: str = "frames.page") -> str:
        given: dict[str, Any] = {"offset": self.offset, "sort": self.sort, "filter": self.filter, "dom": self.dom}
        if self.descending:
            given["desc"] = 1
        return url_for(
            endpoint,
            conn=self.connection,
            frame=self.frame_id,
            **{name: value for name, value in given.items() if value},
        )

    @property
    def order(self) -> Sort | None:
        return Sort(self.sort, self.descending) if self.sort else None


def table_of_artifact(frames: ArrowFrames, connection: str, artifact: TableArtifact) -> TablePage:
    """The first page of a turn's table; from the preview when the frame is gone, so that an old answer still shows."""
    query = TableQuery(connection, artifact.frame.id, dom=f"frame-{artifact.frame.id}")
    try:
        return table_of_frame(frames, query, artifact.title)
    except FrameError:
        meta = artifact.frame
        shown = meta.preview[:PAGE_ROWS]
        page = FramePage(
            frame_id=meta.id,
            columns=meta.columns,
            rows=shown,
            row_numbers=tuple(range(len(shown))),
            offset=0,
            limit=len(shown),
            total=meta.rows,
            matching=len(shown),
        )
        return replace(_table(page, meta, query, artifact.title), previous_url=None, next_url=None)


def table_of_frame(frames: ArrowFrames, query: TableQuery, title: str = "") -> TablePage:
    """:raises FrameError: ``frame.gone``, ``frame.no_column``."""
    page = frames.page(
        query.frame_id, offset=query.offset, limit=PAGE_ROWS, sort=query.order, text=query.filter or None, clip=CLIP
    )
    return _table(page, frames.meta(query.frame_id), query, title or _("Table"))


def _table(page: FramePage, meta: FrameMeta, query: TableQuery, title: str) -> TablePage:
    lang = current_lang()
    columns = [_cells([row[place] for row in page.rows], column, lang) for place, column in enumerate(page.columns)]
    behind = page.offset + len(page.rows)
    return TablePage(
        dom_id=query.dom or f"frame-{meta.id}",
        frame_id=meta.id,
        title=title,
        heads=tuple(_head(column, query) for column in page.columns),
        rows=tuple(zip(*columns, strict=True)) if page.rows else (),
        row_numbers=page.row_numbers,
        first=page.offset + 1,
        count=page.matching,
        kept=page.total,
        total=meta.total,
        truncated=meta.truncated,
        filter=query.filter,
        filter_url=replace(query, offset=0, filter="").url(),
        previous_url=replace(query, offset=max(0, page.offset - PAGE_ROWS)).url() if page.offset else None,
        next_url=replace(query, offset=behind).url() if page.rows and behind < page.matching else None,
        csv_url=replace(query, offset=0, dom="").url("frames.csv"),
    )


def _head(column: FrameColumn, query: TableQuery) -> TableHead:
    sorted_by = query.sort == column.name
    order: Literal["none", "ascending", "descending"] = "none"
    if sorted_by:
        order = "descending" if query.descending else "ascending"
    again = replace(query, offset=0, sort=column.name, descending=sorted_by and not query.descending)
    sign = unit_sign(column.unit, current_lang()) if column.unit else ""
    unit = f" ({sign})" if column.unit and column.unit.lower() not in column.label.lower() else ""
    return TableHead(column.name, column.label + unit, column.kind.is_number, order, again.url())


def _cells(values: Sequence[Cell], column: FrameColumn, lang: Lang) -> list[TableCell]:
    """The cells of one column; its numbers share their decimals, so that they line up."""
    if not column.kind.is_number:
        return [_cell(value, column) for value in values]
    numbers = [None if isinstance(value, bool) else _number(value) for value in values]
    pattern = _pattern([number for number in numbers if number is not None], column)
    return [
        _cell(value, column)
        if number is None
        else TableCell(format_decimal(number, format=pattern, locale=lang), "number")
        for value, number in zip(values, numbers, strict=True)
    ]


def _cell(value: Cell, column: FrameColumn) -> TableCell:
    if value is None:
        return TableCell("", "null")
    if isinstance(value, bool) or (column.kind is Kind.BOOLEAN and value in (0, 1)):
        return TableCell(_("yes") if value else _("no"), "boolean")
    text = str(value)
    if column.kind is Kind.BLOB:
        return TableCell(text, "bytes")
    if column.grain is not None and not column.kind.is_number:
        return TableCell(format_period(text, column.grain, current_lang()), "date")
    if column.kind.is_time:
        return TableCell(cut_to_grain(text, column.grain), "date")
    clipped = len(text) >= CLIP and text.endswith("…")
    return TableCell(text[:-1] if clipped else text, "text", clipped)


def _number(value: Cell) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _pattern(numbers: Sequence[Decimal], column: FrameColumn) -> str:
    """A CLDR number pattern: enough decimals to tell the values apart, as few as their size asks for, two for money."""
    if not numbers:
        return "#,##0"
    whole = "#0" if _is_label(column) else "#,##0"
    needed = max(0, *(-int(number.normalize().as_tuple().exponent) for number in numbers))
    largest = max(abs(number) for number in numbers)
    if column.unit and len(column.unit) == 3 and column.unit.isupper():
        return f"{whole}.00" if needed else whole
    allowed = 2 if largest >= 100 else 3 if largest >= 1 else MOST_DECIMALS
    decimals = min(needed, allowed)
    return f"{whole}.{'0' * decimals}" if decimals else whole


def _is_label(column: FrameColumn) -> bool:
    """Whether the number names something (a year, a key), so that it is written without thousands separators."""
    words = column.name.lower().replace("-", "_").split("_")
    return column.grain is not None or (
        column.role != "measure" and bool({"id", "year", "zip", "code", "no", "nr"} & set(words))
    )


def cut_to_grain(text: str, grain: str | None) -> str:
    """A moment written as precisely as it was asked for: ``2023-04-01`` by quarter is ``2023 Q2``."""
    date, _space, time = text.partition(" ")
    if len(date) == 10 and date[4] == date[7] == "-":
        match grain:
            case "year":
                return date[:4]
            case "quarter":
                return f"{date[:4]} Q{(int(date[5:7]) + 2) // 3}"
            case "month":
                return date[:7]
            case "week" | "day":
                return date
            case "hour":
                return f"{date} {time[:5]}".strip()
    return text
