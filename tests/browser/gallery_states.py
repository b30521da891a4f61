"""Sample contexts for every page and every state of a turn, in English and Chinese, with the texts that break layouts.

``STATES`` maps a name to ``(template, page)``; the gallery shows them in a browser, the template tests render them all.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from gallery_answers import DECLINED, FULL, QUESTION, QUESTION_ZH, SQL, SQL_ARTIFACT, TEXT, TEXT_ZH, evidence, say
from gallery_glossary import states as glossary_states
from gallery_tables import EMPTY, TABLE, WIDE, table_page

from agents.artifacts import (
    Artifact,
    ClarifyArtifact,
    ClarifyOption,
    Evidence,
    ProblemArtifact,
    TextArtifact,
)
from app.views.contexts import (
    ConnectionView,
    FramePage,
    HealthView,
    ProblemPage,
    SchemaColumn,
    SchemaPage,
    SchemaTable,
    Shell,
    ThreadSummary,
    TurnStatus,
    TurnSummary,
    TurnView,
    WorkspacePage,
)

Lang = Literal["en", "zh"]
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)

CONNECTIONS = (
    ConnectionView(
        "shop",
        "SQLite",
        "read-only",
        "A made retail company: four years of orders, returns and staff.",
        "/c/shop/",
        True,
    ),
    ConnectionView(
        "vega", "SQLite", "read-only", "Cars, stocks, weather and other small data sets known from charts.", "/c/vega/"
    ),
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
    return TurnView(
        "t2",
        "th1",
        "shop",
        question or (QUESTION_ZH if lang == "zh" else QUESTION),
        lang,
        status,
        state,
        artifacts,
        text,
        why,
        rows,
        ms,
        NOW,
        17,
    )


def workspace(
    view: TurnView | None,
    *,
    lang: Lang = "en",
    health: HealthView = HEALTHY,
    typed: str = "",
    problem: ProblemArtifact | None = None,
    earlier: bool = True,
) -> WorkspacePage:
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
        else (
            "Revenue by region in 2023",
            "Orders per month last year",
            "Top 5 products by revenue",
            "Which customers never ordered?",
            "Return rate by category",
        )
    )
    return WorkspacePage(
        shell(lang, health=health),
        "ws1",
        "th1" if view else None,
        turns,
        older if earlier else (),
        view,
        starters,
        typed,
        problem,
    )


CLARIFY = ClarifyArtifact(
    id="clarify",
    question="Does “last year” mean the calendar year or the last twelve months?",
    options=(
        ClarifyOption(
            id="a",
            text="The calendar year 2025",
            returns="12 rows, 4,812,330 € in all",
            question="revenue per month in 2025",
            sql=SQL,
        ),
        ClarifyOption(
            id="b",
            text="The twelve months until today",
            returns="13 rows, 5,006,127 € in all",
            question="revenue per month in the last 12 months",
            sql=SQL,
        ),
    ),
)
NO_TABLE = ProblemArtifact(
    id="problem",
    code="plan.nothing_found",
    message="There is no table of flights in this data.",
    hint="The word “flights” matches no table, column or stored value. Ask about orders, customers or products.",
    tone="declined",
)
BROKEN = ProblemArtifact(
    id="problem",
    code="execute.timeout",
    message="The database stopped the statement after 10 seconds.",
    hint="Narrow the question down, for example to one year.",
)
STOPPED = ProblemArtifact(
    id="problem",
    code="turn.cancelled",
    message="The question was stopped.",
    hint="Ask it again when you like.",
    tone="stopped",
)
EMPTY_QUESTION = ProblemArtifact(
    id="problem",
    code="question.too_long",
    message="The question is longer than 2,000 characters.",
    hint="Shorten it; the text is kept in the box.",
)

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
                SchemaColumn("id", "INTEGER", "integer", "primary", False, "", False, (), "", ("1", "2", "3")),
                SchemaColumn(
                    "customer_id", "INTEGER", "integer", "foreign", False, "customers.id", True, (), "", ("44", "102")
                ),
                SchemaColumn(
                    "ordered_on",
                    "DATE",
                    "date",
                    "",
                    False,
                    "",
                    False,
                    ("order date", "下单日期"),
                    "The day the order was placed.",
                    ("2022-01-03", "2022-01-04"),
                ),
                SchemaColumn(
                    "status",
                    "TEXT",
                    "text",
                    "",
                    True,
                    "",
                    False,
                    ("state",),
                    "",
                    ("open", "shipped", "returned", "<b>odd</b>"),
                ),
            ),
            ("order_lines", "returns"),
        ),
        SchemaTable(
            "monthly_revenue",
            "view",
            None,
            (),
            "",
            (SchemaColumn("month", "", "text", "", True, "", False, (), "", ()),),
        ),
    ),
    (("revenue", "What customers paid, without returns.", "SUM(order_lines.quantity * order_lines.unit_price)"),),
)

LONG = (
    "how many orders with at least three different products from suppliers in northern Italy, " * 5
    + "were returned? supercalifragilisticexpialidocious" * 3
)
MIXED = "كم عدد الطلبات في 东京 🗼 <b>2023</b>?"

STATES: dict[str, tuple[str, Any]] = {
    "first": ("pages/workspace.html", workspace(None, earlier=False)),
    "first-returning": ("pages/workspace.html", workspace(None)),
    "first-zh": ("pages/workspace.html", workspace(None, lang="zh")),
    "answered": ("pages/workspace.html", workspace(turn(why=evidence()))),
    "answered-zh": ("pages/workspace.html", workspace(turn(lang="zh", text=TEXT_ZH, why=evidence("zh")), lang="zh")),
    "running": (
        "pages/workspace.html",
        workspace(turn("running", state="plan", artifacts=(), text=None, rows=None, ms=None)),
    ),
    "running-zh": (
        "pages/workspace.html",
        workspace(turn("running", lang="zh", state="plan", artifacts=(), text=None, rows=None, ms=None), lang="zh"),
    ),
    "partial": (
        "pages/workspace.html",
        workspace(
            turn(
                "running",
                state="synthesize",
                artifacts=(TABLE, SQL_ARTIFACT),
                text=TextArtifact(id="text", lang="en", sentences=(TEXT.sentences[0][:2],)),
                ms=None,
            )
        ),
    ),
    "degraded": ("pages/workspace.html", workspace(turn(why=evidence()), health=DEGRADED)),
    "wide": (
        "pages/workspace.html",
        workspace(
            turn(
                question="customers",
                artifacts=(WIDE, SQL_ARTIFACT),
                text=None,
                why=evidence().model_copy(update={"mentions": ()}),
                rows=10_000,
            )
        ),
    ),
    "no-rows": (
        "pages/workspace.html",
        workspace(
            turn(
                artifacts=(EMPTY, SQL_ARTIFACT),
                text=TextArtifact(id="text", lang="en", sentences=((say("No orders match."),),)),
                why=evidence(),
                rows=0,
            )
        ),
    ),
    "declined": (
        "pages/workspace.html",
        workspace(
            turn(
                "declined",
                question="how many flights",
                artifacts=(NO_TABLE,),
                text=None,
                why=DECLINED.model_copy(update={"mentions": ()}),
                rows=None,
            )
        ),
    ),
    "failed": (
        "pages/workspace.html",
        workspace(turn("error", artifacts=(BROKEN, SQL_ARTIFACT), text=None, why=DECLINED, rows=None, ms=10_004)),
    ),
    "stopped": (
        "pages/workspace.html",
        workspace(turn("stopped", artifacts=(STOPPED, TABLE), text=None, why=None, rows=None)),
    ),
    "clarify": (
        "pages/workspace.html",
        workspace(
            turn(
                "clarify",
                question="revenue last year",
                artifacts=(CLARIFY,),
                text=None,
                why=evidence().model_copy(update={"mentions": (), "attempts": ()}),
                rows=None,
            )
        ),
    ),
    "long": (
        "pages/workspace.html",
        workspace(turn(question=LONG, why=evidence().model_copy(update={"mentions": ()}))),
    ),
    "mixed": (
        "pages/workspace.html",
        workspace(turn(question=MIXED, why=evidence().model_copy(update={"mentions": ()}))),
    ),
    "refused-text": ("pages/workspace.html", workspace(None, typed=LONG, problem=EMPTY_QUESTION)),
    "schema": ("pages/schema.html", SCHEMA),
    "schema-none": ("pages/schema.html", replace(SCHEMA, tables=(), measures=(), query="flights")),
    "schema-zh": ("pages/schema.html", replace(SCHEMA, shell=shell("zh", "schema"))),
    **glossary_states(shell),
    "frame": ("pages/frame.html", FramePage(shell(), table_page(WIDE))),
    "problem": (
        "pages/problem.html",
        ProblemPage(
            shell(),
            404,
            "not_found.thread",
            "There is no thread with this name.",
            "It may have been deleted, or the address is cut.",
            (("Ask a new question", "/c/shop/"),),
        ),
    ),
    "problem-zh": (
        "pages/problem.html",
        ProblemPage(
            shell("zh"),
            404,
            "not_found.thread",
            "找不到这个对话。",
            "它可能已被删除，或者地址不完整。",
            (("提一个新问题", "/c/shop/"),),
        ),
    ),
}
