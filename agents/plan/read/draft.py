"""The draft: what the passes have understood so far. Mutable while one reading is being made, then compiled and
dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agents.catalog import Catalog
from agents.glossary import Glossary
from agents.language.ir import (
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
from agents.language.link import Linked
from agents.language.names import FULL_NAME, name_parts
from agents.language.times import TimeRange
from agents.language.values import ValueIndex
from agents.plan.ir import Function, Operator, Value
from agents.plan.labels import adds_up, is_numeric_text

SchemaTarget: TypeAlias = TableTarget | ColumnTarget | MeasureTarget
SCHEMA = (TableTarget, ColumnTarget, MeasureTarget)


@dataclass(frozen=True, slots=True)
class MeasureDraft:
    """``function`` over ``target``; a table is counted, a glossary measure brings its own function (``None``).

    :ivar tally: a sum that was asked for as a count ("number of floors" where a column holds how many).
    """

    function: Function | None
    target: SchemaTarget | None
    distinct: bool = False
    at: int = 0
    tally: bool = False


@dataclass(frozen=True, slots=True)
class DimensionDraft:
    """Group by a column, by a table's rows, or by a time cut to ``grain`` (of the default date when no column is
    said)."""

    target: ColumnTarget | TableTarget | None
    grain: str | None = None
    at: int = 0


@dataclass(frozen=True, slots=True)
class FilterDraft:
    """A condition on rows. Exactly one of ``values``, ``op``, ``time``, ``like`` and ``null`` is meant.

    :ivar all_of: one row cannot have all of the values; the thing must have a row for each ("both … and …").
    :ivar against: compare with this aggregate over the whole column ("above the average").
    :ivar against_where: conditions on the rows that ``against`` goes over; they lie in the same table.
    :ivar against_same: ``against`` goes only over the rows whose first column equals this row's second one: those of
        the same category, the row of the manager.
    :ivar other: compare with another column of the row ("lower support rate than oppose rate").
    """

    target: ColumnTarget | TableTarget | None
    values: tuple[Value, ...] = ()
    op: Operator | None = None
    value: Value | None = None
    upper: Value | None = None
    time: TimeRange | None = None
    like: Literal["starts", "ends", "contains"] | None = None
    null: bool = False
    negated: bool = False
    at: int = 0
    all_of: bool = False
    against: Function | None = None
    against_where: tuple[FilterDraft, ...] = ()
    against_same: tuple[str, str] | None = None
    other: ColumnTarget | None = None


@dataclass(frozen=True, slots=True)
class HavingDraft:
    measure: MeasureDraft
    op: Operator
    value: int | float
    upper: int | float | None = None


@dataclass(frozen=True, slots=True)
class AbsenceDraft:
    """Rows of the entity that have none (or, not negated, at least one) in ``table``."""

    table: TableTarget
    negated: bool = True


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """Order by a measure, a column, the entity's date (``chronological``) or the first shown column (no ``key``)."""

    key: MeasureDraft | ColumnTarget | None
    descending: bool
    chronological: bool = False
    by_name: bool = False


@dataclass(frozen=True, slots=True)
class DerivedDraft:
    """What is computed from the measure: ``share`` of the total, ``portion`` that meets the conditions, ``running``,
    ``moving``, ``growth``, ``compared`` with an earlier period, ``difference``, ``ratio``, ``quantile``, ``summary``
    (``function`` over the groups' figures).

    :ivar step: growth against the ``previous`` period or the one a ``year`` earlier.
    """

    kind: str
    step: str = "previous"
    grain: str = ""
    window: int = 0
    fraction: float = 0.5
    at: int = 0
    function: Function = Function.AVG


@dataclass
class Draft:
    """:ivar keeps_all: rows without a partner in what they are grouped by are kept (shares add up to all).
    :ivar hide_key: a ranking does not show what it ranks by. :ivar hide_groups: only the measures are shown.
    :ivar related: further things the question names ("employees who have certificates"): the entity must have one.
    :ivar hints: key columns that the question's words touch: where there are several ways to join, these are meant.
    """

    measures: list[MeasureDraft] = field(default_factory=list)
    dimensions: list[DimensionDraft] = field(default_factory=list)
    projections: list[tuple[int, ColumnTarget | TableTarget]] = field(default_factory=list)
    filters: list[FilterDraft] = field(default_factory=list)
    having: list[HavingDraft] = field(default_factory=list)
    absences: list[AbsenceDraft] = field(default_factory=list)
    related: list[TableTarget] = field(default_factory=list)
    hints: list[ColumnTarget] = field(default_factory=list)
    order: list[OrderDraft] = field(default_factory=list)
    both: bool = False
    everything: bool = False
    per_group: bool = False
    either: list[frozenset[int]] = field(default_factory=list)
    limit: int | None = None
    offset: int = 0
    entity: TableTarget | None = None
    entity_at: int = -1
    distinct: bool = False
    derived: DerivedDraft | None = None
    keeps_all: bool = False
    hide_key: bool = False
    hide_groups: bool = False
    partition: list[ColumnTarget | TableTarget] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


QUALIFIER = "qualifier"
"""Role of a thing that only says whose column the next mention is ("stock" in "stock price")."""


