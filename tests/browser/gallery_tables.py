"""Sample result sets, and the pages of them: one calm, one wide and full of odd cells, one empty."""

from __future__ import annotations

from typing import Any

from agents.artifacts import (
    FrameColumn,
    FrameMeta,
    TableArtifact,
)
from agents.catalog import Kind
from app.views.contexts import (
    TableCell,
    TableHead,
    TablePage,
)

MONTHS = (
    "2023-01",
    "2023-02",
    "2023-03",
    "2023-04",
    "2023-05",
    "2023-06",
    "2023-07",
    "2023-08",
    "2023-09",
    "2023-10",
    "2023-11",
    "2023-12",
)
REVENUE = (112_004, 118_006, 131_012, 128_110, 142_090, 156_044, 171_002, 149_317, 158_634, 173_000, 196_317, 214_634)
BEFORE = (96_100, 101_050, 117_204, 115_310, 121_200, 139_011, 150_003, 131_633, 137_000, 149_211, 168_422, 181_633)

COLUMNS = (
    FrameColumn(name="order_month", label="Order month", kind=Kind.DATE, role="dimension", grain="month"),
    FrameColumn(name="revenue", label="Revenue 2023 (€)", kind=Kind.DECIMAL, unit="€", role="measure"),
    FrameColumn(name="before", label="Revenue 2022 (€)", kind=Kind.DECIMAL, unit="€", role="measure"),
    FrameColumn(name="change", label="Change", kind=Kind.DECIMAL, unit="%", role="measure"),
)
FRAME = FrameMeta(id="f1", columns=COLUMNS, rows=12, total=12)
TABLE = TableArtifact(id="table", title="Months", frame=FRAME)
WIDE = TableArtifact(
    id="table",
    title="Customers with everything we know about them",
    frame=FrameMeta(
        id="wide",
        columns=tuple(FrameColumn(name=f"c{i}", label=f"column {i}", kind=Kind.TEXT) for i in range(12)),
        rows=10_000,
        total=53_210,
        truncated=True,
    ),
)
EMPTY = TableArtifact(id="table", title="Orders", frame=FrameMeta(id="none", columns=COLUMNS[:2], rows=0, total=0))


def table_page(artifact: TableArtifact) -> TablePage:
    """What the frame store would make of an artifact, for the three sample frames."""
    dom, base = f"page-{artifact.id}", f"/c/shop/frames/{artifact.frame.id}"
    common: dict[str, Any] = {
        "dom_id": dom,
        "frame_id": artifact.frame.id,
        "title": artifact.title,
        "truncated": artifact.frame.truncated,
        "total": artifact.frame.total,
        "kept": artifact.frame.rows,
        "filter": "",
        "filter_url": base,
        "previous_url": None,
        "next_url": None,
        "csv_url": f"{base}.csv",
    }
    if artifact.frame.id == "wide":
        heads = tuple(
            TableHead(name, name, name in ("age", "orders", "spent"), "none", f"{base}?sort={i}")
            for i, name in enumerate(
                (
                    "name",
                    "city",
                    "age",
                    "orders",
                    "spent",
                    "first order",
                    "active",
                    "note",
                    "photo",
                    "<b>raw</b>",
                    "mail",
                    "tags",
                )
            )
        )
        texts = (
            "Ada Lovelace-Byron-Kingsmill",
            "王小明",
            "عمر الخيام",
            "👩‍🚀 Mae",
            "<script>alert(1)</script>",
            "Pneumonoultramicroscopicsilicovolcanoconiosis",
        )
        rows = tuple(
            (
                TableCell(texts[i % 6], "text"),
                TableCell("München" if i % 2 else "", "text"),
                TableCell("—", "null") if i == 2 else TableCell(str(31 + i), "number"),
                TableCell(f"{1_204 * (i + 1):,}", "number"),
                TableCell(f"-{214_634.5 * (i + 1):,.2f} €", "number"),
                TableCell("2023-12-01", "date"),
                TableCell("yes" if i % 2 else "no", "boolean"),
                TableCell("A very long remark that goes on and on, " * 4, "text", clipped=True),
                TableCell("0x89504e470d0a1a0a…", "bytes"),
                TableCell("a & b < c", "text"),
                TableCell(f"someone.{i}@example.org", "text"),
                TableCell("", "null"),
            )
            for i in range(8)
        )
        return TablePage(
            **common | {"next_url": f"{base}?offset=25&dom={dom}", "previous_url": f"{base}?offset=0&dom={dom}"},
            heads=heads,
            rows=rows,
            row_numbers=tuple(range(25, 33)),
            first=26,
            count=10_000,
        )
    heads = tuple(
        TableHead(
            c.name,
            c.label,
            c.kind.is_number,
            "ascending" if i == 0 else "none",
            f"{base}?sort={c.name}&desc=1&dom={dom}",
        )
        for i, c in enumerate(artifact.frame.columns)
    )
    if artifact.frame.id == "none":
        return TablePage(**common, heads=heads, rows=(), row_numbers=(), first=1, count=0)
    rows = tuple(
        (
            TableCell(m, "date"),
            TableCell(f"{r:,}", "number"),
            TableCell(f"{b:,}", "number"),
            TableCell(f"+{100 * (r / b - 1):.1f} %", "number"),
        )
        for m, r, b in zip(MONTHS, REVENUE, BEFORE, strict=True)
    )
    return TablePage(**common, heads=heads, rows=rows, row_numbers=tuple(range(12)), first=1, count=12)
