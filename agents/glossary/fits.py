"""Where a glossary of the right shape does not fit its database, or says what cannot be meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary.measures import measure_problems
from agents.glossary.model import ColumnEntry, Glossary, Meaning, MeasureEntry, TableEntry, Words
from agents.glossary.problems import GlossaryProblem, nearest, unknown

MeasureCheck: TypeAlias = Callable[[str, str], GlossaryProblem | None]
"""Of a measure's name and expression: why the database cannot compute it, ``None`` when it can."""

LONGEST_TEXT = 2_000
LONGEST_NAME = 200
"""Characters of a name, a unit, a phrase; descriptions, questions and expressions are texts."""
_TEXTS = {"description", "about", "questions", "question", "expression"}

_DATE_LIKE = re.compile(r"\d{4}|\d{1,2}[/.:-]\d{1,2}")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*\Z")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def misfits(
    glossary: Glossary, data: Mapping[str, Any], catalog: Catalog, computes: MeasureCheck
) -> Iterator[GlossaryProblem]:
    """Everything that does not fit.

    :param data: the plain data that the glossary was made of.
    :param computes: asked of every measure in which nothing else is wrong.
    """
    yield from _texts(data, ())
    yield from _twins(glossary.tables, ("tables",))
    for name, entry in glossary.tables.items():
        yield from _table_problems(name, entry, catalog)
    yield from _shared_names(glossary, catalog)
    for name, measure in glossary.measures.items():
        yield from _measure_problems(name, measure, catalog, computes)
    for number, remembered in enumerate(glossary.remembered):
        at = ("remembered", str(number), "means")
        if (problem := _missing(remembered.means, glossary, catalog, at)) is not None:
            yield problem