@dataclass(frozen=True, slots=True)
class Item:
    """A mention with the meaning chosen for it in this reading."""

    at: int
    mention: Mention

    @property
    def target(self) -> object:
        return self.mention.target

    @property
    def concept(self) -> str:
        """The phrase's concept, empty for anything else."""
        return self.mention.target.concept if isinstance(self.mention.target, PhraseTarget) else ""

    def is_concept(self, *prefixes: str) -> bool:
        concept = self.concept
        if not concept:
            return False
        for prefix in prefixes:
            if concept.startswith(prefix) and (len(concept) == len(prefix) or concept[len(prefix)] == "."):
                return True
        return False

    @property
    def schema(self) -> SchemaTarget | None:
        return self.mention.target if isinstance(self.mention.target, SCHEMA) else None

    @property
    def number(self) -> NumberTarget | None:
        return self.mention.target if isinstance(self.mention.target, NumberTarget) else None

    @property
    def time(self) -> TimeTarget | None:
        return self.mention.target if isinstance(self.mention.target, TimeTarget) else None

    @property
    def value(self) -> ValueTarget | None:
        return self.mention.target if isinstance(self.mention.target, ValueTarget) else None

    @property
    def literal(self) -> TextTarget | None:
        return self.mention.target if isinstance(self.mention.target, TextTarget) else None


@dataclass
class Reading:
    """The items of one reading, which of them are used and as what, and the draft so far.

    :ivar values: tells which text columns say yes or no.
    """

    linked: Linked
    items: tuple[Item, ...]
    catalog: Catalog
    glossary: Glossary
    draft: Draft = field(default_factory=Draft)
    used: dict[int, str] = field(default_factory=dict)
    values: ValueIndex | None = None

    @property
    def chinese(self) -> bool:
        return self.linked.lang == "zh"

    def use(self, item: Item, role: str) -> None:
        self.used[item.at] = role

    def free(self, item: Item) -> bool:
        return item.at not in self.used

    def after(self, item: Item) -> tuple[Item, ...]:
        """Items after this one, nearest first; things that only qualify the next are passed over."""
        return tuple(i for i in self.items[item.at + 1 :] if self.used.get(i.at) != QUALIFIER)

    def before(self, item: Item) -> tuple[Item, ...]:
        """Items before this one, nearest first; things that only qualify the next are passed over."""
        return tuple(i for i in reversed(self.items[: item.at]) if self.used.get(i.at) != QUALIFIER)

    def gap(self, left: Item, right: Item) -> str:
        """The text between two items, lower case, without things that only qualify the next."""
        start, end = left.mention.end, right.mention.start
        text = self.linked.text[start:end].lower()
        for item in self.items[left.at + 1 : right.at]:
            if self.used.get(item.at) == QUALIFIER:
                a, b = item.mention.start - start, item.mention.end - start
                text = text[:a] + " " * (b - a) + text[b:]
        return text

    def gap_words(self, left: Item, right: Item) -> int:
        """How many words lie between two items, those of qualifying things not counted."""
        qualifiers = [i.mention for i in self.items[left.at + 1 : right.at] if self.used.get(i.at) == QUALIFIER]
        return sum(
            t.kind != "punct" and not any(q.start <= t.start < q.end for q in qualifiers)
            for t in self.linked.tokens
            if left.mention.end <= t.start < right.mention.start
        )

    def unknown_between(self, left: Item, right: Item) -> bool:
        """Whether a content word that nothing was linked to stands between two items."""
        start, end = left.mention.end, right.mention.start
        return any(start <= token.start < end for token in self.linked.unknown)

    def joined(self, left: Item, right: Item) -> bool:
        """Whether two items are listed together: only "and", "or", a comma and articles between them."""
        gap = self.gap(left, right)
        if self.chinese:
            # A phrase may hold the "and" itself: 最大|和最小.
            gap += right.mention.text[:1].strip("".join(c for c in right.mention.text[:1] if c not in "和及与、"))
            return bool(gap.strip()) and not gap.strip("和与及或以跟、，,； 的") and not set(gap) <= {"的", " "}
        for mark in (",", ";", "&", "/"):
            gap = gap.replace(mark, " and ")
        words = gap.split()
        return bool(words) and all(word in _LINKS for word in words) and any(word in _CONJUNCTIONS for word in words)

    def columns(self, item: Item) -> tuple[ColumnTarget, ...]:
        """The columns that an item shows: "full name" is a first and a last name."""
        target = item.schema
        if not isinstance(target, ColumnTarget):
            return ()
        parts = name_parts(self.catalog.table(target.table)) if item.mention.reason == FULL_NAME else None
        return tuple(ColumnTarget(target.table, part.name) for part in parts) if parts is not None else (target,)

    def kind(self, target: ColumnTarget) -> str:
        return self.catalog.table(target.table).column(target.column).kind

    def is_number(self, target: object) -> bool:
        """Whether it can be added up and compared: a number, or a text column that holds nothing but amounts."""
        if isinstance(target, MeasureTarget):
            return True
        if not isinstance(target, ColumnTarget):
            return False
        table = self.catalog.table(target.table)
        column = table.column(target.column)
        return column.kind.is_number or is_numeric_text(table, column)

    def adds_up(self, target: ColumnTarget) -> bool:
        """Whether it is a number of which a sum is a quantity."""
        unit = self.glossary.unit(target.table, target.column)
        return self.is_number(target) and adds_up(target.table, target.column, unit, self.glossary)


_CONJUNCTIONS = frozenset({"and", "or", "as", "also", "along"})
_LINKS = frozenset(
    {"and", "or", "the", "their", "its", "a", "an", "as", "well", "also", "both", "along", "with", "his", "her"}
)
