"""The engine's first intermediate form: mentions, spans of the question linked to what they may mean.

Tokens live in :mod:`agents.language.text`, numbers and times in their own modules; this is the common currency that the
plan builder, the evidence and ``starchart explain`` read. Spans always point into the original text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from agents.language.times import TimeMention


@dataclass(frozen=True, slots=True)
class TableTarget:
    table: str

    def __str__(self) -> str:
        return self.table


@dataclass(frozen=True, slots=True)
class ColumnTarget:
    table: str
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"


@dataclass(frozen=True, slots=True)
class MeasureTarget:
    """A measure of the glossary."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ValueTarget:
    """A stored value of a text column."""

    table: str
    column: str
    value: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column} = {self.value}"


@dataclass(frozen=True, slots=True)
class NumberTarget:
    value: int | float
    unit: str | None = None
    ordinal: bool = False

    def __str__(self) -> str:
        return f"{self.value}{f' {self.unit}' if self.unit else ''}"


@dataclass(frozen=True, slots=True)
class TimeTarget:
    time: TimeMention

    def __str__(self) -> str:
        return self.time.reason


@dataclass(frozen=True, slots=True)
class PhraseTarget:
    """A phrase of the lexicon: ``concept`` as in ``aggregate.avg`` with the rule's payload."""

    concept: str
    payload: tuple[tuple[str, object], ...] = ()

    def get(self, key: str) -> object | None:
        return dict(self.payload).get(key)

    def __str__(self) -> str:
        return self.concept


@dataclass(frozen=True, slots=True)
class TextTarget:
    """Quoted text that is no stored value: a literal to search for."""

    text: str

    def __str__(self) -> str:
        return repr(self.text)


Target: TypeAlias = (
    TableTarget | ColumnTarget | MeasureTarget | ValueTarget | NumberTarget | TimeTarget | PhraseTarget | TextTarget
)


REMEMBERED = "remembered"
"""Reason of a mention whose phrase has one meaning because somebody was asked and said so."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question linked to a target.

    :ivar score: 0 to 1; 1 is an exact name.
    :ivar reason: how it was found, in a few words ("exact name", "lemma", "glossary", "meaning 0.84").
    """

    start: int
    end: int
    text: str
    target: Target
    score: float
    reason: str

    def overlaps(self, other: Mention) -> bool:
        return self.start < other.end and other.start < self.end
