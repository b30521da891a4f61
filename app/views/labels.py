"""Words and small marks that templates ask for: states, SQL in colours, mentions in the question, health."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from flask import Flask
from markupsafe import Markup, escape
from sqlglot.tokenizer_core import Token, TokenType

from agents.artifacts import MentionEvidence
from app.i18n import gettext as _

STATES = {
    "start": "Starting",
    "recall": "Looking back at the thread",
    "route": "Seeing what is asked",
    "schema": "Looking through the schema",
    "retrieve": "Searching the schema",
    "plan": "Reading the question",
    "clarify": "Weighing the readings",
    "generate": "Writing the SQL",
    "guard": "Checking the SQL",
    "propose": "Measuring what it would change",
    "resume": "Taking it up again",
    "execute": "Running the query",
    "repair": "Correcting the SQL",
    "analyse": "Drawing the answer",
    "synthesize": "Putting it into words",
    "remember": "Keeping the answer",
    "done": "Done",
}

_STRINGS = {
    TokenType.STRING,
    TokenType.NATIONAL_STRING,
    TokenType.RAW_STRING,
    TokenType.HEX_STRING,
    TokenType.BYTE_STRING,
}
_PLAIN = {TokenType.VAR, TokenType.IDENTIFIER}


def state_label(state: str) -> str:
    """The state a turn is in, in the reader's words."""
    return _(STATES.get(state, state.replace("_", " ").capitalize()))


def highlight_sql(sql: str) -> Markup:
    """SQL with keywords, strings, numbers and comments in ``<span class="k|s|n|c">``; always the same text."""
    try:
        tokens = sqlglot.tokenize(sql)
    except sqlglot.errors.TokenError:
        return escape(sql)
    parts: list[Markup] = []
    at = 0
    for token in tokens:
        parts.append(_between(sql[at : token.start]))
        text = sql[token.start : token.end + 1]
        css = _css(token)
        parts.append(Markup('<span class="{}">{}</span>').format(css, text) if css else escape(text))
        at = token.end + 1
    parts.append(_between(sql[at:]))
    return Markup("").join(parts)


def _between(text: str) -> Markup:
    """What the tokenizer skips: blanks and comments."""
    return Markup('<span class="c">{}</span>').format(text) if text.strip() else escape(text)


def _css(token: Token) -> str:
    if token.token_type in _STRINGS:
        return "s"
    if token.token_type is TokenType.NUMBER:
        return "n"
    return "k" if token.token_type not in _PLAIN and token.text[:1].isalpha() else ""


def mention_spans(question: str, mentions: Sequence[MentionEvidence]) -> list[tuple[str, str | None, str]]:
    """The question in pieces: text, CSS class (``kind-column``, ``None`` between mentions), what it was linked to."""
    pieces: list[tuple[str, str | None, str]] = []
    at = 0
    for mention in sorted((m for m in mentions if m.used), key=lambda m: (m.start, -m.end)):
        if mention.start < at or mention.end > len(question) or mention.start >= mention.end:
            continue
        if mention.start > at:
            pieces.append((question[at : mention.start], None, ""))
        css = "kind-" + "".join(c if c.isalnum() else "-" for c in mention.kind.lower())
        pieces.append((question[mention.start : mention.end], css, f"{mention.target} · {mention.reason}"))
        at = mention.end
    if at < len(question):
        pieces.append((question[at:], None, ""))
    return pieces


def install(app: Flask) -> None:
    """Give Jinja these functions, as filters and as globals."""
    for function in (state_label, highlight_sql, mention_spans):
        app.jinja_env.filters[function.__name__] = function
        app.jinja_env.globals[function.__name__] = function
