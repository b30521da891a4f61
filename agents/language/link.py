"""Linking: every span of the question that may mean something, with every meaning it may have.

Phrases of the lexicon, schema names (whole, in part, misspelt, near in meaning), stored values, numbers, times and
quoted
text compete. :func:`resolve` then picks the set of spans that explains the question best; meanings of a picked span
stay beside each other as alternatives for the plan builder, and losers stay in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agents.language.chinese import chinese_mentions
from agents.language.heads import shared_heads
from agents.language.ir import (
    REMEMBERED,
    ColumnTarget,
    MeasureTarget,
    Mention,
    NumberTarget,
    PhraseTarget,
    TableTarget,
    TextTarget,
    TimeTarget,
    ValueTarget,
)
from agents.language.lexicon import Lexicon, load_lexicon
from agents.language.names import FULL_NAME, Element, NameIndex
from agents.language.numbers import find_numbers
from agents.language.resolve import Slots, resolve, resolve_otherwise
from agents.language.synonyms import SYNONYM, said_otherwise
from agents.language.text import Language, Token, tokenize
from agents.language.times import Grain, TimeMention, find_times
from agents.language.values import MAX_WORDS, ORDINARY_WORD, Split, ValueIndex

Similar = Callable[[Sequence[str]], list[list[tuple[Element, float]]]]
"""For each phrase the schema elements nearest in meaning, with a score from 0 to 1 (already thresholded)."""

SCHEMA_TARGETS = (TableTarget, ColumnTarget, MeasureTarget)
_ARTICLES = frozenset("the a an of for in on and or by to with is be do at from it that".split())
_INNER = frozenset({"the", "a", "an", "of", "for", "in"})
_TYPO_LENGTH = 5
_PARTIAL = 14
"""How many names that hold the words among others are kept; the question's own tables decide between them later."""
_GENERIC = frozenset({"amount", "code", "date", "level", "name", "number", "status", "time", "type", "value"})
_LIGHT_VERBS = frozenset({"come", "do", "get", "give", "go", "have", "make", "place", "put", "run", "see", "take"})
_CERTAIN = 0.7
"""From which score a name is no longer looked for under other words."""
_RANK_WORDS = frozenset({"top", "bottom"})
"""They say nothing that the superlative behind them does not say ("top 3 most expensive")."""
_PRONOUNS = ("we", "they", "i", "you", "he", "she", "it", "people")


@dataclass(frozen=True, slots=True)
class Linked:
    """The question with all its mentions, before and after overlaps were resolved.

    :ivar slots: picked spans in text order; each holds its alternatives, best first.
    :ivar losers: mentions that were not picked, kept for the evidence.
    :ivar unknown: content words that nothing was linked to.
    :ivar other: the question cut up in the next best way. :ivar loss: how much less of the question that explains.
    """

    text: str
    lang: Language
    tokens: tuple[Token, ...]
    slots: tuple[tuple[Mention, ...], ...]
    losers: tuple[Mention, ...]
    unknown: tuple[Token, ...]
    other: Linked | None = None
    loss: float = 0.0


