"""Short ways to write a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest

from agents.artifacts import FrameColumn, FrameMeta
from agents.catalog import Kind

KINDS = {"int": Kind.INTEGER, "dec": Kind.DECIMAL, "text": Kind.TEXT, "date": Kind.DATE, "time": Kind.DATETIME}


def frame(
    specs: Sequence[str], rows: Sequence[Sequence[Any]], *, truncated: bool = False
) -> tuple[FrameMeta, pa.Table]:
    """Columns as ``measure dec revenue unit=EUR``: role, kind, name, then grain and unit."""
    columns = []
    for spec in specs:
        role, kind, name, *rest = spec.split()
        extra = dict(part.split("=") for part in rest)
        column = {"name": name, "label": name, "kind": KINDS[kind], "role": role, **extra}
        columns.append(FrameColumn.model_validate(column))
    table = pa.table({column.name: [row[i] for row in rows] for i, column in enumerate(columns)})
    total = None if truncated else len(rows)
    return FrameMeta(id="f1", columns=tuple(columns), rows=len(rows), total=total, truncated=truncated), table


@pytest.fixture(scope="session")
def make_frame() -> Callable[..., tuple[FrameMeta, pa.Table]]:
    return frame
