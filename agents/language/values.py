"""The index of stored values: which text columns hold "Japan", in whatever case, spelling or language it is asked.

Built from the distinct values of text columns (collected under a budget by ``app/databases``), the value aliases of the
glossary, and the known sets of names (:mod:`agents.language.known`). A value may live in several columns, and all of
them are returned. Texts are kept as keys of one dictionary; what they lead to are small integers, so that an index of a
hundred thousand values stays cheap to build, to keep and to pickle.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import islice, takewhile

from rapidfuzz import fuzz, process
from simplemma import is_known

from agents.glossary import Glossary
from agents.language.ir import REMEMBERED, ValueTarget
from agents.language.known import recognise
from agents.language.nearness import Nearness
from agents.language.spelling import (
    initials,
    is_cjk,
    plain_of_folded,
    shorter,
    singular,
    swapped,
    without_hyphen,
)
from agents.language.text import fold, lemmatize

MAX_WORDS = 8
"""Longest value, in words, that is looked for in a question without quotes."""
ORDINARY_WORD = "stored value, an ordinary word"
"""Why a near value is weak: the word means something by itself, and is far more often that."""

_IDEOGRAPHS = re.compile(r"[\u4e00-\u9fff]+\Z")
_ABBREVIATED_COLUMN = 1_000
_LARGE_COLUMN = 1_000
_SHORTEST_BASE = 3
_LIKE = 70.0
_WAY_BITS = 16
_WAY_MASK = (1 << _WAY_BITS) - 1
# What a text may at most be worth when it had to be changed to be found.
_RESPELT, _INFLECTED, _VERB = 0.95, 0.85, 0.75
_ORDINARY_NAME, _PART, _ORDINARY_PART = 0.6, 0.55, 0.4


@dataclass(frozen=True, slots=True)
class Found:
    """A stored value with how it was recognised: score 1 for the very text, less for a variant."""

    target: ValueTarget
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Split:
    """Two values of one row in one text: the first ``words`` words name ``left``, the others ``right``."""

    words: int
    left: Found
    right: Found


@dataclass(frozen=True, slots=True)
class Flag:
    """A text column that says yes or no, with the texts it stores; ``None`` for one that no row has."""

    table: str
    column: str
    yes: str | None
    no: str | None


class _Case(IntEnum):
    """Which case of letters a text must have: abbreviations that are ordinary words otherwise ("US", "Sun")."""

    ANY = 0
    CAPITAL = 1
    CAPITALS = 2


@dataclass(frozen=True, slots=True)
class _Way:
    """How a key leads to its value."""

    score: float
    reason: str
    case: _Case = _Case.ANY


_STORED = _Way(1.0, "stored value")
_SPELLING = _Way(_RESPELT, "stored value, other spelling")
_NUMBER = _Way(_INFLECTED, "stored value, other form")
_SHORTER = _Way(0.85, "stored value without its legal form or article")
_SWAPPED = _Way(0.9, "stored value, last name first")
_INITIALS = _Way(0.65, "initials of the value", _Case.CAPITALS)
_FIXED = (_STORED, _SPELLING, _NUMBER, _SHORTER, _SWAPPED, _INITIALS)


class ValueIndex:
    """Texts to stored values. What it answers never changes; safe to share between threads; can be pickled.

    :param columns: ``(table, column, distinct values)`` triples.
    :param glossary: value aliases; hidden columns are left out.
    :param skip: further columns to leave out, as ``(table, column)`` in any case.
    :ivar size: number of values.
    """

    def __init__(
        self,
        columns: Iterable[tuple[str, str, Iterable[str]]],
        glossary: Glossary | None = None,
        *,
        skip: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self._keys: dict[str, int | tuple[int, ...]] = {}
        self._ways: list[_Way] = list(_FIXED)
        self._columns: list[tuple[str, str]] = []
        self._values: list[str] = []
        self._column_of = array("I")
        self._cjk_lengths: set[int] = set()
        self._large: set[int] = set()
        self._flags: dict[tuple[str, str], Flag] = {}
        self._way_numbers = {way: number for number, way in enumerate(self._ways)}
        self._near: Nearness | None = None
        skipped = {(table.lower(), column.lower()) for table, column in skip}
        for table, column, values in columns:
            hidden = glossary is not None and glossary.is_hidden(table, column)
            if not hidden and (table.lower(), column.lower()) not in skipped:
                self._add_column(table, column, tuple(values))
        if glossary:
            self._add_glossary(glossary, skipped)

    @property
    def size(self) -> int:
        """Number of values in the index."""
        return len(self._values)

    @property
    def cjk_lengths(self) -> tuple[int, ...]:
        """Lengths, in characters, of the values and aliases that contain Chinese, longest first."""
        return tuple(sorted(self._cjk_lengths, reverse=True))

    def flag(self, table: str, column: str) -> Flag | None:
        """What a yes/no column stores for yes and for no; ``None`` for any other column. Case of names is ignored."""
        return self._flags.get((table.lower(), column.lower()))

    def lookup(self, text: str) -> tuple[Found, ...]:
        """Every stored value that the text names, the surest first; a value once per column that holds it.

        A small-letter word of the dictionary ("count") is not taken for one of thousands of names here, but by
        :meth:`nearest`.
        """
        keys = self._keys
        folded = _folded(text)
        name = plain_of_folded(folded)
        best: dict[int, tuple[float, str]] = {}
        if folded in keys:
            self._collect(folded, text, 1.0, "", best)
        if name != folded and name in keys:
            self._collect(name, text, _RESPELT, _SPELLING.reason, best)
        joined = without_hyphen(folded)
        if joined is not None and joined in keys:
            self._collect(joined, text, _RESPELT, _SPELLING.reason, best)
        one = singular(name)
        if one != name and one in keys:
            self._collect(one, text, _INFLECTED, _NUMBER.reason, best)
        if not best:
            base = _base_form(name)
            if base is None or base not in keys:
                return ()
            self._collect(base, text, _VERB, _NUMBER.reason, best)
        if self._large and _is_ordinary(text):
            best = {n: one for n, one in best.items() if self._column_of[n] not in self._large}
        ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
        return tuple(Found(self._target(number), score, reason) for number, (score, reason) in ranked)

    def nearest(self, text: str, *, quoted: bool = False) -> tuple[Found, ...]:
        """For words that nothing else explains: values that contain the text as their first or last word, and values
        spelt almost like it. Scores at most 0.8; several values are an ambiguity for the caller to settle.

        A small-letter word of the dictionary is no slip of the pen, and seldom the short form of a name, unless it was
        put in quotes.
        """
        name = plain_of_folded(_folded(text))
        if self._near is None:
            self._near = Nearness(self._keys, self._named())
        best: dict[int, tuple[float, str]] = {}
        ordinary = not quoted and _is_ordinary(text)
        if ordinary and name in self._keys:
            self._collect(name, text, _ORDINARY_NAME, ORDINARY_WORD, best)
        for number in self._near.containing(name):
            best.setdefault(number, (_ORDINARY_PART if ordinary else _PART, "part of the value"))
        for key, similarity in () if ordinary else self._near.misspelt(name):
            self._collect(key, key.upper(), round(similarity * 0.85, 3), f"spelt like {key!r}", best)
        ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
        return tuple(Found(self._target(number), score, reason) for number, (score, reason) in ranked)

    def split(self, text: str) -> tuple[Split, ...]:
        """A text that is no value but two of them side by side, in two columns of one table: "Linda Smith" over first
        and last name. The surest first.
        """
        words = text.replace(",", " ").split()
        splits: list[Split] = []
        for cut in range(1, min(len(words), MAX_WORDS)):
            left, right = self.lookup(" ".join(words[:cut])), self.lookup(" ".join(words[cut:]))
            splits += [
                Split(cut, a, b)
                for a in left
                for b in right
                if a.target.table == b.target.table and a.target.column != b.target.column
            ]
        return tuple(sorted(splits, key=lambda split: -(split.left.score + split.right.score)))

    def near_in(self, table: str, column: str, text: str, limit: int = 3) -> tuple[str, ...]:
        """Values of one column that look like the text, nearest first; all of them where they are few. Nothing for a
        column that is not indexed."""
        places = {n for n, place in enumerate(self._columns) if _same_place(place, (table, column))}
        values = [value for value, at in zip(self._values, self._column_of, strict=True) if at in places]
        if len(values) <= limit:
            return tuple(values)
        plain = {value: plain_of_folded(_folded(value)) for value in values}
        name = plain_of_folded(_folded(text))
        near = process.extract(name, plain, scorer=fuzz.WRatio, score_cutoff=_LIKE, limit=limit)
        return tuple(value for _, _, value in near)

    def _named(self) -> Iterator[tuple[str, int]]:
        """Every key that is a stored text itself, with the number of its value."""
        for key, entry in self._keys.items():
            for packed in (entry,) if isinstance(entry, int) else entry:
                if packed & _WAY_MASK <= 1:
                    yield key, packed >> _WAY_BITS

    def _target(self, number: int) -> ValueTarget:
        table, column = self._columns[self._column_of[number]]
        return ValueTarget(table, column, self._values[number])

    def _collect(self, key: str, text: str, most: float, reason: str, best: dict[int, tuple[float, str]]) -> None:
        """Values behind one key, with scores no better than ``most``; a better way found earlier stays."""
        entry = self._keys[key]
        for packed in (entry,) if isinstance(entry, int) else entry:
            way = self._ways[packed & _WAY_MASK]
            if way.case and not (text.isupper() if way.case == _Case.CAPITALS else text[:1].isupper()):
                continue
            number = packed >> _WAY_BITS
            score = min(way.score, most)
            if number not in best or score > best[number][0]:
                best[number] = (score, way.reason if way.score <= most or not reason else reason)

    def _add_column(self, table: str, column: str, values: tuple[str, ...]) -> None:
        place = len(self._columns)
        self._columns.append((table, column))
        add = self._add
        numbers: list[int] = []
        kept: list[tuple[str, str]] = []
        if len(values) > _LARGE_COLUMN:
            self._large.add(place)
        abbreviated = len(values) <= _ABBREVIATED_COLUMN
        for value in values:
            folded = _folded(value)
            if not folded or folded.count(" ") >= MAX_WORDS * 2:
                continue
            name = plain_of_folded(folded)
            packed = len(self._values) << _WAY_BITS
            numbers.append(len(self._values))
            kept.append((value, name))
            self._values.append(value)
            self._column_of.append(place)
            add(folded, packed)
            if name:
                for key, kind in _variants(folded, name, abbreviated):
                    add(key, packed | kind)
        self._shorten(kept, numbers)
        known = recognise(column, kept)
        for at, alias in known.aliases:
            case = _Case.ANY
            if alias.exact:
                case = _Case.CAPITALS if alias.text.isupper() or alias.text.islower() else _Case.CAPITAL
            kind = self._way(_Way(alias.score, alias.reason, case))
            add(plain_of_folded(_folded(alias.text)), numbers[at] << _WAY_BITS | kind)
        if known.flag is not None:
            yes, no = known.flag
            self._flags[table.lower(), column.lower()] = Flag(table, column, yes, no)

    def _shorten(self, kept: list[tuple[str, str]], numbers: list[int]) -> None:
        """Names are also said without their legal form or article, unless others of the column begin with what is left:
        a ford is not the "ford ltd" where there are other fords."""
        short = [
            (at, cut)
            for at, (_, name) in enumerate(kept)
            if " " in name or not name.isascii()
            if (cut := shorter(name))
        ]
        if not short:
            return
        names = sorted(name for _, name in kept)
        for at, cut in short:
            start = f"{cut} "
            behind = islice(names, bisect_left(names, start), None)
            others = takewhile(partial(_begins, start), behind)
            if all(name == kept[at][1] for name in others):
                self._add(cut, numbers[at] << _WAY_BITS | 3)

    def _add_glossary(self, glossary: Glossary, skipped: set[tuple[str, str]]) -> None:
        named, inflected = self._way(_Way(0.98, "glossary")), self._way(_Way(0.9, "glossary"))
        known = {(*self._columns[c], v): n for n, (c, v) in enumerate(zip(self._column_of, self._values, strict=True))}
        for table, entry in glossary.tables.items():
            for column, column_entry in entry.columns.items():
                if glossary.is_hidden(table, column) or (table.lower(), column.lower()) in skipped:
                    continue
                for value, words in column_entry.values.items():
                    packed = self._number(known, (table, column, str(value)))
                    for word in words.all():
                        folded = _folded(word)
                        self._add(folded, packed | named)
                        for key, _ in _variants(folded, plain_of_folded(folded), False):
                            self._add(key, packed | inflected)
        settled = self._way(_Way(1.0, REMEMBERED))
        for phrase, means in glossary.extra_names():
            if means.value is None or means.table is None or means.column is None:
                continue
            if not glossary.is_hidden(means.table, means.column):
                self._add(_folded(phrase), self._number(known, (means.table, means.column, means.value)) | settled)

    def _number(self, known: dict[tuple[str, str, str], int], place: tuple[str, str, str]) -> int:
        """The packed number of a value, added when it is new."""
        if place not in known:
            table, column, value = place
            known[place] = len(self._values)
            self._values.append(value)
            self._column_of.append(len(self._columns))
            self._columns.append((table, column))
        return known[place] << _WAY_BITS

    def _way(self, way: _Way) -> int:
        if way not in self._way_numbers:
            self._way_numbers[way] = len(self._ways)
            self._ways.append(way)
        return self._way_numbers[way]

    def _add(self, key: str, packed: int) -> None:
        entry = self._keys.get(key)
        if entry is None:
            self._keys[key] = packed
            if not key.isascii() and is_cjk(key):
                self._cjk_lengths.add(len(key))
        elif isinstance(entry, int):
            if entry != packed:
                self._keys[key] = (entry, packed)
        elif packed not in entry[-2:]:
            self._keys[key] = (*entry, packed)


def _begins(start: str, name: str) -> bool:
    return name.startswith(start)


def _variants(folded: str, name: str, abbreviated: bool) -> list[tuple[str, int]]:
    """Other keys of a value, each with the number of its way in ``_FIXED``."""
    found = [(name, 1)] if name != folded else []
    one = singular(name)
    if one != name:
        found.append((one, 2))
    joined = without_hyphen(folded)
    if joined is not None:
        found.append((joined, 1))
    if " " in name or not name.isascii():
        turned = swapped(folded) if "," in folded else None
        if turned is not None:
            found.append((turned, 4))
        letters = initials(name) if abbreviated else None
        if letters is not None:
            found.append((letters, 5))
    return found


def _folded(text: str) -> str:
    """:func:`fold`, quick for texts that have nothing to fold but case and spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    return text if _IDEOGRAPHS.match(text) else fold(text)


def _same_place(left: tuple[str, str], right: tuple[str, str]) -> bool:
    return tuple(part.lower() for part in left) == tuple(part.lower() for part in right)


def _is_ordinary(text: str) -> bool:
    """Whether the text is one word of the English dictionary, in small letters as such words are written."""
    return text.isascii() and text.isalpha() and text.islower() and is_known(text, lang="en")


def _base_form(name: str) -> str | None:
    """Dictionary form of a single word ("refunded" gives "refund"); none for comparisons, which name no value."""
    if " " in name or not name.isascii() or name.endswith(("er", "est")):
        return None
    base = lemmatize(name)
    return base if base != name and len(base) >= _SHORTEST_BASE else None
