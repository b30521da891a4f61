"""Which column goes where in charts of measures over a dimension; shared by bars and lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.artifacts import FrameColumn
from agents.charts.base import SERIES, FrameView, Row, utc_ms
from agents.narrate.periods import RECURRING

SIMILAR = 50.0
"""Measures whose largest values differ by more than this factor do not share an axis."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``y`` over ``x``, split by ``series``, or several measures side by side.

    :ivar timed: ``x`` is a time line.
    """

    x: FrameColumn
    y: tuple[FrameColumn, ...]
    series: FrameColumn | None
    timed: bool

    @property
    def split(self) -> bool:
        return self.series is not None or len(self.y) > 1


def layout(view: FrameView) -> Layout | None:
    """One or two dimensions and their measures; without a measure a name and its first quantity."""
    measures, dimensions = view.measures, view.dimensions
    if not measures and not dimensions and view.words and len(view.numbers) == 1:
        measures, dimensions = view.numbers, view.words[:1]
        if len(set(view.values(dimensions[0]))) < view.rows:
            return None
    if not measures or not 1 <= len(dimensions) <= 2:
        return None
    if len(dimensions) == 1:
        x = dimensions[0]
        return Layout(x, _comparable(view, measures), None, view.on_time_line(x))
    # Time goes along, the other dimension splits; else the one with fewer values splits.
    timed = [d for d in dimensions if view.on_time_line(d)]
    first, second = dimensions
    if timed:
        x = timed[0]
    elif (first.grain in RECURRING) != (second.grain in RECURRING):
        x = first if first.grain in RECURRING else second
    else:
        x = first if len(set(view.values(first))) >= len(set(view.values(second))) else second
    series = second if x is first else first
    pairs = Counter(zip(view.values(x), view.values(series), strict=True))
    if len(set(view.values(series))) > SERIES or max(pairs.values(), default=0) > 1:
        return None
    return Layout(x, measures[:1], series, bool(timed))


def left_out(view: FrameView, shape: Layout) -> tuple[str, ...]:
    """A note that names the measures which are only in the table."""
    others = [column.label for column in view.measures if column not in shape.y]
    if not others:
        return ()
    return (view.say(f"Not drawn: {', '.join(others)}.", f"未画出：{'、'.join(others)}。"),)


def in_order(view: FrameView, shape: Layout) -> list[int]:
    """Row numbers in the order of time, of the recurring part, or of the result; missing keys last."""
    order = list(range(view.rows))
    if shape.timed or shape.x.grain in RECURRING:
        keys = view.values(shape.x)
        ranks = [utc_ms(key) if shape.timed else (key if isinstance(key, int) else None) for key in keys]
        order.sort(key=lambda row: (ranks[row] is None, ranks[row] or 0))
    return order


def layout_rows(view: FrameView, shape: Layout, order: Sequence[int]) -> list[Row]:
    """The chosen rows as marks: one for each row and measure."""
    keys, names = view.values(shape.x), view.texts(shape.x, order)
    if not shape.split:
        names = _distinct(names)
    splits = view.texts(shape.series, order) if shape.series else None
    rows: list[Row] = []
    for column in shape.y:
        numbers, texts = view.floats(column), view.texts(column, order, unit=True)
        for place, row in enumerate(order):
            mark: Row = {"x": utc_ms(keys[row]) if shape.timed else None, "xt": names[place]}
            rows.append(mark | {"y": numbers[row], "yt": texts[place], "s": splits[place] if splits else column.label})
    return rows


def ranked(numbers: Sequence[float | None]) -> bool:
    """Whether the values only fall or only rise."""
    known = [number for number in numbers if number is not None]
    steps = list(pairwise(known))
    return len(known) > 1 and (all(a >= b for a, b in steps) or all(a <= b for a, b in steps))


def _comparable(view: FrameView, measures: tuple[FrameColumn, ...]) -> tuple[FrameColumn, ...]:
    """The first measure, with up to three others of the same unit and size."""
    chosen = [measures[0]]
    size = _size(view, measures[0])
    for column in measures[1:]:
        other = _size(view, column)
        alike = column.unit == measures[0].unit and min(size, other) * SIMILAR >= max(size, other)
        if alike and len(chosen) < 4 and column.label not in [c.label for c in chosen]:
            chosen.append(column)
    return tuple(chosen)


def _size(view: FrameView, column: FrameColumn) -> float:
    return max(abs(number) for number in view.floats(column) if number is not None)


def _distinct(names: list[str]) -> list[str]:
    """Names that repeat get a number: two people called Ann are two bars."""
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return told
