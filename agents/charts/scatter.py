"""Points: how two quantities go together."""

from __future__ import annotations

from agents.artifacts import FrameColumn
from agents.charts.base import POINTS, ChartKind, Drawing, Fit, FrameView, Row, Spec, quantity, spread, tooltip, top

FEWEST = 8
COLOURS = 6


def fits(view: FrameView) -> Fit | None:
    pair = _pair(view)
    if pair is None:
        return None
    x, y = pair
    both = sum(a is not None and b is not None for a, b in zip(view.floats(x), view.floats(y), strict=True))
    if both < FEWEST or len(set(view.floats(x))) < 3 or len(set(view.floats(y))) < 3:
        return None
    reason = view.say(f"whether {y.label} goes with {x.label}", f"{x.label}与{y.label}的关系")
    return Fit(0.75 if view.numbers else 0.5, reason)


def draw(view: FrameView) -> Drawing:
    pair = _pair(view)
    assert pair is not None
    x, y = pair
    name, colour = _name(view), _colour(view)
    xs, ys = view.floats(x), view.floats(y)
    known = [row for row in range(view.rows) if xs[row] is not None and ys[row] is not None]
    notes: list[str] = []
    if gone := view.rows - len(known):
        notes.append(view.say(f"Without one of the two and not drawn: {gone:,}.", f"缺少数值、未画出：{gone:,}。"))
    if len(known) > POINTS:
        notes.append(view.say(f"{POINTS:,} of {len(known):,} points.", f"共{len(known):,}个点，只画{POINTS:,}个。"))
    drawn = spread(known)
    names = view.texts(name, drawn) if name else [""] * len(drawn)
    splits = view.texts(colour, drawn) if colour else [""] * len(drawn)
    shown = zip(drawn, view.texts(x, drawn, unit=True), view.texts(y, drawn, unit=True), names, splits, strict=True)
    rows: list[Row] = [{"x": xs[row], "y": ys[row], "xt": xt, "yt": yt, "n": n, "s": s} for row, xt, yt, n, s in shown]
    encoding: Spec = {
        "x": quantity("x", view.axis_title(x), xs, view.lang, zero=False),
        "y": quantity("y", view.axis_title(y), ys, view.lang, zero=False),
    }
    tips = [("xt", x.label), ("yt", y.label)]
    if name:
        tips.insert(0, ("n", name.label))
    if colour:
        encoding["color"] = {"field": "s", "type": "nominal", "title": colour.label}
        encoding["shape"] = {"field": "s", "type": "nominal", "title": colour.label}
        if colour is not name:
            tips.append(("s", colour.label))
    encoding["tooltip"] = tooltip(*tips)
    title = view.say(f"{y.label} against {x.label}", f"{x.label}与{y.label}")
    spec = top(encoding, {"type": "point", "filled": True, "opacity": 0.7})
    return Drawing(title, spec, rows, tuple(notes))


def _pair(view: FrameView) -> tuple[FrameColumn, FrameColumn] | None:
    numbers = view.numbers if len(view.numbers) >= 2 else view.measures
    return (numbers[0], numbers[1]) if len(numbers) >= 2 else None


def _name(view: FrameView) -> FrameColumn | None:
    return next(iter((*view.words, *view.dimensions)), None)


def _colour(view: FrameView) -> FrameColumn | None:
    few = (c for c in (*view.words, *view.dimensions) if 2 <= len(set(view.values(c))) <= COLOURS)
    return next(few, None)


CHART = ChartKind("scatter", {"en": "Points", "zh": "散点图"}, fits, draw)
