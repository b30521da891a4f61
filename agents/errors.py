"""Every error a person can meet: a code, what happened, and what to do next.

StarchartError
├── QuestionError      the text that was asked cannot be used          question.*
├── CatalogError       the schema could not be read                    catalog.*
├── ConnectionFailed   the database cannot be opened or reached        database.*
├── ExecutionError     the database refused or stopped a statement     execute.*
├── GuardRejected      the guard refused a statement                   guard.*
├── GlossaryError      a glossary does not fit its catalog             glossary.*
├── FrameError         a stored result set is gone or unusable         frame.*
├── TurnCancelled      a person pressed stop                           turn.cancelled
├── TurnTimedOut       the turn ran into its deadline                  turn.timed_out
└── NotFound           an id that names nothing                        not_found.*
"""

from __future__ import annotations


class StarchartError(Exception):
    """Base of all typed errors.

    :param code: stable dotted identifier, e.g. ``database.not_sqlite``; never translated.
    :param message: one plain sentence saying what happened.
    :param hint: one plain sentence saying what to do next; may be empty only where nothing can be done.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.hint = hint


class QuestionError(StarchartError):
    """The text of the question cannot be used (empty, too long, no words)."""


class CatalogError(StarchartError):
    """The schema of a database could not be read."""


class ConnectionFailed(StarchartError):
    """The database cannot be opened or reached."""


class ExecutionError(StarchartError):
    """The database refused or stopped a statement that the guard had allowed."""


class GuardRejected(StarchartError):
    """The guard refused a statement. ``code`` is the rule that was hit."""


class GlossaryError(StarchartError):
    """A glossary does not fit the catalog it was written for."""


class FrameError(StarchartError):
    """A stored result set is gone, expired or unusable."""


class TurnCancelled(StarchartError):
    """A person stopped the turn."""

    def __init__(self, message: str = "The question was stopped.", hint: str = "Ask it again when you like.") -> None:
        super().__init__("turn.cancelled", message, hint)


class TurnTimedOut(StarchartError):
    """The turn ran into its deadline."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "turn.timed_out",
            f"The question took longer than {seconds:g} seconds and was stopped.",
            "Narrow it down, for example to one year or one table, or raise STARCHART_TURN_SECONDS.",
        )


class NotFound(StarchartError):
    """An id or a name that names nothing."""
