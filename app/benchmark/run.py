"""From a file of questions to a file of predictions and a report: resumable, in one process or two."""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from app.benchmark.judge import Judged, judge_lines
from app.benchmark.predict import ADDED, Asker, Options
from app.benchmark.questions import BenchmarkError, Key, Line, database_path, key_of, read_lines
from app.logs import log_to_stderr

# Questions of one database that a process is given at a time.
_CHUNK = 20

Step: TypeAlias = Callable[[int], None]


def predict(
    options: Options, questions: Sequence[Line], root: Path, out: Path, *, jobs: int, fresh: bool, step: Step
) -> tuple[list[Line], int, float | None]:
    """Ask what ``out`` does not hold yet and write all lines to it, in the order of the questions.

    Lines are appended while they come, so that a run that is broken off goes on where it was.

    :param fresh: ask everything anew.
    :param step: told how many more questions are done.
    :returns: the lines; how many of them were kept from before; the highest memory of a process in MB, if any asked.
    :raises BenchmarkError: ``benchmark.database`` before anything is asked.
    """
    for db_id in dict.fromkeys(line["db_id"] for line in questions):
        database_path(root, db_id)
    kept = _kept(out) if out.exists() and not fresh else {}
    wanted = {key_of(line) for line in questions}
    done = {key: line for key, line in kept.items() if key in wanted}
    step(sum(key_of(line) in done for line in questions))
    todo = [line for line in questions if key_of(line) not in done]
    memory = 0.0
    _write(out, kept.values())
    with out.open("a", encoding="utf-8") as file:
        for lines, megabytes in _asked(options, _chunks(todo), root, jobs):
            memory = max(memory, megabytes)
            for line in lines:
                done[key_of(line)] = line
                file.write(_text(line))
            file.flush()
            step(len(lines))
    found = [done[key_of(line)] for line in questions]
    _write(out, found)
    return found, len(questions) - len(todo), memory or None


def judge(lines: Sequence[Line], roots: Sequence[Path], *, jobs: int, seconds: float, step: Step) -> list[Judged]:
    """What became of each line, in order."""
    chunks = list(_positions(lines))
    found: dict[int, Judged] = {}
    with _pool(jobs) as pool:
        if pool is None:
            for chunk in chunks:
                found |= zip(chunk, judge_lines(roots, [lines[at] for at in chunk], seconds), strict=True)
                step(len(chunk))
        else:
            futures = {pool.submit(judge_lines, roots, [lines[at] for at in c], seconds): c for c in chunks}
            for future in as_completed(futures):
                found |= zip(futures[future], future.result(), strict=True)
                step(len(futures[future]))
    return [found[at] for at in range(len(lines))]


def _asked(options: Options, chunks: Sequence[list[Line]], root: Path, jobs: int) -> Iterator[tuple[list[Line], float]]:
    with _pool(jobs) as pool:
        if pool is None:
            for chunk in chunks:
                for line in chunk:
                    yield _ask(options, [line], root)
            _release()
        else:
            for future in as_completed([pool.submit(_ask, options, chunk, root) for chunk in chunks]):
                yield future.result()


_open: dict[str, Asker] = {}
"""The database that this process asked last: questions come ordered by database."""


def _ask(options: Options, lines: Sequence[Line], root: Path) -> tuple[list[Line], float]:
    name = lines[0]["db_id"]
    path = database_path(root, name)
    if str(path) not in _open:
        _release()
        _open[str(path)] = Asker(options, name, path)
    found = [_open[str(path)].ask(line) for line in lines]
    return found, _peak_mb()


def _release() -> None:
    for asker in _open.values():
        asker.close()
    _open.clear()


def _peak_mb() -> float:
    """The most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


@contextmanager
def _pool(jobs: int) -> Iterator[Executor | None]:
    """Processes that start clean; none for one job."""
    if jobs < 2:
        yield None
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), log_to_stderr, ("critical",)) as pool:
        yield pool


def _positions(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Positions of lines by database, a few at a time."""
    by_db: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        by_db.setdefault(line["db_id"], []).append(at)
    for positions in by_db.values():
        for first in range(0, len(positions), _CHUNK):
            yield positions[first : first + _CHUNK]


def _chunks(lines: Sequence[Line]) -> list[list[Line]]:
    return [[lines[at] for at in positions] for positions in _positions(lines)]


def _kept(out: Path) -> dict[Key, Line]:
    """Predictions of an earlier run; a last line that was cut off is left out.

    :raises BenchmarkError: ``benchmark.out`` when the file holds something else, which is not to be lost.
    """
    text = out.read_text(encoding="utf-8")
    try:
        lines = read_lines(text[: text.rfind("\n") + 1], out.name)
    except BenchmarkError:
        lines = []
    if (text and not lines) or not all(line.keys() >= ADDED for line in lines):
        raise BenchmarkError(
            "benchmark.out", f"{out.name} holds something other than predictions.", "Name another file, or use --fresh."
        )
    return {key_of(line): line for line in lines}


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def _write(out: Path, lines: Iterable[Line]) -> None:
    """All at once, so that a run that is broken off here loses nothing."""
    beside = out.with_name(f".{out.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.writelines(_text(line) for line in lines)
    os.replace(beside, out)
