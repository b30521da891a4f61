"""Logs: an error leaves places and types, never what variables and messages hold."""

from __future__ import annotations

import io
import sys

import pytest

from app.logs import MOST_FRAMES, short_traceback


def _deep(rows: list[str], depth: int) -> None:
    if depth:
        _deep(rows, depth - 1)
    raise ValueError(f"cannot read {rows[0]}")


def _wrapped(rows: list[str], depth: int) -> None:
    try:
        _deep(rows, depth)
    except ValueError as error:
        raise RuntimeError(f"failed on {rows}") from error


def _told(depth: int) -> str:
    stream = io.StringIO()
    try:
        _wrapped(["hunter2"], depth)
    except RuntimeError:
        short_traceback(stream, sys.exc_info())  # type: ignore[arg-type]
    return stream.getvalue()


@pytest.mark.parametrize(
    ("depth", "expected", "lines"),
    [
        (0, ["builtins.RuntimeError", "caused by builtins.ValueError", "in _deep"], 6),
        (900, ["builtins.RuntimeError", "frames before", "in _deep"], MOST_FRAMES + 6),
    ],
)
def test_short_traceback(depth: int, expected: list[str], lines: int) -> None:
    told = _told(depth)
    assert [part for part in expected if part not in told] == []
    assert len(told.splitlines()) <= lines
    assert "hunter2" not in told
