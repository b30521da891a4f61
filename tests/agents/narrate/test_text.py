from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.artifacts import FrameColumn, FrameMeta, Segment, TextArtifact
from agents.catalog import Kind
from agents.narrate import Context, Edge, deltas, narrate, sentences_en, sentences_zh
from agents.narrate.digest import FURTHER, Fact
from agents.narrate.text import fact_text

MakeFrame = Callable[..., tuple[FrameMeta, pa.Table]]

BY_ORIGIN = ["dimension text origin", "measure dec horsepower"]
BY_MONTH = ["dimension text month grain=month", "measure dec revenue unit=EUR"]

ENDS = Edge("latest", "2025-12-31", FrameColumn(name="ordered_on", label="order date", kind=Kind.DATE, grain="day"))
BEGINS = Edge("earliest", 2022, FrameColumn(name="year", label="year", kind=Kind.INTEGER, grain="year"))

TEXTS: list[tuple[str, Sequence[str], Sequence[Sequence[Any]], dict[str, Any], str, str]] = [
    (
        "ranking",
        BY_ORIGIN,
        [("USA", 119.0489), ("Europe", 80.558), ("Japan", 79.8354)],
        {},
        "USA has the highest horsepower, 119.05; Japan has the lowest, 79.84.",
        "USA的horsepower最高，为119.05；Japan最低，为79.84。",
    ),
    (
        "total and share, only where adding up makes sense",
        ["dimension text shop", "measure int orders"],
        [("A", 60), ("B", 20)],
        {"context": Context(additive=frozenset({"orders"}))},
        "A has the highest orders, 60; B has the lowest, 20. Together that is 80; 75\xa0% of it is A.",
        "A的orders最高，为60；B最低，为20。合计80，其中A占75%。",
    ),
    (
        "no least of all when only the first were asked for",
        BY_ORIGIN,
        [("USA", 9.5), ("Europe", 7.25), ("Japan", 1.0)],
        {"context": Context(limited=True, additive=frozenset({"horsepower"}))},
        "USA has the highest horsepower, 9.5; Europe follows with 7.25.",
        "USA的horsepower最高，为9.5；其次是Europe，为7.25。",
    ),
    (
        "lowest first",
        BY_ORIGIN,
        [("Japan", 1.0), ("Europe", 7.25)],
        {"context": Context(limited=True)},
        "Japan has the lowest horsepower, 1; Europe follows with 7.25.",
        "Japan的horsepower最低，为1；其次是Europe，为7.25。",
    ),
    (
        "tie of two",
        BY_ORIGIN,
        [("USA", 5.0), ("Europe", 5.0), ("Japan", 1.0)],
        {},
        "USA and Europe share the highest horsepower, 5.",
        "USA和Europe的horsepower并列最高，为5。",
    ),
    (
        "tie of three",
        BY_ORIGIN,
        [("USA", 5.0), ("Europe", 5.0), ("Japan", 5.0), ("India", 1.0)],
        {},
        "3 rows share the highest horsepower, 5, among them USA.",
        "3行的horsepower并列最高，为5，其中有USA。",
    ),
    (
        "all equal",
        BY_ORIGIN,
        [("USA", 5.0), ("Europe", 5.0)],
        {},
        "Horsepower is 5 in all 2 rows.",
        "全部2行的horsepower都是5。",
    ),
    (
        "missing values and a result cut short",
        BY_ORIGIN,
        [("USA", 5.0), ("Europe", None), ("Japan", 1.0)],
        {"total": 1234, "truncated": True},
        "USA has the highest horsepower, 5; Japan has the lowest, 1. Only the first 3 of 1,234 rows were kept, and "
        "this text is about them. 1 row has no horsepower.",
        "USA的horsepower最高，为5；Japan最低，为1。共1,234行，只保留了前3行，以上文字仅针对这些行。有1行没有horsepower。",
    ),
    (
        "only missing values",
        BY_ORIGIN,
        [("USA", None), ("Europe", None)],
        {},
        "There is no horsepower in any of the 2 rows.",
        "2行中都没有horsepower的数值。",
    ),
    (
        "a row without a name",
        BY_ORIGIN,
        [(None, 5.0), ("Europe", 2.0)],
        {},
        "For Europe, horsepower is 2. For rows with no origin, horsepower is 5.",
        "Europe的horsepower为2。无origin的horsepower为5。",
    ),
    (
        "named rows lead, and the share is the leader's",
        ["dimension text brand", "measure int products"],
        [(None, 14), ("Kern", 12), ("Baltic Oak", 1)],
        {"context": Context(additive=frozenset({"products"}))},
        "Kern has the highest products, 12; Baltic Oak has the lowest, 1. For rows with no brand, products is 14. "
        "Together that is 27; 44.4\xa0% of it is Kern.",
        "Kern的products最高，为12；Baltic Oak最低，为1。无brand的products为14。合计27，其中Kern占44.4%。",
    ),
    (
        "no row has a name",
        ["dimension text brand", "dimension text city", "measure int products"],
        [(None, "Oslo", 14), (None, "Rome", 12)],
        {},
        "No brand, Oslo has the highest products, 14; no brand, Rome has the lowest, 12.",
        "无brand，Oslo的products最高，为14；无brand，Rome最低，为12。",
    ),
    (
        "a number is no name: its column is said too",
        ["dimension int manager_id", "measure int employees"],
        [(2, 13), (7, 1), (9, 4)],
        {},
        "Manager_id 2 has the highest employees, 13; manager_id 7 has the lowest, 1.",
        "manager_id 2的employees最高，为13；manager_id 7最低，为1。",
    ),
    (
        "of two columns, the numbers have theirs",
        ["dimension int cylinders", "dimension text origin", "measure int cars"],
        [(8, "USA", 108), (5, "Europe", 3)],
        {},
        "Cylinders 8, USA has the highest cars, 108; cylinders 5, Europe has the lowest, 3.",
        "cylinders 8，USA的cars最高，为108；cylinders 5，Europe最低，为3。",
    ),
    (
        "a plain nought beside a name",
        ["dimension text region", "dimension int newsletter", "measure int customers"],
        [("Europe", 0, 5), ("Asia", 1, 2)],
        {},
        "Europe, newsletter 0 has the highest customers, 5; Asia, newsletter 1 has the lowest, 2.",
        "Europe，newsletter 0的customers最高，为5；Asia，newsletter 1最低，为2。",
    ),
    (
        "years without a grain speak for themselves",
        ["dimension int year", "measure dec yield"],
        [(1931, 37.08), (1932, 31.76)],
        {},
        "1931 has the highest yield, 37.08; 1932 has the lowest, 31.76.",
        "1931的yield最高，为37.08；1932最低，为31.76。",
    ),
    (
        "no share for one of several that are equal",
        ["dimension text division", "measure int categories"],
        [("Home", 3), ("Office", 3), ("Garden", 2)],
        {"context": Context(additive=frozenset({"categories"}))},
        "Home and Office share the highest categories, 3. Together that is 8.",
        "Home和Office的categories并列最高，为3。合计8。",
    ),
    (
        "no share where all are equal",
        ["dimension text species", "measure int flowers"],
        [("setosa", 50), ("virginica", 50)],
        {"context": Context(additive=frozenset({"flowers"}))},
        "Flowers is 50 in all 2 rows. Together that is 100.",
        "全部2行的flowers都是50。合计100。",
    ),
    (
        "one group",
        BY_ORIGIN,
        [("USA", 119.0489)],
        {},
        "For USA, horsepower is 119.05.",
        "USA的horsepower为119.05。",
    ),
    (
        "series, told by time whatever the order of the rows",
        BY_MONTH,
        [("2023-03", 214634.5), ("2023-01", 119048.0), ("2023-02", 80558.25)],
        {},
        "Revenue rose from 119,048\xa0€ (Jan 2023) to 214,634\xa0€ (Mar 2023), up 80.3\xa0%. The highest was "
        "214,634\xa0€ (Mar 2023), the lowest 80,558\xa0€ (Feb 2023).",
        "revenue从119,048\xa0€（2023年1月）上升到214,634\xa0€（2023年3月），增长80.3%。最高为214,634\xa0€（2023年3月），"
        "最低为80,558\xa0€（2023年2月）。",
    ),
    (
        "an extreme that several periods share is none of theirs",
        ["dimension int year grain=year", "measure int stores"],
        [(2015, 1), (2016, 2), (2019, 5), (2024, 1)],
        {},
        "Stores is 1 at the end (2024), as at the start (2015). The highest was 5 (2019).",
        "stores期末（2024年）为1，与期初（2015年）相同。最高为5（2019年）。",
    ),
    (
        "falling from nothing: no percentage",
        BY_MONTH,
        [("2023-01", 0.0), ("2023-02", -5.0)],
        {},
        "Revenue fell from 0\xa0€ (Jan 2023) to -5\xa0€ (Feb 2023).",
        "revenue从0\xa0€（2023年1月）下降到-5\xa0€（2023年2月）。",
    ),
    (
        "unchanged",
        ["dimension int year grain=year", "measure int orders"],
        [(2021, 5), (2022, 5)],
        {},
        "Orders is 5 at the end (2022), as at the start (2021).",
        "orders期末（2022年）为5，与期初（2021年）相同。",
    ),
    (
        "weekdays are no time line",
        ["dimension int weekday grain=weekday", "measure int orders"],
        [(0, 3), (1, 9)],
        {},
        "Monday has the highest orders, 9; Sunday has the lowest, 3.",
        "星期一的orders最高，为9；星期日最低，为3。",
    ),
    (
        "two names",
        ["dimension text city", "dimension text month grain=month", "measure int n"],
        [("A", "2023-01", 3), ("B", "2023-02", 9)],
        {},
        "B, Feb 2023 has the highest n, 9; A, Jan 2023 has the lowest, 3.",
        "B，2023年2月的n最高，为9；A，2023年1月最低，为3。",
    ),
    ("one number", ["measure int customers"], [(1234,)], {}, "Customers is 1,234.", "customers为1,234。"),
    ("no number", ["measure dec price"], [(None,)], {}, "Price has no value.", "price没有数值。"),
    (
        "one row",
        ["detail text name", "detail text city", "detail int age", "detail int height"],
        [("Ann", "Berlin", 30, 170)],
        {},
        "Name is Ann. City is Berlin. Age is 30.",
        "name为Ann。city为Berlin。age为30。",
    ),
    (
        "no value, because the data ends before",
        ["measure dec revenue unit=EUR"],
        [(None,)],
        {"context": Context(edge=ENDS)},
        "Revenue has no value. The latest order date in the data is Dec 31, 2025.",
        "revenue没有数值。数据中最晚的order date是2025年12月31日。",
    ),
    (
        "the data begins inside what was asked about: told before anything else that follows",
        BY_MONTH,
        [("2023-01", 1.0), ("2023-02", 3.0), ("2023-03", None)],
        {"context": Context(edge=BEGINS), "truncated": True, "total": 9},
        "Revenue rose from 1\xa0€ (Jan 2023) to 3\xa0€ (Feb 2023), up 200\xa0%. The earliest year in the data is 2022. "
        "Only the first 3 of 9 rows were kept, and this text is about them.",
        "revenue从1\xa0€（2023年1月）上升到3\xa0€（2023年2月），增长200%。数据中最早的year是2022年。共9行，只保留了前3行，"
        "以上文字仅针对这些行。",
    ),
    ("nothing", ["measure int n"], [], {}, "Nothing in the data matches.", "没有符合条件的数据。"),
    (
        "nothing, and why",
        ["detail text name"],
        [],
        {"reading": "city is Berlin."},
        "Nothing in the data matches: city is Berlin.",
        "没有符合条件的数据：city is Berlin。",
    ),
    (
        "short list",
        ["detail text name"],
        [("Ann",), ("Bob",)],
        {},
        "There are 2 rows: Ann and Bob.",
        "共有2行：Ann和Bob。",
    ),
    (
        "a short list that repeats itself is only counted",
        ["detail int year"],
        [(2010,), (2010,)],
        {},
        "The list has 2 rows.",
        "共有2行。",
    ),
    (
        "a short list of numbers",
        ["detail int order_id"],
        [(3,), (5,)],
        {},
        "There are 2 rows: order_id 3 and order_id 5.",
        "共有2行：order_id 3和order_id 5。",
    ),
    ("long list", ["detail text name"], [("Ann",)] * 5, {}, "The list has 5 rows.", "共有5行。"),
    (
        "ordered list",
        ["detail text name", "detail int id", "detail int age"],
        [("Ann", 3, 50), ("Bob", 9, 40), ("Cid", 1, 40), ("Dan", 2, 30)],
        {"context": Context(limited=True)},
        "Ann comes first, with age 50. The list has 4 rows.",
        "Ann排在第一，age为50。共有4行。",
    ),
]


