"""Forms: what is shown, sent unchanged, changes nothing; what is typed arrives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import seed
from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import Glossary, check_glossary, parse_yaml
from app.databases import open_database
from app.glossaries import edit
from app.glossaries.forms import ColumnForm, GeneralForm, MeasureForm, MeasuresForm, Said, TableForm

TABLE = Table(
    "orders",
    (Column("id", "", Kind.INTEGER), Column("channel", "", Kind.TEXT), Column("ordered_on", "", Kind.DATE)),
)
CATALOG = Catalog("shop", "sqlite", (TABLE,))
TEXT = """# Ours.
tables:
  ORDERS:      # as the old system spelled it
    names: {en: [order]}
    columns:
      CHANNEL:
        values:   # who sells
          online: {en: [web]}
measures:
  n:           # how many
    expression: COUNT(orders.id)
  last: {expression: MAX(orders.ordered_on)}
remembered:
- phrase: web orders
  means: {table: orders, column: channel, value: online}
- phrase: how many
  means: {measure: n}
"""


def glossary_of(text: str) -> Glossary:
    glossary, problems = check_glossary(text, CATALOG)
    assert glossary is not None and problems == ()
    return glossary


def said(said: Said, prefix: str) -> dict[str, str]:
    return {f"{prefix}{key}": getattr(said, key) for key in ("en", "zh", "about_en", "about_zh")}


def sent_table(form: TableForm) -> dict[str, str]:
    """What a browser sends for the form as it is."""
    sent = {"default_date": form.default_date, "label": form.label, **said(form.said, "")}
    for place, column in enumerate(form.columns):
        at = f"c{place}-"
        sent |= {f"{at}name": column.name, f"{at}unit": column.unit, f"{at}aggregation": column.aggregation}
        sent |= said(column.said, at) | ({f"{at}hidden": "1"} if column.hidden else {})
        sent[f"{at}indexed"] = column.indexed
        for number, row in enumerate(column.rows):
            cell = f"{at}v{number}-"
            sent |= {f"{cell}value": row.value, f"{cell}en": row.en, f"{cell}zh": row.zh}
    return sent | ({"hidden": "1"} if form.hidden else {})


def sent_measures(form: MeasuresForm) -> dict[str, str]:
    sent: dict[str, str] = {}
    for place, one in enumerate(form.measures):
        at = f"m{place}-"
        sent |= {f"{at}old": one.old, f"{at}key": one.key, f"{at}unit": one.unit, f"{at}date": one.date}
        sent |= {f"{at}expression": one.expression, **said(one.said, at)}
    return sent


@pytest.mark.parametrize("demo", seed.DEMOS, ids=lambda demo: demo.name)
def test_forms_sent_as_they_are_change_nothing(demo: seed.Demo, demos: dict[str, Path]) -> None:
    database = open_database(str(demos[demo.name]), name=demo.name, cache_dir=None)
    text = demo.glossary.read_text("utf-8")
    glossary, _problems = check_glossary(text, database.catalog)
    database.close()
    assert glossary is not None
    for table in database.catalog.tables:
        form = TableForm.sent(table, sent_table(TableForm.shown(table, glossary.table(table.name))))
        assert form == TableForm.shown(table, glossary.table(table.name))
        assert edit.with_table(text, glossary, table.name, form.data()) == text
    measures = MeasuresForm.sent(sent_measures(MeasuresForm.shown(glossary)))
    assert edit.with_measures(text, glossary, measures.data(), {}) == text
    assert edit.with_general(text, glossary, GeneralForm.shown(glossary).data(glossary)) == text


Change = Callable[[dict[str, str]], object]
CHANGES: list[tuple[dict[str, str], str, str]] = [
    ({"en": "order, purchase"}, "{en: [order]}", "{en: [order, purchase]}"),
    ({"zh": "订单、单子"}, "{en: [order]}", "{en: [order], zh: [订单, 单子]}"),
    ({"default_date": "ordered_on"}, "{en: [order]}\n", "{en: [order]}\n    default_date: ordered_on\n"),
    ({"hidden": "1"}, "{en: [order]}\n", "{en: [order]}\n    hidden: true\n"),
    ({"c1-v0-en": "web, shop"}, "{en: [web]}", "{en: [web, shop]}"),
    ({"c1-v1-value": "NO", "c1-v1-zh": "无"}, "{en: [web]}\n", "{en: [web]}\n          'NO': {zh: [无]}\n"),
    ({"c1-unit": " k  g "}, "{en: [web]}\n", "{en: [web]}\n        unit: k g\n"),
    ({"c1-indexed": "false"}, "{en: [web]}\n", "{en: [web]}\n        indexed: false\n"),
    ({"c1-indexed": "true"}, "{en: [web]}\n", "{en: [web]}\n        indexed: true\n"),
    ({"c0-hidden": "1"}, "{en: [web]}\n", "{en: [web]}\n      id: {hidden: true}\n"),
    (
        {"c1-v0-value": "", "c1-v0-en": ""},
        "    columns:\n      CHANNEL:\n        values:   # who sells\n          online: {en: [web]}\n",
        "",
    ),
]


@pytest.mark.parametrize(("change", "before", "after"), CHANGES)
def test_only_what_was_typed_changes(change: dict[str, str], before: str, after: str) -> None:
    glossary = glossary_of(TEXT)
    form = TableForm.sent(TABLE, sent_table(TableForm.shown(TABLE, glossary.table("orders"))) | change)
    text = edit.with_table(TEXT, glossary, "orders", form.data())
    assert text == TEXT.replace(before, after) != TEXT
    glossary_of(text)


MEASURES: list[tuple[dict[str, str], str, str]] = [
    ({"m0-en": "orders"}, "COUNT(orders.id)\n", "COUNT(orders.id)\n    names: {en: [orders]}\n"),
    ({"m1-remove": "1"}, "  last: {expression: MAX(orders.ordered_on)}\n", ""),
    (
        {"m2-key": "two", "m2-expression": "SUM(orders.id)"},
        "MAX(orders.ordered_on)}\n",
        "MAX(orders.ordered_on)}\n  two: {expression: SUM(orders.id)}\n",
    ),
]


@pytest.mark.parametrize(("change", "before", "after"), MEASURES)
def test_measures(change: dict[str, str], before: str, after: str) -> None:
    glossary = glossary_of(TEXT)
    form = MeasuresForm.sent(sent_measures(MeasuresForm.shown(glossary)) | change)
    text = edit.with_measures(TEXT, glossary, form.data(), {})
    assert text == TEXT.replace(before, after) != TEXT


def test_a_measure_can_be_called_another_way() -> None:
    glossary = glossary_of(TEXT)
    form = MeasuresForm.sent(sent_measures(MeasuresForm.shown(glossary)) | {"m1-key": "latest"})
    data, _node = parse_yaml(edit.with_measures(TEXT, glossary, form.data(), {"last": "latest", "n": "n"}))
    assert data["measures"] == {
        "n": {"expression": "COUNT(orders.id)"},
        "latest": {"expression": "MAX(orders.ordered_on)"},
    }


def test_the_whole_and_what_was_remembered() -> None:
    glossary = glossary_of(TEXT)
    form = GeneralForm.sent(
        glossary, {"fiscal_year_start": "4", "forget-0": "1", "questions_en": "why\n\n how  many \nwhy"}
    )
    data, _node = parse_yaml(edit.with_general(TEXT, glossary, form.data(glossary)))
    assert (data["fiscal_year_start"], data["questions"]) == ("4", {"en": ["why", "how many"]})
    assert [entry["phrase"] for entry in data["remembered"]] == ["how many"]


FAULTS: list[tuple[dict[str, str], dict[str, str]]] = [
    ({"c0-v0-value": "", "c0-v0-en": "one"}, {"c0-v0-value": "These names need the stored value that they mean."}),
    ({"c1-v1-value": "online", "c1-v1-en": "net"}, {"c1-v1-value": "This value stands here twice."}),
    ({"c1-v2-value": "phone"}, {}),
]


@pytest.mark.parametrize(("change", "expected"), FAULTS)
def test_faults_of_values(change: dict[str, str], expected: dict[str, str]) -> None:
    sent = sent_table(TableForm.shown(TABLE, glossary_of(TEXT).table("orders")))
    assert TableForm.sent(TABLE, sent | change).faults() == expected


MEASURE_FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"m2-expression": "SUM(orders.id)"}, ["m2-key"]),
    ({"m2-key": "x"}, ["m2-expression"]),
    ({"m2-key": "n", "m2-expression": "SUM(orders.id)"}, ["m2-key"]),
    ({"m2-key": "n", "m2-expression": "SUM(orders.id)", "m0-remove": "1"}, []),
]


@pytest.mark.parametrize(("change", "expected"), MEASURE_FAULTS)
def test_faults_of_measures(change: dict[str, str], expected: list[str]) -> None:
    form = MeasuresForm.sent(sent_measures(MeasuresForm.shown(glossary_of(TEXT))) | change)
    assert list(form.faults()) == expected


TABLE_FORM = TableForm("orders", Said(), columns=(ColumnForm("id", Said()), ColumnForm("channel", Said())))
MEASURES_FORM = MeasuresForm(
    (MeasureForm(key="a"), MeasureForm(key="b", remove=True), MeasureForm(key="c"), MeasureForm())
)
FIELDS = [
    (TABLE_FORM, ("tables", "orders", "label"), "label"),
    (TABLE_FORM, ("tables", "orders", "names", "en"), "en"),
    (TABLE_FORM, ("tables", "orders"), "en"),
    (TABLE_FORM, ("tables", "orders", "columns", "channel", "aggregation"), "c1-aggregation"),
    (TABLE_FORM, ("tables", "orders", "columns", "channel"), "c1-name"),
    (TABLE_FORM, ("tables", "orders", "columns", "gone"), "en"),
    (TABLE_FORM, ("tables", "customers", "label"), None),
    (TABLE_FORM, ("measures", "a"), None),
    (MEASURES_FORM, ("measures", "c", "expression"), "m2-expression"),
    (MEASURES_FORM, ("measures", "a", "description"), "m0-about_en"),
    (MEASURES_FORM, ("measures", "b", "date"), None),
    (MEASURES_FORM, ("tables", "a"), None),
    (GeneralForm(), ("fiscal_year_start",), "fiscal_year_start"),
    (GeneralForm(), ("about", "en"), "about_en"),
    (GeneralForm(), ("remembered", "0", "means"), None),
    (GeneralForm(), ("tables", "orders"), None),
]


@pytest.mark.parametrize(("form", "path", "field"), FIELDS)
def test_fields_of_problems(
    form: TableForm | MeasuresForm | GeneralForm, path: tuple[str, ...], field: str | None
) -> None:
    assert form.field(path) == field


def test_a_column_that_is_gone_is_shown_and_kept() -> None:
    text = "tables: {orders: {columns: {old: {unit: kg}}}}"
    glossary = Glossary.model_validate(parse_yaml(text)[0])
    form = TableForm.shown(TABLE, glossary.table("orders"))
    assert [(column.name, column.known) for column in form.columns][-1] == ("old", False)
    assert TableForm.sent(TABLE, sent_table(form)).data() == {"columns": {"old": {"unit": "kg"}}}
