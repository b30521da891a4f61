"""Starter questions: good first questions about this data, each tried before it is offered.

The glossary's own come first. Without one they are made from the catalog: counting the largest thing, splitting it by a
column with few values, averaging a number, ranking by it. Only questions that the engine reads with confidence stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from agents.catalog import Catalog, Column, Table
from agents.engine import Engine
from agents.glossary import Glossary
from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.labels import column_label, date_columns, is_identifier, is_year, label_column, table_label
from agents.ports import Connection

COUNT = 4
_FEW, _MANY = 2, 40

_TEMPLATES = {
    "en": {
        "count": "How many {things} are there?",
        "split": "Number of {things} by {group}",
        "average": "Average {number} by {group}",
        "top": "Top 5 {things} by {number}",
        "time": "{things} per year",
    },
    "zh": {
        "count": "一共有多少{things}？",
        "split": "各{group}的{things}数量",
        "average": "各{group}的平均{number}",
        "top": "{number}最高的5个{things}",
        "time": "每年的{things}数量",
    },
}


def starter_questions(connection: Connection, engine: Engine, lang: str, now: datetime) -> tuple[str, ...]:
    """Up to four questions in the reader's language that the engine can answer."""
    offered = connection.glossary.questions.zh if lang == "zh" else connection.glossary.questions.en
    made = _made(connection.catalog, connection.glossary, lang)
    found: list[str] = []
    for question in (*offered, *made):
        if len(found) == COUNT:
            break
        understood = engine.read(question, "zh" if lang == "zh" else "en", now)
        if question not in found and understood.candidates and understood.confidence >= 0.5:
            found.append(question)
    return tuple(found)


def _made(catalog: Catalog, glossary: Glossary, lang: str) -> Iterator[str]:
    texts = _TEMPLATES["zh" if lang == "zh" else "en"]
    tables = sorted((t for t in catalog.tables if t.columns), key=lambda t: -_interest(t, glossary))
    for table in tables[:6]:
        things = table_label(TableTarget(table.name), glossary, lang)
        group = _group(table, glossary)
        number = _number(table, glossary)
        names: dict[str, str] = {"things": things}
        if group:
            names["group"] = column_label(ColumnTarget(table.name, group.name), glossary, lang)
        if number:
            names["number"] = column_label(ColumnTarget(table.name, number.name), glossary, lang)
        if number and group:
            yield texts["average"].format(**names)
        elif group:
            yield texts["split"].format(**names)
        if number and label_column(table, glossary) is not None:
            yield texts["top"].format(**names)
        if date_columns(table, glossary):
            yield texts["time"].format(**names)
        yield texts["count"].format(**names)


def _interest(table: Table, glossary: Glossary) -> float:
    """Tables with numbers, groups, dates and many rows make good first questions."""
    score = float(_group(table, glossary) is not None) + float(_number(table, glossary) is not None)
    score += 0.5 * bool(date_columns(table, glossary)) + 0.5 * (label_column(table, glossary) is not None)
    return score + min(1.0, (table.rows or 0) / 1000)


def _group(table: Table, glossary: Glossary) -> Column | None:
    label = label_column(table, glossary)
    for column in table.columns:
        few = column.distinct is not None and _FEW <= column.distinct <= _MANY
        repeated = (table.rows or 0) > (column.distinct or 0) * 2
        if column.kind == "text" and few and repeated and column != label and not is_identifier(table, column):
            return column
    return None


def _number(table: Table, glossary: Glossary) -> Column | None:
    numbers = [c for c in table.columns if c.kind.is_number and not is_identifier(table, c) and not is_year(c)]
    return next((c for c in numbers if c.kind == "decimal"), numbers[0] if numbers else None)