def _texts(value: Any, path: tuple[str, ...]) -> Iterator[GlossaryProblem]:
    """Texts that are too long, or hold characters that steer what shows them."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _texts(below, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for number, below in enumerate(value):
            yield from _texts(below, (*path, str(number)))
    elif isinstance(value, str):
        limit = LONGEST_TEXT if _TEXTS & set(path[:1] + path[-2:]) else LONGEST_NAME
        if len(value) > limit:
            yield GlossaryProblem(
                "glossary.too_long",
                "This text has %(length)s characters; %(limit)s are allowed.",
                {"length": str(len(value)), "limit": str(limit)},
                "Shorten it.",
                path,
            )
        steering = [c for c in value if c in _BIDI or (unicodedata.category(c) == "Cc" and c not in "\n\t")]
        if steering:
            yield GlossaryProblem(
                "glossary.character",
                "This text holds the control character %(code)s.",
                {"code": f"U+{ord(steering[0]):04X}"},
                "Type it again without.",
                path,
            )


def _twins(names: Iterable[str], at: tuple[str, ...]) -> Iterator[GlossaryProblem]:
    seen: dict[str, str] = {}
    for name in names:
        earlier = seen.setdefault(name.lower(), name)
        if earlier != name:
            yield GlossaryProblem(
                "glossary.twice",
                "“%(name)s” and “%(earlier)s” are the same name: upper and lower case make no difference.",
                {"name": name, "earlier": earlier},
                "Put both under one of them.",
                (*at, name),
            )


def _table_problems(name: str, entry: TableEntry, catalog: Catalog) -> Iterator[GlossaryProblem]:
    at = ("tables", name)
    if name not in catalog:
        yield unknown(f"table {name!r}", at, nearest(name, (t.name for t in catalog.tables)))
        return
    table = catalog.table(name)
    known = [column.name for column in table.columns]
    yield from _twins(entry.columns, (*at, "columns"))
    for column, column_entry in entry.columns.items():
        if column not in table:
            yield unknown(f"column {name}.{column}", (*at, "columns", column), nearest(column, known))
        else:
            yield from _column_problems(table, table.column(column), column_entry, (*at, "columns", column))
    for key, chosen in (("label", entry.label), ("default_date", entry.default_date)):
        if chosen and chosen not in table:
            yield unknown(f"column {name}.{chosen}", (*at, key), nearest(chosen, known))
        elif chosen and key == "default_date" and not may_be_date(table.column(chosen)):
            yield _no_date(f"{name}.{chosen}", (*at, key), table)


def _column_problems(
    table: Table, column: Column, entry: ColumnEntry, at: tuple[str, ...]
) -> Iterator[GlossaryProblem]:
    samples = [str(sample) for sample in column.samples]
    numbers = column.kind.is_number or (bool(samples) and all(_NUMBER.match(sample) for sample in samples))
    if entry.aggregation in ("sum", "avg") and not numbers and (samples or column.kind is not Kind.TEXT):
        yield GlossaryProblem(
            "glossary.aggregation",
            "%(column)s holds no numbers: %(aggregation)s cannot be made of it.",
            {"column": f"{table.name}.{column.name}", "aggregation": str(entry.aggregation)},
            "Leave the aggregation out, or write count, min or max.",
            (*at, "aggregation"),
        )
    for value in entry.values:
        if column.kind.is_number and not _NUMBER.match(value):
            yield GlossaryProblem(
                "glossary.value",
                "%(column)s holds numbers, and “%(value)s” is none.",
                {"column": f"{table.name}.{column.name}", "value": value[:60]},
                "Write the value as it is stored; what people call it stands behind it.",
                (*at, "values", value),
            )


def _shared_names(glossary: Glossary, catalog: Catalog) -> Iterator[GlossaryProblem]:
    """One name for two tables, or for two measures: nobody could say which one is meant."""
    shown = {name: entry for name, entry in glossary.tables.items() if not entry.hidden and name in catalog}
    own = {
        spelt: table.name
        for table in catalog.tables
        if not glossary.is_hidden(table.name)
        for spelt in (table.name.lower(), table.name.lower().replace("_", " "))
    }
    yield from _shared("tables", {name: entry.names for name, entry in shown.items()}, own)
    yield from _shared("measures", {name: entry.names for name, entry in glossary.measures.items()}, {})


def _shared(part: str, names: Mapping[str, Words], own: Mapping[str, str]) -> Iterator[GlossaryProblem]:
    taken: dict[str, str] = {}
    for name, words in names.items():
        for lang in ("en", "zh"):
            for number, said in enumerate(words.zh if lang == "zh" else words.en):
                owner = own.get(said.lower(), taken.setdefault(said.lower(), name))
                if owner.lower() != name.lower():
                    yield GlossaryProblem(
                        "glossary.shared_name",
                        "“%(said)s” is a name of %(other)s already.",
                        {"said": said, "other": owner},
                        "Choose another name, or hide the other one.",
                        (part, name, "names", lang, str(number)),
                    )


def _measure_problems(
    name: str, measure: MeasureEntry, catalog: Catalog, computes: MeasureCheck
) -> Iterator[GlossaryProblem]:
    found = list(measure_problems(name, measure.expression, catalog))
    if not found and (refused := computes(name, measure.expression)) is not None:
        found.append(refused)
    yield from found
    if not measure.date:
        return
    table, dot, column = measure.date.partition(".")
    at = ("measures", name, "date")
    if not dot:
        yield GlossaryProblem(
            "glossary.unknown_name",
            "The date of measure %(name)s is %(date)s, which is not of the form table.column.",
            {"name": repr(name), "date": measure.date},
            "Write the table in front of the column.",
            at,
        )
    elif table not in catalog or column not in catalog.table(table):
        known = [f"{t.name}.{c.name}" for t, c in catalog.columns()]
        yield unknown(f"{measure.date} in measure {name!r}", at, nearest(measure.date, known))
    elif not may_be_date(catalog.table(table).column(column)):
        yield _no_date(measure.date, at, catalog.table(table))


def _missing(means: Meaning, glossary: Glossary, catalog: Catalog, at: tuple[str, ...]) -> GlossaryProblem | None:
    """What of the meaning does not exist."""
    if means.measure is not None:
        if means.measure in glossary.measures:
            return None
        return unknown(f"measure {means.measure!r}", at, nearest(means.measure, glossary.measures))
    if means.table is None or means.table not in catalog:
        return unknown(f"table {means.table!r}", at, nearest(means.table or "", (t.name for t in catalog.tables)))
    table = catalog.table(means.table)
    if means.column is not None and means.column not in table:
        what = f"column {means.table}.{means.column}"
        return unknown(what, at, nearest(means.column, (c.name for c in table.columns)))
    return None


def may_be_date(column: Column) -> bool:
    """Years are integers, and SQLite keeps dates as text in many forms; nothing is known of a column without
    samples."""
    if column.kind.is_time or column.kind is Kind.OTHER:
        return True
    if column.kind is Kind.TEXT:
        return not column.samples or sum(bool(_DATE_LIKE.search(str(s))) for s in column.samples) * 2 > len(
            column.samples
        )
    return column.kind is Kind.INTEGER and all(
        isinstance(s, int) and (1000 <= s <= 2999 or s >= 10_000_000) for s in column.samples
    )


def _no_date(column: str, path: tuple[str, ...], table: Table) -> GlossaryProblem:
    dates = ", ".join(c.name for c in table.columns if c.kind.is_time)
    values = {"column": column, **({"dates": dates} if dates else {})}
    hint = "Choose a column with dates: %(dates)s." if dates else "Choose a column with dates or years."
    return GlossaryProblem("glossary.date", "%(column)s holds no dates.", values, hint, path)
