"""Attacks and harmless look-alikes from public bug reports (``tests/cases/guard.jsonl`` names the sources).

Cases of servers are checked for the structure that the guard sees in their grammar, with a short list of functions;
what the servers themselves do with them is not tried here.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from agents.catalog import Catalog
from agents.errors import GuardRejected
from agents.sql.guard import check, inspect
from agents.sql.rules import DialectRules, words
from app.databases.catalog import take_catalog

CASES = [
    case
    for case in map(json.loads, (Path(__file__).parents[2] / "cases/guard.jsonl").read_text("utf-8").splitlines())
    if case["input_kind"] == "sql" or case["check"].get("verdict") == "confirm"
]


def _server_rules(name: str) -> DialectRules:
    return DialectRules(
        name=name,
        functions=words("count max sum"),
        cast_types=words("INT TEXT"),
        is_system_table=lambda table: table.lower().startswith(("pg_", "mysql", "information_schema")),
        schemas=frozenset({"public"}),
    )


def _made(case: dict[str, Any], folder: Path) -> tuple[Path, Catalog]:
    path = folder / "case.db"
    connection = sqlite3.connect(path)
    for statement in case["setup_sql"].split(";\n"):
        if not statement.startswith(("CREATE EXTENSION", "CREATE SEQUENCE")):
            connection.executescript(statement)
    connection.close()
    return path, take_catalog(path, "case").catalog


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    path, catalog = _made(case, tmp_path)
    wanted = case["check"].get("verdict", "allow")

    def run() -> str:
        if case["dialect"] == "sqlite":
            return check(case["input"], catalog).text
        return inspect(case["input"], catalog, _server_rules(case["dialect"]))[0]

    if wanted != "allow":
        with pytest.raises(GuardRejected) as caught:
            run()
        assert caught.value.code not in ("guard.dialect", "guard.unknown_table")
        assert caught.value.message
        return
    text = run()
    if "rows" in case["check"]:
        assert "--" not in text and "/*" not in text
        if case["dialect"] == "sqlite":
            rows = sqlite3.connect(path).execute(text).fetchall()
            assert [list(row) for row in rows] == case["check"]["rows"]
