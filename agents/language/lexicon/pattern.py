"""The pattern language of the phrase rules, and the automaton it compiles to.

English patterns are sequences of items over the words of the question, separated by spaces:

- ``word`` matches a token whose normal form or lemma is that word (``order`` matches "ordered"); ``=word`` only the
  form itself;
- ``a|b`` matches either word; ``(of the|for)`` either sequence; ``[the]`` and ``[of|in the]`` the same, or nothing;
- ``<number>`` matches a quantity in digits or words, ``<ordinal>`` a rank, ``<quoted>`` text in quotes.

Chinese patterns are the same over characters; spaces mean nothing, and ``|`` stands only inside brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agents.language.text import Language

NUMBER, ORDINAL, QUOTED = "<number>", "<ordinal>", "<quoted>"
_SPANNING = (NUMBER, ORDINAL)  # symbols that may be several units long

_LEXEME = re.compile(r"<number>|<ordinal>|<quoted>|[\[\]()|]|(?:[^\s\[\]()|<]|<(?!number>|ordinal>|quoted>))+")


class PatternError(ValueError):
    """A pattern of a rule cannot be read."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One step of the matching: a word (its keys are ``=norm``, norm and lemma) or a Chinese character."""

    keys: tuple[str, ...]
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Node:
    """A state. ``moves`` and ``rules`` hold, after :meth:`close`, also what is reached over ``free`` moves."""

    moves: dict[str, list[Node]] = field(default_factory=dict)
    free: list[Node] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)

    def step(self, symbol: str) -> Node:
        """The state behind one symbol; patterns that begin alike share their states."""
        existing = self.moves.get(symbol)
        if existing:
            return existing[0]
        node = Node()
        self.moves[symbol] = [node]
        return node


class Automaton:
    """All patterns of a lexicon in one automaton; a pattern is known by its rule's number."""

    def __init__(self, patterns: Sequence[tuple[int, str]], lang: Language) -> None:
        self._root = Node()
        for rule, pattern in patterns:
            lexemes = _LEXEME.findall(pattern if lang == "zh" else _tie_words(pattern))
            end, rest = _sequence(self._root, lexemes, 0, lang)
            if rest != len(lexemes):
                raise PatternError(f"{pattern!r}: a bracket is not closed, or a bar stands outside brackets")
            end.rules.append(rule)
        _close(self._root)
        if self._root.rules:
            raise PatternError(f"a pattern of rule number {self._root.rules[0]} may match nothing at all")

    def walk(
        self, units: Sequence[Unit], at: int, numbers: Mapping[tuple[str, int], tuple[int, float]]
    ) -> Iterator[tuple[int, int, float | None]]:
        """Rules that match from unit ``at`` on: (rule, index behind the last unit, value of its number if any).

        :param numbers: for (symbol, unit index) the index behind the number that starts there, and its value.
        """
        stack: list[tuple[Node, int, float | None]] = [(self._root, at, None)]
        while stack:
            node, index, value = stack.pop()
            for rule in node.rules:
                yield rule, index, value
            if index >= len(units) or not node.moves:
                continue
            for key in units[index].keys:
                stack += [(following, index + 1, value) for following in node.moves.get(key, ())]
            for symbol in _SPANNING:
                if symbol in node.moves and (symbol, index) in numbers:
                    after, number = numbers[(symbol, index)]
                    stack += [(following, after, number) for following in node.moves[symbol]]


def _tie_words(pattern: str) -> str:
    """Outside brackets a bar ties single words (``how many|much``); give them brackets of their own."""
    depth, tied = 0, []
    for word in pattern.split():
        if depth == 0 and "|" in word and not set(word) & set("[]()"):
            word = f"({word})"
        depth += sum(c in "[(" for c in word) - sum(c in "])" for c in word)
        tied.append(word)
    return " ".join(tied)


def _sequence(start: Node, lexemes: list[str], at: int, lang: Language) -> tuple[Node, int]:
    """Add items until a bar, a closing bracket or the end; gives the last state and the position reached."""
    node = start
    while at < len(lexemes) and lexemes[at] not in ("|", "]", ")"):
        lexeme = lexemes[at]
        at += 1
        if lexeme in ("[", "("):
            node, at = _group(node, lexemes, at, lang, lexeme)
        elif lang == "zh" and not lexeme.startswith("<"):
            for character in lexeme:
                node = node.step(character)
        else:
            node = node.step(lexeme)
    return node, at


def _group(start: Node, lexemes: list[str], at: int, lang: Language, opening: str) -> tuple[Node, int]:
    join, closing = Node(), "]" if opening == "[" else ")"
    while True:
        inner = Node()
        start.free.append(inner)
        end, at = _sequence(inner, lexemes, at, lang)
        end.free.append(join)
        if at >= len(lexemes) or lexemes[at] not in ("|", closing):
            raise PatternError(f"a bracket is not closed in {' '.join(lexemes)!r}")
        at += 1
        if lexemes[at - 1] == closing:
            break
    if opening == "[":
        start.free.append(join)
    return join, at


def _close(root: Node) -> None:
    """Give every state the moves and rules that it reaches over free moves."""
    states: list[Node] = []
    seen = {id(root)}
    stack = [root]
    while stack:
        node = stack.pop()
        states.append(node)
        for following in (*node.free, *(n for group in node.moves.values() for n in group)):
            if id(following) not in seen:
                seen.add(id(following))
                stack.append(following)
    reached = [(node, _reach(node)) for node in states]
    closed = [
        (
            node,
            _merged(reach),
            list(dict.fromkeys(rule for state in reach for rule in state.rules)),
        )
        for node, reach in reached
    ]
    for node, moves, rules in closed:
        node.moves, node.rules, node.free = moves, rules, []


def _reach(node: Node) -> list[Node]:
    reach, stack = {id(node): node}, [node]
    while stack:
        for following in stack.pop().free:
            if id(following) not in reach:
                reach[id(following)] = following
                stack.append(following)
    return list(reach.values())


def _merged(states: Sequence[Node]) -> dict[str, list[Node]]:
    moves: dict[str, list[Node]] = {}
    for state in states:
        for symbol, following in state.moves.items():
            moves.setdefault(symbol, []).extend(n for n in following if n not in moves.get(symbol, ()))
    return moves
