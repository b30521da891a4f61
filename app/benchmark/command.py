"""What ``starchart benchmark`` does with its options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.benchmark.predict import Options
from app.benchmark.questions import choose, load_lines
from app.benchmark.report import Report, summarise
from app.benchmark.run import judge, predict


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask and how to judge it.

    :ivar variants: further folders of the same databases with other rows; right means right on all.
    :ivar seed: draws the sample by chance; without it the sample is spread evenly over the file.
    :ivar seconds: for one predicted statement.
    :ivar examples: questions shown of each class of failures.
    """

    questions: Path
    root: Path
    out: Path
    variants: tuple[Path, ...] = ()
    limit: int | None = None
    seed: int | None = None
    jobs: int = 1
    fresh: bool = False
    seconds: float = 10.0
    examples: int = 2


def run(options: Options, plan: Plan) -> tuple[Report, int]:
    """Ask, write, judge; returns the report and how many predictions were kept from an earlier run.

    :raises BenchmarkError: ``benchmark.questions``, ``benchmark.database``, ``benchmark.out``.
    """
    questions = choose(load_lines(plan.questions), plan.limit, plan.seed)
    with _progress("asking", len(questions)) as step:
        lines, kept, memory = predict(
            options, questions, plan.root, plan.out, jobs=plan.jobs, fresh=plan.fresh, step=step
        )
    with _progress("judging", len(lines)) as step:
        judged = judge(lines, (plan.root, *plan.variants), jobs=plan.jobs, seconds=plan.seconds, step=step)
    return summarise(lines, judged, memory, examples=plan.examples), kept


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where there is a terminal to see it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)