@pytest.mark.parametrize(
    ("specs", "rows", "extra", "en", "zh"), [case[1:] for case in TEXTS], ids=[c[0] for c in TEXTS]
)
def test_texts(
    make_frame: MakeFrame, specs: Sequence[str], rows: Sequence[Any], extra: dict[str, Any], en: str, zh: str
) -> None:
    told = {name: extra[name] for name in ("context", "reading") if name in extra}
    meta, table = make_frame(specs, rows, **{name: extra[name] for name in extra if name not in told})
    said = {lang: narrate(meta, table, id="t", lang=lang, **told).plain for lang in ("en", "zh")}  # type: ignore[arg-type]
    assert said == {"en": en, "zh": zh}


def test_numbers_lead_to_their_cells(make_frame: MakeFrame) -> None:
    meta, table = make_frame(BY_ORIGIN, [("Europe", 80.5), ("USA", 119.0), ("Japan", None)])
    text = narrate(meta, table, id="t", lang="en")
    cells = [(s.text, s.cell.row, s.cell.column) for sentence in text.sentences for s in sentence if s.cell]
    assert cells == [
        ("USA", 1, "origin"),
        ("119", 1, "horsepower"),
        ("Europe", 0, "origin"),
        ("80.5", 0, "horsepower"),
        ("1", None, "horsepower"),
    ]


