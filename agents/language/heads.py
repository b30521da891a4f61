"""Lists that say the last word of their names once: "first and last name", "start, pause and end dates"."""

from __future__ import annotations

from collections.abc import Sequence

from agents.language.ir import ColumnTarget, Mention
from agents.language.names import Element, NameIndex
from agents.language.text import Token

_WHOLE = 0.7
"""Least score of a name, and of the one made with its last word."""

_LINKS = frozenset({"and", "or", ",", "&", "/"})


def shared_heads(tokens: Sequence[Token], mentions: Sequence[Mention], names: NameIndex) -> list[Mention]:
    """The columns that words in a list name together with the last word of the name that ends the list."""
    ends = {token.end: at for at, token in enumerate(tokens)}
    starts = {token.start: at for at, token in enumerate(tokens)}
    found: dict[tuple[int, Element], Mention] = {}
    for mention in mentions:
        last, first = ends.get(mention.end), starts.get(mention.start)
        if not isinstance(mention.target, ColumnTarget) or mention.score < _WHOLE or last is None or first is None:
            continue
        left = _listed_before(tokens, first) if last > first else None
        while left is not None:
            word = tokens[left]
            matches = names.whole((word.lemma, tokens[last].lemma))
            for match in matches:
                if match.score >= _WHOLE and isinstance(match.element, ColumnTarget):
                    found[(left, match.element)] = Mention(
                        word.start, word.end, word.text, match.element, match.score * 0.98, "shares its last word"
                    )
            left = _listed_before(tokens, left) if matches else None
    return list(found.values())


def _listed_before(tokens: Sequence[Token], at: int) -> int | None:
    """Where the word stands that a comma or an "and" joins to the token at ``at``."""
    left = at - 1
    while left >= 0 and tokens[left].norm in _LINKS:
        left -= 1
    return left if 0 <= left < at - 1 and tokens[left].kind == "word" else None
