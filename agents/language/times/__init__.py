"""Time expressions: what a question says about when, given an injected clock.

Everything is half-open: ``TimeRange.end`` is excluded, so a closed range never loses the last day of a timestamp
column.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agents.language.text import Language, Token, shadow
from agents.language.times.calendar import Clock
from agents.language.times.chinese import OPERATORS as CHINESE_OPERATORS
from agents.language.times.chinese import chinese_atoms, chinese_buckets
from agents.language.times.combine import combine, longest
from agents.language.times.english import english_atoms, english_buckets
from agents.language.times.english_patterns import OPERATORS as ENGLISH_OPERATORS
from agents.language.times.model import Cycle, Grain, Recurring, TimeMention, TimeRange, as_datetime
from agents.language.times.wording import range_text

__all__ = [
    "Cycle",
    "Grain",
    "Recurring",
    "TimeMention",
    "TimeRange",
    "as_datetime",
    "find_times",
    "range_text",
]


def find_times(
    text: str,
    tokens: Sequence[Token],
    lang: Language,
    now: datetime,
    *,
    week_start: int = 0,
    fiscal_start_month: int = 1,
) -> tuple[TimeMention, ...]:
    """All time expressions in order, without overlaps. Quoted text is never read.

    :param now: the clock, naive, in the zone the data is in.
    :param week_start: first day of the week, 0 (Monday) to 6 (Sunday).
    :param fiscal_start_month: 1 to 12; a fiscal year is named after the calendar year in which it ends.
    """
    folded = _without_quotes(shadow(text), tokens)
    clock = Clock(now.replace(tzinfo=None), week_start, fiscal_start_month)
    if lang == "zh":
        ranges = combine(text, folded, longest(chinese_atoms(text, folded, clock)), CHINESE_OPERATORS, lang)
        buckets = list(chinese_buckets(text, folded))
    else:
        ranges = combine(text, folded, longest(english_atoms(text, folded, clock)), ENGLISH_OPERATORS, lang)
        buckets = list(english_buckets(text, folded))
    return _without_overlaps(ranges + buckets)


def _without_quotes(folded: str, tokens: Sequence[Token]) -> str:
    for token in tokens:
        if token.kind == "quoted":
            blank = "\0" * (token.end - token.start)
            folded = folded[: token.start] + blank + folded[token.end :]
    return folded


def _without_overlaps(mentions: list[TimeMention]) -> tuple[TimeMention, ...]:
    """Of overlapping mentions the longest stays; of equally long ones the range before the bucket."""
    kept: list[TimeMention] = []
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, m.range is None, m.start)):
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: m.start))
