from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import altair
import jsonschema
import pyarrow as pa
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.artifacts import FrameColumn, FrameMeta
from agents.charts import NotDrawn, all_charts, chart_artifact, chart_rows, choose, draw, rechart
from agents.charts.base import BARS, POINTS
from agents.charts.histogram import bin_edges
from agents.errors import NotFound

MakeFrame = Callable[..., tuple[FrameMeta, pa.Table]]

MONTHS = [f"{year}-{month:02d}" for year in (2022, 2023) for month in range(1, 13)]
DAYS = [date(2023, 1, 1) + timedelta(i) for i in range(60)]
MONTH, REVENUE = "dimension text month grain=month", "measure dec revenue unit=EUR"
NAME, ORDERS = "dimension text name", "measure int orders"

# name of the case, columns, rows, the chart chosen, the others offered
CHOSEN: list[tuple[str, Sequence[str], Sequence[Sequence[Any]], str, list[str]]] = [
    ("months", [MONTH, REVENUE], [(m, 9e5 + i * 1e4) for i, m in enumerate(MONTHS)], "line", ["bar"]),
    (
        "months by region",
        ["dimension text region", MONTH, REVENUE],
        [(r, m, 100.0 + i) for r in ("Europe", "Asia", None) for i, m in enumerate(MONTHS)],
        "line",
        ["bar"],
    ),
    ("days", ["dimension date day grain=day", ORDERS], [(d, i) for i, d in enumerate(DAYS)], "line", ["bar"]),
    (
        "quarters",
        ["dimension text q grain=quarter", ORDERS],
        [("2023-Q1", 1), ("2023-Q2", 2), ("2023-Q3", 4)],
        "line",
        ["bar"],
    ),
    ("two years", ["dimension int year grain=year", ORDERS], [(2022, 5), (2023, 9)], "bar", []),
    ("weekdays", ["dimension int day grain=weekday", ORDERS], [(d, d) for d in range(7)], "bar", ["line"]),
    ("few names", [NAME, "measure dec power"], [("USA", 119.0), ("Europe", 80.5), (None, 79.8)], "bar", []),
    ("many names", [NAME, ORDERS], [(f"n{i}", (i * 37) % 101) for i in range(90)], "bar", []),
    (
        "two dimensions",
        [NAME, "dimension text way", ORDERS],
        [(n, w, 3) for n in ("Northern Europe", "Asia") for w in ("web", "shop")],
        "bar",
        [],
    ),
    (
        "two measures alike",
        [NAME, "measure dec low", "measure dec high"],
        [("a", 1.0, 2.0), ("b", 2.0, 4.0)],
        "bar",
        [],
    ),
    ("names with one quantity", ["detail text name", "detail int age"], [("Ann", 9), ("Bob", 7)], "bar", []),
    (
        "two quantities",
        ["detail text name", "detail text origin", "detail dec power", "detail dec mpg"],
        [(f"car {i}", "EU" if i % 3 else "US", 50.0 + i, 40.0 - i / 9) for i in range(50)],
        "scatter",
        ["histogram"],
    ),
    ("one quantity", ["detail dec power"], [(float(i * i % 97),) for i in range(60)], "histogram", []),
    ("one value", [ORDERS], [(1234,)], "number", []),
    ("one value with its name", [NAME, ORDERS], [("Ann", 1234)], "number", []),
]

LYING = [
    # name of the case, columns, rows, pixels of the plot
    ("long names", [NAME, ORDERS], [(f"a rather long name {i}", i) for i in range(5)], 5 * 22),
    (
        "crowded on a small screen",
        [NAME, ORDERS],
        [(name, 1) for name in ("completed", "returned", "cancelled", "shipped", "processing")],
        5 * 22,
    ),
    (
        "split",
        [NAME, "dimension text way", ORDERS],
        [(f"a rather long name {i}", way, i) for i in range(6) for way in ("web", "shop")],
        6 * (2 * 12 + 6),
    ),
]

NOT_DRAWN = [
    ("no rows", [ORDERS], [], "no rows", "没有可绘制的行"),
    (
        "names only",
        ["detail text name", "detail int customer_id"],
        [("Ann", 1), ("Bob", 2)],
        "no quantities",
        "没有可绘制的数量",
    ),
    (
        "one long row",
        ["detail text name", "detail int age", "detail int height"],
        [("Ann", 9, 120)],
        "single row",
        "只有一行",
    ),
    ("nothing but missing", [NAME, "measure dec x"], [("a", None), ("b", None)], "no quantities", "没有可绘制的数量"),
    ("too few points", ["detail int a", "detail int b"], [(1, 2), (3, 4)], "more than the table", "图表"),
]


