"""Putting one part of a glossary, as a form gives it, into the whole text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from agents.glossary import Glossary, parse_yaml
from agents.glossary.text import entry_data, merge, patch
from app.glossaries.store import version_of

Part: TypeAlias = Callable[[Glossary], dict[str, Any]]
"""What a glossary says about one part, as the data of that part's form."""

GENERAL = ("about", "currency", "fiscal_year_start", "questions", "remembered")


def general_part(glossary: Glossary) -> dict[str, Any]:
    return {key: value for key, value in entry_data(glossary).items() if key in GENERAL}


def measures_part(glossary: Glossary) -> dict[str, Any]:
    found: dict[str, Any] = entry_data(glossary).get("measures", {})
    return found


def table_part(name: str) -> Part:
    def part(glossary: Glossary) -> dict[str, Any]:
        data = entry_data(glossary.table(name))
        # A column of which nothing is said is no column of a form.
        columns = {column: entry for column, entry in data.pop("columns", {}).items() if entry}
        return {**data, "columns": columns} if columns else data

    return part


def part_version(data: dict[str, Any]) -> str:
    """The hash of a part: who edits one table is not disturbed by who edits another."""
    return version_of(json.dumps(data, ensure_ascii=False, sort_keys=True))


def with_general(text: str, glossary: Glossary, new: dict[str, Any]) -> str:
    parsed = parse_yaml(text)
    raw = parsed[0]
    return patch(text, merge(raw, general_part(glossary), new), parsed)


def with_measures(text: str, glossary: Glossary, new: dict[str, Any], renamed: dict[str, str]) -> str:
    """:param renamed: old keys to new ones, for measures that stay what they are but for their key."""
    parsed = parse_yaml(text)
    raw = parsed[0]
    old = measures_part(glossary)
    written = raw.get("measures") or {}
    moved = {renamed.get(key, key): value for key, value in written.items()}
    measures = merge(moved, {renamed.get(key, key): value for key, value in old.items()}, new)
    return patch(text, _with(raw, "measures", {key: measures[key] for key in new if key in measures}), parsed)


def with_table(text: str, glossary: Glossary, name: str, new: dict[str, Any]) -> str:
    parsed = parse_yaml(text)
    raw = parsed[0]
    tables = dict(raw.get("tables") or {})
    key = next((key for key in tables if key.lower() == name.lower()), name)
    tables[key] = merge(tables.get(key), table_part(name)(glossary), new)
    if not tables[key]:
        del tables[key]
    return patch(text, _with(raw, "tables", tables), parsed)


def _with(raw: dict[str, Any], key: str, value: dict[str, Any]) -> dict[str, Any]:
    return {**raw, key: value} if value or key in raw else raw
