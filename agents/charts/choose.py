"""Which chart, if any: the kinds are asked how well they fit, the best one is drawn, two others are offered."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

import pyarrow as pa

from agents import charts
from agents.artifacts import ChartArtifact, ChartChoice, FrameMeta
from agents.charts.base import ChartKind, Drawing, Fit, FrameView, Row
from agents.errors import NotFound
from agents.narrate.periods import Lang

ALTERNATIVES = 2


@dataclass(frozen=True, slots=True)
class ChosenChart:
    """The chart to show, why, and up to two others that also fit."""

    chart: str
    reason: str
    drawing: Drawing
    alternatives: tuple[ChartChoice, ...]


@dataclass(frozen=True, slots=True)
class NotDrawn:
    """No chart, and why it would add nothing to the table."""

    reason: str


@cache
def all_charts() -> dict[str, ChartKind]:
    """Every kind by name, in the order of their file names.

    :raises RuntimeError: when two files declare the same name.
    """
    kinds: dict[str, ChartKind] = {}
    for module in sorted(pkgutil.iter_modules(charts.__path__), key=lambda m: m.name):
        kind = getattr(importlib.import_module(f"{charts.__name__}.{module.name}"), "CHART", None)
        if isinstance(kind, ChartKind):
            if kind.name in kinds:
                raise RuntimeError(f"two chart kinds are called {kind.name!r}")
            kinds[kind.name] = kind
    return kinds


def choose(meta: FrameMeta, table: pa.Table, lang: Lang) -> ChosenChart | NotDrawn:
    """The best chart of a frame, with the reason, or the reason why there is none."""
    view = FrameView(meta, table, lang)
    ranked = _ranked(view)
    if not ranked:
        return NotDrawn(_why_not(view))
    return _chosen(view, ranked, ranked[0][0])


def draw(chart: str, meta: FrameMeta, table: pa.Table, lang: Lang) -> ChosenChart:
    """The frame drawn as the given kind, with the others that fit as alternatives.

    :raises NotFound: ``not_found.chart`` for a kind that does not exist or cannot draw this frame.
    """
    view = FrameView(meta, table, lang)
    ranked = _ranked(view)
    for kind, _ in ranked:
        if kind.name == chart:
            return _chosen(view, ranked, kind)
    raise NotFound("not_found.chart", f"This result cannot be drawn as {chart!r}.", "Choose one of the charts offered.")


def chart_artifact(chosen: ChosenChart, meta: FrameMeta, lang: Lang, *, id: str) -> ChartArtifact:
    """The chart as it goes to the page; :func:`chart_rows` gives the rows that its specification asks for."""
    drawing = chosen.drawing
    return ChartArtifact(
        id=id,
        title=drawing.title,
        chart=chosen.chart,
        spec={**drawing.spec, "usermeta": {"lang": lang}},
        frame_id=meta.id,
        reason=chosen.reason,
        alternatives=chosen.alternatives,
        notes=drawing.notes,
    )


def rechart(artifact: ChartArtifact, chart: str, meta: FrameMeta, table: pa.Table) -> ChartArtifact | None:
    """The same rows as another kind of chart; ``None`` when that kind does not exist or does not fit them."""
    lang = _lang(artifact)
    try:
        return chart_artifact(draw(chart, meta, table, lang), meta, lang, id=artifact.id)
    except NotFound:
        return None


def chart_rows(artifact: ChartArtifact, meta: FrameMeta, table: pa.Table) -> list[Row]:
    """JSON-safe rows for the data set ``frame`` of an artifact's specification, capped as its notes say.

    :raises NotFound: ``not_found.chart`` when the rows are not those that the chart was made of.
    """
    return draw(artifact.chart, meta, table, _lang(artifact)).drawing.rows


def _ranked(view: FrameView) -> list[tuple[ChartKind, Fit]]:
    fits = [(kind, fit) for kind in all_charts().values() if (fit := kind.fits(view)) is not None]
    return sorted(fits, key=lambda pair: -pair[1].score)


def _chosen(view: FrameView, ranked: list[tuple[ChartKind, Fit]], kind: ChartKind) -> ChosenChart:
    others = [(other, fit) for other, fit in ranked if other is not kind][:ALTERNATIVES]
    return ChosenChart(
        kind.name,
        next(fit.reason for other, fit in ranked if other is kind),
        _with_cut(view, kind.draw(view)),
        tuple(ChartChoice(chart=o.name, label=o.labels[view.lang], reason=fit.reason) for o, fit in others),
    )


def _lang(artifact: ChartArtifact) -> Lang:
    return "zh" if artifact.spec.get("usermeta", {}).get("lang") == "zh" else "en"


def _with_cut(view: FrameView, drawing: Drawing) -> Drawing:
    if not view.meta.truncated:
        return drawing
    note = view.say(f"Drawn from the first {view.rows:,} rows.", f"只根据前{view.rows:,}行绘制。")
    return Drawing(drawing.title, drawing.spec, drawing.rows, (*drawing.notes, note))


def _why_not(view: FrameView) -> str:
    if view.rows == 0:
        return view.say("There are no rows to draw.", "没有可绘制的行。")
    if not view.measures and not view.numbers:
        return view.say("The rows hold no quantities to draw.", "结果中没有可绘制的数量。")
    if view.rows == 1:
        return view.say("A single row says more as a table.", "只有一行，看表格更清楚。")
    return view.say("No chart would say more than the table.", "图表不会比表格更清楚。")
