"""The index of schema names: which tables, columns and measures a word or phrase may mean, and how surely.

Every element gets *variants*: its glossary names, its identifier split into words with abbreviations written out, and
its identifier without the table's own name ("customer_name" of "customers" is also "name"). A phrase matches a variant
wholly (score of the variant) or in part (the share of the variant's weight that its words carry).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import log
from typing import TypeAlias

import yaml

from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import Glossary, Meaning
from agents.language.ir import REMEMBERED, ColumnTarget, MeasureTarget, TableTarget
from agents.language.text import fold, lemmatize, split_identifier, tokenize

Element: TypeAlias = TableTarget | ColumnTarget | MeasureTarget

_UNITS = frozenset(
    "c cm eur f feet ft g hour inch inches kg km km2 lb lbs m m2 meter mile miles min mm mph pct percent sec sqft usd "
    "yn".split()
)
_PREFIXES = frozenset({"t", "tb", "tbl", "table", "dim", "fact", "fct", "stg", "vw", "v", "ref", "lu"})


FULL_NAME = "first and last name"
"""Reason of a mention of the first name by words that mean the whole name of a person; the last name is meant too."""

_FIRST = frozenset({("first", "name"), ("give", "name"), ("f", "name"), ("forename",), ("firstname",)})
_LAST = frozenset({("last", "name"), ("family", "name"), ("l", "name"), ("sur", "name"), ("surname",), ("lastname",)})
_PLAIN = frozenset({("name",), ("full", "name"), ("fullname",)})


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of saying an element: its words in dictionary form (and as written), with the score of matching all of
    them."""

    element: Element
    words: tuple[str, ...]
    score: float
    reason: str
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatch:
    element: Element
    score: float
    reason: str
    words: tuple[str, ...]


@lru_cache(maxsize=1)
def abbreviations() -> dict[str, str]:
    """Identifier abbreviations written out (``qty`` → ``quantity``), from ``lexicon/abbreviations.yaml``."""
    text = resources.files("agents.language.lexicon").joinpath("abbreviations.yaml").read_text(encoding="utf-8")
    return {str(short): str(full) for short, full in yaml.safe_load(text).items()}


def identifier_words(name: str) -> tuple[str, ...]:
    """The identifier's words in dictionary form, abbreviations written out."""
    words: list[str] = []
    for part in split_identifier(name):
        words.extend(lemmatize(word) for word in abbreviations().get(part, part).split())
    return tuple(words)


def own_words(table: Table, column: Column) -> tuple[str, ...]:
    """The column's words without the table's own name or the first letters of it ("customer_name" of customers,
    ``pName`` of player)."""
    words, own = identifier_words(column.name), identifier_words(table.name)
    for prefix in (own, own[-1:]):
        if prefix and len(words) > len(prefix) and words[: len(prefix)] == prefix:
            return words[len(prefix) :]
    if len(words) > 1 and len(words[0]) < 4 and words[1] in _PARTS and own and own[0].startswith(words[0]):
        return words[1:]
    return words


_PARTS = frozenset({"name", "first", "last", "family", "id", "code", "number", "type", "title", "address"})


def name_parts(table: Table) -> tuple[Column, Column] | None:
    """The first and the last name of the person that a row stands for; ``None`` where one column holds the name, or
    none does."""
    first = last = None
    for column in table.columns:
        words = own_words(table, column)
        if column.kind is not Kind.TEXT:
            continue
        if words in _PLAIN:
            return None
        if words in _FIRST:
            first = first or column
        elif words in _LAST:
            last = last or column
    return (first, last) if first is not None and last is not None else None


def phrase_words(phrase: str) -> tuple[str, ...]:
    """A glossary name's words in dictionary form; Chinese stays one word."""
    if any(ord(c) > 0x2E7F for c in phrase):
        return (fold(phrase),)
    return tuple(t.lemma for t in tokenize(phrase, "en") if t.kind != "punct")


def written_words(phrase: str) -> tuple[str, ...]:
    """A glossary name's words as written, lower case."""
    return tuple(t.norm for t in tokenize(phrase, "en") if t.kind != "punct")


