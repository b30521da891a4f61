"""Short ways to write a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest

from agents.artifacts import FrameColumn, FrameMeta
from agents.catalog import Kind

KINDS = {"int": Kind.INTEGER, "dec": Kind.DECIMAL, "text": Kind.TEXT, "date": Kind.DATE, "time": Kind.DATETIME}


def column(spec: str) -> FrameColumn:
    """``measure dec revenue unit=EUR``: role, kind, name, then grain and unit."""
    role, kind, name, *rest = spec.split()
    extra = dict(part.split("=") for part in rest)
    return FrameColumn.model_validate({"name": name, "label": name, "kind": KINDS[kind], "role": role, **extra})


def frame(
    specs: Sequence[str], rows: Sequence[Sequence[Any]], *, total: int | None = None, truncated: bool = False
) -> tuple[FrameMeta, pa.Table]:
    columns = tuple(column(spec) for spec in specs)
    table = pa.table({c.name: [row[i] for row in rows] for i, c in enumerate(columns)})
    meta = FrameMeta(
        id="f1", columns=columns, rows=len(rows), total=len(rows) if total is None else total, truncated=truncated
    )
    return meta, table


@pytest.fixture(scope="session")
def make_frame() -> Callable[..., tuple[FrameMeta, pa.Table]]:
    return frame


@pytest.fixture(scope="session")
def make_column() -> Callable[[str], FrameColumn]:
    return column
