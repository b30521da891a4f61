"""Normalising and tokenising a question so that every span points into the ORIGINAL text.

Matching runs on a *shadow* of the text: the same number of characters, each folded alone (full-width to half-width,
lower case, typographic quotes to plain ones). A character whose folded form would need more than one character stays as
it is, so an offset in the shadow is an offset in the text.

What becomes one token:

- quoted text (``"…"``, ``'…'``, typographic quotes, ``「」``, ``『』``, ``《》``, backticks): kind ``quoted``,
  ``norm`` is the inner text;
- numbers ``12``, ``1,000.50``, ``.5``: kind ``number``; signs, currency symbols and ``%`` are their own ``punct``
  tokens;
- digits with letters attached (``1.5k``, ``3rd``, ``1990s``, ``2023Q3``), whole dates (``2023-05-01``, ``5/6/2023``),
  year-months (``2023-05``), clock times, mail addresses, dotted acronyms (``U.S.``, lemma ``us``): kind ``word``;
- identifiers and hyphenated words (``order_lines``, ``orderDate``, ``orders.status``, ``low-cost``): kind ``word``,
  the lemma is the lemmas of the parts joined by one space (``order line``);
- English clitics are split off (``what`` + ``'s``, ``do`` + ``n't``); the lemma of ``n't`` is ``not``;
- a run of Chinese characters is cut into words by jieba: kind ``cjk``;
- ``top3`` and ``top-3`` are cut behind ``top``;
- comparison signs ``>= <= != <> ==`` are one ``punct`` token, any other character that is not a space is one of its
  own.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

import rjieba
import simplemma
import yaml

Language = Literal["en", "zh"]
TokenKind = Literal["word", "number", "punct", "cjk", "quoted"]

CJK = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

_WORD = rf"(?:(?![{CJK}])\w|[\u0300-\u036f])"
_LETTER = rf"(?![{CJK}])[^\W\d_]"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"

_TOKEN = re.compile(
    rf"""
      (?P<quoted>
          (?<!\d)"[^"\n]+" | ``[^`\n]+'' | `[^`\n]+`
        | 「[^」\n]+」 | 『[^』\n]+』 | 《[^》\n]+》
        | (?<!\w)'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w))+?(?<=\S)'(?!\w)
      )
    | (?P<mail>\w[\w.+-]{{0,63}}@\w[\w-]*(?:\.\w[\w-]*)+)
    | (?P<date>
          (?<!\d)\d{{4}}(?P<mark>[-/.])\d{{1,2}}(?P=mark)\d{{1,2}}(?!\d)(?:[ t]\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?
        | (?<!\d)\d{{1,2}}(?P<slash>[/.])\d{{1,2}}(?P=slash)\d{{4}}(?!\d)
        | (?<!\d)\d{{4}}-(?:0[1-9]|1[0-2])(?![\d-])
        | (?<![\d:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:])
      )
    | (?P<top>(?<!\w)top(?=-?\d))
    | (?P<attached>{_NUMBER}{_LETTER}{_WORD}*(?:[-.]{_LETTER}{_WORD}*)*)
    | (?P<number>{_NUMBER})
    | (?P<acronym>(?<!\w)(?:{_LETTER}\.){{2,}}(?!\w))
    | (?P<word>{_WORD}+(?:[-.']{_WORD}+)*)
    | (?P<cjk>[{CJK}]+)
    | (?P<punct>>=|<=|!=|<>|==|\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CLITIC = re.compile(r"(?<=\w)(?:n't|'(?:s|re|ve|ll|d|m))$")
_BARE_NOT = re.compile(
    r"(?<=^did|^has|^had|^are|^was)nt$|(?<=^does|^have|^were)nt$|(?<=^do|^is)nt$|(?<=^could|^would)nt$"
)
_CAMEL = re.compile(r"(?:[a-z]{2}[a-z0-9]*|[A-Z][a-z]{2}[a-z]*[0-9]*)(?=[A-Z])")  # not McDonald, not iPhone
_IDENTIFIER_PART = re.compile(
    rf"[{CJK}]+|\d+|[A-Z]{{2,}}s(?![a-z])|[A-Z]+(?![^\W\d_A-Z])|[A-Z]?(?:(?![A-Z{CJK}])[^\W\d_]|[\u0300-\u036f])+|[A-Z]"
)
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
_LETTERS_WITHOUT_DECOMPOSITION = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_LONGEST_WORD = 40  # the lemmatiser tries every way to cut a word it does not know
_NEGATED_STEM = {"ca": "can", "wo": "will", "sha": "shall"}

_FUNCTION_WORDS = (
    "a an and are as at by did do does each every find for from get give had has have how i in is it list many me "
    "most much "
    "not of on or please per show than that the their there these this to top was were what when where which who whose "
    "why with without"
)
_ENGLISH_FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_CHINESE_FUNCTION_WORDS = re.compile(
    "多少|哪|什么|几|谁|怎|列出|显示|查询|查找|统计|给出|给我|告诉|请|的|是|有|在|和|与|及|每|各|按|从|到|最|不|没|所有|全部|总|平均"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; ``text == question[start:end]``.

    :param norm: NFKC and case-folded; for a quoted token the inner text without its quotes, case kept out the same way.
    :param lemma: what to compare with other words: dictionary form for English, the parts joined by a space for
        identifiers, digits without separators for numbers, ``norm`` for everything else.
    """

    text: str
    start: int
    end: int
    norm: str
    lemma: str
    kind: TokenKind

    @property
    def inner(self) -> str:
        """The original spelling without surrounding quotes."""
        if self.kind != "quoted":
            return self.text
        width = 2 if self.text.startswith("``") else 1
        return self.text[width:-width]


def shadow(text: str) -> str:
    """Fold each character alone; the result has exactly ``len(text)`` characters."""
    if text.isascii():
        return text.lower()
    return "".join(map(_fold_character, text))


@lru_cache(maxsize=8192)
def _fold_character(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character.translate(_QUOTES)).lower()
    if len(folded) == 1 and not (folded.isspace() and not character.isspace()):
        return folded
    return character


def fold(text: str) -> str:
    """The form in which stored values are compared: no case, no accents, half-width, single spaces, plain quotes."""
    previous = None
    while text != previous:
        previous = text
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold()
            decomposed = unicodedata.normalize("NFKD", text).translate(_LETTERS_WITHOUT_DECOMPOSITION)
            text = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
            text = unicodedata.normalize("NFC", text)
        text = " ".join(text.casefold().split())
    return text


def split_identifier(name: str) -> tuple[str, ...]:
    """Cut a column or table name into lower-case words.

    Understands snake, kebab, camel and Pascal case, acronyms, digits and spaces; a Chinese name stays whole.
    ``HTTPServer`` gives ``("http", "server")``, ``t_order_2024`` gives ``("t", "order", "2024")``.
    """
    return tuple(part.casefold() for part in _IDENTIFIER_PART.findall(unicodedata.normalize("NFKC", name)))


@lru_cache(maxsize=1)
def _lemma_exceptions() -> dict[str, str]:
    source = resources.files("agents.language.lexicon").joinpath("lemmas.yaml").read_text(encoding="utf-8")
    return {str(word): str(lemma) for word, lemma in yaml.safe_load(source).items()}


@lru_cache(maxsize=16384)
def lemmatize(word: str) -> str:
    """Dictionary form of one English word, lower case (``sold`` gives ``sell``, ``countries`` gives ``country``)."""
    word = word.casefold()
    exception = _lemma_exceptions().get(word)
    if exception is not None:
        return exception
    if not word.isascii() or not word.isalpha() or len(word) > _LONGEST_WORD:
        return word
    return str(simplemma.lemmatize(word, lang="en")).casefold()


def lemma_of_name(name: str) -> str:
    """Lemmas of the parts of an identifier joined by one space: what a token's ``lemma`` may be compared with."""
    return " ".join(lemmatize(part) for part in split_identifier(name))


def detect_language(text: str) -> Language:
    """Language of the question by script and words; quoted text does not count unless nothing else is there."""
    plain = shadow(text)
    unquoted = _TOKEN.sub(lambda found: " " if found.group("quoted") else found.group(), plain)
    for candidate in (unquoted, plain):
        han = re.findall(f"[{CJK}]", candidate)
        words = re.findall(rf"{_LETTER}{_WORD}*", candidate)
        if not han and not words:
            continue
        if not han:
            return "en"
        english = sum(word in _ENGLISH_FUNCTION_WORDS for word in words)
        chinese = len(_CHINESE_FUNCTION_WORDS.findall(candidate))
        if english != chinese:
            return "en" if english > chinese else "zh"
        return "zh" if len(han) >= len(words) else "en"
    return "en"


_LISTS = frozenset({"名和姓"})
"""What the dictionary has as one word and is a list of several."""


def tokenize(text: str, lang: Language) -> tuple[Token, ...]:
    """Cut the text into tokens in order, without overlaps; only white space lies between them.

    English words inside a Chinese question are lemmatised too; ``lang`` decides only whether clitics are split.
    """
    tokens: list[Token] = []
    for found in _TOKEN.finditer(shadow(text)):
        start, end = found.span()
        piece = text[start:end]
        group = found.lastgroup
        if group == "cjk":
            for word, at, until in rjieba.tokenize(piece, "default"):
                listed = word in _LISTS
                parts = [(c, at + n, at + n + 1) for n, c in enumerate(word)] if listed else [(word, at, until)]
                tokens.extend(Token(one, start + a, start + b, one, one, "cjk") for one, a, b in parts)
        elif group == "word":
            tokens.extend(_words(text, start, end, found.group(), lang))
        elif group == "quoted":
            width = 2 if piece.startswith("``") else 1
            norm = _norm(piece[width:-width])
            tokens.append(Token(piece, start, end, norm, norm, "quoted"))
        elif group == "number":
            norm = _norm(piece)
            tokens.append(Token(piece, start, end, norm, norm.replace(",", ""), "number"))
        else:
            norm = _norm(piece)
            lemma = norm.replace(".", "") if group == "acronym" else norm
            tokens.append(Token(piece, start, end, norm, lemma, "punct" if group == "punct" else "word"))
    return tuple(tokens)


def _words(text: str, start: int, end: int, folded: str, lang: Language) -> list[Token]:
    clitic = (_CLITIC.search(folded) or _BARE_NOT.search(folded)) if lang == "en" else None
    cut = start + clitic.start() if clitic else end
    stem = text[start:cut]
    norm = _norm(stem)
    negated = clitic is not None and clitic.group() in ("n't", "nt")
    lemma = _NEGATED_STEM[norm] if negated and norm in _NEGATED_STEM else _lemma(stem, norm)
    words = [Token(stem, start, cut, norm, lemma, "word")]
    if clitic:
        form = "n't" if negated else clitic.group()
        words.append(Token(text[cut:end], cut, end, form, "not" if negated else form, "word"))
    return words


def _lemma(piece: str, norm: str) -> str:
    if piece.isalpha() and not _CAMEL.match(piece):
        return lemmatize(norm)
    if any(mark in piece for mark in "_-.") or _CAMEL.match(piece):
        return lemma_of_name(piece) or norm
    return norm


def _norm(piece: str) -> str:
    if piece.isascii():
        return piece.lower()
    return unicodedata.normalize("NFKC", piece.translate(_QUOTES)).casefold()