class NameIndex:
    """All variants of one catalog's elements. Immutable after construction."""

    def __init__(self, catalog: Catalog, glossary: Glossary) -> None:
        self.variants: list[Variant] = list(_variants(catalog, glossary))
        self._whole: dict[tuple[str, ...], list[Variant]] = defaultdict(list)
        self._by_word: dict[str, list[Variant]] = defaultdict(list)
        self._cjk: dict[str, list[Variant]] = defaultdict(list)
        for variant in self.variants:
            self._whole[variant.words].append(variant)
            for word in set(variant.words):
                self._by_word[word].append(variant)
            if len(variant.words) == 1 and any(ord(c) > 0x2E7F for c in variant.words[0]):
                name = variant.words[0]
                self._cjk[name].append(variant)
                # The head of a Chinese compound is its end: 城市 says what 客户城市 is.
                for start in range(1, len(name) - 1):
                    tail = name[start:]
                    share = len(tail) / len(name)
                    self._cjk[tail].append(
                        Variant(variant.element, (tail,), variant.score * (0.45 + 0.3 * share), "part of the name")
                    )
        elements = max(1, len({v.element for v in self.variants}))
        self._weight = {
            word: 0.2 + log(1 + elements / len({v.element for v in variants}))
            for word, variants in self._by_word.items()
        }
        self.cjk_lengths: tuple[int, ...] = tuple(sorted({len(name) for name in self._cjk}, reverse=True))
        self.longest = max((len(v.words) for v in self.variants), default=1)

    def whole(self, words: tuple[str, ...], written: tuple[str, ...] = ()) -> tuple[NameMatch, ...]:
        """Elements one of whose names is exactly these words (in this order, or glued together).

        :param written: the words as they stand in the question: "orders" is nearer to "order" than "ordered" is.
        """
        found: dict[Element, NameMatch] = {}
        if not words:
            return ()
        for variant in self._whole.get(words, ()):
            score = variant.score * _likeness(written, variant.written)
            known = found.get(variant.element)
            if known is None or known.score < score:
                found[variant.element] = NameMatch(variant.element, score, variant.reason, variant.words)
        glued = "".join(words)
        if len(words) > 1 and all(word.isascii() for word in words):
            for variant in self._whole.get((glued,), ()):
                found.setdefault(
                    variant.element, NameMatch(variant.element, variant.score * 0.97, variant.reason, variant.words)
                )
        return tuple(sorted(found.values(), key=lambda m: -m.score))

    def partial(self, words: tuple[str, ...]) -> tuple[NameMatch, ...]:
        """Elements some of whose name's words are among these; the score is the covered share of the name's weight.

        All of the given words must be in the name, so that a longer phrase is not matched by a shorter claim.
        """
        if not words:
            return ()
        best: dict[Element, NameMatch] = {}
        for variant in self._by_word.get(words[0], ()):
            if len(variant.words) <= len(words) or not set(words) <= set(variant.words):
                continue
            if isinstance(variant.element, MeasureTarget) and variant.words[-1] not in words:
                continue
            total = sum(self._weight[word] for word in variant.words)
            covered = sum(self._weight[word] for word in set(words))
            # The last word of an English compound is its head: "date" says more about order_date than "order" does.
            head = 1.0 if variant.words[-1] in words else 0.75
            score = variant.score * head * (0.35 + 0.5 * covered / total)
            known = best.get(variant.element)
            if known is None or known.score < score:
                best[variant.element] = NameMatch(variant.element, score, "part of the name", variant.words)
        return tuple(sorted(best.values(), key=lambda m: -m.score))

    def cjk(self, text: str) -> tuple[NameMatch, ...]:
        """Elements with exactly this Chinese name."""
        found: dict[Element, NameMatch] = {}
        for variant in sorted(self._cjk.get(text, ()), key=lambda v: -v.score):
            found.setdefault(variant.element, NameMatch(variant.element, variant.score, variant.reason, variant.words))
        return tuple(found.values())

    def names(self, element: Element) -> Iterator[tuple[str, ...]]:
        for variant in self.variants:
            if variant.element == element:
                yield variant.words

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every single word that occurs in a name: what typos are corrected to."""
        return frozenset(self._by_word)


def _likeness(written: tuple[str, ...], name: tuple[str, ...]) -> float:
    """1 for the same form, a little less for another number, less for another part of speech."""
    if not written or not name or written == name or len(written) != len(name):
        return 1.0
    factor = 1.0
    for left, right in zip(written, name, strict=True):
        if left != right:
            if left.endswith("est") and not right.endswith("est"):
                # "highest" asks for an extreme; it is not the column called high.
                factor *= 0.7
            else:
                factor *= 0.99 if _verbal(left) == _verbal(right) else 0.94
    return factor


def _verbal(word: str) -> bool:
    return word.endswith(("ed", "ing"))


def _variants(catalog: Catalog, glossary: Glossary) -> Iterator[Variant]:
    for table in catalog.tables:
        if glossary.is_hidden(table.name):
            continue
        target = TableTarget(table.name)
        own = identifier_words(table.name)
        shared = _shared_prefix(table)
        yield from _glossary_variants(target, glossary.table(table.name).names.all())
        yield Variant(target, own, 1.0, "table name", split_identifier(table.name))
        parts = split_identifier(table.name)
        kept = "_".join(part for part in parts if part not in _PREFIXES and not part.isdigit())
        stripped = identifier_words(kept)
        if stripped and stripped != own:
            yield Variant(target, stripped, 0.95, "table name")
        for column in table.columns:
            entry = glossary.column(table.name, column.name)
            if entry.hidden:
                continue
            column_target = ColumnTarget(table.name, column.name)
            words = identifier_words(column.name)
            yield from _glossary_variants(column_target, entry.names.all())
            yield Variant(column_target, words, 1.0, "column name", split_identifier(column.name))
            if "of" in words[1:-1]:
                # num_of_staff is also the staff number and the number staff.
                at = words.index("of")
                yield Variant(column_target, (*words[at + 1 :], *words[:at]), 0.97, "column name turned")
            for prefix in (own, stripped, own[-1:]):
                if prefix and len(words) > len(prefix) and words[: len(prefix)] == prefix:
                    yield Variant(column_target, words[len(prefix) :], 0.9, "column name without the table's")
                    break
            else:
                bare = own_words(table, column)
                if bare == words and len(words) > 1 and words[0] == shared:
                    bare = words[1:]
                if bare != words:
                    yield Variant(column_target, bare, 0.9, "column name without the table's")
            if len(words) > 1 and words[0] in ("other", "additional"):
                yield Variant(column_target, words[1:], 0.85, "column name without other")
            if len(words) > 1 and words[-1] in _UNITS:
                yield Variant(column_target, words[:-1], 0.98, "column name without its unit")
            if len(words) > 1 and words[-1] == "id":
                yield Variant(column_target, words[:-1], 0.55, "name of a key")
        yield from _whole_names(table, own[-1:])
        yield from _keys(table, own[-1:])
    for name, measure in glossary.measures.items():
        target_measure = MeasureTarget(name)
        yield from _glossary_variants(target_measure, measure.names.all(), bonus=0.02)
        yield Variant(target_measure, identifier_words(name), 1.02, "measure name")
    for phrase, means in glossary.extra_names():
        element = _element(means, catalog, glossary)
        words = phrase_words(phrase)
        if element is not None and words:
            yield Variant(element, words, 1.0, REMEMBERED, written_words(phrase))


def _shared_prefix(table: Table) -> str:
    """The word that most column names begin with (``CRS_CODE``, ``CRS_CREDIT``): it tells none of them apart."""
    firsts = [words[0] for column in table.columns if len(words := identifier_words(column.name)) > 1]
    most = max(firsts, key=firsts.count, default="")
    return most if firsts.count(most) >= 3 and firsts.count(most) * 2 >= len(table.columns) else ""


def _whole_names(table: Table, own: tuple[str, ...]) -> Iterator[Variant]:
    """ "full name", "name", "customer name" of a person whose first and last name have columns of their own."""
    parts = name_parts(table)
    if parts is None:
        return
    first = ColumnTarget(table.name, parts[0].name)
    for words, score in ((("full", "name"), 0.97), (("name",), 0.8)):
        yield Variant(first, words, score, FULL_NAME)
        yield Variant(first, (*own, *words), score, FULL_NAME)


_SUFFIXES = (("id", "id"), ("code", "code"), ("num", "number"), ("no", "number"))


def _keys(table: Table, own: tuple[str, ...]) -> Iterator[Variant]:
    """ "id", "employee id", "flight number" of a table whose key is written in one with the table's first letters
    (``eid``, ``flno``)."""
    if len(table.primary_key) != 1:
        return
    key = table.primary_key[0]
    for suffix, word in _SUFFIXES:
        letters = key.lower().removesuffix(suffix)
        if letters and letters != key.lower() and table.name.lower().startswith(letters):
            if len(identifier_words(key)) == 1:
                yield Variant(ColumnTarget(table.name, key), (word,), 0.9, "key of the table")
                yield Variant(ColumnTarget(table.name, key), (*own, word), 0.95, "key of the table")
            return


def _element(means: Meaning, catalog: Catalog, glossary: Glossary) -> Element | None:
    """The element of a settled phrase; ``None`` for a value, and for what is hidden or gone."""
    if means.measure is not None:
        return MeasureTarget(means.measure) if means.measure in glossary.measures else None
    if means.value is not None or means.table is None or means.table not in catalog:
        return None
    table = catalog.table(means.table)
    if glossary.is_hidden(table.name, means.column):
        return None
    if means.column is None:
        return TableTarget(table.name)
    return ColumnTarget(table.name, table.column(means.column).name) if means.column in table else None


def _glossary_variants(element: Element, names: tuple[str, ...], bonus: float = 0.0) -> Iterator[Variant]:
    for name in names:
        words = phrase_words(name)
        if words:
            yield Variant(element, words, 1.0 + bonus, "glossary", written_words(name))
