"""Which known set of names a column holds, and the other names of its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.language.known.families import Family, Grade, Spelling, families
from agents.language.spelling import is_cjk, plain
from agents.language.text import split_identifier

SHARE = 0.6
"""A column holds a family when at least this share of its distinct values are names of it."""

_CODES_NEEDED = 8
_LOOKED_AT = 400
_FLAG_VALUES = 2
_SCORES: dict[Grade, float] = {"name": 0.92, "people": 0.9, "code": 0.88}
_ALONE = 0.85


@dataclass(frozen=True, slots=True)
class Alias:
    """Another text for a stored value.

    :ivar exact: counts only in this case of letters.
    """

    value: str
    text: str
    score: float
    reason: str
    exact: bool


@lru_cache(maxsize=1)
def _by_text() -> dict[str, tuple[tuple[int, int, Grade], ...]]:
    """Plain text to family, meaning and grade, over all families."""
    merged: dict[str, list[tuple[int, int, Grade]]] = {}
    for number, family in enumerate(families()):
        for text, meanings in family.by_text.items():
            merged.setdefault(text, []).extend((number, meaning, grade) for meaning, grade in meanings)
    return {text: tuple(found) for text, found in merged.items()}


def aliases(table: str, column: str, values: Sequence[str]) -> Iterator[Alias]:
    """The other names of a column's distinct values; nothing for values that are in no known set.

    A whole column of countries (at least :data:`SHARE` of its values, or of the first few hundred) gets every spelling;
    a lone "Germany" elsewhere only its Chinese name, which cannot mean anything else.
    """
    words = split_identifier(column)
    known = _by_text()
    meant = [(value, known[text]) for value in values if (text := plain(value)) in known]
    if not meant:
        return
    whole = _family_of(words, values[:_LOOKED_AT])
    for value, found in meant:
        for number, meaning, grade in found:
            family = families()[number]
            if family is whole:
                yield from _of_meaning(family, family.meanings[meaning], value, table, words)
            elif grade != "code" and (family.anywhere or family.suits(words) or family.generic(words)):
                yield from _across(family, family.meanings[meaning], value)
    if whole is not None and whole.name == "flag":
        yield from _sexes(words, meant)


def _family_of(words: tuple[str, ...], values: Sequence[str]) -> Family | None:
    """The family that most values belong to; the column's name decides between equals and vouches for mere codes."""
    known = _by_text()
    counts: dict[int, int] = {}
    codes: dict[int, int] = {}
    for value in values:
        for number in {n for n, _, grade in known.get(plain(value), ()) if grade != "code" or _as_code(value, n)}:
            counts[number] = counts.get(number, 0) + 1
            if all(g == "code" for n, _, g in known[plain(value)] if n == number):
                codes[number] = codes.get(number, 0) + 1
    best: tuple[float, bool, int] | None = None
    for number, count in counts.items():
        family, share = families()[number], count / len(values)
        hinted = family.suits(words)
        mostly_codes = codes.get(number, 0) > count / 2
        if share < SHARE or (mostly_codes and not hinted and not (count >= _CODES_NEEDED and share > 0.95)):
            continue
        if family.name == "flag" and (len(values) > _FLAG_VALUES or share < 1):
            continue
        rank = (share + 0.3 * hinted, hinted, -number)
        if best is None or rank > best:
            best = rank
    return None if best is None else families()[-best[2]]


def _as_code(value: str, number: int) -> bool:
    """Codes are stored as they are written: languages small, all others in capitals; a lone letter needs no more."""
    name = families()[number].name
    return value.islower() if name in ("language", "flag") and len(value) > 1 else value == value.upper()


def _of_meaning(
    family: Family, spellings: Sequence[Spelling], value: str, table: str, words: tuple[str, ...]
) -> Iterator[Alias]:
    own = plain(value)
    name = spellings[0].text
    for spelling in spellings:
        if plain(spelling.text) != own:
            reason = f"other name for {name} ({family.source})"
            yield Alias(value, spelling.text, _SCORES[spelling.grade], reason, spelling.exact)


def _across(family: Family, spellings: Sequence[Spelling], value: str) -> Iterator[Alias]:
    """Only the spellings in the other script, codes left out."""
    script = is_cjk(value)
    for spelling in spellings:
        if spelling.grade != "code" and is_cjk(spelling.text) != script:
            reason = f"other name for {spellings[0].text} ({family.source})"
            yield Alias(value, spelling.text, _ALONE, reason, spelling.exact)


def _sexes(words: tuple[str, ...], meant: Sequence[tuple[str, Sequence[tuple[int, int, Grade]]]]) -> Iterator[Alias]:
    """A flag called ``is_male``: yes is male, no is female."""
    named = next((sex for sex in ("male", "female") if sex in words), None)
    if named is None:
        return
    gender = next(family for family in families() if family.name == "gender")
    flag = next(number for number, family in enumerate(families()) if family.name == "flag")
    for value, found in meant:
        yes = any(number == flag and meaning == 0 for number, meaning, _ in found)
        male = yes == (named == "male")
        for spelling in gender.meanings[0 if male else 1]:
            if spelling.grade != "code":
                reason = f"{'yes' if yes else 'no'} in a column about {named}"
                yield Alias(value, spelling.text, _SCORES["people"], reason, False)