def _slots(template: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)", template))


def test_languages_say_the_same() -> None:
    assert {key: _slots(text) for key, text in sentences_en.SENTENCES.items()} == {
        key: _slots(text) for key, text in sentences_zh.SENTENCES.items()
    }
    assert not [
        text
        for text in (*sentences_en.SENTENCES.values(), *sentences_zh.SENTENCES.values())
        if re.search(r"\d(?![}:\w])", re.sub(r"\{.*?\}", "", text))
    ]


NAMES = st.text(string.ascii_letters + "数据 '<", min_size=1, max_size=6)
VALUES = {
    "integer": st.one_of(st.none(), st.integers(-(2**60), 2**60)),
    "decimal": st.one_of(st.none(), st.floats(width=64)),
    "text": st.one_of(st.none(), st.text(max_size=9)),
    "date": st.one_of(st.none(), st.dates()),
}
GRAINS = {"text": ["month", "quarter", None], "date": ["week", "day", None], "integer": ["year", "weekday", None]}


@st.composite
def frames(draw: st.DrawFn) -> tuple[FrameMeta, pa.Table]:
    count = draw(st.integers(0, 6))
    columns, data = [], {}
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(sorted(VALUES)))
        role = draw(
            st.sampled_from(
                ["measure", "dimension", "detail"] if kind in ("integer", "decimal") else ["dimension", "detail"]
            )
        )
        grain = None if role == "measure" else draw(st.sampled_from(GRAINS.get(kind, [None])))
        label = draw(NAMES)
        unit = draw(st.sampled_from([None, "EUR", "%", "kg"]))
        name = "abcd"[number]
        columns.append(
            FrameColumn.model_validate(
                {"name": name, "label": label, "kind": kind, "role": role, "grain": grain, "unit": unit}
            )
        )
        data[name] = draw(st.lists(VALUES[kind], min_size=count, max_size=count))
    truncated = draw(st.booleans())
    total = draw(st.one_of(st.none(), st.integers(count, 10**6))) if truncated else count
    return FrameMeta(id="f", columns=tuple(columns), rows=count, total=total, truncated=truncated), pa.table(data)