@cache
def schema() -> jsonschema.protocols.Validator:
    path = Path(altair.__file__).parent / "vegalite" / "v6" / "schema" / "vega-lite-schema.json"
    return jsonschema.Draft7Validator(json.loads(path.read_text()))


@pytest.mark.parametrize(("specs", "rows", "pixels"), [case[1:] for case in LYING], ids=[case[0] for case in LYING])
def test_lying_bars_grow_with_their_rows(make_frame: MakeFrame, specs: list[str], rows: list[Any], pixels: int) -> None:
    chosen = choose(*make_frame(specs, rows), "en")
    assert not isinstance(chosen, NotDrawn)
    spec = chosen.drawing.spec
    assert spec["encoding"]["y"]["field"] == "xt"
    # Vega-Lite warns about a height in steps beside a width that fits its place.
    assert (spec["height"], spec["autosize"]["type"]) == (pixels, "fit-x")


@pytest.mark.parametrize(("specs", "rows"), [case[1:3] for case in CHOSEN], ids=[case[0] for case in CHOSEN])
def test_labels_along_the_bottom_keep_apart(make_frame: MakeFrame, specs: list[str], rows: list[Any]) -> None:
    chosen = choose(*make_frame(specs, rows), "en")
    assert not isinstance(chosen, NotDrawn)
    along = chosen.drawing.spec.get("encoding", {}).get("x", {})
    if along.get("type") in ("temporal", "ordinal", "nominal", "quantitative"):
        assert along["axis"]["labelOverlap"] in ("parity", "greedy")
        assert along["axis"]["labelSeparation"] >= 8


@pytest.mark.parametrize(("specs", "rows", "chart", "others"), [c[1:] for c in CHOSEN], ids=[c[0] for c in CHOSEN])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_chosen(
    make_frame: MakeFrame, specs: list[str], rows: list[Any], chart: str, others: list[str], lang: Any
) -> None:
    meta, table = make_frame(specs, rows)
    chosen = choose(meta, table, lang)
    assert not isinstance(chosen, NotDrawn)
    assert (chosen.chart, [other.chart for other in chosen.alternatives]) == (chart, others)
    assert chosen.reason
    assert chosen.drawing.title


@pytest.mark.parametrize(("specs", "rows", "en", "zh"), [c[1:] for c in NOT_DRAWN], ids=[c[0] for c in NOT_DRAWN])
def test_not_drawn(make_frame: MakeFrame, specs: list[str], rows: list[Any], en: str, zh: str) -> None:
    meta, table = make_frame(specs, rows)
    for lang, words in (("en", en), ("zh", zh)):
        chosen = choose(meta, table, lang)  # type: ignore[arg-type]
        assert isinstance(chosen, NotDrawn)
        assert words in chosen.reason


@pytest.mark.parametrize(("specs", "rows"), [c[1:3] for c in CHOSEN], ids=[c[0] for c in CHOSEN])
def test_specifications_are_valid_and_draw(make_frame: MakeFrame, specs: list[str], rows: list[Any]) -> None:
    meta, table = make_frame(specs, rows)
    for lang in ("en", "zh"):
        first = choose(meta, table, lang)  # type: ignore[arg-type]
        assert not isinstance(first, NotDrawn)
        for name in (first.chart, *(other.chart for other in first.alternatives)):
            artifact = chart_artifact(draw(name, meta, table, lang), meta, lang, id="chart")  # type: ignore[arg-type]
            schema().validate(artifact.spec)
            assert artifact.spec["data"] == {"name": "frame"}
            data = chart_rows(artifact, meta, table)
            assert json.loads(json.dumps(data, allow_nan=False)) == data
            fields = {part["field"] for part in _parts(artifact.spec["encoding"]) if "field" in part}
            assert all(fields <= row.keys() for row in data)
            spec = {**artifact.spec, "data": {"values": data}, "width": 400}
            assert "<svg" in vl_convert.vegalite_to_svg(spec, vl_version="6.4")


def _parts(encoding: dict[str, Any]) -> list[dict[str, Any]]:
    parts = []
    for channel in encoding.values():
        parts += channel if isinstance(channel, list) else [channel]
    return parts


def test_every_kind_is_chosen_in_some_case() -> None:
    assert {case[3] for case in CHOSEN} == set(all_charts())


