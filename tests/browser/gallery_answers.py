"""Sample answers: text, chart, SQL and the evidence behind them, in English and Chinese."""

from __future__ import annotations

from typing import Any, Literal

from gallery_tables import BEFORE, MONTHS, REVENUE, TABLE

from agents.artifacts import (
    Artifact,
    AttemptEvidence,
    CandidateEvidence,
    CellRef,
    ChartArtifact,
    ChartChoice,
    ChipEvidence,
    Evidence,
    HitEvidence,
    MentionEvidence,
    Segment,
    SqlArtifact,
    TextArtifact,
    TraceEvidence,
)

Lang = Literal["en", "zh"]

SQL = """SELECT STRFTIME('%Y-%m', o.ordered_on) AS order_month, -- calendar months
  SUM(l.quantity * l.unit_price) AS revenue
FROM order_lines AS l
JOIN orders AS o ON o.id = l.order_id
JOIN regions AS r ON r.id = o.region_id
WHERE r.name = 'Europe' AND o.ordered_on >= '2023-01-01' AND o.ordered_on < '2024-01-01'
GROUP BY 1
ORDER BY 1
LIMIT 1000"""

QUESTION = "how did monthly revenue in Europe develop in 2023 compared with the year before?"
QUESTION_ZH = "2023年欧洲每个月的销售额与前一年相比如何变化？"
CHART = ChartArtifact(
    id="chart",
    title="Revenue, Europe, by order month",
    chart="line",
    spec={
        "mark": {"type": "line", "point": False},
        "encoding": {
            "x": {
                "field": "month",
                "type": "temporal",
                "timeUnit": "utcyearmonth",
                "title": None,
                "axis": {"format": "%b %Y", "values": [1672531200000, 1688169600000]},
            },
            "y": {"field": "revenue", "type": "quantitative", "title": "€"},
            "color": {"field": "year", "type": "nominal", "title": None},
        },
    },
    frame_id="f1",
    reason="A line, because revenue is followed over months.",
    alternatives=(
        ChartChoice(chart="bar", label="Bars", reason="Bars compare single months."),
        ChartChoice(chart="area", label="Area", reason="An area stresses the volume."),
    ),
    notes=("2023-12 is not complete.",),
)
CHART_ROWS = [{"month": m, "revenue": r, "year": "2023"} for m, r in zip(MONTHS, REVENUE, strict=True)] + [
    {"month": m, "revenue": r, "year": "2022"} for m, r in zip(MONTHS, BEFORE, strict=True)
]


def chart_data(kind: str) -> dict[str, Any]:
    """The answer of the chart route: the spec of ``kind`` with its rows."""
    spec = dict(CHART.spec)
    if kind == "bar":
        spec = spec | {
            "mark": "bar",
            "encoding": spec["encoding"]
            | {"xOffset": {"field": "year"}, "x": {"field": "month", "type": "ordinal", "title": None}},
        }
    elif kind == "area":
        spec = spec | {"mark": {"type": "area", "opacity": 0.6}}
    return {"spec": spec, "rows": CHART_ROWS}


def cite(text: str, row: int | None, column: str = "revenue") -> Segment:
    return Segment(text=text, cell=CellRef(frame_id="f1", row=row, column=column))


def say(text: str) -> Segment:
    return Segment(text=text)


TEXT = TextArtifact(
    id="text",
    lang="en",
    sentences=(
        (
            say("Revenue in Europe rose in every month of 2023 and closed at "),
            cite("214,634 €", 11),
            say(" in December, "),
            cite("18.2 %", 11, "change"),
            say(" above the year before."),
        ),
        (say("The year came to "), cite("1.85 M €", None), say(", 15.1 % more than 2022.")),
        (say("The lowest month was January with "), cite("112,004 €", 0), say(".")),
    ),
)
TEXT_ZH = TextArtifact(
    id="text",
    lang="zh",
    sentences=(
        (
            say("2023年欧洲的销售额逐月上升，12月达到"),
            cite("214,634 €", 11),
            say("，比上一年高"),
            cite("18.2 %", 11, "change"),
            say("。"),
        ),
        (say("全年合计"), cite("185万 €", None), say("，比2022年多15.1 %。")),
    ),
)
SQL_ARTIFACT = SqlArtifact(id="sql", sql=SQL, dialect="SQLite")


def mention(
    question: str, text: str, kind: str, target: str, reason: str, score: float = 0.94, used: bool = True
) -> MentionEvidence:
    start = question.index(text)
    return MentionEvidence(
        start=start, end=start + len(text), text=text, kind=kind, target=target, score=score, reason=reason, used=used
    )