class Linker:
    """Links questions to one catalog. Immutable after construction; safe to share between threads."""

    def __init__(
        self, names: NameIndex, values: ValueIndex, similar: Similar | None = None, *, fiscal_start_month: int = 1
    ) -> None:
        self._names = names
        self._values = values
        self._similar = similar
        self._fiscal_start_month = fiscal_start_month
        self._vocabulary = sorted(word for word in names.vocabulary if len(word) >= _TYPO_LENGTH and word.isascii())

    def link(self, text: str, lang: Language, now: datetime, *, week_start: int = 0) -> Linked:
        tokens = tokenize(text, lang)
        lexicon = load_lexicon(lang)
        mentions: list[Mention] = list(_phrases(text, tokens, lexicon))
        mentions += _pieces(text, tokens, mentions)
        fiscal_start_month = self._fiscal_start_month
        times = find_times(text, tokens, lang, now, week_start=week_start, fiscal_start_month=fiscal_start_month)
        mentions += _numbers_and_times(text, tokens, lang, times)
        mentions += self._quoted(tokens)
        mentions += self._words(text, tokens, lexicon)
        mentions += shared_heads(tokens, mentions, self._names)
        mentions += chinese_mentions(text, tokens, self._names, self._values)
        unknown = _unlinked(tokens, mentions, lexicon)
        mentions += self._misspelt(unknown)
        unknown = _unlinked(unknown, mentions, lexicon)
        mentions += self._near_values(text, unknown)
        unknown = _unlinked(unknown, mentions, lexicon)
        mentions += self._by_meaning(unknown)
        settled = _settled(mentions)
        slots, losers = resolve(settled)

        def linked(slots: Slots, losers: tuple[Mention, ...]) -> Linked:
            picked = [m for slot in slots for m in slot]
            return Linked(text, lang, tokens, slots, losers, _unlinked(tokens, picked, lexicon))

        first = linked(slots, losers)
        if lang == "en" and (other := resolve_otherwise(settled, slots, losers)) is not None:
            first = replace(first, other=replace(linked(*other[:2]), loss=other[2]))
        return first

    def _quoted(self, tokens: Sequence[Token]) -> list[Mention]:
        found: list[Mention] = []
        for token in tokens:
            if token.kind != "quoted":
                continue
            values = self._values.lookup(token.inner)
            found += [Mention(token.start, token.end, token.text, v.target, v.score, v.reason) for v in values]
            splits = () if values else self._values.split(token.inner)
            if splits:
                found += _halves(token, splits)
                continue
            if not values:
                near = self._values.nearest(token.inner, quoted=True)
                found += [Mention(token.start, token.end, token.text, v.target, v.score, v.reason) for v in near]
            found.append(Mention(token.start, token.end, token.text, TextTarget(token.inner), 0.7, "quoted text"))
        return found

    def _words(self, text: str, tokens: Sequence[Token], lexicon: Lexicon) -> list[Mention]:
        """Names and values made of whole words (and of words and numbers, such as "Form 10")."""
        words = [t for t in tokens if t.kind in ("word", "number")]
        found: list[Mention] = []
        longest = max(self._names.longest, MAX_WORDS)
        for first in range(len(words)):
            for last in range(first, min(len(words), first + longest)):
                span = words[first : last + 1]
                if last > first and _broken(text, span[-2], span[-1]):
                    break
                found += self._span(text, span, lexicon)
        return found

    def _span(self, text: str, span: Sequence[Token], lexicon: Lexicon) -> list[Mention]:
        start, end = span[0].start, span[-1].end
        piece = text[start:end]
        found: list[Mention] = []

        def add(target: Element | ValueTarget, score: float, reason: str) -> None:
            found.append(Mention(start, end, piece, target, score, reason))

        stop = len(span) == 1 and (span[0].kind == "number" or _is_stop(span[0], lexicon))
        if not stop or (len(span) == 1 and (_is_capital(text, span[0]) or _is_place(text, span[0]))):
            for value in self._values.lookup(piece):
                same_case = value.target.value == piece
                score = value.score if same_case or len(piece) > 3 else value.score * 0.8
                add(value.target, score, value.reason)
        if span[0].lemma in _ARTICLES or span[-1].lemma in _ARTICLES:
            return found
        if len(span) == 1 and span[0].lemma in _LIGHT_VERBS and _is_verb(text, span[0]):
            return found
        words = tuple(word for t in span for word in t.lemma.split())
        matches = self._names.whole(words, tuple(t.norm for t in span))
        if not matches and any(t.lemma in _INNER for t in span[1:-1]):
            bare = tuple(word for t in span if t.lemma not in _INNER for word in t.lemma.split())
            # "date of birth" is birth date, "types of transactions" the transaction type.
            turned = _turned(span)
            matches = tuple(
                m
                for m in (*self._names.whole(bare), *self._names.whole(turned))
                if len(m.words) > 1 and m.reason != FULL_NAME
            )
        if not matches and len(words) > 1 and words[-1] in _GENERIC:
            # "launch time" for a column called launch; a thing's time is another matter.
            heads = self._names.whole(words[:-1])
            matches = tuple(replace(m, score=m.score * 0.9) for m in heads if not isinstance(m.element, TableTarget))
        for match in matches:
            add(match.element, match.score, match.reason)
        if len(span) == 1 and span[0].lemma in _LIGHT_VERBS:
            return found
        if len(span) <= 3 and not (len(span) == 1 and (span[0].kind == "number" or _is_stop(span[0], lexicon))):
            known = {m.target for m in found}
            for match in self._names.partial(words)[:_PARTIAL]:
                if match.element not in known:
                    add(match.element, match.score, match.reason)
        if len(span) <= 3 and not stop and all(m.score < _CERTAIN for m in found):
            for other in said_otherwise(words, "en"):
                for match in self._names.whole(other):
                    add(match.element, match.score * SYNONYM, f"synonym {' '.join(other)!r}")
        return found

    def _misspelt(self, unknown: Sequence[Token]) -> list[Mention]:
        found: list[Mention] = []
        for token in unknown:
            if token.kind != "word" or len(token.norm) < _TYPO_LENGTH or not token.norm.isalpha():
                continue
            near = process.extractOne(token.lemma, self._vocabulary, scorer=OSA.normalized_similarity, score_cutoff=0.8)
            if near is None:
                continue
            word, similarity, _ = near
            if word[0] != token.lemma[0]:
                continue
            matches = self._names.whole((word,)) or self._names.partial((word,))[:4]
            reason = f"spelt like {word!r}"
            found += [
                Mention(token.start, token.end, token.text, m.element, m.score * similarity * 0.9, reason)
                for m in matches
            ]
        return found

    def _near_values(self, text: str, unknown: Sequence[Token]) -> list[Mention]:
        """Stored values that runs of up to three unknown words nearly spell."""
        found: list[Mention] = []
        for first in range(len(unknown)):
            for last in range(first, min(len(unknown), first + 3)):
                run = unknown[first : last + 1]
                if last > first and text[run[-2].end : run[-1].start].strip():
                    break
                start, end = run[0].start, run[-1].end
                for value in self._values.nearest(text[start:end]):
                    ordinary = value.reason == ORDINARY_WORD and not (last == first and _is_place(text, run[0]))
                    if value.score >= 0.5 and not ordinary:
                        found.append(Mention(start, end, text[start:end], value.target, value.score, value.reason))
        return found

    def _by_meaning(self, unknown: Sequence[Token]) -> list[Mention]:
        words = [t for t in unknown if t.kind in ("word", "cjk") and len(t.text) > 1]
        if self._similar is None or not words:
            return []
        found: list[Mention] = []
        for token, near in zip(words, self._similar([t.text for t in words]), strict=True):
            for element, score in near[:3]:
                found.append(
                    Mention(token.start, token.end, token.text, element, score, f"similar meaning {score:.2f}")
                )
        return found


