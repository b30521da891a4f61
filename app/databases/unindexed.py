"""Which columns are left out, and why: of the index of values secrets by their name or look, what the glossary switches
off, long prose; of the samples secrets, and what the glossary switches off or hides. The glossary may switch on what is
prose or looks secret for the index; samples of what looks secret are kept nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import Glossary
from agents.language.text import split_identifier

Why: TypeAlias = Literal["hidden", "off", "secret", "prose"]

PROSE_LENGTH = 80
"""Columns whose samples are longer than this on average are prose, not names of things."""

_SECRET_WORDS = frozenset(
    "cvc cvv hash iban passphrase passcode passwd password pin pwd salt secret sha256 ssn token".split()
)
_SECRET_PAIRS = frozenset(
    {
        ("api", "key"),
        ("access", "key"),
        ("private", "key"),
        ("encryption", "key"),
        ("card", "number"),
        ("social", "security"),
        ("security", "code"),
        ("tax", "id"),
        ("passport", "number"),
        ("national", "id"),
        ("recovery", "code"),
        ("session", "key"),
    }
)
_SECRET_CHINESE = ("密码", "口令", "令牌", "密钥", "身份证", "护照号", "银行卡号", "验证码")
_DIGEST = re.compile(
    r"(?:[0-9a-f]{32,}|[0-9A-F]{32,}|\$2[abxy]\$.{50,}|\$argon2.{20,}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*)\Z"
)
_DIGESTS_NEEDED = 2


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A text column that is not indexed."""

    table: str
    column: str
    why: Why


def text_columns(catalog: Catalog) -> Iterator[tuple[Table, Column]]:
    """Columns whose values can be indexed. Views repeat what their tables hold; found twice, it would look
    ambiguous."""
    for table, column in catalog.columns():
        if table.kind == "table" and column.kind is Kind.TEXT:
            yield table, column


def left_out(catalog: Catalog, glossary: Glossary) -> tuple[LeftOut, ...]:
    """Text columns that the index of values leaves out, in catalog order."""
    found: list[LeftOut] = []
    for table, column in text_columns(catalog):
        entry = glossary.column(table.name, column.name)
        why: Why | None = "hidden" if entry.hidden else None
        if why is None and entry.indexed is not None:
            why = None if entry.indexed else "off"
        elif why is None:
            why = "secret" if is_secret(column) else "prose" if is_prose(column) else None
        if why is not None:
            found.append(LeftOut(table.name, column.name, why))
    return tuple(found)


_NEVER_SECRET = frozenset({Kind.DECIMAL, Kind.BOOLEAN, Kind.DATE, Kind.DATETIME, Kind.TIME})


def without_secrets(catalog: Catalog) -> Catalog:
    """The catalog with the columns that look secret marked, and no samples of them."""

    def marked(column: Column) -> Column:
        secret = column.kind not in _NEVER_SECRET and is_secret(column)
        return replace(column, samples=(), secret=True) if secret else column

    tables = (replace(table, columns=tuple(marked(column) for column in table.columns)) for table in catalog.tables)
    return replace(catalog, tables=tuple(tables))


def unsampled(catalog: Catalog, glossary: Glossary) -> frozenset[tuple[str, str]]:
    """Columns, as lower-case ``(table, column)``, of which the glossary wants no samples: hidden or switched off."""
    return frozenset(
        (table.name.lower(), column.name.lower())
        for table, column in catalog.columns()
        if (entry := glossary.column(table.name, column.name)).hidden or entry.indexed is False
    )


def without_samples(catalog: Catalog, places: frozenset[tuple[str, str]]) -> Catalog:
    """The catalog with no samples of the columns in ``places``, as :func:`unsampled` gives them."""

    def emptied(table: Table, column: Column) -> Column:
        place = (table.name.lower(), column.name.lower())
        return replace(column, samples=()) if place in places else column

    if not places:
        return catalog
    tables = (
        replace(table, columns=tuple(emptied(table, column) for column in table.columns)) for table in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))


def is_secret(column: Column) -> bool:
    """Whether the name says password, token, card number …, or the samples are digests or signed tokens."""
    if column.secret:
        return True
    words = split_identifier(column.name)
    if not _SECRET_WORDS.isdisjoint(words) or not _SECRET_PAIRS.isdisjoint(pairwise(words)):
        return True
    if any(word in column.name for word in _SECRET_CHINESE):
        return True
    texts = [sample for sample in column.samples if isinstance(sample, str)]
    return len(texts) >= _DIGESTS_NEEDED and all(_DIGEST.match(text) for text in texts)


def is_prose(column: Column) -> bool:
    texts = [sample for sample in column.samples if isinstance(sample, str)]
    return bool(texts) and sum(map(len, texts)) / len(texts) > PROSE_LENGTH
