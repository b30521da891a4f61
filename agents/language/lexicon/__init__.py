"""Phrase rules as data: what the words between the names mean ("how many", "top 5", "older than", 前十名, 超过).

Rules are YAML files in ``en/`` and ``zh/``; every rule carries examples that must match and near misses that must not, and
``concepts.yaml`` says what each concept means and what its payload holds. One more phrase is one more line there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from agents.language.lexicon.pattern import NUMBER, ORDINAL, QUOTED, Automaton, PatternError, Unit
from agents.language.numbers import find_numbers
from agents.language.text import Language, Token, shadow

__all__ = ["Lexicon", "LexiconHit", "Rule", "load_lexicon"]


PAST, PUNCT = "<past>", "<punct>"
"""Keys that guards may name: a verb in the past or a participle ("reserved by" is no group), and any punctuation."""


@dataclass(frozen=True, slots=True)
class ClauseGuard:
    """Words elsewhere in the clause, or its first word, that allow or forbid a match; empty sets guard nothing."""

    with_before: frozenset[str] = frozenset()
    with_behind: frozenset[str] = frozenset()
    without_before: frozenset[str] = frozenset()
    without_behind: frozenset[str] = frozenset()
    clause_opens_with: frozenset[str] = frozenset()

    def allows(self, units: Sequence[Unit], at: int, after: int, lang: Language) -> bool:
        if self == ClauseGuard():
            return True
        before, behind = _clause(reversed(units[:at])), _clause(units[after:])
        if self.clause_opens_with and not (before and self.clause_opens_with.intersection(before[-1].keys)):
            return False
        if lang == "zh":
            left, right = "".join(u.keys[0] for u in reversed(before)), "".join(u.keys[0] for u in behind)
            return (
                (not self.with_before or any(w in left for w in self.with_before))
                and (not self.with_behind or any(w in right for w in self.with_behind))
                and not any(w in left for w in self.without_before)
                and not any(w in right for w in self.without_behind)
            )
        keys_before = {key for unit in before for key in unit.keys}
        keys_behind = {key for unit in behind for key in unit.keys}
        return (
            (not self.with_before or bool(self.with_before & keys_before))
            and (not self.with_behind or bool(self.with_behind & keys_behind))
            and not self.without_before & keys_before
            and not self.without_behind & keys_behind
        )


_CLAUSE_ENDS = frozenset("，。；？！,;?!.")


def _clause(units: Iterable[Unit]) -> list[Unit]:
    return list(itertools.takewhile(lambda unit: not _CLAUSE_ENDS.intersection(unit.keys), units))


@dataclass(frozen=True, slots=True)
class Rule:
    """One phrase rule.

    :param not_after: words (Chinese: strings) that, right before the match, make it none; ``not_before`` right behind it.
    :param followed_by: patterns of which one must stand right behind the match, without being part of it.
    :param clause: words that must (``with_``) or must not (``without_``) stand in the same clause, ``before`` the match or
        ``behind`` it.
    :param opens: the phrase must open the question or a clause ("delete the order", but not "orders to delete").
    :param examples: sentences with the matched span in ``[[…]]``.
    """

    id: str
    concept: str
    patterns: tuple[str, ...]
    payload: Mapping[str, object]
    not_after: frozenset[str]
    not_before: frozenset[str]
    followed_by: Automaton | None
    clause: ClauseGuard
    opens: bool
    examples: tuple[str, ...]
    near_misses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LexiconHit:
    """A phrase found in the question.

    :param payload: the rule's payload (lists become tuples), and ``n`` where the phrase holds a number ("top 5").
    """

    start: int
    end: int
    concept: str
    rule_id: str
    payload: Mapping[str, object]

    @property
    def family(self) -> str:
        return self.concept.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All rules of one language, compiled.

    :param stopwords: words that mean nothing for the plan, as norm or lemma.
    """

    lang: Language
    rules: tuple[Rule, ...]
    stopwords: frozenset[str]
    _automaton: Automaton = field(repr=False)

    def match(self, tokens: Sequence[Token], text: str) -> tuple[LexiconHit, ...]:
        """Every phrase in the question in order; inside one family of concepts the longest of overlapping phrases wins."""
        units = _characters(tokens, text) if self.lang == "zh" else _words(tokens)
        numbers = _numbers(tokens, text, self.lang, units)
        found: list[tuple[int, LexiconHit]] = []
        for at in range(len(units)):
            for number, after, value in self._automaton.walk(units, at, numbers):
                rule = self.rules[number]
                if rule.followed_by and next(rule.followed_by.walk(units, after, numbers), None) is None:
                    continue
                if not rule.clause.allows(units, at, after, self.lang):
                    continue
                if self._allowed(rule, units, at, after, text):
                    payload = rule.payload if value is None else {**rule.payload, "n": value}
                    hit = LexiconHit(units[at].start, units[after - 1].end, rule.concept, rule.id, payload)
                    found.append((number, hit))
        return _longest(hit for _, hit in sorted(found, key=lambda pair: pair[0]))

    def _allowed(self, rule: Rule, units: Sequence[Unit], at: int, after: int, text: str) -> bool:
        if self.lang == "zh":
            start, end = units[at].start, units[after - 1].end
            if _cuts_latin(text, start) or _cuts_latin(text, end):
                return False
            folded = shadow(text)
            return not (
                any(folded.startswith(word, end) for word in rule.not_before)
                or any(folded.endswith(word, 0, start) for word in rule.not_after)
                or (rule.opens and not _opens(units, at, self.stopwords))
            )
        before = units[at - 1].keys if at else ()
        behind = units[after].keys if after < len(units) else ()
        return not (
            any(key in rule.not_after for key in before)
            or any(key in rule.not_before for key in behind)
            or (rule.opens and not _opens(units, at, self.stopwords))
        )


