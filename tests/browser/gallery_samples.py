"""Sample contexts for every page and every state of a turn, in English and Chinese, with the texts that break layouts.

``STATES`` maps a name to ``(template, page)``; the gallery shows them in a browser, the template tests render them all.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from agents.artifacts import (
    Artifact,
    AttemptEvidence,
    CandidateEvidence,
    CellRef,
    ChartArtifact,
    ChartChoice,
    ChipEvidence,
    ClarifyArtifact,
    ClarifyOption,
    Evidence,
    FrameColumn,
    FrameMeta,
    HitEvidence,
    MentionEvidence,
    ProblemArtifact,
    Segment,
    SqlArtifact,
    TableArtifact,
    TextArtifact,
    TraceEvidence,
)
from agents.catalog import Kind
from app.views.contexts import (
    ConnectionView,
    FramePage,
    HealthView,
    ProblemPage,
    SchemaColumn,
    SchemaPage,
    SchemaTable,
    Shell,
    TableCell,
    TableHead,
    TablePage,
    ThreadSummary,
    TurnStatus,
    TurnSummary,
    TurnView,
    WorkspacePage,
)

Lang = Literal["en", "zh"]
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)

CONNECTIONS = (
    ConnectionView("shop", "SQLite", "read-only", "A made retail company: four years of orders, returns and staff.", "/c/shop/", True),
    ConnectionView("vega", "SQLite", "read-only", "Cars, stocks, weather and other small data sets known from charts.", "/c/vega/"),
)
HEALTHY = HealthView(True, "rules only", ("Answers are made by the rule engine; no language model is connected.",))
DEGRADED = HealthView(
    False,
    "limited",
    (
        "Search by meaning is off: the embedding model could not be loaded. Search by words works alone.",
        "The disk for result sets is 94 % full; old results expire earlier.",
    ),
)


def shell(lang: Lang = "en", active: str = "ask", health: HealthView = HEALTHY) -> Shell:
    connections = CONNECTIONS
    if lang == "zh":
        connections = (
            replace(connections[0], about="一家虚构的零售公司：四年的订单、退货和员工数据。"),
            replace(connections[1], about="汽车、股票、天气等常见的小型数据集。"),
        )
        if health is HEALTHY:
            health = HealthView(True, "仅规则", ("答案由规则引擎给出，没有连接语言模型。",))
    return Shell(lang, active, connections[0], connections, health)


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
MONTHS = ("2023-01", "2023-02", "2023-03", "2023-04", "2023-05", "2023-06", "2023-07", "2023-08", "2023-09", "2023-10", "2023-11", "2023-12")
REVENUE = (112_004, 118_006, 131_012, 128_110, 142_090, 156_044, 171_002, 149_317, 158_634, 173_000, 196_317, 214_634)
BEFORE = (96_100, 101_050, 117_204, 115_310, 121_200, 139_011, 150_003, 131_633, 137_000, 149_211, 168_422, 181_633)

COLUMNS = (
    FrameColumn(name="order_month", label="Order month", kind=Kind.DATE, role="dimension", grain="month"),
    FrameColumn(name="revenue", label="Revenue 2023 (€)", kind=Kind.DECIMAL, unit="€", role="measure"),
    FrameColumn(name="before", label="Revenue 2022 (€)", kind=Kind.DECIMAL, unit="€", role="measure"),
    FrameColumn(name="change", label="Change", kind=Kind.DECIMAL, unit="%", role="measure"),
)
FRAME = FrameMeta(id="f1", columns=COLUMNS, rows=12, total=12)
TABLE = TableArtifact(id="table", title="Months", frame=FRAME)
WIDE = TableArtifact(
    id="table",
    title="Customers with everything we know about them",
    frame=FrameMeta(
        id="wide",
        columns=tuple(FrameColumn(name=f"c{i}", label=f"column {i}", kind=Kind.TEXT) for i in range(12)),
        rows=10_000,
        total=53_210,
        truncated=True,
    ),
)
EMPTY = TableArtifact(id="table", title="Orders", frame=FrameMeta(id="none", columns=COLUMNS[:2], rows=0, total=0))


def table_page(artifact: TableArtifact) -> TablePage:
    """What the frame store would make of an artifact, for the three sample frames."""
    dom, base = f"page-{artifact.id}", f"/c/shop/frames/{artifact.frame.id}"
    common: dict[str, Any] = {
        "dom_id": dom,
        "frame_id": artifact.frame.id,
        "title": artifact.title,
        "truncated": artifact.frame.truncated,
        "total": artifact.frame.total,
        "kept": artifact.frame.rows,
        "filter": "",
        "filter_url": base,
        "previous_url": None,
        "next_url": None,
        "csv_url": f"{base}.csv",
    }
    if artifact.frame.id == "wide":
        heads = tuple(
            TableHead(name, name, name in ("age", "orders", "spent"), "none", f"{base}?sort={i}")
            for i, name in enumerate(("name", "city", "age", "orders", "spent", "first order", "active", "note", "photo", "<b>raw</b>", "mail", "tags"))
        )
        texts = ("Ada Lovelace-Byron-Kingsmill", "王小明", "عمر الخيام", "👩‍🚀 Mae", "<script>alert(1)</script>", "Pneumonoultramicroscopicsilicovolcanoconiosis")
        rows = tuple(
            (
                TableCell(texts[i % 6], "text"),
                TableCell("München" if i % 2 else "", "text"),
                TableCell("—", "null") if i == 2 else TableCell(str(31 + i), "number"),
                TableCell(f"{1_204 * (i + 1):,}", "number"),
                TableCell(f"-{214_634.5 * (i + 1):,.2f} €", "number"),
                TableCell("2023-12-01", "date"),
                TableCell("yes" if i % 2 else "no", "boolean"),
                TableCell("A very long remark that goes on and on, " * 4, "text", clipped=True),
                TableCell("0x89504e470d0a1a0a…", "bytes"),
                TableCell("a & b < c", "text"),
                TableCell(f"someone.{i}@example.org", "text"),
                TableCell("", "null"),
            )
            for i in range(8)
        )
        return TablePage(**common | {"next_url": f"{base}?offset=25&dom={dom}", "previous_url": f"{base}?offset=0&dom={dom}"}, heads=heads, rows=rows, row_numbers=tuple(range(25, 33)), first=26, count=10_000)
    heads = tuple(
        TableHead(c.name, c.label, c.kind.is_number, "ascending" if i == 0 else "none", f"{base}?sort={c.name}&desc=1&dom={dom}")
        for i, c in enumerate(artifact.frame.columns)
    )
    if artifact.frame.id == "none":
        return TablePage(**common, heads=heads, rows=(), row_numbers=(), first=1, count=0)
    rows = tuple(
        (TableCell(m, "date"), TableCell(f"{r:,}", "number"), TableCell(f"{b:,}", "number"), TableCell(f"+{100 * (r / b - 1):.1f} %", "number"))
        for m, r, b in zip(MONTHS, REVENUE, BEFORE, strict=True)
    )
    return TablePage(**common, heads=heads, rows=rows, row_numbers=tuple(range(12)), first=1, count=12)


CHART = ChartArtifact(
    id="chart",
    title="Revenue, Europe, by order month",
    chart="line",
    spec={
        "mark": {"type": "line", "point": False},
        "encoding": {
            "x": {"field": "month", "type": "temporal", "timeUnit": "utcyearmonth", "title": None},
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
        spec = spec | {"mark": "bar", "encoding": spec["encoding"] | {"xOffset": {"field": "year"}, "x": {"field": "month", "type": "ordinal", "title": None}}}
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
        (say("Revenue in Europe rose in every month of 2023 and closed at "), cite("214,634 €", 11), say(" in December, "), cite("18.2 %", 11, "change"), say(" above the year before.")),
        (say("The year came to "), cite("1.85 M €", None), say(", 15.1 % more than 2022.")),
        (say("The lowest month was January with "), cite("112,004 €", 0), say(".")),
    ),
)
TEXT_ZH = TextArtifact(
    id="text",
    lang="zh",
    sentences=(
        (say("2023年欧洲的销售额逐月上升，12月达到"), cite("214,634 €", 11), say("，比上一年高"), cite("18.2 %", 11, "change"), say("。")),
        (say("全年合计"), cite("185万 €", None), say("，比2022年多15.1 %。")),
    ),
)
SQL_ARTIFACT = SqlArtifact(id="sql", sql=SQL, dialect="SQLite")


def mention(question: str, text: str, kind: str, target: str, reason: str, score: float = 0.94, used: bool = True) -> MentionEvidence:
    start = question.index(text)
    return MentionEvidence(start=start, end=start + len(text), text=text, kind=kind, target=target, score=score, reason=reason, used=used)


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
            mention(q, "变化" if zh else "develop", "column", "products.developer", "similar spelling", 0.41, used=False),
        ),
        hits=(
            HitEvidence(document="c:order_lines.total", kind="column", label="order_lines.total", score=0.92, semantic=0.96, lexical=0.87),
            HitEvidence(document="c:orders.ordered_on", kind="column", label="orders.ordered_on", score=0.81, semantic=0.8, lexical=0.82),
            HitEvidence(document="v:regions.name", kind="value", label="regions.name = Europe", score=0.94, semantic=None, lexical=0.94),
            HitEvidence(document="t:x", kind="table", label="a_table_with_an_unreasonably_long_identifier.and_column", score=0.32, semantic=0.4, lexical=0.2),
        ),
        plan="按订单月份汇总欧洲 2023 年的销售额，并与 2022 年对比，按月份排序。" if zh else "Sum of revenue by order month for region Europe in 2023, beside 2022, in order of month.",
        chips=(
            ChipEvidence(role="measure", text="销售额 = 行金额之和" if zh else "revenue = sum of line total"),
            ChipEvidence(role="dimension", text="按订单月份" if zh else "by order month"),
            ChipEvidence(role="filter", text="地区 欧洲" if zh else "for region Europe"),
            ChipEvidence(role="time", text="2023 年，对比 2022 年" if zh else "2023, with 2022 beside it"),
            ChipEvidence(role="order", text="按月份升序" if zh else "oldest first"),
        ),
        candidates=(
            CandidateEvidence(sentence="Sum of revenue by order month, Europe, 2023 and 2022", score=0.91, features={"coverage": 1.0, "joins": 0.8}),
            CandidateEvidence(sentence="Count of orders by order month, Europe, 2023", score=0.47, features={"coverage": 0.7, "joins": 0.9}),
        ),
        confidence=0.91,
        attempts=(AttemptEvidence(origin="rules", status="ran", sql=SQL, ms=8.4),),
        checks=("没有重复计数：每行只属于一张订单", "按自然月比较") if zh else ("No double counting: one order per line", "Months compared by calendar"),
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
            AttemptEvidence(origin="rules", status="refused", sql="SELECT load_extension('x')", code="guard.function", message="The function load_extension is not allowed.", ms=1.2),
            AttemptEvidence(origin="rules", status="failed", sql=SQL, code="execute.timeout", message="The database stopped the statement after 10 seconds.", ms=10_004.0),
        ),
    }
)
FULL: tuple[Artifact, ...] = (CHART, TABLE, SQL_ARTIFACT)


def turn(
    status: TurnStatus = "answered",
    *,
    lang: Lang = "en",
    state: str = "done",
    question: str = "",
    artifacts: tuple[Artifact, ...] = FULL,
    text: TextArtifact | None = TEXT,
    why: Evidence | None = None,
    rows: int | None = 12,
    ms: float | None = 44.2,
) -> TurnView:
    return TurnView("t2", "th1", "shop", question or (QUESTION_ZH if lang == "zh" else QUESTION), lang, status, state, artifacts, text, why, rows, ms, NOW, 17)


def workspace(view: TurnView | None, *, lang: Lang = "en", health: HealthView = HEALTHY, typed: str = "", problem: ProblemArtifact | None = None, earlier: bool = True) -> WorkspacePage:
    turns = ()
    if view:
        turns = (
            TurnSummary("t1", "revenue by region in 2023", "answered", 4, 31.4, NOW, "/c/shop/t/th1/t1"),
            TurnSummary(view.id, view.question, view.status, view.rows, view.ms, NOW, "/c/shop/t/th1/t2", True),
        )
    older = (
        ThreadSummary("th0", "which customers never ordered?", NOW, "/c/shop/t/th0"),
        ThreadSummary("thz", "各品类的退货率", NOW, "/c/shop/t/thz"),
    )
    starters = (
        ("各地区 2023 年的销售额", "去年每月的订单数", "收入最高的 5 个产品", "没有下过订单的客户", "各品类的退货率")
        if lang == "zh"
        else ("Revenue by region in 2023", "Orders per month last year", "Top 5 products by revenue", "Which customers never ordered?", "Return rate by category")
    )
    return WorkspacePage(shell(lang, health=health), "ws1", "th1" if view else None, turns, older if earlier else (), view, starters, typed, problem)


CLARIFY = ClarifyArtifact(
    id="clarify",
    question="Does “last year” mean the calendar year or the last twelve months?",
    options=(
        ClarifyOption(id="a", text="The calendar year 2025", returns="12 rows, 4,812,330 € in all", question="revenue per month in 2025", sql=SQL),
        ClarifyOption(id="b", text="The twelve months until today", returns="13 rows, 5,006,127 € in all", question="revenue per month in the last 12 months", sql=SQL),
    ),
)
NO_TABLE = ProblemArtifact(
    id="problem",
    code="plan.nothing_found",
    message="There is no table of flights in this data.",
    hint="The word “flights” matches no table, column or stored value. See which data is here, or ask about orders, customers or products.",
    tone="declined",
)
BROKEN = ProblemArtifact(id="problem", code="execute.timeout", message="The database stopped the statement after 10 seconds.", hint="Narrow the question down, for example to one year.")
STOPPED = ProblemArtifact(id="problem", code="turn.cancelled", message="The question was stopped.", hint="Ask it again when you like.", tone="stopped")
EMPTY_QUESTION = ProblemArtifact(id="problem", code="question.too_long", message="The question is longer than 2,000 characters.", hint="Shorten it; the text is kept in the box.")

SCHEMA = SchemaPage(
    shell(active="schema"),
    "",
    (
        SchemaTable(
            "orders",
            "table",
            61_204,
            ("order", "purchases", "订单"),
            "One row per order, placed online or in a branch.",
            (
                SchemaColumn("id", "INTEGER", "integer", "primary", False, "", (), "", ("1", "2", "3")),
                SchemaColumn("customer_id", "INTEGER", "integer", "foreign", False, "customers.id", (), "", ("44", "102")),
                SchemaColumn("ordered_on", "DATE", "date", "", False, "", ("order date", "下单日期"), "The day the order was placed.", ("2022-01-03", "2022-01-04")),
                SchemaColumn("status", "TEXT", "text", "", True, "", ("state",), "", ("open", "shipped", "returned", "<b>odd</b>")),
            ),
            ("order_lines", "returns"),
        ),
        SchemaTable("monthly_revenue", "view", None, (), "", (SchemaColumn("month", "", "text", "", True, "", (), "", ()),)),
    ),
    (("revenue", "What customers paid, without returns.", "SUM(order_lines.quantity * order_lines.unit_price)"),),
)

LONG = "how many orders with at least three different products from suppliers in northern Italy, " * 5 + "were returned? supercalifragilisticexpialidocious" * 3
MIXED = "كم عدد الطلبات في 东京 🗼 <b>2023</b>?"

STATES: dict[str, tuple[str, Any]] = {
    "first": ("pages/workspace.html", workspace(None, earlier=False)),
    "first-returning": ("pages/workspace.html", workspace(None)),
    "first-zh": ("pages/workspace.html", workspace(None, lang="zh")),
    "answered": ("pages/workspace.html", workspace(turn(why=evidence()))),
    "answered-zh": ("pages/workspace.html", workspace(turn(lang="zh", text=TEXT_ZH, why=evidence("zh")), lang="zh")),
    "running": ("pages/workspace.html", workspace(turn("running", state="plan", artifacts=(), text=None, rows=None, ms=None))),
    "running-zh": ("pages/workspace.html", workspace(turn("running", lang="zh", state="plan", artifacts=(), text=None, rows=None, ms=None), lang="zh")),
    "partial": (
        "pages/workspace.html",
        workspace(turn("running", state="synthesize", artifacts=(TABLE, SQL_ARTIFACT), text=TextArtifact(id="text", lang="en", sentences=(TEXT.sentences[0][:2],)), ms=None)),
    ),
    "degraded": ("pages/workspace.html", workspace(turn(why=evidence()), health=DEGRADED)),
    "wide": ("pages/workspace.html", workspace(turn(question="customers", artifacts=(WIDE, SQL_ARTIFACT), text=None, why=evidence().model_copy(update={"mentions": ()}), rows=10_000))),
    "no-rows": ("pages/workspace.html", workspace(turn(artifacts=(EMPTY, SQL_ARTIFACT), text=TextArtifact(id="text", lang="en", sentences=((say("No orders match."),),)), why=evidence(), rows=0))),
    "declined": ("pages/workspace.html", workspace(turn("declined", question="how many flights", artifacts=(NO_TABLE,), text=None, why=DECLINED.model_copy(update={"mentions": ()}), rows=None))),
    "failed": ("pages/workspace.html", workspace(turn("error", artifacts=(BROKEN, SQL_ARTIFACT), text=None, why=DECLINED, rows=None, ms=10_004))),
    "stopped": ("pages/workspace.html", workspace(turn("stopped", artifacts=(STOPPED, TABLE), text=None, why=None, rows=None))),
    "clarify": ("pages/workspace.html", workspace(turn("clarify", question="revenue last year", artifacts=(CLARIFY,), text=None, why=evidence().model_copy(update={"mentions": (), "attempts": ()}), rows=None))),
    "long": ("pages/workspace.html", workspace(turn(question=LONG, why=evidence().model_copy(update={"mentions": ()})))),
    "mixed": ("pages/workspace.html", workspace(turn(question=MIXED, why=evidence().model_copy(update={"mentions": ()})))),
    "refused-text": ("pages/workspace.html", workspace(None, typed=LONG, problem=EMPTY_QUESTION)),
    "schema": ("pages/schema.html", SCHEMA),
    "schema-none": ("pages/schema.html", replace(SCHEMA, tables=(), measures=(), query="flights")),
    "schema-zh": ("pages/schema.html", replace(SCHEMA, shell=shell("zh", "schema"))),
    "frame": ("pages/frame.html", FramePage(shell(), table_page(WIDE))),
    "problem": ("pages/problem.html", ProblemPage(shell(), 404, "not_found.thread", "There is no thread with this name.", "It may have been deleted, or the address is cut.", (("Ask a new question", "/c/shop/"),))),
    "problem-zh": ("pages/problem.html", ProblemPage(shell("zh"), 404, "not_found.thread", "找不到这个对话。", "它可能已被删除，或者地址不完整。", (("提一个新问题", "/c/shop/"),))),
}
