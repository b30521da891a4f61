"""A first glossary from the catalog alone: what names, comments and types give away, for a person to correct."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from agents.catalog import Catalog, Column, Table
from agents.glossary.model import Aggregation, Glossary
from agents.glossary.text import inline
from agents.language.names import abbreviations
from agents.language.text import lemmatize, split_identifier
from agents.plan.labels import date_columns, is_identifier, is_year, label_column

_NOTHING = Glossary()
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    text = resources.files("agents.glossary").joinpath("draft_words.yaml").read_text(encoding="utf-8")
    words: dict[str, Any] = yaml.safe_load(text)
    return words


def draft_glossary(catalog: Catalog) -> str:
    """The text of a first glossary: every entry is a guess and is marked as one.

    Names have their abbreviations written out and their units taken off; Chinese identifiers give Chinese names.
    Comments of the database become descriptions. The result is valid for the catalog.
    """
    currencies: dict[str, str] = _words()["currencies"]
    money = {currencies[word] for _table, column in catalog.columns() if (word := _unit_word(column)) in currencies}
    currency = money.pop() if len(money) == 1 else None
    name = " ".join(catalog.name.split())
    lines = [
        f"# Draft, made from the catalog of {name} alone. Everything below is a guess: correct it, remove what is",
        "# wrong, and add the words that people here use. Nothing of it is used before it is saved.",
        "fiscal_year_start: 1    # draft: January",
    ]
    if currency is not None:
        lines.append(f"currency: {currency}    # draft: the one currency that columns name")
    if catalog.tables:
        lines.append("tables:")
    for table in catalog.tables:
        lines.extend(_table_lines(table, currency))
    return "\n".join(lines) + "\n"


def _table_lines(table: Table, currency: str | None) -> Iterator[str]:
    rows = "" if table.rows is None else ", 1 row" if table.rows == 1 else f", {table.rows:,} rows"
    yield f"  {inline(table.name)}:    # draft{rows}"
    yield f"    names: {inline(_names(table_name(table.name)))}"
    if table.comment:
        yield f"    description: {inline(_text(table.comment))}"
    if (date := _default_date(table)) is not None:
        chosen, reason = date
        yield f"    default_date: {inline(chosen.name)}    # draft: {reason}"
    label = label_column(table, _NOTHING)
    if label is not None:
        yield f"    label: {inline(label.name)}    # draft: names a row"
    if table.columns:
        yield "    columns:"
    for column in table.columns:
        yield f"      {inline(column.name)}: {inline(_column_data(table, column, currency))}    # draft"


def _column_data(table: Table, column: Column, currency: str | None) -> dict[str, Any]:
    data: dict[str, Any] = {"names": _names(column_name(column))}
    if column.comment:
        data["description"] = _text(column.comment)
    if (unit := drafted_unit(column)) is not None:
        data["unit"] = "money" if unit == currency else unit
    if (aggregation := drafted_aggregation(table, column)) is not None:
        data["aggregation"] = aggregation
    return data


# -- names


def table_name(identifier: str) -> str:
    """``tbl_ord_items`` → ``order item``."""
    parts = _parts(identifier)
    kept = [part for part in parts if part not in _words()["prefixes"]] or parts
    words = _written_out(kept)
    return " ".join([*words[:-1], lemmatize(words[-1])]) if words else identifier


def column_name(column: Column) -> str:
    """``unit_price_eur`` → ``unit price``."""
    parts = _parts(column.name)
    word = _unit_word(column)
    # A percentage is called one; a price in euros is called a price.
    if word is not None and len(parts) > 1 and _words()["units"].get(word) != "%":
        parts.pop()
    return " ".join(_written_out(parts)) or column.name


def _parts(identifier: str) -> list[str]:
    """The identifier's words; ``m`` and ``2`` are one."""
    parts: list[str] = []
    for part in split_identifier(identifier):
        if part in ("2", "3") and parts and parts[-1] in ("m", "km"):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _written_out(parts: list[str]) -> list[str]:
    return [word for part in parts for word in abbreviations().get(part, part).split()]


def _names(name: str) -> dict[str, list[str]]:
    return {"zh" if _CHINESE.search(name) else "en": [name]}


def _text(comment: str) -> dict[str, str]:
    even = " ".join(comment.split())
    return {"zh" if _CHINESE.search(even) else "en": even}


# -- units and aggregations


def drafted_unit(column: Column) -> str | None:
    """The unit that the last word of a number's name says."""
    word = _unit_word(column)
    if word is None:
        return None
    unit: str = (_words()["units"] | _words()["currencies"])[word]
    numbers = [sample for sample in column.samples if isinstance(sample, int | float)]
    if unit == "%" and numbers and all(-1 <= number <= 1 for number in numbers):
        return None  # a share of one, whatever it is called
    return unit


def _unit_word(column: Column) -> str | None:
    if not column.kind.is_number:
        return None
    parts = _parts(column.name)
    last = parts[-1] if parts else ""
    known = last in _words()["units"] or last in _words()["currencies"]
    return last if known and (len(parts) > 1 or last not in _words()["short_units"]) else None


def drafted_aggregation(table: Table, column: Column) -> Aggregation | None:
    """``avg`` for what describes one thing (a price, a rate), ``sum`` for what adds up, ``None`` for other names."""
    if not column.kind.is_number or is_identifier(table, column) or is_year(column):
        return None
    for rule in _words()["aggregations"]:
        aggregation: Aggregation
        for aggregation, words in rule.items():
            if _says(column, words):
                return aggregation
    return None


def _says(column: Column, words: Iterable[str]) -> bool:
    """Whether one of the words is in the column's name."""
    parts = _parts(column.name)
    own = {*parts, *_written_out(parts), *map(lemmatize, parts)}
    return any(word in own or (word in column.name and _CHINESE.match(word) is not None) for word in words)


def _default_date(table: Table) -> tuple[Column, str] | None:
    dates = date_columns(table, _NOTHING)
    if not dates:
        return None
    if len(dates) == 1:
        return dates[0], "the only date"
    return max(dates, key=_is_event), f"of {len(dates)} dates"


def _is_event(column: Column) -> int:
    """How much a date looks like the one when the row's thing happened."""
    dates = _words()["dates"]
    return 2 * _says(column, dates["events"]) - 3 * _says(column, dates["others"]) + column.kind.is_time