_OPENERS = frozenset(
    "please kindly can could would will you i we me us to and then now just also so , . ; : ! ? hi hello hey dear want like need 's "
    "请 你 您 我 们 想 要 能 可 以 否 帮 并 且 再 ， 。 ； ： ！ ？ 、 忙 一 下 把 将 给 把".split(" ")
)


def _opens(units: Sequence[Unit], at: int, stopwords: frozenset[str]) -> bool:
    return all(any(key in _OPENERS for key in unit.keys) for unit in units[max(0, at - 4) : at])


def _cuts_latin(text: str, at: int) -> bool:
    """Whether a cut at ``at`` would go through a word in Latin letters."""
    return 0 < at < len(text) and all(c.isascii() and c.isalpha() for c in text[at - 1 : at + 1])


def _words(tokens: Sequence[Token]) -> list[Unit]:
    units: list[Unit] = []
    for token in tokens:
        if token.kind == "quoted":
            units.append(Unit((QUOTED,), token.start, token.end))
        elif token.kind == "word" and "-" in token.norm and " " in token.lemma and "_" not in token.norm:
            for norm, lemma in zip(token.norm.split("-"), token.lemma.split(" "), strict=False):
                units.append(Unit(_keys(norm, lemma), token.start, token.end))
        else:
            extra = (PUNCT,) if token.kind == "punct" else ()
            units.append(Unit(_keys(token.norm, token.lemma) + extra, token.start, token.end))
    return units


_PAST_ENDINGS = ("ed", "wn", "ken", "ten", "ven", "ght", "ung", "old", "one", "orn", "ent", "ade", "eld", "aid", "sen", "ilt", "ook")


def _keys(norm: str, lemma: str) -> tuple[str, ...]:
    if norm == lemma:
        return (f"={norm}", norm)
    past = (PAST,) if norm.endswith(_PAST_ENDINGS) else ()
    return (f"={norm}", norm, lemma, *past)


def _characters(tokens: Sequence[Token], text: str) -> list[Unit]:
    units: list[Unit] = []
    ends = {token.start: token.end for token in tokens if token.kind == "quoted"}
    folded, at = shadow(text), 0
    while at < len(text):
        end = ends.get(at, at + 1)
        if not folded[at].isspace():
            units.append(Unit((QUOTED if at in ends else folded[at],), at, end))
        at = end
    return units


def _numbers(
    tokens: Sequence[Token], text: str, lang: Language, units: Sequence[Unit]
) -> dict[tuple[str, int], tuple[int, float]]:
    starts = {unit.start: index for index, unit in reversed(list(enumerate(units)))}
    ends = {unit.end: index + 1 for index, unit in enumerate(units)}
    found: dict[tuple[str, int], tuple[int, float]] = {}
    for mention in find_numbers(text, tokens, lang):
        if mention.start in starts and mention.end in ends:
            symbol = ORDINAL if mention.ordinal else NUMBER
            found[(symbol, starts[mention.start])] = (ends[mention.end], mention.value)
    return found


def _longest(hits: Iterable[LexiconHit]) -> tuple[LexiconHit, ...]:
    kept: list[LexiconHit] = []
    for hit in sorted(hits, key=lambda h: h.start - h.end):
        if all(hit.family != k.family or hit.end <= k.start or k.end <= hit.start for k in kept):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda h: (h.start, -h.end)))


