"""Charts: every file of this folder that declares ``CHART`` is a kind; the frame's types decide which one is drawn."""

from agents.charts.base import ChartKind, Drawing, Fit, FrameView
from agents.charts.choose import (
    ChosenChart,
    NotDrawn,
    all_charts,
    chart_artifact,
    chart_rows,
    choose,
    draw,
    rechart,
)

__all__ = [
    "ChartKind",
    "ChosenChart",
    "Drawing",
    "Fit",
    "FrameView",
    "NotDrawn",
    "all_charts",
    "chart_artifact",
    "chart_rows",
    "choose",
    "draw",
    "rechart",
]
