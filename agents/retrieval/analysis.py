"""Text to index terms: identifiers are split and stemmed, abbreviations spelt out, Chinese cut into bigrams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from whoosh.analysis.acore import Token
from whoosh.analysis.tokenizers import Tokenizer

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
# HTTPServer -> HTTP Server; orderDate -> order Date; line2 -> line 2.
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])")

_SHORT = """
acct account; addr address; amt amount; avg average; bal balance; bday birthday; cat category; cd code;
cnt count; co company; ctry country; cust customer; cyl cylinder; dept department; desc description;
dest destination; disp displacement; dob birth date; doc document; dt date; emp employee; env environment;
fname first name; gpa grade point average; hp horsepower; hr hour; hrs hour; id identifier; img image;
inv invoice; lang language; lat latitude; len length; lname last name; lng longitude; loc location;
lon longitude; max maximum; mgr manager; min minimum; mkt market; mpg mile per gallon; msg message; nbr number;
no number; nr number; num number; org organization; pct percent; phn phone; pop population; pos position;
prc price; prod product; pts point; qty quantity; rec record; ref reference; reg region; seq sequence;
stat status; std standard; stu student; sub subject; tel telephone; temp temperature; tot total;
trans transaction; txn transaction; vol volume; wt weight; yr year; yrs year; zip postal code
"""
ABBREVIATIONS = {short: meaning for short, _, meaning in (entry.strip().partition(" ") for entry in _SHORT.split(";"))}
"""Abbreviations that schemas use, lower case, and the words they stand for."""

STOP_WORDS = frozenset(
    """
    a all an and any are as at be been by can did do does each ever every for from give had has have how i in is it
    its list many me much no of on one or our please show tell than that the their them there these they this to us
    was we were what when where which who whose will with you your
    """.split()
)
"""Words of questions that name nothing in a schema; left out of queries only."""


def words(text: str) -> list[str]:
    """Words in order, as written: identifiers split at ``_``, case changes and digits; runs of Chinese kept whole."""
    return [piece for run in _RUN.findall(text) for piece in (_CAMEL.split(run) if run.isascii() else [run]) if piece]


def has_han(text: str) -> bool:
    """Whether any character is Chinese."""
    return re.search(f"[{_HAN}]", text) is not None


def spoken(identifier: str) -> str:
    """An identifier as people would write it: ``orderDate`` and ``order_date`` are ``order date``."""
    return " ".join(word.lower() for word in words(identifier)) or identifier


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A lower-case English word without plural, ``-ed``, ``-ing`` and final ``-e``: an index term, not a word. Light on
    purpose: ``product`` and ``production``, ``news`` and ``new`` stay apart."""
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and re.search("[aeiouy]", base):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    if word.endswith("ie"):
        return word[:-2] + "y"
    return word.removesuffix("e")


def terms(text: str) -> list[str]:
    """Index terms in order.

    Latin words are split, lower-cased and stemmed, abbreviations stand beside what they mean, and neighbours that were
    one identifier also stand joined (``order_date``: order, date, orderdate). A run of n Chinese characters gives its
    n-1 bigrams, a single character itself.
    """
    found: list[str] = []
    for chunk in re.findall(rf"[{_HAN}]+|[^\W{_HAN}]+", text):
        if "\u3400" <= chunk[0] <= "\ufaff" and not chunk[0].isascii():
            found += [chunk] if len(chunk) == 1 else [chunk[i : i + 2] for i in range(len(chunk) - 1)]
            continue
        parts = [word.lower() for word in words(chunk)]
        for part in parts:
            found.append(stem(part))
            found += [stem(meaning) for meaning in ABBREVIATIONS.get(part, "").split()]
        if len(parts) > 1:
            found.append(stem("".join(parts)))
    return found


def query_terms(question: str) -> list[str]:
    """Distinct terms of a question, without stop words; neighbouring words also joined, to meet ``birthdate``."""
    kept = [word for word in re.findall(rf"[{_HAN}]+|[^\W{_HAN}]+", question) if word.lower() not in STOP_WORDS]
    latin = [word.lower() for word in words(" ".join(kept)) if word.isascii()]
    joined = [stem(a + b) for a, b in pairwise(latin)]
    return list(dict.fromkeys([*terms(" ".join(kept)), *joined]))


class IdentifierTokenizer(Tokenizer):
    """:func:`terms` for Whoosh. Lives at module level because Whoosh pickles it with the index."""

    def __call__(self, value: str, positions: bool = False, start_pos: int = 0, **_: Any) -> Iterator[Token]:
        token = Token(positions, removestops=False)
        for position, term in enumerate(terms(value)):
            token.text = term
            token.boost = 1.0
            token.stopped = False
            if positions:
                token.pos = start_pos + position
            yield token
