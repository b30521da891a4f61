"""A bar on standard error for what takes a while before a database can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from app.services import Step, unwatched


@contextmanager
def watched(console: Console) -> Iterator[Step]:
    """A function to tell of the stage, how much of it is done, and how much there is; a bar each, where there is a
    terminal to see it."""
    if not console.is_terminal:
        yield unwatched
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bars: dict[str, TaskID] = {}

        def step(stage: str, done: int, of: int) -> None:
            if stage not in bars:
                bars[stage] = progress.add_task(stage, total=of)
            progress.update(bars[stage], completed=done, total=of)

        yield step
