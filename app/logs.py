"""Logging: one line per event on standard error, so that standard output stays what a command answers."""

from __future__ import annotations

import logging
import sys

import structlog


def log_to_stderr(level: str) -> None:
    """:param level: ``debug``, ``info``, ``warning``, ``error`` or ``critical``; what is below it is dropped."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.StackInfoRenderer(),
            structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # Looked up for each line: the stream may be another one by then.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
