"""A store with a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from agents.artifacts import FrameColumn, FrameMeta
from agents.catalog import Kind
from app.databases.results import to_table
from app.frames import ArrowFrames


@dataclass
class Now:
    """Seconds since the epoch."""

    seconds: float = 1_700_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def frames(tmp_path: Path, now: Now) -> ArrowFrames:
    return ArrowFrames(tmp_path / "frames", budget_bytes=200_000, max_age_seconds=100, clock=now)


def describe(table: pa.Table) -> tuple[FrameColumn, ...]:
    return tuple(FrameColumn(name=name, label=name.title(), kind=Kind.OTHER) for name in table.column_names)


Put = Callable[..., FrameMeta]


@pytest.fixture
def put(frames: ArrowFrames) -> Put:
    """``put(a=[1, 2], b=["x", "y"])`` stores a frame with these columns."""

    def stored(**columns: list[Any]) -> FrameMeta:
        rows = list(zip(*columns.values(), strict=True))
        table = to_table(list(columns), rows)
        return frames.put(table, describe(table), total=table.num_rows, truncated=False)

    return stored
