"""Spellings that mean the same stored text: punctuation, saints and mounts, legal forms, number, order of names."""

from __future__ import annotations

import re

from agents.language.text import CJK, fold

_CJK = re.compile(f"[{CJK}]")
_SIMPLE = re.compile(r"[a-z0-9 ]*\Z")
_POSSESSIVE = re.compile(r"(?<=\w)'s?(?=\s|\Z)")
_INSIDE = re.compile(r"(?<=\w)[.'&](?=\w)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d)\.(?=\d)")
_ZERO_CENTS = re.compile(r"(\d+)\.0+\Z")
_OTHER = re.compile(r"[^\w\u00b7.]+|(?<!\d)\.|\.(?!\d)|_")
_SAME_WORD = {
    "saint": "st", "sainte": "st", "mount": "mt", "street": "st", "avenue": "ave", "road": "rd", "dept": "department"
}  # fmt: skip
_REWRITTEN = frozenset(_SAME_WORD)
_LEGAL = frozenset(
    "ltd limited inc incorporated corp corporation co company llc llp plc gmbh ag kg ohg sa sarl srl spa bv nv oy oyj "
    "ab as asa aps pty pte kk lp".split()
)
_LEGAL_CJK = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|株式会社|公司)$")
_KEPT_PLURAL = ("ss", "us", "is", "os", "as")


def is_cjk(text: str) -> bool:
    """Whether the text contains a Chinese character."""
    return not text.isascii() and _CJK.search(text) is not None


def plain(text: str) -> str:
    """The text without case, accents, punctuation and possessives: ``St. Louis`` and ``saint-louis`` both give
    ``st louis``, ``AT&T`` gives ``att``, ``1,000`` and ``1000.0`` give ``1000``."""
    return plain_of_folded(fold(text))


def plain_of_folded(folded: str) -> str:
    """:func:`plain` of a text that was folded already."""
    if folded.isalpha():
        return _SAME_WORD.get(folded, folded)
    if not _SIMPLE.match(folded):
        text = _POSSESSIVE.sub("", folded)
        if "," in text:
            text = _THOUSANDS.sub("", text)
        text = _OTHER.sub(" ", _INSIDE.sub(_joined, text))
        folded = " ".join(text.split())
        zero = _ZERO_CENTS.fullmatch(folded) if "." in folded else None
        folded = zero[1] if zero else folded
    words = folded.split()
    if not _REWRITTEN.isdisjoint(words):
        return " ".join(_SAME_WORD.get(word, word) for word in words)
    return folded


def _joined(found: re.Match[str]) -> str:
    """Dots of acronyms, apostrophes and signs inside a word vanish; the point of a decimal number stays."""
    text, at = found.string, found.start()
    return "." if found.group() == "." and text[at - 1].isdigit() and text[at + 1].isdigit() else ""


def singular(text: str) -> str:
    """The plain text with its last word in the singular, by rule: both sides of a comparison are treated alike."""
    if not text.endswith("s") or len(text) < 4 or text.endswith(_KEPT_PLURAL):
        return text
    if text.endswith("ies") and len(text) > 4:
        return text[:-3] + "y"
    if text.endswith(("sses", "xes", "ches", "shes", "zes")):
        return text[:-2]
    return text[:-1]


def without_hyphen(folded: str) -> str | None:
    """``e-mail`` as ``email``; ``None`` where there is no hyphen inside a word."""
    joined = re.sub(r"(?<=\w)-(?=\w)", "", folded) if "-" in folded else folded
    return plain_of_folded(joined) if joined != folded else None


def shorter(name: str) -> str | None:
    """A plain name without its legal form, and without a leading article before two words or more; ``None`` when
    nothing is left out or nothing is left.
    """
    words = name.split()
    end = len(words)
    while end > 1 and words[end - 1] in _LEGAL:
        end -= 1
    start = 1 if end > 2 and words[0] == "the" else 0
    if end - start < len(words):
        return " ".join(words[start:end])
    if len(words) == 1 and is_cjk(name):
        bare = _LEGAL_CJK.sub("", name)
        return bare if 1 < len(bare) < len(name) else None
    return None


def swapped(folded: str) -> str | None:
    """``smith, john`` as ``john smith``; ``None`` where there is not exactly one comma between one to three words."""
    if folded.count(",") != 1:
        return None
    last, first = (part.strip() for part in folded.split(","))
    if not last or not first or len(last.split()) > 2 or len(first.split()) > 3 or not _letters(last + first):
        return None
    return plain_of_folded(f"{first} {last}")


def initials(folded: str) -> str | None:
    """First letters of two to five words (``los angeles`` gives ``la``), small words left out of none."""
    words = folded.split()
    if not 2 <= len(words) <= 5 or not all(word[0].isalpha() for word in words):
        return None
    return "".join(word[0] for word in words)


def _letters(text: str) -> bool:
    return all(c.isalpha() or c in " .'-" for c in text)