@given(frames(), st.sampled_from(["en", "zh"]), st.booleans(), st.sampled_from([None, ENDS, BEGINS]))
def test_every_digit_comes_from_the_frame(
    made: tuple[FrameMeta, pa.Table], lang: Any, limited: bool, edge: Edge | None
) -> None:
    """But for one: the first or last date that the database holds, which is no cell of the frame."""
    meta, table = made
    additive = frozenset(c.name for c in meta.columns if c.role == "measure")
    context = Context(limited=limited, additive=additive, edge=edge)
    known = fact_text(Fact("edge", edge.value, edge.column), lang) if edge else ""
    text = narrate(meta, table, id="t", lang=lang, context=context)
    assert 1 <= len(text.sentences) <= 1 + FURTHER
    names = {column.name for column in meta.columns}
    for segment in (segment for sentence in text.sentences for segment in sentence):
        if segment.cell is None:
            assert not re.search(r"\d", segment.text) or segment.text == known
        else:
            assert segment.cell.frame_id == "f"
            assert segment.cell.column in names
            assert segment.cell.row is None or 0 <= segment.cell.row < meta.rows


@given(frames(), st.sampled_from(["en", "zh"]))
def test_streamed_pieces_are_the_text(made: tuple[FrameMeta, pa.Table], lang: Any) -> None:
    text = narrate(*made, id="t", lang=lang)
    streamed: list[list[Segment]] = [[] for _ in text.sentences]
    for delta in deltas(text.sentences):
        streamed[delta.sentence].append(delta.segment)
    again = TextArtifact(id="t", lang=lang, sentences=tuple(map(tuple, streamed)))
    assert again.plain == text.plain
    assert [s for sentence in streamed for s in sentence if s.cell] == [s for q in text.sentences for s in q if s.cell]


STREAMED = [
    ("USA has the highest", "USA |has |the |highest"),
    ("合计共有多少行", "合计共有|多少行"),
    ("rose: 收入", "rose: |收入"),
    (" ", " "),
]


@pytest.mark.parametrize(("text", "expected"), STREAMED)
def test_pieces(text: str, expected: str) -> None:
    assert "|".join(delta.segment.text for delta in deltas([[Segment(text=text)]])) == expected