def test_another_kind_and_back(make_frame: MakeFrame) -> None:
    meta, table = make_frame([MONTH, REVENUE], [(m, 5.0) for m in MONTHS])
    chosen = choose(meta, table, "zh")
    assert not isinstance(chosen, NotDrawn)
    line = chart_artifact(chosen, meta, "zh", id="chart")
    bar = rechart(line, "bar", meta, table)
    assert bar is not None
    assert (bar.chart, bar.id, [other.chart for other in bar.alternatives]) == ("bar", "chart", ["line"])
    assert chart_rows(bar, meta, table)[0]["xt"] == "2022年1月"
    assert rechart(bar, "line", meta, table) == line
    assert rechart(bar, "pie", meta, table) is None
    assert rechart(bar, "scatter", meta, table) is None
    with pytest.raises(NotFound):
        draw("pie", meta, table, "en")


def test_names_that_mean_something_to_vega(make_frame: MakeFrame) -> None:
    meta, table = make_frame(["dimension text a.b['c']", 'measure int sum("x")'], [("r", 1), ("s", 2)])
    chosen = choose(meta, table, "en")
    assert not isinstance(chosen, NotDrawn)
    svg = vl_convert.vegalite_to_svg({**chosen.drawing.spec, "data": {"values": chosen.drawing.rows}, "width": 300})
    assert "a.b['c']" in svg.replace("&#39;", "'").replace("&apos;", "'")
    assert {key for row in chosen.drawing.rows for key in row} == {"x", "xt", "y", "yt", "s"}


ROWS = [
    ("in the result's order", [NAME, ORDERS], [("b", 9), ("a", 5), ("c", 7)], "bar", ["b", "a", "c"]),
    ("nulls are named", [NAME, ORDERS], [(None, 9), ("", 5)], "bar", ["(none)", "(empty)"]),
    ("the same name twice is two bars", [NAME, ORDERS], [("Ann", 9), ("Ann", 5)], "bar", ["Ann", "Ann (2)"]),
    (
        "time in its own order",
        [MONTH, ORDERS],
        [("2023-03", 1), ("2023-01", 2), ("2023-02", 3)],
        "line",
        ["Jan 2023", "Feb 2023", "Mar 2023"],
    ),
    ("weekdays in theirs", ["dimension int d grain=weekday", ORDERS], [(2, 1), (0, 2)], "bar", ["Sunday", "Tuesday"]),
]


@pytest.mark.parametrize(("specs", "rows", "chart", "expected"), [c[1:] for c in ROWS], ids=[c[0] for c in ROWS])
def test_rows(make_frame: MakeFrame, specs: list[str], rows: list[Any], chart: str, expected: list[str]) -> None:
    meta, table = make_frame(specs, rows)
    assert [row["xt"] for row in draw(chart, meta, table, "en").drawing.rows] == expected


def test_times_are_utc(make_frame: MakeFrame) -> None:
    meta, table = make_frame([MONTH, REVENUE], [("1970-01", 1.0), ("1970-02", 1234567.5), ("1970-03", 3.0)])
    drawing = draw("line", meta, table, "en").drawing
    assert drawing.rows[1] == {
        "x": 31 * 86400_000.0,
        "xt": "Feb 1970",
        "y": 1234567.5,
        "yt": "1,234,567.50\xa0€",
        "s": "revenue",
    }
    assert drawing.spec["encoding"]["x"]["scale"] == {"type": "utc"}
    assert drawing.spec["encoding"]["y"]["title"] == "revenue (€)"


def test_bars_start_at_zero_and_long_names_lie(make_frame: MakeFrame) -> None:
    short = draw("bar", *make_frame([NAME, ORDERS], [("a", 100), ("b", 101)]), "en").drawing.spec["encoding"]
    assert (short["y"]["type"], short["y"]["scale"]) == ("quantitative", {"zero": True})
    long = draw("bar", *make_frame([NAME, ORDERS], [("a rather long name", 100), ("b", 101)]), "en").drawing.spec[
        "encoding"
    ]
    assert (long["x"]["type"], long["x"]["scale"]) == ("quantitative", {"zero": True})