def _halves(token: Token, splits: Sequence[Split]) -> list[Mention]:
    """A quoted name that two columns hold together ("Linda Smith"): each half is a value of its own, cut where the
    surest reading cuts it."""
    words = list(re.finditer(r"[^\s,]+", token.text))
    middle = words[splits[0].words - 1].end()
    cut = token.start + middle
    found: list[Mention] = []
    for split in splits:
        if split.words == splits[0].words:
            for start, end, piece, half in (
                (token.start, cut, token.text[:middle], split.left),
                (cut, token.end, token.text[middle:], split.right),
            ):
                found.append(Mention(start, end, piece, half.target, half.score, half.reason))
    return found


def _settled(mentions: Sequence[Mention]) -> list[Mention]:
    """Without the other meanings of phrases that somebody has settled."""
    settled = {(m.start, m.end) for m in mentions if m.reason == REMEMBERED}
    return [m for m in mentions if m.reason == REMEMBERED or (m.start, m.end) not in settled]


GUESSED = 0.62
"""Score below which a link by meaning is a guess."""


def is_guess(mention: Mention) -> bool:
    """Whether a link rests on a vague similarity of meaning alone."""
    return mention.reason.startswith("similar meaning") and mention.score < GUESSED


def _is_capital(text: str, token: Token) -> bool:
    """Whether a word is written with a capital inside the sentence ("CA", "US", "May"): then even a common word may
    name."""
    return token.text[:1].isupper() and bool(text[: token.start].strip())


