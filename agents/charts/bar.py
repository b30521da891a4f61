"""Bars: values of a few categories side by side, from a zero baseline."""

from __future__ import annotations

from agents.charts.base import BARS, LABEL_GAP, ChartKind, Drawing, Fit, FrameView, Row, Spec, quantity, tooltip, top
from agents.charts.layout import Layout, in_order, layout, layout_rows, left_out, ranked
from agents.narrate.periods import RECURRING

LONG_LABEL = 10
MANY_LABELS = 12
# So many letters find room side by side under a chart on a small screen.
NARROW_LETTERS = 45
# Pixels: a lying bar with the gap to the next; where bars are split, one bar, and the gap between two groups.
STEP, SPLIT_STEP, SPLIT_GAP = 22, 12, 6


def fits(view: FrameView) -> Fit | None:
    shape = layout(view)
    if shape is None or view.rows < 2:
        return None
    # Rows of a single dimension are a bar each, also where two of them are called the same.
    count = len(set(view.values(shape.x))) if shape.series else view.rows
    if count > 10 * BARS or (shape.split and count > BARS):
        return None
    reason = view.say(f"{shape.y[0].label} compared by {shape.x.label}", f"按{shape.x.label}比较{shape.y[0].label}")
    if count > BARS:
        return Fit(0.45, reason)
    if shape.timed:
        return Fit(0.7 if count <= MANY_LABELS else 0.5, reason)
    return Fit(0.8 if view.measures else 0.6, reason)


def draw(view: FrameView) -> Drawing:
    shape = layout(view)
    assert shape is not None
    order, notes = _largest(view, shape, in_order(view, shape))
    rows = layout_rows(view, shape, order)
    y, x = shape.y[0], shape.x
    value_title = view.axis_title(y) if len(shape.y) == 1 else view.axis_title(y).replace(y.label, "").strip(" ()（）")
    value = quantity(
        "y", value_title, [row["y"] for row in rows if not isinstance(row["y"], str)], view.lang, zero=True
    )
    lying = _lying(rows, timed=shape.timed, recurring=x.grain in RECURRING)
    category: Spec = {
        "field": "xt",
        "type": "nominal",
        "sort": None,
        "title": None if lying else x.label,
        "axis": {"labelLimit": 220}
        if lying
        else {"labelAngle": 0, "labelOverlap": "greedy", "labelSeparation": LABEL_GAP},
    }
    tips = [("xt", x.label), ("yt", y.label if len(shape.y) == 1 else view.say("value", "数值"))]
    encoding: Spec = {"y": category, "x": value} if lying else {"x": category, "y": value}
    places = len({row["xt"] for row in rows})
    plot_height = STEP * places
    if shape.split:
        title = shape.series.label if shape.series else None
        encoding["color"] = {"field": "s", "type": "nominal", "sort": None, "title": title}
        encoding["yOffset" if lying else "xOffset"] = {"field": "s", "type": "nominal", "sort": None}
        tips.insert(1, ("s", title or view.say("measure", "指标")))
        plot_height = places * (SPLIT_STEP * len({row["s"] for row in rows}) + SPLIT_GAP)
    encoding["tooltip"] = tooltip(*tips)
    labels = view.say(", ", "、").join(column.label for column in shape.y)
    title = view.say(f"{labels} by {x.label}", f"按{x.label}的{labels}")
    spec = top(encoding, {"type": "bar"}, plot_height=plot_height if lying else None)
    return Drawing(title, spec, rows, (*notes, *left_out(view, shape)))


def _largest(view: FrameView, shape: Layout, order: list[int]) -> tuple[list[int], tuple[str, ...]]:
    """At most :data:`BARS` rows: the first of a ranked result, the last of a time, else the largest."""
    count = len(order)
    if count <= BARS or shape.split:
        return order, ()
    numbers = view.floats(shape.y[0])
    if shape.timed or shape.x.grain in RECURRING:
        return order[-BARS:], (view.say(f"The last {BARS} of {count:,} bars.", f"共{count:,}条，只画最后{BARS}条。"),)
    if ranked(numbers):
        return order[:BARS], (view.say(f"The first {BARS} of {count:,} bars.", f"共{count:,}条，只画前{BARS}条。"),)
    largest = sorted(order, key=lambda row: (numbers[row] is None, -(numbers[row] or 0.0)))[:BARS]
    return largest, (view.say(f"The {BARS} largest of {count:,} bars.", f"共{count:,}条，只画最大的{BARS}条。"),)


def _lying(rows: list[Row], *, timed: bool, recurring: bool) -> bool:
    """Horizontal bars, whose labels have room: for long names, many of them, or more than a hand's width holds."""
    names = {str(row["xt"]) for row in rows}
    # A Chinese character is as wide as two letters.
    longest = max(sum(2 if ord(character) > 0x2E80 else 1 for character in name) for name in names)
    crowded = not recurring and longest * len(names) > NARROW_LETTERS
    return not timed and (longest > LONG_LABEL or len(names) > MANY_LABELS or crowded)


CHART = ChartKind("bar", {"en": "Bars", "zh": "柱形图"}, fits, draw)
