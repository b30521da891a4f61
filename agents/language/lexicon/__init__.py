"""Phrase rules as data: what the words between the names mean ("how many", "top 5", "older than", 前十名, 超过).

Rules are YAML files in ``en/`` and ``zh/``; every rule carries examples that must match and near misses that must not,
and ``concepts.yaml`` says what each concept means and what its payload holds. One more phrase is one more line there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from agents.language.lexicon.pattern import Automaton, PatternError, Unit
from agents.language.lexicon.rules import Rule, rules_of, texts_of
from agents.language.lexicon.units import characters_of, numbers_at, words_of
from agents.language.text import Language, Token, shadow

__all__ = ["Lexicon", "LexiconHit", "Rule", "load_lexicon"]


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
        """Every phrase in the question in order; inside one family of concepts the longest of overlapping phrases
        wins.
        """
        units = characters_of(tokens, text) if self.lang == "zh" else words_of(tokens)
        numbers = numbers_at(tokens, text, self.lang, units)
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
                or (rule.only_after and not any(folded.endswith(word, 0, start) for word in rule.only_after))
                or (rule.opens and not _opens(units, at, self.stopwords))
            )
        before = units[at - 1].keys if at else ()
        behind = units[after].keys if after < len(units) else ()
        return not (
            any(key in rule.not_after for key in before)
            or any(key in rule.not_before for key in behind)
            or (rule.only_after and not any(key in rule.only_after for key in before))
            or (rule.opens and not _opens(units, at, self.stopwords))
        )


_OPENERS = frozenset(
    "please kindly can could would will you i we me us to and then now just also so , . ; : ! ? hi hello hey dear "
    "want like need 's "
    "请 你 您 我 们 想 要 能 可 以 否 帮 并 且 再 ， 。 ； ： ！ ？ 、 忙 一 下 把 将 给 把".split(" ")
)


def _opens(units: Sequence[Unit], at: int, stopwords: frozenset[str]) -> bool:
    return all(any(key in _OPENERS for key in unit.keys) for unit in units[max(0, at - 4) : at])


def _cuts_latin(text: str, at: int) -> bool:
    """Whether a cut at ``at`` would go through a word in Latin letters."""
    return 0 < at < len(text) and all(c.isascii() and c.isalpha() for c in text[at - 1 : at + 1])


def _longest(hits: Iterable[LexiconHit]) -> tuple[LexiconHit, ...]:
    kept: list[LexiconHit] = []
    for hit in sorted(hits, key=lambda h: h.start - h.end):
        if all(hit.family != k.family or hit.end <= k.start or k.end <= hit.start for k in kept):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda h: (h.start, -h.end)))


@lru_cache(maxsize=2)
def load_lexicon(lang: Language) -> Lexicon:
    """Read and compile the rules of a language.

    :raises PatternError: for a rule that cannot be read; rules are part of the package, so this is a defect of the
        package.
    """
    concepts = _yaml("concepts.yaml")
    rules: list[Rule] = []
    stopwords: set[str] = set()
    for name in sorted(e.name for e in _folder().joinpath(lang).iterdir() if e.name.endswith(".yaml")):
        content = _yaml(f"{lang}/{name}")
        rules += rules_of(content, lang)
        stopwords.update(texts_of(content, "stopwords"))
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
