"""Superlative adjectives: "the most expensive product", "the oldest customer": the adjective names the column."""

from __future__ import annotations

from agents.catalog import Column
from agents.language.ir import ColumnTarget
from agents.language.names import identifier_words
from agents.plan.labels import date_columns, is_identifier
from agents.plan.read.draft import Reading


def column_for(reading: Reading, table: str, words: list[str]) -> tuple[ColumnTarget, bool] | None:
    """The table's column that the adjective is about; a word with "-" in front means that the order is turned round
    ("-birth": the oldest person has the smallest birth date)."""
    if not table or table not in reading.catalog:
        return None
    owner = reading.catalog.table(table)
    for word in words:
        flipped = word.startswith("-")
        lemma = word.lstrip("-")
        for column in owner.columns:
            if is_identifier(owner, column):
                continue
            names = set(identifier_words(column.name))
            for name in reading.glossary.column(table, column.name).names.en:
                names.update(name.split())
            if lemma in names and (column.kind.is_number or column.kind.is_time or _holds_numbers(column)):
                return ColumnTarget(table, column.name), flipped
        if lemma == "date" and (dates := date_columns(owner, reading.glossary)):
            return ColumnTarget(table, dates[0].name), flipped
    return None


def _holds_numbers(column: Column) -> bool:
    """Whether a text column's samples are all numbers."""
    return bool(column.samples) and all(
        str(v).strip().lstrip("-").replace(".", "", 1).isdigit() for v in column.samples
    )