@lru_cache(maxsize=2)
def load_lexicon(lang: Language) -> Lexicon:
    """Read and compile the rules of a language.

    :raises PatternError: for a rule that cannot be read; rules are part of the package, so this is a defect of the package.
    """
    concepts = _yaml("concepts.yaml")
    rules: list[Rule] = []
    stopwords: set[str] = set()
    for name in sorted(e.name for e in _folder().joinpath(lang).iterdir() if e.name.endswith(".yaml")):
        content = _yaml(f"{lang}/{name}")
        rules += [_rule(entry, lang) for entry in content.get("rules", ())]
        for entry in content.get("adjectives", ()):
            rules += _adjective_rules(entry, lang)
        stopwords.update(_texts(content, "stopwords"))
    seen: set[str] = set()
    for rule in rules:
        if rule.concept not in concepts or rule.id in seen:
            raise PatternError(f"rule {rule.id}: unknown concept {rule.concept!r} or an id used twice")
        seen.add(rule.id)
    automaton = Automaton([(n, pattern) for n, rule in enumerate(rules) for pattern in rule.patterns], lang)
    return Lexicon(lang, tuple(rules), frozenset(stopwords), automaton)


def _folder() -> Any:
    return resources.files("agents.language.lexicon")


def _yaml(path: str) -> Any:
    # The loader written in C reads the rules four times as fast; not every build of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(_folder().joinpath(path).read_text(encoding="utf-8"), Loader=loader)


def _texts(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of strings; YAML reads unquoted ``no``, ``on`` and ``null`` as something else, which is refused here."""
    values = entry.get(key) or ()
    wrong = [v for v in values if isinstance(v, bool) or not isinstance(v, (str, int))]
    if wrong or isinstance(values, str):
        raise PatternError(f"{entry.get('id') or entry.get('adjective')}: {key} wants a list of quoted words, not {wrong}")
    return tuple(map(str, values))


def _rule(entry: Mapping[str, Any], lang: Language) -> Rule:
    return Rule(
        id=str(entry["id"]),
        concept=str(entry["concept"]),
        patterns=_texts(entry, "patterns"),
        payload={k: tuple(v) if isinstance(v, list) else v for k, v in (entry.get("payload") or {}).items()},
        not_after=frozenset(_texts(entry, "not_after")),
        not_before=frozenset(_texts(entry, "not_before")),
        followed_by=Automaton([(0, p) for p in _texts(entry, "followed_by")], lang) if "followed_by" in entry else None,
        clause=ClauseGuard(
            *(
                frozenset(_texts(entry, key))
                for key in (
                    "with_before",
                    "with_behind",
                    "without_before",
                    "without_behind",
                    "clause_opens_with",
                )
            )
        ),
        opens=bool(entry.get("opens", False)),
        examples=_texts(entry, "examples"),
        near_misses=_texts(entry, "near_misses"),
    )


def _superlatives(entry: Mapping[str, Any], lang: Language) -> list[str]:
    """ "3 oldest" in English; 最老的, 最老的3个 in Chinese."""
    if lang == "en":
        return [f"[<number>] {word}" for word in _texts(entry, "most")]
    return [f"{word}[的[<number>[个|名|位|家|条|种|款|部|首|座|件|只|辆]]]" for word in _texts(entry, "most")]


def _adjective_rules(entry: Mapping[str, Any], lang: Language) -> list[Rule]:
    """An adjective entry stands for several rules: its superlative, its comparatives, and "how old".

    ``words`` are lemmas of column names in order of preference; a minus in front turns the direction round (the oldest person
    has the smallest birth date).
    """
    name, rising = str(entry["adjective"]), entry.get("direction", "desc") == "desc"
    words = _texts(entry, "words")
    forms: list[tuple[str, str, list[str], Mapping[str, object]]] = []
    superlative = {"words": words, "direction": "desc" if rising else "asc"}
    forms.append(("most", "superlative.adjective", _superlatives(entry, lang), superlative))
    comparing = {"words": words}
    than, or_equal = ("compare.gt", "compare.gte") if rising else ("compare.lt", "compare.lte")
    if lang == "en":
        more = list(_texts(entry, "more"))
        forms.append(("than", than, [f"{w} than" for w in more], comparing))
        forms.append(("or_equal", or_equal, [f"{w} than or (equal|same) [to|as]" for w in more], comparing))
        forms.append(("how", "question.how", [f"how {w}" for w in _texts(entry, "how")], {"words": words}))
    else:
        forms.append(("than", than, list(_texts(entry, "more")), comparing))
        forms.append(("how", "question.how", list(_texts(entry, "how")), {"words": words}))
    return [
        Rule(
            f"{lang}.adjective.{name}.{suffix}",
            concept,
            tuple(patterns),
            payload,
            frozenset(_texts(entry, "not_after")) if suffix == "most" else frozenset(),
            frozenset(_texts(entry, "not_before")) if suffix == "most" else frozenset(),
            None,
            ClauseGuard(),
            False,
            _texts(entry.get("examples", {}), suffix),
            _texts(entry.get("near_misses", {}), suffix),
        )
        for suffix, concept, patterns, payload in forms
        if patterns
    ]
