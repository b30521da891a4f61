"""What a chart kind is, and the frame as chart kinds see it.

A kind is one file in this folder that declares one constant, ``CHART``. It says how well it fits a frame, and draws it:
a Vega-Lite specification whose data set is named ``frame``, and the rows for it under fixed field names, since names
with dots, brackets or quotes mean something to Vega:

=========  ==========================================================================================
``x, y``   positions: a number, a time in UTC milliseconds, or ``null``
``s``      the series, as people read it
``xt, yt`` ``x`` and ``y`` as people read them, with unit, for labels and tooltips
``n``      the name of the point, for tooltips
=========  ==========================================================================================

Colours are left to the theme of the page (``config.range``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from functools import cached_property
from typing import Any, TypeAlias

import pyarrow as pa

from agents.artifacts import FrameColumn, FrameMeta
from agents.narrate.format import Number, as_number, format_cell, is_name, unit_sign
from agents.narrate.periods import RECURRING, Lang, start_of

Spec: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, str | float | None]

SERIES = 8
"""Lines or bar groups that can still be told apart by colour."""

BARS = 30
POINTS = 2_000
LABEL_GAP = 10
"""Pixels that stay free between two labels of an axis."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a kind suits a frame, 0 to 1, and why, in the reader's language."""

    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart: its title, its specification without data, the rows of its data, and what the reader must know."""

    title: str
    spec: Spec
    rows: list[Row]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FrameView:
    """A frame with its columns sorted by what a chart can do with them.

    :ivar table: the frame's rows; its columns are ``meta.columns`` in order.
    """

    meta: FrameMeta
    table: pa.Table
    lang: Lang
    _values: dict[str, list[Any]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _floats: dict[str, list[float | None]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def say(self, en: str, zh: str) -> str:
        """The text in the reader's language."""
        return zh if self.lang == "zh" else en

    @property
    def rows(self) -> int:
        return int(self.table.num_rows)

    @cached_property
    def measures(self) -> tuple[FrameColumn, ...]:
        """Computed numbers."""
        return tuple(c for c in self.meta.columns if c.role == "measure" and self.numeric(c))

    @cached_property
    def numbers(self) -> tuple[FrameColumn, ...]:
        """Plain columns that hold quantities; ids, years and codes only name something."""
        return tuple(c for c in self.meta.columns if c.role == "detail" and not is_name(c) and self.numeric(c))

    @cached_property
    def dimensions(self) -> tuple[FrameColumn, ...]:
        """What measures are grouped by."""
        return tuple(c for c in self.meta.columns if c.role == "dimension")

    @cached_property
    def words(self) -> tuple[FrameColumn, ...]:
        """Plain columns that are no quantities: names, dates, ids."""
        return tuple(c for c in self.meta.columns if c.role == "detail" and c not in self.numbers)

    def values(self, column: FrameColumn) -> list[Any]:
        if column.name not in self._values:
            self._values[column.name] = self.table.column(column.name).to_pylist()
        return self._values[column.name]

    def floats(self, column: FrameColumn) -> list[float | None]:
        """The column's numbers; ``None`` for what is missing or not finite."""
        if column.name not in self._floats:
            numbers = (as_number(value, column) for value in self.values(column))
            self._floats[column.name] = [None if n is None else _float(n) for n in numbers]
        return self._floats[column.name]

    def texts(self, column: FrameColumn, rows: Sequence[int], *, unit: bool = False) -> list[str]:
        """The column as people read it, in some rows; ``(none)`` for missing values."""
        values = self.values(column)
        return [self.text(values[row], column, unit=unit) for row in rows]

    def text(self, value: object, column: FrameColumn, *, unit: bool = False) -> str:
        if value is None:
            return self.say("(none)", "（无）")
        shown = format_cell(value, column, self.lang, unit=unit)
        return shown if shown.strip() else self.say("(empty)", "（空）")

    def axis_title(self, column: FrameColumn) -> str:
        """The label with its unit: ``revenue (€)``."""
        if not column.unit:
            return column.label
        sign = unit_sign(column.unit, self.lang)
        return self.say(f"{column.label} ({sign})", f"{column.label}（{sign}）")

    def numeric(self, column: FrameColumn) -> bool:
        kind = self.table.schema.field(column.name).type
        arrow = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        return bool(arrow or column.kind.is_number) and any(n is not None for n in self.floats(column))

    def on_time_line(self, column: FrameColumn) -> bool:
        """Whether the column's values are moments, so that distances between them mean something."""
        if column.grain in RECURRING or not (column.grain or column.kind.is_time):
            return False
        known = [value for value in self.values(column) if value is not None]
        return bool(known) and all(start_of(value) is not None for value in known)


@dataclass(frozen=True, slots=True)
class ChartKind:
    """One way to draw a frame.

    :ivar labels: by language, for the switch beside the chart.
    :ivar fits: ``None`` when the kind cannot draw this frame.
    :ivar draw: called only for a frame that fits.
    """

    name: str
    labels: Mapping[str, str]
    fits: Callable[[FrameView], Fit | None]
    draw: Callable[[FrameView], Drawing]


def utc_ms(value: object) -> float | None:
    """A time as milliseconds since 1970 in UTC, which Vega shows the same in every time zone."""
    moment = start_of(value)
    return None if moment is None else moment.replace(tzinfo=UTC).timestamp() * 1000


def top(encoding: Spec, mark: Spec | str, *, plot_height: int | None = None) -> Spec:
    """A whole specification around an encoding; it takes the width of its place.

    :param plot_height: pixels of the plot alone, for charts that grow with their rows; else the whole is 280 high.
        A number, since Vega-Lite warns about a height in steps beside a width that fits.
    """
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"name": "frame"},
        "width": "container",
        "height": plot_height or 280,
        "autosize": {"type": "fit-x" if plot_height else "fit", "contains": "padding"},
        "mark": mark,
        "encoding": encoding,
    }


def quantity(field: str, title: str, numbers: Sequence[float | None], lang: Lang, *, zero: bool) -> Spec:
    """A linear axis whose labels stay short: thousands grouped, millions as ``M`` or ``万``."""
    axis: Spec = {"tickCount": 5, "labelOverlap": "parity", "labelSeparation": LABEL_GAP}
    largest = max((abs(n) for n in numbers if n is not None), default=0)
    if lang == "zh" and largest >= 100_000:
        axis["labelExpr"] = "datum.value == 0 ? '0' : format(datum.value / 10000, ',~r') + '万'"
    elif largest >= 100_000:
        axis["labelExpr"] = "replace(format(datum.value, '~s'), 'G', 'B')"
    elif largest >= 10:
        axis["format"] = ",~f"
    return {"field": field, "type": "quantitative", "title": title, "axis": axis, "scale": {"zero": zero}}


def spread(rows: Sequence[int], most: int = POINTS) -> list[int]:
    """At most ``most`` of the rows, evenly spaced, in their order."""
    if len(rows) <= most:
        return list(rows)
    return [rows[i * len(rows) // most] for i in range(most)]


def tooltip(*fields: tuple[str, str]) -> list[Spec]:
    """Fields with their titles, already written for people."""
    return [{"field": field, "type": "nominal", "title": title} for field, title in fields]


def _float(number: Number) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None
