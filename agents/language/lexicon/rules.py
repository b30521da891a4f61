"""Phrase rules as read from YAML: patterns, guards, payload, and the sentences that prove them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.language.lexicon.pattern import Automaton, PatternError, Unit
from agents.language.text import Language


@dataclass(frozen=True, slots=True)
class ClauseGuard:
    """Words elsewhere in the clause, or its first word, that allow or forbid a match; empty sets guard nothing."""

    with_before: frozenset[str] = frozenset()
    with_behind: frozenset[str] = frozenset()
    without_before: frozenset[str] = frozenset()
    without_behind: frozenset[str] = frozenset()
    clause_opens_with: frozenset[str] = frozenset()

    def allows(self, units: Sequence[Unit], at: int, after: int, lang: Language) -> bool:
        if self == _UNGUARDED:
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


_UNGUARDED = ClauseGuard()
_CLAUSE_ENDS = frozenset("，。；？！,;?!.")


def _clause(units: Iterable[Unit]) -> list[Unit]:
    return list(itertools.takewhile(lambda unit: not _CLAUSE_ENDS.intersection(unit.keys), units))


@dataclass(frozen=True, slots=True)
class Rule:
    """One phrase rule.

    :param not_after: words (Chinese: strings) that, right before the match, make it none; ``not_before`` right behind
        it.
    :param only_after: words (strings) of which one must stand right before the match.
    :param followed_by: patterns of which one must stand right behind the match, without being part of it.
    :param clause: words that must (``with_``) or must not (``without_``) stand in the same clause, ``before`` the
        match or ``behind`` it.
    :param opens: the phrase must open the question or a clause ("delete the order", but not "orders to delete").
    :param examples: sentences with the matched span in ``[[…]]``.
    """

    id: str
    concept: str
    patterns: tuple[str, ...]
    payload: Mapping[str, object]
    not_after: frozenset[str]
    not_before: frozenset[str]
    only_after: frozenset[str]
    followed_by: Automaton | None
    clause: ClauseGuard
    opens: bool
    examples: tuple[str, ...]
    near_misses: tuple[str, ...]


def rules_of(content: Mapping[str, Any], lang: Language) -> Iterator[Rule]:
    """The rules of one file: its ``rules``, and those that its ``adjectives`` stand for.

    :raises PatternError: for an entry that cannot be read.
    """
    for entry in content.get("rules") or ():
        yield _rule(entry, lang)
    for entry in content.get("adjectives") or ():
        yield from _adjective_rules(entry, lang)


def texts_of(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of strings; YAML reads unquoted ``no``, ``on`` and ``null`` as something else, which is refused here."""
    values = entry.get(key) or ()
    wrong = [v for v in values if isinstance(v, bool) or not isinstance(v, (str, int))]
    if wrong or isinstance(values, str):
        name = entry.get("id") or entry.get("adjective")
        raise PatternError(f"{name}: {key} wants a list of quoted words, not {wrong}")
    return tuple(map(str, values))


def _rule(entry: Mapping[str, Any], lang: Language) -> Rule:
    followed_by = texts_of(entry, "followed_by")
    return Rule(
        id=str(entry["id"]),
        concept=str(entry["concept"]),
        patterns=texts_of(entry, "patterns"),
        payload={k: tuple(v) if isinstance(v, list) else v for k, v in (entry.get("payload") or {}).items()},
        not_after=frozenset(texts_of(entry, "not_after")),
        not_before=frozenset(texts_of(entry, "not_before")),
        only_after=frozenset(texts_of(entry, "only_after")),
        followed_by=Automaton([(0, pattern) for pattern in followed_by], lang) if followed_by else None,
        clause=ClauseGuard(
            *(
                frozenset(texts_of(entry, key))
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
        examples=texts_of(entry, "examples"),
        near_misses=texts_of(entry, "near_misses"),
    )


def _superlatives(entry: Mapping[str, Any], lang: Language) -> list[str]:
    """ "3 oldest" in English; 最老的, 最老的3个 in Chinese."""
    if lang == "en":
        return [f"[<number>] {word}" for word in texts_of(entry, "most")]
    return [f"{word}[的[<number>[个|名|位|家|条|种|款|部|首|座|件|只|辆]]]" for word in texts_of(entry, "most")]


def _adjective_rules(entry: Mapping[str, Any], lang: Language) -> list[Rule]:
    """An adjective entry stands for several rules: its superlative, its comparatives, and "how old".

    ``words`` are lemmas of column names in order of preference; a minus in front turns the direction round (the oldest
    person has the smallest birth date).
    """
    name, rising = str(entry["adjective"]), entry.get("direction", "desc") == "desc"
    words = texts_of(entry, "words")
    forms: list[tuple[str, str, list[str], Mapping[str, object]]] = []
    superlative = {"words": words, "direction": "desc" if rising else "asc"}
    forms.append(("most", "superlative.adjective", _superlatives(entry, lang), superlative))
    comparing = {"words": words}
    than, or_equal = ("compare.gt", "compare.gte") if rising else ("compare.lt", "compare.lte")
    if lang == "en":
        more = list(texts_of(entry, "more"))
        forms.append(("than", than, [f"{w} than" for w in more], comparing))
        forms.append(("or_equal", or_equal, [f"{w} than or (equal|same) [to|as]" for w in more], comparing))
        forms.append(("how", "question.how", [f"how {w}" for w in texts_of(entry, "how")], {"words": words}))
    else:
        forms.append(("than", than, list(texts_of(entry, "more")), comparing))
        forms.append(("how", "question.how", list(texts_of(entry, "how")), {"words": words}))
    return [
        Rule(
            f"{lang}.adjective.{name}.{suffix}",
            concept,
            tuple(patterns),
            payload,
            frozenset(texts_of(entry, "not_after")) if suffix == "most" else frozenset(),
            frozenset(texts_of(entry, "not_before")) if suffix == "most" else frozenset(),
            frozenset(),
            None,
            _UNGUARDED,
            False,
            texts_of(entry.get("examples", {}), suffix),
            texts_of(entry.get("near_misses", {}), suffix),
        )
        for suffix, concept, patterns, payload in forms
        if patterns
    ]
