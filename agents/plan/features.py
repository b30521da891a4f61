"""Features of a reading: how well it was linked, how much of the question it uses, and what it leaves out."""

from __future__ import annotations

from agents.language.ir import Mention, PhraseTarget
from agents.language.link import Linked, is_guess
from agents.language.text import Token
from agents.plan.read.assign import Assignment
from agents.plan.read.draft import Reading

_OPERATORS = ("negation", "null", "compare", "like", "top", "bottom", "superlative", "limit")
"""Concepts whose loss turns the answer into that of another question."""

_MEANINGFUL = frozenset(
    {"aggregate", "group", "compare", "top", "bottom", "superlative", "negation", "null", "like", "order", "limit"}
)


def reading_features(reading: Reading, assignment: Assignment) -> dict[str, float]:
    """What the score of a reading is made of, beside what its plan adds."""
    linked = reading.linked
    content = [i for i in reading.items if is_content(i.mention)]
    unused = [i for i in content if reading.free(i)]
    schema = [i for i in content if i.schema is not None or i.value is not None]
    dropped = sum(i.is_concept("dropped") for i in reading.items)
    words = len(content) + len(linked.unknown) + dropped
    return {
        "link": sum(i.mention.score for i in schema) / len(schema) if schema else 0.0,
        "covered": (len(content) - len(unused)) / words if words else 0.0,
        "unknown": float(len(linked.unknown) + dropped),
        "unknown_name": float(sum(_is_name(t, linked) for t in linked.unknown) + dropped * 0.5),
        "unused": float(len(unused)),
        "unused_operator": float(sum(i.is_concept(*_OPERATORS) for i in unused)),
        "unused_schema": float(sum(i.schema is not None or i.value is not None for i in unused)),
        "regret": assignment.regret,
        "guessed": float(sum(is_guess(i.mention) for i in content)),
    }


def is_content(mention: Mention) -> bool:
    """Whether losing the mention would change the answer: everything but fillers and question words."""
    if isinstance(mention.target, PhraseTarget):
        return mention.target.concept.split(".")[0] in _MEANINGFUL
    return True


def _is_name(token: Token, linked: Linked) -> bool:
    """Whether an unknown word looks like the name of something: capitalised inside the sentence, or Chinese."""
    first = next((t for t in linked.tokens if t.kind != "punct"), token)
    return token.kind == "cjk" or (token is not first and token.text[:1].isupper())
