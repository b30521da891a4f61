"""How a question touches each column: one row of numbers per column, for the role trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.catalog import Catalog, Table
from agents.language.ir import ColumnTarget, Mention, PhraseTarget, TableTarget, ValueTarget
from agents.language.link import Linked, is_guess
from agents.learn.facts import HEADS, ColumnKey

Floats = NDArray[np.float64]

_BEFORE = tuple(
    "^ of by with each per whose the and , for in from is be have than number their that all different distinct most "
    "or which what where who both not to a any order".split()
)
_AFTER = tuple(
    "$ ? . of is be and , for in from than at to with who that have contain start by or equal do as between on".split()
)
_NEIGHBOURS = (
    "none",
    "table",
    "column",
    "value",
    "number",
    "time",
    "text",
    "aggregate",
    "group",
    "order",
    "compare",
    "top",
    "other",
)

COLUMN_FEATURES = (
    "score place rivals guess length covers position ordinal value value_rivals value_place value_position loser table "
    "table_columns table_values number text time key foreign unique name_like tables_in_question columns_in_question "
    "values_in_question numbers_in_question words".split()
    + [f"before={w}" for w in _BEFORE]
    + [f"second={w}" for w in _BEFORE]
    + [f"after={w}" for w in _AFTER]
    + [f"previous={n}" for n in _NEIGHBOURS]
    + [f"next={n}" for n in _NEIGHBOURS]
    + [f"sketch.{head}.{name}" for head, classes in HEADS.items() for name in classes[1:]]
)


@dataclass
class _Touch:
    """The best mention of one column, and the best of one of its values."""

    mention: Mention | None = None
    place: int = 0
    slot: int = -1
    value: float = 0.0
    value_place: int = 0
    value_slot: int = -1
    loser: float = 0.0


@dataclass
class Links:
    """Everything the role trees want to know about one question; ``order`` is where in the text a column is touched."""

    linked: Linked
    touches: dict[ColumnKey, _Touch] = field(default_factory=dict)
    tables: dict[str, float] = field(default_factory=dict)
    columns_of: dict[str, int] = field(default_factory=dict)
    values_of: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, linked: Linked) -> Links:
        links = cls(linked)
        for number, slot in enumerate(linked.slots):
            for place, mention in enumerate(slot):
                links._note(number, place, mention)
        for mention in linked.losers:
            if isinstance(mention.target, ColumnTarget):
                touch = links._touch(mention.target.table, mention.target.column)
                touch.loser = max(touch.loser, mention.score)
            elif isinstance(mention.target, TableTarget):
                links.tables.setdefault(mention.target.table, mention.score * 0.5)
        return links

    def _touch(self, table: str, column: str) -> _Touch:
        return self.touches.setdefault((table, column), _Touch())

    def _note(self, number: int, place: int, mention: Mention) -> None:
        match mention.target:
            case TableTarget(table):
                self.tables[table] = max(self.tables.get(table, 0.0), mention.score)
            case ColumnTarget(table, column):
                touch = self._touch(table, column)
                if touch.mention is None or mention.score > touch.mention.score:
                    touch.mention, touch.place, touch.slot = mention, place, number
                if place == 0:
                    self.columns_of[table] = self.columns_of.get(table, 0) + 1
            case ValueTarget(table, column, _):
                touch = self._touch(table, column)
                if mention.score > touch.value:
                    touch.value, touch.value_place, touch.value_slot = mention.score, place, number
                if place == 0:
                    self.values_of[table] = self.values_of.get(table, 0) + 1

    def order(self, column: ColumnKey) -> int:
        """Number of the slot that names the column; -1 where none does."""
        touch = self.touches.get(column)
        return touch.slot if touch is not None else -1


class ColumnRows:
    """Rows of :data:`COLUMN_FEATURES` for columns of one question."""

    def __init__(self, links: Links, catalog: Catalog, sketch: Sequence[Floats]) -> None:
        self._links = links
        self._catalog = catalog
        linked = links.linked
        self._words = ["^", *(t.lemma for t in linked.tokens), "$"]
        self._starts = [t.start for t in linked.tokens]
        self._ends = [t.end for t in linked.tokens]
        self._kinds = [_neighbour(slot[0]) for slot in linked.slots]
        self._tail = [float(np.exp(p)) for part in sketch for p in part[1:]]
        self._question = [
            float(self._kinds.count("table")),
            float(self._kinds.count("column")),
            float(self._kinds.count("value")),
            float(self._kinds.count("number")),
            float(len(linked.tokens)),
        ]
        self._ordinals = _ordinals(self._kinds)

    def rows(self, columns: Sequence[ColumnKey]) -> Floats:
        return np.array([self._row(column) for column in columns], dtype=np.float64).reshape(
            len(columns), len(COLUMN_FEATURES)
        )

    def _row(self, key: ColumnKey) -> list[float]:
        links, linked = self._links, self._links.linked
        table = self._catalog.table(key[0])
        column = table.column(key[1])
        touch = links.touches.get(key, _Touch())
        mention = touch.mention
        name = column.name.lower().replace("_", " ")
        row = [
            mention.score if mention else 0.0,
            float(touch.place) if mention else -1.0,
            float(len(linked.slots[touch.slot])) if mention else 0.0,
            float(mention is not None and is_guess(mention)),
            float(len(mention.text.split())) if mention else 0.0,
            len(mention.text) / max(1, len(name)) if mention else 0.0,
            mention.start / max(1, len(linked.text)) if mention else -1.0,
            float(self._ordinals[touch.slot]) if mention else -1.0,
            touch.value,
            float(len(linked.slots[touch.value_slot])) if touch.value else 0.0,
            float(touch.value_place) if touch.value else -1.0,
            linked.slots[touch.value_slot][0].start / max(1, len(linked.text)) if touch.value else -1.0,
            touch.loser,
            links.tables.get(key[0], 0.0),
            float(links.columns_of.get(key[0], 0)),
            float(links.values_of.get(key[0], 0)),
            float(column.kind.is_number),
            float(column.kind == "text"),
            float(column.kind.is_time),
            float(column.name in table.primary_key),
            float(is_foreign(table, column.name)),
            float(column.unique),
            float(any(word in name for word in ("name", "title"))),
            *self._question,
        ]
        return row + self._context(touch) + self._tail

    def _context(self, touch: _Touch) -> list[float]:
        """The words and the mentions around the mention (where the column is not named, around its value)."""
        slot = touch.slot if touch.mention else touch.value_slot
        if slot < 0:
            return [0.0] * (2 * len(_BEFORE) + len(_AFTER) + 2 * len(_NEIGHBOURS))
        span = self._links.linked.slots[slot][0]
        first = next((n for n, end in enumerate(self._ends) if end > span.start), 0)
        last = next((n for n, start in enumerate(self._starts) if start >= span.end), len(self._starts))
        before, after = self._words[first], self._words[last + 1]
        second = self._words[first - 1] if first else "^"
        previous = self._kinds[slot - 1] if slot else "none"
        following = self._kinds[slot + 1] if slot + 1 < len(self._kinds) else "none"
        return [
            *(float(before == w) for w in _BEFORE),
            *(float(second == w) for w in _BEFORE),
            *(float(after == w) for w in _AFTER),
            *(float(previous == n) for n in _NEIGHBOURS),
            *(float(following == n) for n in _NEIGHBOURS),
        ]


def is_foreign(table: Table, column: str) -> bool:
    return any(column in key.columns for key in table.foreign_keys)


def _ordinals(kinds: Sequence[str]) -> list[int]:
    """For each slot how many columns are named before it."""
    found, count = [], 0
    for kind in kinds:
        found.append(count)
        count += kind == "column"
    return found


def _neighbour(mention: Mention) -> str:
    target = mention.target
    if isinstance(target, PhraseTarget):
        concept = target.concept.split(".")[0]
        concept = {"superlative": "top", "bottom": "top", "negation": "compare", "like": "compare"}.get(
            concept, concept
        )
        return concept if concept in _NEIGHBOURS else "other"
    name = type(target).__name__.removesuffix("Target").lower()
    return "column" if name == "measure" else name
