"""The score of a run, for a terminal, a file or a program. Coverage and precision are always told together."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from golden.compare import Table
from golden.runner import Report, Verdict

_ROWS_SHOWN = 6


def groups(report: Report) -> dict[str, Report]:
    """The report cut by connection, by language and by tag: ``{"lang zh": ..., "tag join": ...}``."""
    parts: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in report.verdicts:
        case = verdict.case
        for name in (f"connection {case.connection}", f"lang {case.lang}", *(f"tag {tag}" for tag in case.tags)):
            parts[name].append(verdict)
    order = ("connection", "lang", "tag")
    names = sorted(parts, key=lambda name: (order.index(name.split(" ")[0]), name))
    return {name: Report(tuple(parts[name])) for name in names}


def render(report: Report) -> RenderableType:
    """Failures with what was expected and what came, then the figures."""
    parts: list[RenderableType] = []
    for verdict in report.failed:
        parts += [Rule(f"failed: {verdict.case.id}", align="left"), _failure(verdict)]
    parts += [Rule("golden cases", align="left"), _figures(report), Text(summary(report))]
    return Group(*parts)


def summary(report: Report) -> str:
    """One line: passed of all, coverage, precision, p50 and p95."""
    return (
        f"{len(report.passed)} of {len(report.verdicts)} passed · coverage {report.coverage:.1%}"
        f" · precision when answered {report.precision:.1%}"
        f" · p50 {report.percentile(50):.0f} ms · p95 {report.percentile(95):.0f} ms"
    )


def as_text(report: Report, width: int = 120) -> str:
    """The same as plain text without colours."""
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(render(report))
    return capture.get()


def as_json(report: Report) -> str:
    """One JSON object: the figures of the whole run, the same of each group, and one entry per case."""
    document = {
        **_numbers(report),
        "groups": {name: _numbers(part) for name, part in groups(report).items()},
        "cases": [
            {
                "id": v.case.id,
                "connection": v.case.connection,
                "lang": v.case.lang,
                "question": v.case.question,
                "passed": v.passed,
                "problem": v.problem,
                "status": v.outcome.status,
                "sql": v.outcome.sql,
                "gold_sql": v.case.sql,
                "confidence": v.outcome.confidence,
                "ms": round(v.outcome.ms, 1),
            }
            for v in report.verdicts
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _numbers(report: Report) -> dict[str, Any]:
    return {
        "total": len(report.verdicts),
        "passed": len(report.passed),
        "coverage": round(report.coverage, 4),
        "precision": round(report.precision, 4),
        "p50_ms": round(report.percentile(50), 1),
        "p95_ms": round(report.percentile(95), 1),
    }


def _figures(report: Report) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("group")
    for heading in ("cases", "passed", "coverage", "precision", "p50 ms", "p95 ms"):
        grid.add_column(heading, justify="right")
    for name, part in {**groups(report), "all": report}.items():
        grid.add_row(
            name,
            str(len(part.verdicts)),
            str(len(part.passed)),
            f"{part.coverage:.0%}",
            f"{part.precision:.0%}",
            f"{part.percentile(50):.0f}",
            f"{part.percentile(95):.0f}",
        )
    return grid


def _failure(verdict: Verdict) -> RenderableType:
    case, outcome = verdict.case, verdict.outcome
    lines = [f"{case.question}  ({case.connection}, {case.lang})", f"problem: {verdict.problem}"]
    if case.sql is not None:
        lines.append(f"gold SQL: {' '.join(case.sql.split())}")
    if outcome.sql is not None:
        lines.append(f"its SQL:  {' '.join(outcome.sql.split())}")
    for name, table in (("expected", verdict.expected), ("got", verdict.got)):
        if table is not None:
            lines.append(f"{name}: {_sample(table)}")
    return Text("\n".join(lines))


def _sample(table: Table) -> str:
    rows = "".join(f"\n  {row}" for row in table.rows[:_ROWS_SHOWN])
    more = len(table.rows) - _ROWS_SHOWN
    return f"{', '.join(table.columns)}{rows}" + (f"\n  and {more} more" if more > 0 else "")
