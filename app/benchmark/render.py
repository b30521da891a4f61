"""The report as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from app.benchmark.report import DEPTHS, Combination, FailureClass, Report, Share

# Rows of the table of failures that come with their examples.
_SHOWN_WITH_EXAMPLES = 15


def render(report: Report) -> RenderableType:
    """All figures, the widest table last."""
    return Group(*_parts(report))


def _parts(report: Report) -> Iterator[RenderableType]:
    statuses = ", ".join(f"{count} {name}" for name, count in report.statuses.items())
    yield f"{report.asked} questions ({statuses}); coverage {_share(report.coverage)}"
    if not report.judged:
        yield "No question has a gold statement that runs: nothing was judged."
    else:
        if report.judged < report.asked:
            yield f"{report.asked - report.judged} without a gold that runs are not judged."
        yield f"Right when answered: {_share(report.precision)}"
        yield _accuracy(report)
        yield _curve(report)
        yield f"Oracle (a right plan among the first 20 candidates): {_share(report.oracle)}"
        yield f"First, given oracle: {_share(report.first_given_oracle)}"
        yield f"Stability (pairs of questions with one gold, both right or both wrong): {_share(report.stability)}"
        yield _recall(report)
    yield _latency(report)
    if report.memory_mb is not None:
        yield f"Peak memory of a process that asked: {report.memory_mb:.0f} MB"
    if report.no_reading:
        reasons = ", ".join(f"{count} {name}" for name, count in report.no_reading.items())
        yield f"Without any reading: {reasons}"
    if report.failures:
        yield _failures(report.failures)
        yield _combinations(report.combinations)
        yield from (_examples(one) for one in report.failures[:_SHOWN_WITH_EXAMPLES] if one.examples)


def _share(share: Share) -> str:
    return f"{share.count}/{share.of}" + (f" = {100 * share.share:.1f} %" if share.share is not None else "")


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _accuracy(report: Report) -> Table:
    table = _table("Right when forced to answer", "hardness", "right", "of", "%")
    for name, share in report.forced_right.items():
        table.add_row(name, str(share.count), str(share.of), f"{100 * (share.share or 0):.1f}")
    return table


def _curve(report: Report) -> Table:
    table = _table("If only so many were answered, the surest first", "coverage %", "right %", "confidence from")
    for point in report.curve:
        table.add_row(f"{100 * point.coverage:.0f}", f"{100 * point.precision:.1f}", f"{point.confidence:.3f}")
    best = report.wanted_precision
    table.caption = (
        f"90 % right at a coverage of {100 * best.coverage:.1f} % (confidence from {best.confidence:.3f})"
        if best is not None
        else "90 % right at no coverage"
    )
    return table


def _recall(report: Report) -> Table:
    table = _table("Gold found by schema search, %", "among the first", *map(str, DEPTHS))
    for kind, depths in report.recall.items():
        table.add_row(kind, *(f"{100 * depths[str(depth)]:.1f}" for depth in DEPTHS))
    return table


def _latency(report: Report) -> Table:
    table = _table("Time, ms", "stage", "p50", "p95")
    for stage, (middle, high) in report.latency_ms.items():
        table.add_row(stage, f"{middle:.1f}", f"{high:.1f}")
    return table


def _failures(failures: tuple[FailureClass, ...]) -> Table:
    table = _table(
        "What is wrong with wrong readings (points: percent of all questions)",
        "class",
        "failures",
        "points",
        "alone",
        "points alone",
        "right one among candidates",
    )
    for one in failures:
        cells = (one.failures, one.points, one.alone, one.points_alone, one.among_candidates)
        table.add_row(one.name, *map(str, cells))
    return table


def _combinations(combinations: tuple[Combination, ...]) -> Table:
    table = _table("What goes wrong together", "classes", "failures", "right one among candidates")
    for one in combinations:
        table.add_row(" + ".join(one.classes), str(one.failures), str(one.among_candidates))
    return table


def _examples(failure: FailureClass) -> str:
    lines = [f"[bold]{escape(failure.name)}[/bold]"]
    for example in failure.examples:
        lines.append(escape(f"  {example.db_id}: {example.question}"))
        lines.append(f"    [dim]gold[/dim] {escape(' '.join(example.gold.split()))}")
        lines.append(f"    [dim]got [/dim] {escape(' '.join((example.got or 'nothing').split()))}")
    return "\n".join(lines)
