"""Which known set of names a column holds, and the other names of its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.language.known.families import Family, Grade, Spelling, families
from agents.language.spelling import is_cjk, plain
from agents.language.text import split_identifier

SHARE = 0.6
"""A column holds a family when at least this share of its distinct values are names of it."""

_CODES_NEEDED = 8
_CODE_SHARE = 0.95
_LOOKED_AT = 400
_FLAG_VALUES = 2
_HINT_WEIGHT = 0.3
_WHOLE: dict[Grade, float] = {"name": 0.92, "people": 0.9, "code": 0.88}
_HINTED: dict[Grade, float] = {"name": 0.88, "people": 0.85, "code": 0.0}
_ACROSS = 0.85

_Meanings = Sequence[tuple[int, int, Grade]]
"""What a text may mean: number of the family, number of the meaning in it, and what kind of name it is."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another text for a stored value.

    :ivar exact: counts only in this case of letters.
    """

    text: str
    score: float
    reason: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a column's values.

    :ivar aliases: other names, each with the position of its value.
    :ivar flag: the values for yes and for no, where the column has no others.
    """

    aliases: tuple[tuple[int, Alias], ...] = ()
    flag: tuple[str | None, str | None] | None = None


@lru_cache(maxsize=1)
def _by_text() -> dict[str, _Meanings]:
    """Plain text to all its meanings, over all families."""
    merged: dict[str, list[tuple[int, int, Grade]]] = {}
    for number, family in enumerate(families()):
        for text, meanings in family.by_text.items():
            merged.setdefault(text, []).extend((number, meaning, grade) for meaning, grade in meanings)
    return {text: tuple(found) for text, found in merged.items()}


def recognise(column: str, values: Sequence[tuple[str, str]]) -> Known:
    """The other names of a column's distinct values; nothing for values that are in no known set.

    A whole column of countries (at least :data:`SHARE` of its values, or of the first few hundred) gets every spelling
    and code; in a column that is merely called "country" the countries get their names; a lone "Germany" elsewhere only
    its Chinese name, which cannot mean anything else.

    :param values: each value with its plain form (:func:`agents.language.spelling.plain`).
    """
    known = _by_text()
    meant = [(at, value, known[text]) for at, (value, text) in enumerate(values) if text in known]
    if not meant:
        return Known()
    words = split_identifier(column)
    looked_at = min(len(values), _LOOKED_AT)
    whole = _family_of(words, [(value, found) for at, value, found in meant if at < looked_at], looked_at, len(values))
    aliases: list[tuple[int, Alias]] = []
    for at, value, found in meant:
        for number, meaning, grade in found:
            family = families()[number]
            spellings = family.meanings[meaning]
            if number == whole:
                aliases += ((at, alias) for alias in _others(family, spellings, values[at][1], _WHOLE))
            elif family.named_by(words) and (grade != "code" or _as_code(value, family)):
                aliases += ((at, alias) for alias in _others(family, spellings, values[at][1], _HINTED))
            elif grade != "code" and (family.anywhere or family.generic(words)):
                aliases += ((at, alias) for alias in _across(family, spellings, value))
    if whole is None or families()[whole].name != "flag":
        return Known(tuple(aliases))
    yes = next((at for at, _, found in meant if any(n == whole and m == 0 for n, m, _ in found)), None)
    no = next((at for at, _, found in meant if any(n == whole and m == 1 for n, m, _ in found)), None)
    aliases += _sexes(words, yes, no)
    return Known(tuple(aliases), (None if yes is None else values[yes][0], None if no is None else values[no][0]))


def _family_of(words: tuple[str, ...], meant: Sequence[tuple[str, _Meanings]], of: int, distinct: int) -> int | None:
    """The family that most values belong to; the column's name decides between equals and vouches for mere codes."""
    counts: Counter[int] = Counter()
    codes: Counter[int] = Counter()
    for value, found in meant:
        named = {number for number, _, grade in found if grade != "code"}
        coded = {number for number, _, grade in found if grade == "code" and _as_code(value, families()[number])}
        coded -= named
        counts.update(named | coded)
        codes.update(coded)
    best: tuple[float, int] | None = None
    for number, count in counts.items():
        family, share = families()[number], count / of
        hinted = family.suits(words)
        if share < SHARE or (family.name == "flag" and (distinct > _FLAG_VALUES or share < 1)):
            continue
        mostly_codes = codes[number] > count / 2 and family.name != "flag"
        if mostly_codes and not hinted and not (count >= _CODES_NEEDED and share > _CODE_SHARE):
            continue
        rank = (share + _HINT_WEIGHT * hinted, -number)
        if best is None or rank > best:
            best = rank
    return None if best is None else -best[1]


def _as_code(value: str, family: Family) -> bool:
    """Codes are stored as they are written: languages in small letters, all others in capitals."""
    return value.islower() if family.name == "language" else value == value.upper() or family.name == "flag"


def _others(family: Family, spellings: Sequence[Spelling], own: str, scores: dict[Grade, float]) -> Iterator[Alias]:
    """All spellings but the value's own plain form."""
    for spelling in spellings:
        score = scores[spelling.grade]
        if score and plain(spelling.text) != own:
            yield Alias(spelling.text, score, _reason(family, spellings), spelling.exact)


def _across(family: Family, spellings: Sequence[Spelling], value: str) -> Iterator[Alias]:
    """Only the spellings in the other script, codes left out."""
    script = is_cjk(value)
    for spelling in spellings:
        if spelling.grade != "code" and is_cjk(spelling.text) != script:
            yield Alias(spelling.text, _ACROSS, _reason(family, spellings), spelling.exact)


def _reason(family: Family, spellings: Sequence[Spelling]) -> str:
    return f"other name for {spellings[0].text} ({family.source})"


def _sexes(words: tuple[str, ...], yes: int | None, no: int | None) -> Iterator[tuple[int, Alias]]:
    """A flag called ``is_male``: yes is male, no is female."""
    named = next((sex for sex in ("male", "female") if sex in words), None)
    if named is None:
        return
    gender = next(family for family in families() if family.name == "gender")
    for at, sex in ((yes, 0 if named == "male" else 1), (no, 1 if named == "male" else 0)):
        if at is not None:
            for spelling in gender.meanings[sex]:
                if spelling.grade != "code":
                    reason = f"{'yes' if at == yes else 'no'} in a column about {named}"
                    yield at, Alias(spelling.text, _WHOLE["people"], reason, False)
