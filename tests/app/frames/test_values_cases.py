"""Values that other tools got wrong (``tests/cases/values.jsonl`` names the reports), from the file to the page."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from agents.artifacts import FrameColumn
from agents.catalog import Kind
from agents.sql.guard import check
from app.databases.sqlite import SqliteDatabase
from app.frames import ArrowFrames

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "cases/values.jsonl").read_text("utf-8").splitlines()
]


def _script(case: dict[str, Any]) -> str:
    if "setup_py" not in case:
        return str(case["setup_sql"])
    names: dict[str, Any] = {}
    exec(case["setup_py"], names)
    return str(names["sql"])


def _same(cell: Any, expected: Any) -> bool:
    if isinstance(expected, str) and expected.startswith("binary, "):
        return str(cell).endswith(f"({expected.removeprefix('binary, ')})")
    return bool(cell == expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "case.db"
    connection = sqlite3.connect(path)
    connection.executescript(_script(case))
    connection.close()
    database = SqliteDatabase(path, "case")
    sql = "SELECT note, amount FROM f" if case["input_kind"] == "http" else case["input"]
    rows = database.execute(check(sql, database.catalog), limit=100, seconds=5)
    frames = ArrowFrames(tmp_path / "frames")
    columns = tuple(FrameColumn(name=name, label=name, kind=Kind.OTHER) for name in rows.table.column_names)
    meta = frames.put(rows.table, columns, total=rows.table.num_rows, truncated=rows.truncated)
    page = frames.page(meta.id)
    json.dumps(page.model_dump(mode="json"), allow_nan=False)
    csv = b"".join(frames.csv(meta.id, bom=False)).decode()

    wanted = case["check"]
    if "rows" in wanted:
        assert len(page.rows) == len(wanted["rows"])
    for got, row in zip(page.rows, wanted.get("rows", ()), strict=False):
        assert all(map(_same, got, row)), (got, row)
        assert len(got) == len(row)
    if "max_cell_chars_in_page" in wanted:
        assert max(len(str(cell)) for row in page.rows for cell in row) <= wanted["max_cell_chars_in_page"]
        assert len(csv) > 2_000_000
    for text in wanted.get("cells", ()):
        assert text in csv.replace('""', '"')
