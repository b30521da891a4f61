"""The questions of a benchmark: lines of JSON with ``db_id``, ``question``, mostly ``gold`` and ``hardness``."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from agents.errors import StarchartError

Line: TypeAlias = dict[str, Any]
"""One line of a file, as it was read; what is added to it is named in :mod:`app.benchmark.predict`."""

Key: TypeAlias = tuple[str, str, str]

FORM = 'Each line is an object with at least "db_id" and "question".'


class BenchmarkError(StarchartError):
    """The questions cannot be used: ``benchmark.questions``, ``benchmark.database``, ``benchmark.out``."""


def load_lines(path: Path) -> list[Line]:
    """All questions of a file.

    :raises BenchmarkError: ``benchmark.questions`` for a line that is no question.
    """
    return read_lines(path.read_text(encoding="utf-8"), path.name)


def read_lines(text: str, name: str) -> list[Line]:
    """:raises BenchmarkError: ``benchmark.questions`` for a line that is no question."""
    lines: list[Line] = []
    for number, one in enumerate(text.split("\n"), 1):
        if not one.strip():
            continue
        try:
            line = json.loads(one)
            if not isinstance(line["db_id"], str) or not isinstance(line["question"], str):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            raise BenchmarkError("benchmark.questions", f"Line {number} of {name} is not a question.", FORM) from None
        lines.append(line)
    return lines


def choose(lines: Sequence[Line], limit: int | None, seed: int | None) -> list[Line]:
    """At most ``limit`` lines in their order: spread evenly over the file, or drawn by chance with a seed."""
    if limit is None or limit >= len(lines):
        return list(lines)
    if seed is not None:
        return [lines[at] for at in sorted(random.Random(seed).sample(range(len(lines)), limit))]
    return [lines[at * len(lines) // limit] for at in range(limit)]


def key_of(line: Mapping[str, Any]) -> Key:
    """What makes two lines the same question: database, words and gold."""
    return line["db_id"], line["question"], json.dumps(line.get("gold"))


def golds_of(line: Mapping[str, Any]) -> tuple[str, ...]:
    """The gold statement, or all of several equally right ones; empty where the line has none."""
    gold = line.get("gold")
    found = gold if isinstance(gold, list) else [gold]
    return tuple(sql for sql in found if isinstance(sql, str) and sql.strip())


def database_path(root: Path, db_id: str) -> Path:
    """``ROOT/DB/DB.sqlite`` or ``ROOT/DB.sqlite``, or the same with ``.db``.

    :raises BenchmarkError: ``benchmark.database`` when there is none of them.
    """
    for suffix in ("sqlite", "db"):
        for path in (root / db_id / f"{db_id}.{suffix}", root / f"{db_id}.{suffix}"):
            if path.is_file():
                return path
    raise BenchmarkError(
        "benchmark.database", f"There is no database {db_id} in {root}.", f"Expected {root / db_id / db_id}.sqlite."
    )
