"""The real clocks, handed to everything that asks what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Implements :class:`agents.ports.Clock`: local wall time without a zone, and monotonic seconds."""

    def now(self) -> datetime:
        return datetime.now()

    def monotonic(self) -> float:
        return time.monotonic()


def utc_now() -> datetime:
    """The wall clock in UTC, with its zone: what the store keeps."""
    return datetime.now(UTC)
