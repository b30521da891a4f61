"""From single time expressions to mentions: ranges of two, and one with "since", "before", "after" or "until"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from agents.language.text import Language
from agents.language.times.calendar import OutOfCalendar
from agents.language.times.model import Cycle, Grain, Recurring, TimeMention, TimeRange
from agents.language.times.wording import range_text


@dataclass(frozen=True, slots=True)
class Atom:
    """One time expression with both ends closed: a day, a month, "last week", "the 1990s".

    :param of_year: for an expression without a year: what it is in a given year (raises OutOfCalendar where it is not).
    :param note: how it was read, without the dates.
    :param fixed: relation to a moment already inside the expression ("more than 30 days ago"); no operator applies.
    """

    start: int
    end: int
    span: TimeRange
    grain: Grain
    note: str
    certain: bool = True
    recurring: Recurring | None = None
    of_year: Callable[[int], TimeRange] | None = None
    bare_year: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Operators:
    """How one language says since, before, after, until, and from-to.

    Prefix patterns are searched in the text before an expression (anchored at its end), suffix patterns right behind
    it. The first one that matches wins.
    """

    prefixes: tuple[tuple[re.Pattern[str], str], ...]
    suffixes: tuple[tuple[re.Pattern[str], str], ...]
    between_prefix: re.Pattern[str]
    between_gap: re.Pattern[str]
    between_suffix: re.Pattern[str] | None
    from_prefix: re.Pattern[str]
    range_gap: re.Pattern[str]
    list_gap: re.Pattern[str]


def longest(atoms: Iterable[Atom]) -> list[Atom]:
    """Atoms without overlaps: the earliest first, of those that start together or overlap the longest."""
    kept: list[Atom] = []
    for atom in sorted(atoms, key=lambda a: (a.start, -a.end)):
        while kept and atom.start < kept[-1].end and atom.end - atom.start > kept[-1].end - kept[-1].start:
            kept.pop()
        if not kept or atom.start >= kept[-1].end:
            kept.append(atom)
    return kept


def combine(text: str, folded: str, atoms: list[Atom], operators: Operators, lang: Language) -> list[TimeMention]:
    """:param folded: shadow of ``text`` with quoted text blanked out."""
    mentions: list[TimeMention] = []
    index = 0
    while index < len(atoms):
        first = atoms[index]
        if index + 1 < len(atoms):
            pair = _pair(text, folded, first, atoms[index + 1], operators, lang)
            if pair is not None:
                mentions.append(pair)
                index += 2
                continue
            first = _carry_back(folded, atoms, index, operators)
        if index and first.of_year is not None:
            first = _carry_forward(folded, atoms[index - 1], first, operators)
        mentions.append(_single(text, folded, first, operators, lang))
        index += 1
    return mentions


def _carry_back(folded: str, atoms: list[Atom], index: int, operators: Operators) -> Atom:
    """ "March and April 2024", "Q1, Q2 and Q3 2023": the year told last holds for the earlier ones."""
    first = atoms[index]
    for at in range(index, len(atoms) - 1):
        if first.of_year is None or not operators.list_gap.fullmatch(folded[atoms[at].end : atoms[at + 1].start]):
            return first
        following = atoms[at + 1]
        if following.of_year is None:
            year = _start_year(following)
            if following.grain is Grain.YEAR or year is None:
                return first
            try:
                return replace(first, span=first.of_year(year), of_year=None, recurring=None, certain=True, note="")
            except OutOfCalendar:
                return first
    return first


def _carry_forward(folded: str, previous: Atom, atom: Atom, operators: Operators) -> Atom:
    """2024年1月和2月: the year told first holds for the next one."""
    year = _start_year(previous)
    gap = folded[previous.end : atom.start]
    same = previous.of_year is None and previous.grain is atom.grain and previous.grain is not Grain.YEAR
    if year is None or atom.of_year is None or not same or not operators.list_gap.fullmatch(gap):
        return atom
    try:
        return replace(atom, span=atom.of_year(year), of_year=None, recurring=None, certain=True, note="")
    except OutOfCalendar:
        return atom


def _start_year(atom: Atom) -> int | None:
    return None if atom.span.start is None else atom.span.start.year


def _pair(
    text: str, folded: str, first: Atom, second: Atom, operators: Operators, lang: Language
) -> TimeMention | None:
    if first.fixed or second.fixed:
        return None
    gap = folded[first.end : second.start]
    before = folded[max(0, first.start - 32) : first.start]
    between = operators.between_prefix.search(before)
    start, end = first.start, second.end
    suffix = operators.between_suffix.match(folded, second.end) if operators.between_suffix else None
    if operators.range_gap.fullmatch(gap):
        opener = operators.from_prefix.search(before) or between
        start -= len(opener.group()) if opener else 0
    elif operators.between_gap.fullmatch(gap) and (suffix if operators.between_suffix else between):
        start -= len(between.group()) if between else 0
    else:
        return None
    end = suffix.end() if suffix else end
    spans = _spans_of_pair(first, second)
    if spans is None:
        return None
    left, right = spans
    try:
        span = TimeRange(left.start, right.end)
    except (ValueError, TypeError):
        return None
    order = list(Grain)
    grain = min(first.grain, second.grain, key=order.index)
    missing = first.of_year is not None and second.of_year is not None
    told = all(a.certain or a.of_year is not None or (a.bare_year and not between) for a in (first, second))
    certain = not missing and told
    recurring = _months_between(left, right) if missing and grain is Grain.MONTH else None
    notes = "; ".join(
        dict.fromkeys(atom.note for atom in (first, second) if atom.note and not atom.bare_year and missing)
    )
    reason = _reason(span, notes, lang)
    return TimeMention(start, end, text[start:end], span, grain, reason, recurring, certain)


def _spans_of_pair(first: Atom, second: Atom) -> tuple[TimeRange, TimeRange] | None:
    left, right = first.span, second.span
    try:
        if first.of_year is not None and second.of_year is None:
            year = _start_year(second)
            if year is None:
                return None
            left = first.of_year(year)
            if left.start is not None and right.start is not None and left.start > right.start:
                left = first.of_year(year - 1)
        elif second.of_year is not None:
            year = _start_year(first)
            if year is None:
                return None
            right = second.of_year(year)
            if left.start is not None and right.start is not None and right.start < left.start:
                right = second.of_year(year + 1)
    except (OutOfCalendar, TypeError):
        return None
    return left, right


def _months_between(left: TimeRange, right: TimeRange) -> Recurring | None:
    if left.start is None or right.start is None:
        return None
    month, members = left.start.month, [left.start.month]
    while month != right.start.month and len(members) < 12:
        month = month % 12 + 1
        members.append(month)
    return Recurring(Cycle.MONTH_OF_YEAR, tuple(sorted(members)))


def _single(text: str, folded: str, atom: Atom, operators: Operators, lang: Language) -> TimeMention:
    start, end, span, certain, recurring = atom.start, atom.end, atom.span, atom.certain, atom.recurring
    if not atom.fixed:
        relation, start, end = _relation(folded, atom, operators)
        if relation:
            span, recurring = _apply(relation, span), None
            certain = certain or atom.bare_year
    note = atom.note if not (atom.bare_year and certain) else ""
    reason = _reason(span, note, lang)
    return TimeMention(start, end, text[start:end], span, atom.grain, reason, recurring, certain)


_NOTES_ZH = {
    "no year told: the latest that has begun": "未说年份：最近一个已开始的",
    "a bare number read as a year": "把数字读作年份",
    "a year of two digits": "两位数年份",
    "two years": "两年",
    "read as month first; the other order is possible": "按月/日读；也可能是日/月",
    "read as day first; the other order is possible": "按日/月读；也可能是月/日",
}


def _reason(span: TimeRange, note: str, lang: Language) -> str:
    if lang == "zh":
        note = _NOTES_ZH.get(note, note).replace("fiscal year ", "财年 ").replace("fiscal quarter", "财季")
        return f"{range_text(span, lang)}（{note}）" if note else range_text(span, lang)
    return f"{range_text(span, lang)} ({note})" if note else range_text(span, lang)


def _relation(folded: str, atom: Atom, operators: Operators) -> tuple[str, int, int]:
    for pattern, relation in operators.suffixes:
        found = pattern.match(folded, atom.end)
        if found:
            opener = operators.from_prefix.search(folded[max(0, atom.start - 32) : atom.start])
            start = atom.start - (len(opener.group()) if opener and relation == "since" else 0)
            return relation, start, found.end()
    before = folded[max(0, atom.start - 48) : atom.start]
    for pattern, relation in operators.prefixes:
        found = pattern.search(before)
        if found:
            return relation, atom.start - len(found.group()), atom.end
    return "", atom.start, atom.end


def _apply(relation: str, span: TimeRange) -> TimeRange:
    if relation == "since":
        return TimeRange(span.start, None)
    if relation == "before":
        return TimeRange(None, span.start)
    if relation == "after":
        return TimeRange(span.end, None)
    return TimeRange(None, span.end)
