"""An answer in the terminal: how it was read, the rows, the text, the SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from agents.artifacts import Cell, FrameColumn
from agents.narrate.format import as_number, decimals_for, format_cell, unit_sign
from app.turns.answer import Answer
from app.turns.ports import Lang

NULL = "∅"
LONGEST_CELL = 300

_WORDS = {
    "en": {
        "read": "Read as",
        "more": "{shown} of {total} rows shown; --limit shows more.",
        "cut": "The first {shown} rows shown; the result has more than were kept.",
        "none": "No rows.",
        "sure": "confidence {}",
        "returns": "returns {}",
        "again": "asked as: {}",
    },
    "zh": {
        "read": "理解为",
        "more": "显示 {total} 行中的 {shown} 行；用 --limit 显示更多。",
        "cut": "显示前 {shown} 行；结果比保留的更多。",
        "none": "没有行。",
        "sure": "置信度 {}",
        "returns": "返回 {}",
        "again": "可以这样问：{}",
    },
}


def render(answer: Answer) -> RenderableType:
    """Everything a person needs to trust or doubt the answer, rows first."""
    return Group(*_parts(answer, _WORDS[answer.lang]))


def _parts(answer: Answer, words: dict[str, str]) -> Iterator[RenderableType]:
    evidence = answer.evidence
    if evidence is not None and evidence.plan:
        yield Text.assemble((f"{words['read']}: ", "dim"), evidence.plan)
    if answer.columns:
        yield Padding(rows_table(answer.columns, answer.rows, answer.lang), (1, 0))
        yield from _count(answer, words)
    if answer.narrative:
        yield Text(answer.narrative)
    if answer.problem is not None:
        yield Text(f"{answer.problem.message} [{answer.problem.code}]", style="yellow")
        if answer.problem.hint:
            yield Text(answer.problem.hint)
    for number, option in enumerate(answer.options, 1):
        yield Text.assemble(
            (f"{number}. ", "bold"), option.text, (f"  ({words['returns'].format(option.returns)})", "dim")
        )
        yield Text(f"   {words['again'].format(option.question)}", style="dim")
    for warning in answer.warnings:
        yield Text(f"! {warning}", style="yellow")
    if answer.sql:
        yield Padding(
            Syntax(answer.sql, "sql", theme="ansi_light", background_color="default", word_wrap=True), (1, 0, 0, 2)
        )
    # How rows were joined and counted, keys that nobody declared among it: what the SQL alone does not say.
    for check in evidence.checks if evidence is not None else ():
        yield Text(f"· {check}", style="dim")
    if answer.confidence is not None and answer.ms is not None:
        yield Text(f"{words['sure'].format(f'{answer.confidence:.2f}')} · {answer.ms:.0f} ms", style="dim")


def _count(answer: Answer, words: dict[str, str]) -> Iterator[RenderableType]:
    shown, total = len(answer.rows), answer.total_rows
    if total is None:
        yield Text(words["cut"].format(shown=f"{shown:,}"), style="dim")
    elif total == 0:
        yield Text(words["none"], style="dim")
    elif shown < total:
        yield Text(words["more"].format(shown=f"{shown:,}", total=f"{total:,}"), style="dim")


def rows_table(columns: Sequence[FrameColumn], rows: Sequence[Sequence[Cell]], lang: Lang) -> Table:
    """Rows with numbers to the right, lined up; nulls are shown as such."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for column in columns:
        unit = unit_sign(column.unit, lang) if column.unit else ""
        label = column.label if not unit or unit.lower() in column.label.lower() else f"{column.label} ({unit})"
        # Names come from the database: they are text, not markup.
        table.add_column(Text(label), justify="right" if column.kind.is_number else "left", overflow="fold")
    for row in _texts(columns, rows, lang):
        table.add_row(*row)
    return table


def _texts(columns: Sequence[FrameColumn], rows: Sequence[Sequence[Cell]], lang: Lang) -> Iterator[list[Text]]:
    places: list[int | None] = []
    for at, column in enumerate(columns):
        numbers = [number for row in rows if (number := as_number(row[at], column)) is not None]
        places.append(decimals_for(numbers, column.unit) if column.kind.is_number and numbers else None)
    for row in rows:
        yield [
            Text(NULL, style="dim") if cell is None else Text(plain(format_cell(cell, column, lang, decimals=place)))
            for cell, column, place in zip(row, columns, places, strict=True)
        ]


def plain(text: str) -> str:
    """The text on one line, without control characters (a cell must not steer the terminal), cut when it is huge."""
    kept = "".join(character if character.isprintable() else " " for character in text[: LONGEST_CELL + 1])
    return kept if len(kept) <= LONGEST_CELL else f"{kept[:LONGEST_CELL]}…"
