"""Numbers in a question: digits and words, English and Chinese, with unit, ordinal and approximation.

A mention's span covers the digits or number words, an attached suffix (``1.5k``, ``10kg``), a leading currency symbol
and a following percent sign or word. A separate unit word ("500 miles", "30 years", "三万元") stays outside the span,
because it may name a column; ``unit`` still tells it.

Left out on purpose: "one" as a pronoun ("the one with", "which one"), "first name", "2m" without a currency symbol
(metres or millions), Chinese numerals inside other words (一些, 张三, 百货), and digits that are part of an identifier
or a date token.
"""

from __future__ import annotations

from collections.abc import Sequence

from agents.language.numbers.chinese import chinese_numbers
from agents.language.numbers.english import english_numbers
from agents.language.numbers.model import NumberMention
from agents.language.text import Language, Token

__all__ = ["NumberMention", "find_numbers"]


def find_numbers(text: str, tokens: Sequence[Token], lang: Language) -> tuple[NumberMention, ...]:
    """All numbers in order, without overlaps; a Chinese question may hold English digits and words too."""
    found = list(english_numbers(text, tokens, lang))
    if lang == "zh":
        chinese = list(chinese_numbers(text, tokens))
        found = [m for m in found if not any(m.start < c.end and c.start < m.end for c in chinese)] + chinese
    return tuple(sorted(found, key=lambda m: m.start))
