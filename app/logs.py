"""Logging: one line per event on standard error, so that standard output stays what a command answers."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TextIO

import structlog
from structlog.typing import ExcInfo

# Innermost frames are the ones that tell where it went wrong; recursion would fill the disk with the others.
MOST_FRAMES = 12


def log_to_stderr(level: str) -> None:
    """:param level: ``debug``, ``info``, ``warning``, ``error`` or ``critical``; what is below it is dropped."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.StackInfoRenderer(),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=short_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # Looked up for each line: the stream may be another one by then.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def short_traceback(stream: TextIO, exc_info: ExcInfo) -> None:
    """Where it went wrong, in places and types only, for the error and what it came from.

    What a local variable or a message holds can be a question, a row or a password, none of which belongs into a log.
    """
    error: BaseException | None = exc_info[1]
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        frames = traceback.extract_tb(error.__traceback__)
        stream.write(f"{type(error).__module__}.{type(error).__qualname__}\n")
        if len(frames) > MOST_FRAMES:
            stream.write(f"  … {len(frames) - MOST_FRAMES} frames before\n")
        for frame in frames[-MOST_FRAMES:]:
            stream.write(f"  {frame.filename}:{frame.lineno} in {frame.name}\n")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is not None:
            stream.write("caused by ")
