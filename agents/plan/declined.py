"""Declining: why a question was not answered, what was understood of it, and what to ask instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agents.artifacts import ProblemArtifact
from agents.catalog import Kind, Table
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.language.link import is_guess
from agents.plan.labels import (
    column_label,
    date_columns,
    is_identifier,
    is_year,
    label_column,
    measure_label,
    table_label,
)
from agents.plan.reasons import HINTS, REASONS
from agents.ports import Connection

if TYPE_CHECKING:
    from agents.understood import Understood

NAMED = 6
"""Tables that a hint lists before it counts the rest."""

EXAMPLES = 3
"""Columns that a hint gives as examples."""


def declined(understood: Understood, connection: Connection) -> ProblemArtifact:
    """The card that says so, in the question's language."""
    words = _Vocabulary(connection, understood.lang)
    reason, filling, names = _reason(understood, words)
    return ProblemArtifact(
        id="problem",
        code=f"question.{reason}",
        message=REASONS[reason].text(understood.lang, *filling),
        hint=_hint(reason, names, words),
        tone="declined",
    )


def _reason(understood: Understood, words: _Vocabulary) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The reason, what fills its sentence, and the catalog's names behind it."""
    reason = understood.reason
    if understood.unknown and reason in ("", "nothing_known", "nothing_asked", "no_operand", "unknown_words"):
        return "unknown_words", (words.quoted(understood.unknown[:3]),), ()
    guess = _guess(understood, words)
    if guess is not None and reason in ("", "unsure"):
        return "guessed", guess, ()
    failed = understood.failed
    if failed is None or (reason and understood.candidates):
        return reason if reason in REASONS else "unsure", (understood.detail,), ()
    if not reason and failed.reason not in ("fan_out", "not_connected", "no_date"):
        # The likeliest meaning failed for something that says nothing about the data; another one was too weak.
        return "unsure", (), ()
    return failed.reason, _filling(failed.reason, failed.names, words) or (failed.detail,), failed.names


def _filling(reason: str, names: Sequence[str], words: _Vocabulary) -> tuple[str, ...]:
    if reason == "fan_out":
        measure, base, *tables = names
        return words.name(measure), words.name(base), words.quoted([words.name(table) for table in tables], "and")
    if reason == "not_connected":
        return (words.quoted([words.name(table) for table in names], "and"),)
    return (words.name(names[0]),) if names else ()


def _guess(understood: Understood, words: _Vocabulary) -> tuple[str, str] | None:
    """A word that was only vaguely like a name, with that name."""
    if not understood.candidates:
        return None
    mention = next((m for m in understood.candidates[0].mentions if is_guess(m)), None)
    return (mention.text, words.name(str(mention.target))) if mention is not None else None


def _hint(reason: str, names: Sequence[str], words: _Vocabulary) -> str:
    """What to ask instead; when nothing better is known, what there is data about."""
    lang, spoken = words.lang, ""
    match reason:
        case "fan_out" if names:
            measure, base = words.name(names[0]), names[1]
            own = words.listed(words.groups(base))
            spoken = HINTS["own"].text(lang, measure, own) if own else HINTS["whole"].text(lang, measure)
        case "not_connected" | "several_counts":
            spoken = HINTS["apart"].text(lang)
        case "no_date":
            dated = words.listed(words.dated())
            spoken = HINTS["dated"].text(lang, dated) if dated else ""
        case "top_per_group":
            spoken = HINTS["overall"].text(lang)
        case "no_order_key":
            keys = words.listed(words.numbers())
            spoken = HINTS["key"].text(lang, keys) if keys else ""
        case "not_a_number" | "no_operand":
            numbers = words.listed(words.numbers())
            spoken = HINTS["numbers"].text(lang, numbers) if numbers else ""
        case "nothing_grouped":
            group = next((g for table in words.tables for g in words.groups(table.name)), "")
            spoken = HINTS["group"].text(lang, group) if group else ""
    tables = words.all_tables()
    return spoken or (HINTS["tables"].text(lang, tables) if tables else "")


class _Vocabulary:
    """What the things of a connection are called in one language."""

    def __init__(self, connection: Connection, lang: str) -> None:
        self.catalog, self.glossary, self.lang = connection.catalog, connection.glossary, lang
        self.tables = [t for t in self.catalog.tables if not self.glossary.is_hidden(t.name)]

    def name(self, name: str) -> str:
        """A measure, a table, or a column written ``table.column``; other names stay as they are, without dashes."""
        if name in self.glossary.measures:
            return measure_label(MeasureTarget(name), self.glossary, self.lang)
        if name in self.catalog:
            return table_label(TableTarget(name), self.glossary, self.lang)
        for table, column in self.catalog.columns():
            if name.lower() == f"{table.name}.{column.name}".lower():
                return column_label(ColumnTarget(table.name, column.name), self.glossary, self.lang)
        return name.replace("_", " ")

    def quoted(self, names: Sequence[str], joint: str = "or") -> str:
        quoted = [f"“{name}”" for name in names]
        return "、".join(quoted) if self.lang == "zh" else f" {joint} ".join(quoted)

    def listed(self, names: Iterator[str]) -> str:
        """The first few different ones."""
        few = [name for name, _ in zip(dict.fromkeys(names), range(EXAMPLES), strict=False)]
        if self.lang == "zh":
            return "、".join(few)
        return " or ".join([", ".join(few[:-1]), few[-1]]) if len(few) > 1 else "".join(few)

    def groups(self, table: str) -> Iterator[str]:
        """By what rows of the table may be grouped: their own texts, and what each has one of."""
        of = self.catalog.table(table)
        label = label_column(of, self.glossary)
        for column in of.columns:
            if column.kind is Kind.TEXT and self._shown(of, column.name) and column != label:
                yield column_label(ColumnTarget(of.name, column.name), self.glossary, self.lang)
        for key in of.foreign_keys:
            if key.ref_table in self.catalog and not self.glossary.is_hidden(key.ref_table):
                yield table_label(TableTarget(key.ref_table), self.glossary, self.lang)

    def dated(self) -> Iterator[str]:
        for table in self.tables:
            if date_columns(table, self.glossary):
                yield table_label(TableTarget(table.name), self.glossary, self.lang)

    def numbers(self) -> Iterator[str]:
        """Measures first, then columns of numbers."""
        for measure in self.glossary.measures:
            yield measure_label(MeasureTarget(measure), self.glossary, self.lang)
        for table in self.tables:
            for column in table.columns:
                if column.kind.is_number and self._shown(table, column.name) and not is_year(column):
                    yield column_label(ColumnTarget(table.name, column.name), self.glossary, self.lang)

    def all_tables(self) -> str:
        names = [table_label(TableTarget(t.name), self.glossary, self.lang) for t in self.tables[:NAMED]]
        more = len(self.tables) - len(names)
        if self.lang == "zh":
            return "、".join(names) + (f"等 {len(self.tables)} 张表" if more > 0 else "")
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")

    def _shown(self, table: Table, column: str) -> bool:
        return not self.glossary.is_hidden(table.name, column) and not is_identifier(table, table.column(column))
