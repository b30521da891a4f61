"""A histogram: how the values of one quantity are spread. Counted here over all rows, not in the browser over some."""

from __future__ import annotations

import math

from agents.artifacts import FrameColumn
from agents.charts.base import ChartKind, Drawing, Fit, FrameView, Row, Spec, quantity, tooltip, top
from agents.narrate.format import decimals_for, format_number, with_unit

FEWEST = 20
DISTINCT = 8
BINS = 20


def fits(view: FrameView) -> Fit | None:
    column = _column(view)
    if column is None:
        return None
    known = [number for number in view.floats(column) if number is not None]
    if len(known) < FEWEST or len(set(known)) < DISTINCT:
        return None
    reason = view.say(f"how {column.label} is spread", f"{column.label}的分布")
    return Fit(0.7 if len(view.numbers) == 1 else 0.45, reason)


def draw(view: FrameView) -> Drawing:
    column = _column(view)
    assert column is not None
    known = [number for number in view.floats(column) if number is not None]
    edges = bin_edges(known)
    counts = [0] * (len(edges) - 1)
    step = edges[1] - edges[0]
    for number in known:
        counts[min(len(counts) - 1, max(0, math.floor((number - edges[0]) / step)))] += 1
    places = decimals_for(edges)
    shown = [format_number(edge, view.lang, places) for edge in edges]
    rows: list[Row] = [
        {
            "x": edges[i],
            "x2": edges[i + 1],
            "y": float(count),
            "xt": with_unit(f"{shown[i]} – {shown[i + 1]}", column.unit, view.lang),
            "yt": format_number(count, view.lang),
        }
        for i, count in enumerate(counts)
    ]
    rows_title = view.say("rows", "行数")
    along: Spec = quantity("x", view.axis_title(column), edges, view.lang, zero=False)
    along["bin"] = {"binned": True, "step": step}
    encoding: Spec = {
        "x": along,
        "x2": {"field": "x2"},
        "y": quantity("y", rows_title, [float(count) for count in counts], view.lang, zero=True),
        "tooltip": tooltip(("xt", column.label), ("yt", rows_title)),
    }
    notes = []
    if gone := view.rows - len(known):
        notes.append(view.say(f"Without a value and not counted: {gone:,}.", f"没有数值、未计入：{gone:,}。"))
    title = view.say(f"Spread of {column.label}", f"{column.label}的分布")
    return Drawing(title, top(encoding, {"type": "bar"}), rows, tuple(notes))


def bin_edges(numbers: list[float]) -> list[float]:
    """Edges of equal bins, 1, 2 or 5 times a power of ten wide: about the root of the count, at most :data:`BINS`."""
    low, high = min(numbers), max(numbers)
    wanted = min(BINS, max(5, math.isqrt(len(numbers))))
    raw = (high - low) / wanted or 1.0
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first = math.floor(low / step)
    # The greatest value falls into the last bin, also where it is its right edge.
    last = max(first + 1, math.ceil(high / step))
    return [round(i * step, 12) if abs(i * step) < 1e9 else i * step for i in range(first, last + 1)]


def _column(view: FrameView) -> FrameColumn | None:
    return view.numbers[0] if view.numbers and not view.measures else None


CHART = ChartKind("histogram", {"en": "Histogram", "zh": "直方图"}, fits, draw)
