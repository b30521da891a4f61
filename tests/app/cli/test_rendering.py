"""Rows in the terminal: numbers line up, nulls show, nothing in a cell or a name is taken for markup."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from agents.artifacts import Cell, FrameColumn
from agents.catalog import Kind
from app.terminal.answer import rows_table


def check(kind: Kind, cells: list[Cell], expected: list[str], **column: Any) -> None:
    console = Console(file=io.StringIO(), width=60, color_system=None, force_terminal=False)
    described = FrameColumn(**{"name": "c", "label": "c", "kind": kind, **column})
    with console.capture() as capture:
        console.print(rows_table([described], [[cell] for cell in cells], "en"))
    lines = [line.rstrip() for line in capture.get().splitlines()]
    assert [lines[0], *lines[2:]] == expected


@pytest.mark.parametrize(
    ("kind", "cells", "expected", "column"),
    [
        (Kind.INTEGER, [5, 1234567, None], ["        c", "        5", "1,234,567", "        ∅"], {}),
        (Kind.DECIMAL, [1.5, 22.25], ["c (€)", " 1.50", "22.25"], {"unit": "EUR"}),
        (Kind.DECIMAL, ["NaN"], ["  c", "NaN"], {}),
        (Kind.INTEGER, ["9007199254740993"], ["                    c", "9,007,199,254,740,993"], {}),
        (Kind.TEXT, ["[red]a", "b\nc\x1b[1m", ""], ["[b]c", "[red]a", "b c [1m", ""], {"label": "[b]c"}),
        (Kind.TEXT, ["东京", "京都市"], ["城市", "东京", "京都市"], {"label": "城市"}),
        (Kind.BOOLEAN, [True, False], ["c", "yes", "no"], {}),
        (Kind.TEXT, [], ["c"], {}),
    ],
    ids=str,
)  # fmt: skip
def test_cells(kind: Kind, cells: list[Cell], expected: list[str], column: dict[str, Any]) -> None:
    check(kind, cells, expected, **column)