_PLACED = re.compile(r"\b((in|from|near|at|to)( the)?|named|called|titled)\s*$", re.IGNORECASE)
_POINTING = frozenset({"it", "them", "him", "her", "that", "this", "which", "what", "there", "all", "each", "one"})
_ENDED = re.compile(r"\s*([.?!,;)]|$|(and|or|but|with|who|which|that|in|by|since|after|before)\b)", re.IGNORECASE)


def _is_place(text: str, token: Token) -> bool:
    """Whether a word stands where a name does: behind "in" or "named", and no thing follows that it could describe
    ("customers from us", "airports in chicago or reno"). A pronoun ("what is in it") does not."""
    return (
        token.norm not in _POINTING
        and bool(_PLACED.search(text, 0, token.start))
        and bool(_ENDED.match(text, token.end))
    )


def _phrases(text: str, tokens: Sequence[Token], lexicon: Lexicon) -> Iterable[Mention]:
    alone = {(t.start, t.end) for t in tokens}
    for hit in lexicon.match(tokens, text):
        if hit.concept == "aggregate.count" and text[hit.start : hit.end].lower().startswith("numbers"):
            # "phone numbers of": several of a thing's numbers, not how many.
            continue
        inside_word = hit.end - hit.start == 1 and (hit.start, hit.end) not in alone
        if inside_word and hit.concept.startswith("negation"):
            # 别 in 类别 is no "don't".
            continue
        target = PhraseTarget(hit.concept, tuple(sorted(hit.payload.items(), key=lambda pair: pair[0])))
        # Question words give way to whatever says more about the same letters (哪个月 asks for a month).
        score = 0.6 if hit.concept.split(".")[0] in ("question", "list", "yesno") else 0.95
        yield Mention(hit.start, hit.end, text[hit.start : hit.end], target, score, f"phrase {hit.rule_id}")


def _pieces(text: str, tokens: Sequence[Token], phrases: Sequence[Mention]) -> list[Mention]:
    """Text without quotes behind a phrase that wants some ("whose name contains International"): the next word,
    with the capitalised words that go on from a capitalised one."""
    found: list[Mention] = []
    for phrase in phrases:
        if not phrase.reason.endswith("_plain"):
            continue
        behind = [t for t in tokens if t.start >= phrase.end]
        if not behind or behind[0].kind not in ("word", "number", "attached"):
            continue
        run = behind[:1]
        for token in behind[1:]:
            if not (run[-1].text[:1].isupper() and token.text[:1].isupper()) or text[run[-1].end : token.start].strip():
                break
            run.append(token)
        start, end = run[0].start, run[-1].end
        found.append(Mention(start, end, text[start:end], TextTarget(text[start:end]), 1.0, "text behind the phrase"))
    return found


_CALENDAR = {
    "year": Grain.YEAR,
    "quarter": Grain.QUARTER,
    "month": Grain.MONTH,
    "week": Grain.WEEK,
    "年": Grain.YEAR,
    "季度": Grain.QUARTER,
    "月": Grain.MONTH,
    "月份": Grain.MONTH,
}
_ASKING = ("which", "what", "哪个", "哪一", "哪年", "哪")


def _calendar_words(text: str, tokens: Sequence[Token], times: Sequence[TimeMention]) -> list[Mention]:
    """ "which month", "our best year", 哪个月: a calendar unit that is asked for, unless a column is called so."""
    found: list[Mention] = []
    for token in tokens:
        grain = _CALENDAR.get(token.lemma)
        if grain is None or any(m.start < token.end and token.start < m.end for m in times):
            continue
        before = text[: token.start].lower().rstrip()
        if before.endswith(_ASKING) or before.endswith("哪个"):
            time = TimeMention(token.start, token.end, token.text, None, grain, f"by {grain}")
            found.append(Mention(token.start, token.end, token.text, TimeTarget(time), 0.7, f"asked for by {grain}"))
    return found