TRACE = tuple(
    TraceEvidence(state=state, outcome=outcome, start_ms=start, ms=took)
    for state, outcome, start, took in (
        ("route", "data_question", 0.1, 0.4),
        ("retrieve", "found", 0.6, 18.9),
        ("plan", "planned", 19.6, 10.8),
        ("generate", "generated", 30.5, 0.9),
        ("guard", "allowed", 31.5, 1.7),
        ("execute", "returned_rows", 33.3, 8.4),
        ("analyse", "joined", 41.8, 1.6),
        ("synthesize", "spoken", 43.5, 0.5),
    )
)


def evidence(lang: Lang = "en") -> Evidence:
    zh = lang == "zh"
    q = QUESTION_ZH if zh else QUESTION
    return Evidence(
        lang=lang,
        intent="data_question",
        mentions=(
            mention(q, "每个月" if zh else "monthly", "grain", "month", "phrase “monthly”"),
            mention(q, "销售额" if zh else "revenue", "measure", "revenue", "glossary name of the measure"),
            mention(q, "欧洲" if zh else "Europe", "value", "regions.name = Europe", "stored value, exact"),
            mention(q, "2023年" if zh else "2023", "time", "2023-01-01 … 2023-12-31", "a year"),
            mention(q, "前一年" if zh else "the year before", "time", "2022-01-01 … 2022-12-31", "the period before"),
            mention(
                q, "变化" if zh else "develop", "column", "products.developer", "similar spelling", 0.41, used=False
            ),
        ),
        hits=(
            HitEvidence(
                document="c:order_lines.total",
                kind="column",
                label="order_lines.total",
                score=0.92,
                semantic=0.96,
                lexical=0.87,
            ),
            HitEvidence(
                document="c:orders.ordered_on",
                kind="column",
                label="orders.ordered_on",
                score=0.81,
                semantic=0.8,
                lexical=0.82,
            ),
            HitEvidence(
                document="v:regions.name",
                kind="value",
                label="regions.name = Europe",
                score=0.94,
                semantic=None,
                lexical=0.94,
            ),
            HitEvidence(
                document="t:x",
                kind="table",
                label="a_table_with_an_unreasonably_long_identifier.and_column",
                score=0.32,
                semantic=0.4,
                lexical=0.2,
            ),
        ),
        plan="按订单月份汇总欧洲 2023 年的销售额，并与 2022 年对比，按月份排序。"
        if zh
        else "Sum of revenue by order month for region Europe in 2023, beside 2022, in order of month.",
        chips=(
            ChipEvidence(role="measure", text="销售额 = 行金额之和" if zh else "revenue = sum of line total"),
            ChipEvidence(role="dimension", text="按订单月份" if zh else "by order month"),
            ChipEvidence(role="filter", text="地区 欧洲" if zh else "for region Europe"),
            ChipEvidence(role="time", text="2023 年，对比 2022 年" if zh else "2023, with 2022 beside it"),
            ChipEvidence(role="order", text="按月份升序" if zh else "oldest first"),
        ),
        candidates=(
            CandidateEvidence(
                sentence="Sum of revenue by order month, Europe, 2023 and 2022",
                score=0.91,
                features={"coverage": 1.0, "joins": 0.8},
            ),
            CandidateEvidence(
                sentence="Count of orders by order month, Europe, 2023",
                score=0.47,
                features={"coverage": 0.7, "joins": 0.9},
            ),
        ),
        confidence=0.91,
        attempts=(AttemptEvidence(origin="rules", status="ran", sql=SQL, ms=8.4),),
        checks=("没有重复计数：每行只属于一张订单", "按自然月比较")
        if zh
        else ("No double counting: one order per line", "Months compared by calendar"),
        warnings=("31 张订单没有地区",) if zh else ("31 orders have no region",),
        trace=TRACE,
    )


DECLINED = evidence().model_copy(
    update={
        "plan": "",
        "chips": (),
        "candidates": (),
        "confidence": 0.21,
        "attempts": (
            AttemptEvidence(
                origin="rules",
                status="refused",
                sql="SELECT load_extension('x')",
                code="guard.function",
                message="The function load_extension is not allowed.",
                ms=1.2,
            ),
            AttemptEvidence(
                origin="rules",
                status="failed",
                sql=SQL,
                code="execute.timeout",
                message="The database stopped the statement after 10 seconds.",
                ms=10_004.0,
            ),
        ),
    }
)
FULL: tuple[Artifact, ...] = (CHART, TABLE, SQL_ARTIFACT)
