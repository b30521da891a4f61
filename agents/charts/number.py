"""One number, large: the answer is a single value."""

from __future__ import annotations

from agents.charts.base import ChartKind, Drawing, Fit, FrameView, Spec

SIZE = 56


def fits(view: FrameView) -> Fit | None:
    if view.rows != 1 or len(view.measures) != 1 or len(view.meta.columns) > 2:
        return None
    return Fit(0.9, view.say("a single value", "单个数值"))


def draw(view: FrameView) -> Drawing:
    measure = view.measures[0]
    others = [column for column in view.meta.columns if column is not measure]
    title = view.say(" · ", "·").join([measure.label, *(view.texts(column, [0])[0] for column in others)])
    spec: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"name": "frame"},
        "width": "container",
        "height": SIZE + 24,
        "mark": {"type": "text", "fontSize": SIZE, "align": "left", "baseline": "middle", "x": 0},
        "encoding": {"text": {"field": "yt", "type": "nominal"}},
        "config": {"view": {"stroke": None}},
    }
    return Drawing(title, spec, [{"y": view.floats(measure)[0], "yt": view.texts(measure, [0], unit=True)[0]}])


CHART = ChartKind("number", {"en": "Number", "zh": "数字"}, fits, draw)
