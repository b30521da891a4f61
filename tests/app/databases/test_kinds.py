"""Kinds of columns from declarations and stored values."""

from __future__ import annotations

import pytest

from app.databases.kinds import Stored, column_kind


@pytest.mark.parametrize(
    ("declared", "values", "expected"),
    [
        ("INTEGER", [], "integer"),
        ("bigint unsigned", [1], "integer"),
        ("YEAR", [2023], "integer"),
        ("INTEGER", [2023, 2024], "integer"),
        ("INTEGER", [1, 2.5], "decimal"),
        ("INTEGER", ["a", "b"], "text"),
        ("INTEGER", [1, 2, 3, 4, ""], "integer"),
        ("DECIMAL(10, 2)", [1, 2], "decimal"),
        ("NUMERIC", [], "decimal"),
        ("DOUBLE PRECISION", [0.5], "decimal"),
        ("BOOLEAN", [0, 1], "boolean"),
        ("BOOLEAN", [], "boolean"),
        ("BOOLEAN", [1, 2], "integer"),
        ("bool", ["T", "F"], "text"),
        ("NVARCHAR(40)", [], "text"),
        ("TEXT", ["1", "2"], "text"),
        ("TEXT", ["2024-01-31", "2023-02-28"], "date"),
        ("TEXT", ["2024-01-31", ""], "date"),
        ("TEXT", ["2024-01-31", "2024-02-30"], "text"),
        ("TEXT", ["2024-01-31", "2024/02/01"], "text"),
        ("TEXT", ["2024-01-31 10:00:00", "2024-02-01"], "datetime"),
        ("TEXT", ["2024-01-31T10:00:00Z"], "datetime"),
        ("TEXT", ["2024-01-31T25:00"], "text"),
        ("TEXT", ["09:30", "23:59:59"], "time"),
        ("TEXT", ["09:30", "2024-01-31"], "text"),
        ("TEXT", ["", "  "], "text"),
        ("DATE", [], "date"),
        ("DATE", ["31.01.2024"], "text"),
        ("DATE", [20240131], "integer"),
        ("TIMESTAMP", [1700000000], "integer"),
        ("DATETIME", ["2024-01-31"], "date"),
        ("TIMESTAMP WITHOUT TIME ZONE", [], "datetime"),
        ("TIME", [], "time"),
        ("", [], "other"),
        ("", [1], "integer"),
        ("", ["x"], "text"),
        ("", [b"x"], "blob"),
        ("BLOB", [], "blob"),
        ("JSON", ["{}"], "json"),
        ("GEOMETRY", ["POINT"], "text"),
        ("TEXT", [1, 2, 3, 4, 5], "integer"),
        ("TEXT", [1, "a"], "text"),
    ],
)
def test_column_kind(declared: str, values: list[Stored], expected: str) -> None:
    assert column_kind(declared, values) == expected
