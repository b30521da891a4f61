"""The entries of a glossary, as frozen models."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Aggregation = Literal["sum", "avg", "min", "max", "count"]
AGGREGATIONS: tuple[Aggregation, ...] = ("sum", "avg", "min", "max", "count")


class _Strict(BaseModel):
    """Unknown keys are refused, for they are mostly typing errors; a key without a value says nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_keys(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data


def _as_names(value: Any) -> Any:
    """A single name may stand without brackets; blanks are evened out, and empty names are none."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return names
    return tuple(even for name in names if (even := " ".join(name.split())))


def _empty_entries(value: Any) -> Any:
    return {key: {} if entry is None else entry for key, entry in value.items()} if isinstance(value, dict) else value


Names: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_as_names)]


class Words(_Strict):
    """Lists of names in both languages; the first of each is the one shown."""

    en: Names = ()
    zh: Names = ()

    def all(self) -> tuple[str, ...]:
        return self.en + self.zh

    def first(self, lang: str) -> str | None:
        names = self.zh if lang == "zh" else self.en
        return names[0] if names else None


class Texts(_Strict):
    """One text in both languages."""

    en: str = ""
    zh: str = ""

    def get(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en


class ColumnEntry(_Strict):
    """:ivar indexed: whether stored values may be found in questions; ``None`` leaves it to how the column looks."""

    names: Words = Words()
    description: Texts = Texts()
    unit: str | None = None
    aggregation: Aggregation | None = None
    hidden: bool = False
    indexed: bool | None = None
    values: Annotated[dict[str, Words], BeforeValidator(_empty_entries)] = Field(default_factory=dict)


class TableEntry(_Strict):
    names: Words = Words()
    description: Texts = Texts()
    default_date: str | None = None
    label: str | None = None
    hidden: bool = False
    columns: Annotated[dict[str, ColumnEntry], BeforeValidator(_empty_entries)] = Field(default_factory=dict)


class MeasureEntry(_Strict):
    names: Words = Words()
    description: Texts = Texts()
    expression: str
    unit: str | None = None
    date: str | None = None


class Meaning(_Strict):
    """One element: a measure, a table, a column of a table, or a value stored in that column."""

    measure: str | None = None
    table: str | None = None
    column: str | None = None
    value: str | None = None

    @model_validator(mode="after")
    def _one_element(self) -> Meaning:
        of_table = [part is not None for part in (self.table, self.column, self.value)]
        # A value needs its column, a column its table; a measure stands alone.
        if (self.measure is not None) == of_table[0] or of_table != sorted(of_table, reverse=True):
            raise ValueError("name a measure, or a table, or a table and its column, or these and a value")
        return self

    def __str__(self) -> str:
        if self.measure is not None:
            return self.measure
        name = f"{self.table}.{self.column}" if self.column is not None else str(self.table)
        return name if self.value is None else f"{name} = {self.value}"


class Remembered(_Strict):
    """A phrase whose meaning somebody has settled, and the question it was settled for."""

    phrase: str = Field(min_length=1)
    means: Meaning
    question: str = ""


class Glossary(_Strict):
    about: Texts = Texts()
    currency: str | None = None
    fiscal_year_start: int = Field(default=1, ge=1, le=12)
    tables: Annotated[dict[str, TableEntry], BeforeValidator(_empty_entries)] = Field(default_factory=dict)
    measures: dict[str, MeasureEntry] = Field(default_factory=dict)
    questions: Words = Words()
    remembered: tuple[Remembered, ...] = ()

    @cached_property
    def _tables(self) -> dict[str, TableEntry]:
        return {name.lower(): entry for name, entry in self.tables.items()}

    @cached_property
    def _columns(self) -> dict[tuple[str, str], ColumnEntry]:
        return {
            (table, column.lower()): entry.model_copy(update={"hidden": entry.hidden or of_table.hidden})
            for table, of_table in self._tables.items()
            for column, entry in of_table.columns.items()
        }

    def table(self, table: str) -> TableEntry:
        """The entry of a table (case ignored); an empty one when the glossary says nothing about it."""
        return self._tables.get(table.lower(), _NO_TABLE)

    def column(self, table: str, column: str) -> ColumnEntry:
        """The entry of a column (case ignored); an empty one when the glossary says nothing about it.

        The columns of a hidden table are hidden.
        """
        found = self._columns.get((table.lower(), column.lower()))
        return found or (_HIDDEN_COLUMN if self.table(table).hidden else _NO_COLUMN)

    def is_hidden(self, table: str, column: str | None = None) -> bool:
        """Whether questions are not to use the table, or the column: its own switch or its table's."""
        return self.table(table).hidden if column is None else self.column(table, column).hidden

    def extra_names(self) -> tuple[tuple[str, Meaning], ...]:
        """Phrases that were settled in answered clarifications, each with the element or value it means."""
        return tuple((entry.phrase, entry.means) for entry in self.remembered)

    def unit(self, table: str, column: str) -> str | None:
        """The unit to show with a column's numbers, ``money`` resolved to the currency."""
        return self._unit(self.column(table, column).unit)

    def measure_unit(self, measure: str) -> str | None:
        return self._unit(self.measures[measure].unit)

    def _unit(self, unit: str | None) -> str | None:
        return self.currency if unit == "money" else unit


_NO_TABLE = TableEntry()
_NO_COLUMN = ColumnEntry()
_HIDDEN_COLUMN = ColumnEntry(hidden=True)


def keys_of(path: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that may stand at a place of a glossary, in the order of the documentation."""
    model: type[BaseModel] = Glossary
    steps = iter(path)
    for step in steps:
        below = _BELOW.get((model, step))
        if below is None:
            return ()
        model, named = below
        if named:
            next(steps, None)
    return tuple(model.model_fields)


_BELOW: dict[tuple[type[BaseModel], str], tuple[type[BaseModel], bool]] = {
    (Glossary, "about"): (Texts, False),
    (Glossary, "questions"): (Words, False),
    (Glossary, "tables"): (TableEntry, True),
    (Glossary, "measures"): (MeasureEntry, True),
    (Glossary, "remembered"): (Remembered, True),
    (TableEntry, "columns"): (ColumnEntry, True),
    (ColumnEntry, "values"): (Words, True),
    (Remembered, "means"): (Meaning, False),
    **{(model, "names"): (Words, False) for model in (TableEntry, ColumnEntry, MeasureEntry)},
    **{(model, "description"): (Texts, False) for model in (TableEntry, ColumnEntry, MeasureEntry)},
}
"""What stands below a key, and whether names of people's own choice come between."""