CAPS = [
    (
        "ranked bars: the first",
        "bar",
        [NAME, ORDERS],
        [(f"n{i}", 90 - i) for i in range(90)],
        BARS,
        "The first 30 of 90 bars.",
    ),
    (
        "other bars: the largest",
        "bar",
        [NAME, ORDERS],
        [(f"n{i}", (i * 37) % 101) for i in range(90)],
        BARS,
        "The 30 largest of 90 bars.",
    ),
    (
        "bars of time: the last",
        "bar",
        ["dimension date d grain=day", ORDERS],
        [(d, 1) for d in DAYS],
        BARS,
        "The last 30 of 60 bars.",
    ),
    (
        "points",
        "scatter",
        ["detail int a", "detail int b"],
        [(i, -i) for i in range(5000)],
        POINTS,
        "2,000 of 5,000 points.",
    ),
    (
        "points of a line",
        "line",
        ["dimension date d", ORDERS],
        [(date(1990, 1, 1) + timedelta(i), i) for i in range(3000)],
        POINTS,
        "2,000 of 3,000 points.",
    ),
    (
        "points without one side",
        "scatter",
        ["detail int a", "detail int b"],
        [(i, i if i % 2 else None) for i in range(50)],
        25,
        "Without one of the two and not drawn: 25.",
    ),
    (
        "a measure of another size",
        "bar",
        [NAME, ORDERS, REVENUE],
        [("a", 1, 1e6), ("b", 2, 2e6)],
        2,
        "Not drawn: revenue.",
    ),
]


@pytest.mark.parametrize(("chart", "specs", "rows", "count", "note"), [c[1:] for c in CAPS], ids=[c[0] for c in CAPS])
def test_caps_are_told(
    make_frame: MakeFrame, chart: str, specs: list[str], rows: list[Any], count: int, note: str
) -> None:
    drawing = draw(chart, *make_frame(specs, rows), "en").drawing
    assert (len(drawing.rows), drawing.notes) == (count, (note,))


def test_part_of_a_result_is_told(make_frame: MakeFrame) -> None:
    meta, table = make_frame([NAME, ORDERS], [("a", 1), ("b", 2)], truncated=True)
    assert draw("bar", meta, table, "en").drawing.notes == ("Drawn from the first 2 rows.",)


EDGES = [
    ([0.0, 100.0] * 50, [i * 10.0 for i in range(11)]),
    ([5.0, 5.0], [5.0, 6.0]),
    ([0.1, 0.2, 0.35], [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]),
]


@pytest.mark.parametrize(("numbers", "expected"), EDGES)
def test_bin_edges(numbers: list[float], expected: list[float]) -> None:
    assert bin_edges(numbers) == pytest.approx(expected)


@given(st.lists(st.floats(-1e12, 1e12), min_size=2, max_size=50))
def test_bins_hold_every_value(numbers: list[float]) -> None:
    edges = bin_edges(numbers)
    slack = 1e-9 * max(1.0, *map(abs, numbers))
    assert edges[0] <= min(numbers) + slack
    assert edges[-1] >= max(numbers) - slack
    assert 2 <= len(edges) <= 24


VALUES: dict[str, Any] = {
    "integer": st.one_of(st.none(), st.integers(-(2**60), 2**60)),
    "decimal": st.one_of(st.none(), st.floats()),
    "text": st.one_of(st.none(), st.text(max_size=9)),
    "date": st.one_of(st.none(), st.dates()),
    "other": st.one_of(
        st.none(), st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9)
    ),
}
GRAINS = {"text": ["month", "quarter", None], "date": ["week", "day", None], "integer": ["year", "weekday", None]}


@st.composite
def frames(draw: st.DrawFn) -> tuple[FrameMeta, pa.Table]:
    count = draw(st.sampled_from([0, 1, 2, 5, 30]))
    columns, data = [], {}
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(sorted(VALUES)))
        role = draw(st.sampled_from(["measure", "dimension", "detail"]))
        grain = None if role == "measure" else draw(st.sampled_from(GRAINS.get(kind, [None])))
        name = "abcd"[number]
        columns.append(
            FrameColumn.model_validate({"name": name, "label": f"<{name}>", "kind": kind, "role": role, "grain": grain})
        )
        pool = draw(st.lists(VALUES[kind], min_size=1, max_size=12))
        values = [pool[i % len(pool)] for i in range(count)]
        data[name] = pa.array(values, pa.decimal128(20, 2)) if any(isinstance(v, Decimal) for v in values) else values
    return FrameMeta(id="f", columns=tuple(columns), rows=count, total=count), pa.table(data)


@settings(max_examples=150, deadline=None)
@given(frames(), st.sampled_from(["en", "zh"]))
def test_any_frame_is_drawn_or_declined(made: tuple[FrameMeta, pa.Table], lang: Any) -> None:
    meta, table = made
    chosen = choose(meta, table, lang)
    if isinstance(chosen, NotDrawn):
        assert chosen.reason
        return
    for name in (chosen.chart, *(other.chart for other in chosen.alternatives)):
        drawing = draw(name, meta, table, lang).drawing
        assert len(drawing.rows) <= POINTS
        json.dumps([drawing.spec, drawing.rows], allow_nan=False)
