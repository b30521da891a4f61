"""Lists of names in one line of a form: commas between them, quotation marks around a name that has commas."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PIECE = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,，、;；\n]*))\s*(?:[,，、;；\n]|$)')
_NEEDS_QUOTES = re.compile(r'[,，、;；\n]|^\s*"')


def join_names(names: Iterable[str]) -> str:
    """``("order", "ship, sent")`` → ``order, "ship, sent"``."""
    return ", ".join('"' + name.replace('"', '""') + '"' if _NEEDS_QUOTES.search(name) else name for name in names)


def split_names(text: str) -> list[str]:
    """The names of a line, blanks evened out, each once; commas and semicolons may be Chinese ones."""
    names: dict[str, None] = {}
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:  # text goes on behind a closing quotation mark: the mark was part of a name
            end = re.compile(r"[,，、;；\n]|$").search(text, at)
            piece, at = text[at : end.start()] if end else "", end.end() if end else len(text)
        else:
            quoted, plain = match.groups()
            piece, at = quoted.replace('""', '"') if quoted is not None else plain, max(match.end(), at + 1)
        if even := " ".join(piece.split()):
            names[even] = None
    return list(names)


def join_lines(texts: Iterable[str]) -> str:
    return "\n".join(texts)


def split_lines(text: str) -> list[str]:
    """One text a line, blanks evened out, each once."""
    return list(dict.fromkeys(even for line in text.splitlines() if (even := " ".join(line.split()))))