def _numbers_and_times(
    text: str, tokens: Sequence[Token], lang: Language, times: Sequence[TimeMention]
) -> list[Mention]:
    found = [
        Mention(n.start, n.end, text[n.start : n.end], NumberTarget(n.value, n.unit, n.ordinal), 0.9, "number")
        for n in find_numbers(text, tokens, lang)
    ]
    found += _calendar_words(text, tokens, times)
    for time in times:
        score = 0.98 if time.certain else 0.7
        found.append(Mention(time.start, time.end, text[time.start : time.end], TimeTarget(time), score, time.reason))
    return found


def _turned(span: Sequence[Token]) -> tuple[str, ...]:
    """The words behind "of" before those in front of it."""
    at = next((i for i, t in enumerate(span) if t.lemma == "of"), None)
    if at is None or span[0].lemma in ("number", "count", "total", "amount", "order"):
        # "number of suppliers" counts them; it is not the supplier number.
        return ()
    return tuple(word for t in (*span[at + 1 :], *span[:at]) if t.lemma not in _ARTICLES for word in t.lemma.split())


def _is_verb(text: str, token: Token) -> bool:
    """ "did we make", "which division makes the most": the verb, not the column that is spelt like it."""
    behind = text[token.end :].lower().split()[:1]
    return _after_pronoun(text, token) or (behind != [] and behind[0] in ("the", "a", "an", "most", "more"))


def _after_pronoun(text: str, token: Token) -> bool:
    """ "did we make": a verb that carries no meaning of its own, not the column that is spelt like it."""
    return text[: token.start].lower().rstrip().endswith(tuple(f" {p}" for p in _PRONOUNS))


def _broken(text: str, left: Token, right: Token) -> bool:
    """Whether something other than white space, a hyphen or an apostrophe lies between two tokens."""
    return bool(text[left.end : right.start].strip(" \t\n-'’&./"))


def _is_stop(token: Token, lexicon: Lexicon) -> bool:
    return token.lemma in _ARTICLES or token.norm in lexicon.stopwords or token.lemma in lexicon.stopwords


def _is_unit_word(token: Token, mentions: Sequence[Mention]) -> bool:
    """ "10 euros", "100 miles": the word right after a number that says its unit."""
    return any(
        isinstance(m.target, NumberTarget) and m.target.unit is not None and 0 <= token.start - m.end <= 1
        for m in mentions
    )


def _unlinked(tokens: Sequence[Token], mentions: Sequence[Mention], lexicon: Lexicon) -> tuple[Token, ...]:
    """Content words that no mention covers."""
    return tuple(
        t
        for t in tokens
        if t.kind in ("word", "cjk")
        and not _follows_pronoun(t, tokens)
        and _is_unlinked(t, mentions, lexicon, listed=_is_listed(t, tokens))
    )


def _is_listed(token: Token, tokens: Sequence[Token]) -> bool:
    """ "dates, places and names": among listed nouns a word that is also a verb is a noun."""
    at = next((i for i, t in enumerate(tokens) if t is token), 0)
    before = tokens[at - 1].norm if at else ""
    after = tokens[at + 1].norm if at + 1 < len(tokens) else ""
    return (before in (",", "and", "the") and after in (",", "and")) or (before in (",", "and") and after == "of")


def _follows_pronoun(token: Token, tokens: Sequence[Token]) -> bool:
    """ "do we carry": the verb of the asker, which names nothing in the data."""
    at = next((i for i, t in enumerate(tokens) if t is token), 0)
    return at > 0 and tokens[at - 1].norm in _PRONOUNS


def _is_unlinked(token: Token, mentions: Sequence[Mention], lexicon: Lexicon, *, listed: bool = False) -> bool:
    verb = token.lemma in _LIGHT_VERBS and not listed
    if _is_stop(token, lexicon) or verb or token.norm in _RANK_WORDS:
        return False
    if token.kind == "cjk":
        # Chinese word borders are guessed: what counts is how much of the word no mention touches.
        bare = [
            c
            for at, c in enumerate(token.text, start=token.start)
            if c not in lexicon.stopwords and not any(m.start <= at < m.end for m in mentions)
        ]
        return len(bare) >= min(2, len(token.text)) and not _is_unit_word(token, mentions)
    covered = any(m.start <= token.start and token.end <= m.end for m in mentions)
    return not covered and not _is_unit_word(token, mentions)
