"""What people call things: names and synonyms in both languages, measures, defaults, units. YAML, one per connection.

The file's shape (every part optional)::

    about: {en: "A made retail company.", zh: "一家虚构的零售公司。"}
    currency: EUR                      # unit of money columns and measures that say `unit: money`
    tables:
      orders:
        names: {en: [order, purchase], zh: [订单, 单子]}
        description: {en: "One row per order.", zh: "每个订单一行。"}
        default_date: ordered_at       # the date that "last year" means here
        label: null                    # column that names a row ("name" of a customer)
        columns:
          ordered_at:
            names: {en: [order date, ordered], zh: [下单日期]}
            description: {en: "", zh: ""}
            unit: null                 # shown with numbers: EUR, kg, %, money
            aggregation: sum           # how a number is put together when nobody says (sum, avg, min, max)
            hidden: false
            values: {DE: {en: [Germany, german], zh: [德国]}}     # stored value -> what people say
    measures:
      revenue:
        names: {en: [revenue, sales, turnover], zh: [销售额, 收入, 营收]}
        description: {en: "", zh: ""}
        expression: SUM(order_lines.quantity * order_lines.unit_price)     # one aggregate SQL expression, columns qualified
        unit: money
        date: orders.ordered_at        # the date that "last year" means for it
    questions: {en: [..], zh: [..]}    # starter questions; verified by the seed's tests
"""

from __future__ import annotations

from typing import Literal

import sqlglot
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlglot import exp

from agents.catalog import Catalog
from agents.errors import GlossaryError

Aggregation = Literal["sum", "avg", "min", "max", "count"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(_Strict):
    """Lists of names in both languages; the first of each is the one shown."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()

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
    names: Words = Words()
    description: Texts = Texts()
    unit: str | None = None
    aggregation: Aggregation | None = None
    hidden: bool = False
    values: dict[str, Words] = Field(default_factory=dict)


class TableEntry(_Strict):
    names: Words = Words()
    description: Texts = Texts()
    default_date: str | None = None
    label: str | None = None
    columns: dict[str, ColumnEntry] = Field(default_factory=dict)


class MeasureEntry(_Strict):
    names: Words = Words()
    description: Texts = Texts()
    expression: str
    unit: str | None = None
    date: str | None = None


class Glossary(_Strict):
    about: Texts = Texts()
    currency: str | None = None
    tables: dict[str, TableEntry] = Field(default_factory=dict)
    measures: dict[str, MeasureEntry] = Field(default_factory=dict)
    questions: Words = Words()

    def table(self, table: str) -> TableEntry:
        """The entry of a table (case ignored); an empty one when the glossary says nothing about it."""
        for name, entry in self.tables.items():
            if name.lower() == table.lower():
                return entry
        return TableEntry()

    def column(self, table: str, column: str) -> ColumnEntry:
        """The entry of a column (case ignored); an empty one when the glossary says nothing about it."""
        for name, entry in self.table(table).columns.items():
            if name.lower() == column.lower():
                return entry
        return ColumnEntry()

    def unit(self, table: str, column: str) -> str | None:
        """The unit to show with a column's numbers, ``money`` resolved to the currency."""
        return self._unit(self.column(table, column).unit)

    def measure_unit(self, measure: str) -> str | None:
        return self._unit(self.measures[measure].unit)

    def _unit(self, unit: str | None) -> str | None:
        return self.currency if unit == "money" else unit


def load_glossary(text: str, catalog: Catalog) -> Glossary:
    """Parse YAML and check it against the catalog.

    :raises GlossaryError: ``glossary.syntax`` or ``glossary.shape`` for a text that is no glossary,
        ``glossary.unknown_name`` for a table or column that is not in the catalog, ``glossary.measure`` for an
        expression that is not one aggregate over known columns.
    """
    try:
        data = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise GlossaryError("glossary.syntax", f"The glossary is not valid YAML: {error}", "Fix the line it names.") from error
    try:
        glossary = Glossary.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = " → ".join(str(part) for part in first["loc"])
        raise GlossaryError("glossary.shape", f"{where}: {first['msg']}", "Compare with the documented shape.") from error
    for table, entry in glossary.tables.items():
        if table not in catalog:
            raise _unknown(f"table {table!r}")
        names = [*entry.columns, *(n for n in (entry.default_date, entry.label) if n)]
        for column in names:
            if column not in catalog.table(table):
                raise _unknown(f"column {table}.{column}")
    for name, measure in glossary.measures.items():
        _check_measure(name, measure, catalog)
    return glossary


def measure_expression(measure: MeasureEntry, dialect: str = "") -> exp.Expr:
    """The measure's SQL as a sqlglot tree."""
    return sqlglot.parse_one(measure.expression, dialect=dialect or None)


def _check_measure(name: str, measure: MeasureEntry, catalog: Catalog) -> None:
    try:
        tree = measure_expression(measure, catalog.dialect)
    except sqlglot.errors.ParseError as error:
        raise GlossaryError("glossary.measure", f"Measure {name!r} is not SQL: {error}", "Write one SQL expression.") from error
    if not isinstance(tree, exp.Expr) or tree.find(exp.Query, exp.DML, exp.Command) or not tree.find(exp.AggFunc):
        raise GlossaryError(
            "glossary.measure", f"Measure {name!r} is not an aggregate expression.", "Write for example SUM(table.column)."
        )
    columns = [(c.table, c.name) for c in tree.find_all(exp.Column)]
    if measure.date:
        table, _, column = measure.date.partition(".")
        columns.append((table, column))
    for table, column in columns:
        if not table or table not in catalog or column not in catalog.table(table):
            raise _unknown(f"{table or '?'}.{column} in measure {name!r}")


def _unknown(what: str) -> GlossaryError:
    return GlossaryError("glossary.unknown_name", f"The glossary names {what}, which the database does not have.", "Correct or remove it.")
