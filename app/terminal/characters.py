"""Texts of databases and people without characters that steer what shows them."""

from __future__ import annotations

import unicodedata

_KEPT = "\n\t"


def inert(text: str) -> str:
    """The text with a mark in place of every control character, escape or change of direction; line breaks stay."""
    return "".join(character if _is_harmless(character) else "\ufffd" for character in text)


def _is_harmless(character: str) -> bool:
    if character.isprintable() or character in _KEPT:
        return True
    # Spaces of other widths, and what joins letters or emoji, print nothing that steers.
    return unicodedata.category(character) in ("Zs", "Co", "Cn") or character in "\u200b\u200c\u200d\ufeff\u00ad"
