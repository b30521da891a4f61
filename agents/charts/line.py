"""Lines: how values move along time."""

from __future__ import annotations

from agents.charts.base import (
    LABEL_GAP,
    POINTS,
    ChartKind,
    Drawing,
    Fit,
    FrameView,
    Row,
    Spec,
    quantity,
    spread,
    tooltip,
    top,
)
from agents.charts.layout import Layout, in_order, layout, layout_rows, left_out
from agents.narrate.periods import RECURRING, Lang

FEWEST = 3
AXIS_LABELS = 8
DOTTED = 40
"""Up to so many points each one is marked."""

_FORMATS: dict[Lang, dict[str, str]] = {
    "en": {"year": "%Y", "quarter": "Q%q %Y", "month": "%b %Y", "week": "%-d %b %Y", "day": "%-d %b %Y"},
    "zh": {"year": "%Y年", "quarter": "%Y年Q%q", "month": "%Y年%-m月", "week": "%Y-%m-%d", "day": "%Y-%m-%d"},
}


def fits(view: FrameView) -> Fit | None:
    shape = layout(view)
    if shape is None:
        return None
    count = len({value for value in view.values(shape.x) if value is not None})
    if count < FEWEST or not (shape.timed or shape.x.grain in RECURRING):
        return None
    reason = view.say(f"{shape.y[0].label} over time", f"{shape.y[0].label}随时间的变化")
    return Fit(0.9 if shape.timed else 0.6, reason)


def draw(view: FrameView) -> Drawing:
    shape = layout(view)
    assert shape is not None
    order, notes = _drawn(view, shape, in_order(view, shape))
    rows = layout_rows(view, shape, order)
    y, x = shape.y[0], shape.x
    numbers = [row["y"] for row in rows if not isinstance(row["y"], str)]
    value_title = view.axis_title(y) if len(shape.y) == 1 else view.axis_title(y).replace(y.label, "").strip(" ()（）")
    encoding: Spec = {
        "x": _time_axis(rows, x.label, x.grain, view.lang) if shape.timed else _steps(x.label),
        "y": quantity("y", value_title, numbers, view.lang, zero=_near_zero(numbers)),
    }
    tips = [("xt", x.label), ("yt", y.label if len(shape.y) == 1 else view.say("value", "数值"))]
    if shape.split:
        title = shape.series.label if shape.series else None
        encoding["color"] = {"field": "s", "type": "nominal", "sort": None, "title": title}
        tips.insert(1, ("s", title or view.say("measure", "指标")))
    encoding["tooltip"] = tooltip(*tips)
    mark: Spec = {"type": "line"} | ({"point": True} if len({row["xt"] for row in rows}) <= DOTTED else {})
    labels = view.say(", ", "、").join(column.label for column in shape.y)
    title = view.say(f"{labels} by {x.label}", f"按{x.label}的{labels}")
    return Drawing(title, top(encoding, mark), rows, (*notes, *left_out(view, shape)))


def _drawn(view: FrameView, shape: Layout, order: list[int]) -> tuple[list[int], tuple[str, ...]]:
    """The rows that have a place on the axis, evenly thinned where there are too many."""
    notes: list[str] = []
    if shape.timed:
        keys = view.values(shape.x)
        known = [row for row in order if keys[row] is not None]
        if gone := len(order) - len(known):
            notes.append(view.say(f"Without a time and not drawn: {gone:,}.", f"没有时间、未画出：{gone:,}。"))
        order = known
    most = POINTS // len(shape.y)
    if len(order) > most:
        notes.append(view.say(f"{most:,} of {len(order):,} points.", f"共{len(order):,}个点，只画{most:,}个。"))
    return spread(order, most), tuple(notes)


def _time_axis(rows: list[Row], title: str, grain: str | None, lang: Lang) -> Spec:
    """Labels stand at points of the data, so that none falls between two and none comes twice."""
    axis: Spec = {"labelOverlap": "parity", "labelSeparation": LABEL_GAP, "labelFlush": False, "grid": False}
    form = _FORMATS[lang].get(grain or "")
    if form:
        moments = sorted({row["x"] for row in rows if isinstance(row["x"], float)})
        step = max(1, -(-len(moments) // AXIS_LABELS))
        axis |= {"format": form, "values": moments[::step]}
    elif lang == "zh":
        axis["format"] = "%Y-%m-%d"
    return {"field": "x", "type": "temporal", "title": title, "scale": {"type": "utc"}, "axis": axis}


def _steps(title: str) -> Spec:
    axis = {"labelAngle": 0, "labelOverlap": "parity", "labelSeparation": LABEL_GAP, "grid": False}
    return {"field": "xt", "type": "ordinal", "sort": None, "title": title, "axis": axis}


def _near_zero(numbers: list[float | None]) -> bool:
    """Whether zero is drawn: where the values come near it. Bars always start there; a line shows change, not size."""
    known = [number for number in numbers if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return low < 0 or high == 0 or low / high < 0.6


CHART = ChartKind("line", {"en": "Line", "zh": "折线图"}, fits, draw)
