"""Sample pages of the glossary's editor: every part, with and without what is wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agents.artifacts import ProblemArtifact
from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import Glossary
from app.glossaries.forms import GeneralForm, MeasureForm, MeasuresForm, TableForm
from app.views.contexts import GlossaryLink, GlossaryPage, GlossaryProblemLine, GlossaryVersion, Shell

TABLE = Table(
    "orders",
    (
        Column("id", "INTEGER", Kind.INTEGER, samples=(1, 2, 3)),
        Column("ordered_on", "DATE", Kind.DATE, samples=("2024-01-02", "2024-01-05")),
        Column("channel", "TEXT", Kind.TEXT, samples=("online", "store", "phone")),
        Column("shipping_cost", "REAL", Kind.DECIMAL, samples=(4.9, 0.0)),
        Column("a_rather_long_name_of_a_column_that_nobody_types", "TEXT", Kind.TEXT),
    ),
)
CATALOG = Catalog("shop", "sqlite", (TABLE, Table("customers", (Column("id", "INTEGER", Kind.INTEGER),))))
GLOSSARY = Glossary.model_validate(
    {
        "about": {"en": "A made retail company, 2022 to 2025.", "zh": "一家虚构的零售公司。"},
        "currency": "EUR",
        "fiscal_year_start": 4,
        "tables": {
            "orders": {
                "names": {"en": ["order", "purchase"], "zh": ["订单", "单子"]},
                "description": {"en": "One row per order, cancelled ones included.", "zh": "每个订单一行。"},
                "default_date": "ordered_on",
                "columns": {
                    "channel": {
                        "names": {"en": ["channel", "sales channel"], "zh": ["渠道"]},
                        "values": {
                            "online": {"en": ["web", "web shop"], "zh": ["线上", "网店"]},
                            "phone": {"zh": ["电话"]},
                        },
                    },
                    "shipping_cost": {"names": {"en": ["shipping cost", "postage"]}, "unit": "money"},
                    "id": {"hidden": True},
                },
            },
            "customers": {"hidden": True},
        },
        "measures": {
            "order_count": {
                "names": {"en": ["number of orders"], "zh": ["订单数"]},
                "expression": "COUNT(DISTINCT orders.id)",
                "date": "orders.ordered_on",
            }
        },
        "questions": {"en": ["orders by channel", "orders per month in 2024"], "zh": ["各渠道的订单数"]},
        "remembered": [{"phrase": "web sales", "means": {"table": "orders", "column": "channel", "value": "online"}}],
    }
)
TEXT = """# What the warehouse calls things.
currency: EUR
tables:
  orders:
    names: {en: [order, purchase], zh: [订单]}
    default_dat: ordered_on
"""
CONFLICT = ProblemArtifact(
    id="glossary",
    code="glossary.conflict",
    message="Somebody else has saved this part in the meantime.",
    hint="Look at the other version; yours is kept below.",
)
UNSAVED = ProblemArtifact(
    id="glossary",
    code="glossary.fields",
    message="Not saved yet: something does not fit.",
    hint="See the marked fields.",
)
VERSIONS = tuple(
    GlossaryVersion(f"2026050{n}", datetime(2026, 5, n, 9, 41, tzinfo=UTC), "/c/shop/glossary", n == 3)
    for n in (4, 3, 2)
)
DIFFERENCES = (
    "@@ -1,3 +1,3 @@",
    " tables:",
    "-  orders: {names: {en: [order, purchase, sales order, shipment of something with a long name]}}",
    "+  orders: {names: {en: [order]}}",
)


def states(shell: Any) -> dict[str, tuple[str, GlossaryPage]]:
    """:param shell: makes the frame for a language and a navigation entry."""

    def links(current: str) -> tuple[GlossaryLink, ...]:
        return tuple(
            GlossaryLink(
                table.name,
                GLOSSARY.table(table.name).names.first("en") or "",
                "/c/shop/glossary",
                table.name == current,
                GLOSSARY.is_hidden(table.name),
            )
            for table in CATALOG.tables
        )

    def page(part: Any, *, frame: Shell | None = None, **given: Any) -> GlossaryPage:
        frame = frame or shell(active="schema")
        made = GlossaryPage(frame, part, given.get("title", ""), links(given.get("title", "")), 1, "edited", "v1")
        choices = {
            "units": ("money", "%", "kg"),
            "dates": ("ordered_on",),
            "labels": ("channel",),
            "measure_dates": ("orders.ordered_on",),
        }
        months = tuple(f"{datetime(2024, month, 1):%B}" for month in range(1, 13))
        return replace(made, **{"choices": choices, "months": months, **given})

    table = TableForm.shown(TABLE, GLOSSARY.table("orders"))
    half = MeasureForm(key="profit", expression="SUM(orders.margin)")
    measures = MeasuresForm.shown(GLOSSARY)
    wrong = {
        "default_date": "orders.channel holds no dates.",
        "c2-v1-value": "This value stands here twice.",
        "c3-aggregation": "“most” is none of sum, avg, min, max, count.",
    }
    unknown = "The glossary names orders.margin in measure 'profit', which the database does not have."
    line = GlossaryProblemLine(
        6, "default_dat: ordered_on", "“default_dat” has no meaning here.", "Compare with the shape."
    )
    found = {
        "glossary": page("general", form=GeneralForm.shown(GLOSSARY)),
        "glossary-saved": page("general", form=GeneralForm.shown(GLOSSARY), saved=True),
        "glossary-table": page("table", title="orders", form=table),
        "glossary-draft": page("table", title="orders", form=table, origin="none"),
        "glossary-table-wrong": page("table", title="orders", form=table, errors=wrong, notice=UNSAVED),
        "glossary-conflict": page("table", title="orders", form=table, notice=CONFLICT),
        "glossary-measures": page("measures", form=measures),
        "glossary-measures-wrong": page(
            "measures",
            form=MeasuresForm((*measures.measures[:-1], half, MeasureForm())),
            errors={"m1-expression": unknown},
            notice=UNSAVED,
        ),
        "glossary-text": page("yaml", text=TEXT),
        "glossary-text-wrong": page("yaml", text=TEXT, problems=(line,)),
        "glossary-versions": page("versions", versions=VERSIONS, chosen=VERSIONS[1], differences=DIFFERENCES),
        "glossary-versions-none": page("versions"),
        "glossary-zh": page("table", frame=shell("zh", "schema"), title="orders", form=table),
    }
    return {name: ("pages/glossary.html", made) for name, made in found.items()}
