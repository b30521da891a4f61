"""Sentences cut into small pieces, so that a text arrives word by word; numbers and names with a cell stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agents.artifacts import Segment
from agents.events import TextDelta

# A word with the space after it, or up to four Chinese characters.
_PIECE = re.compile(r"[\u2e80-\u9fff\uf900-\uffef]{1,4}|[^\s\u2e80-\u9fff\uf900-\uffef]+\s*|\s+")


def deltas(sentences: Sequence[Sequence[Segment]]) -> Iterator[TextDelta]:
    """The text in order; the pieces of a sentence put together are the sentence."""
    for number, sentence in enumerate(sentences):
        for segment in sentence:
            if segment.cell is not None:
                yield TextDelta(sentence=number, segment=segment)
                continue
            for piece in _PIECE.findall(segment.text):
                yield TextDelta(sentence=number, segment=Segment(text=piece))
