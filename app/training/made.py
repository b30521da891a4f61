"""Made questions: what people ask of business data and the collected questions hold little of.

Keywords instead of sentences ("revenue by region in 2023"), measures of a glossary, times, and questions that cannot be
answered. They are drawn from templates over the schemas of the training databases, with plans as answers, so that their
SQL is written by the same hand as the engine's. The same seed gives the same questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import Glossary, MeasureEntry, Words
from agents.language.text import split_identifier
from agents.plan.graph import KeyGraph
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    Compare,
    Expr,
    Function,
    Item,
    Metric,
    Operator,
    Order,
    PlanError,
    Predicate,
    Select,
    Source,
    TableRef,
    Truncated,
    Within,
)
from agents.plan.labels import is_identifier, is_year, label_column, plural
from agents.sql.lower import to_sql

MEASURES = (
    "revenue,sales,turnover,gross profit,net income,spend,order value,margin,fees,earnings,output,volume,workload,"
    "throughput,consumption,demand,backlog,churn,utilisation,exposure"
).split(",")
_FOREIGN = (
    "parrot,bicycle,umbrella,asteroid,violin,glacier,cactus,submarine,trumpet,lighthouse,waffle,telescope,dinosaur,"
    "carpet,helmet,balloon"
).split(",")
_QUALITIES = "active,dormant,haunted,green,overdue,certified,broken,popular,frozen,wooden".split(",")
_MONTHS = ("January,February,March,April,May,June,July,August,September,October,November,December").split(",")

_AGGREGATES: tuple[tuple[Function, tuple[str, ...]], ...] = (
    (Function.AVG, ("average {}", "mean {}", "avg {}")),
    (Function.SUM, ("total {}", "sum of {}", "sum of all {}")),
    (Function.MAX, ("highest {}", "maximum {}", "largest {}", "max {}")),
    (Function.MIN, ("lowest {}", "minimum {}", "smallest {}", "min {}")),
)


@dataclass(frozen=True, slots=True)
class Made:
    """A question with its SQL; empty where nothing answers it."""

    text: str
    gold: str


@dataclass(frozen=True, slots=True)
class _Measure:
    text: str
    expr: Expr
    table: Table


@dataclass(frozen=True, slots=True)
class _Group:
    """What is grouped by: a column of the table, or the name of a thing one key away."""

    text: str
    expr: ColumnRef
    keys: tuple[ColumnRef, ...]
    source: Source


class Maker:
    """Draws questions over one catalog.

    :param values: distinct values by table and column.
    """

    def __init__(self, catalog: Catalog, values: dict[tuple[str, str], Sequence[str]], seed: str) -> None:
        self._catalog = catalog
        self._values = values
        self._graph = KeyGraph(catalog)
        self._random = random.Random(seed)
        self._tables = [t for t in catalog.tables if t.kind == "table" and len(t.columns) > 2]
        self.glossary = self._measures()

    def questions(self, count: int) -> list[Made]:
        """At most ``count`` different questions; fewer where the schema has too little to ask about."""
        kinds: list[Callable[[], Made]] = [self._figure, self._ranked, self._listed, self._nonsense]
        kinds += [self._figure, self._grouped, self._grouped, self._grouped]
        found: dict[str, Made] = {}
        for _ in range(count * 6):
            if len(found) >= count or not self._tables:
                break
            try:
                made = self._random.choice(kinds)()
            except (PlanError, IndexError):
                # The schema lacks what the template wants.
                continue
            found.setdefault(made.text, made)
        return list(found.values())

    # -- parts

    def _measures(self) -> Glossary:
        """Two or three measures with names that the schema does not use."""
        words = {w for t, c in self._catalog.columns() for w in (*split_identifier(t.name), *split_identifier(c.name))}
        names = [n for n in MEASURES if not set(n.split()) & words]
        self._random.shuffle(names)
        numeric = [(t, c) for t in self._tables for c in t.columns if _is_amount(t, c)]
        measures: dict[str, MeasureEntry] = {}
        for name in names[:3] if numeric else ():
            table, column = self._random.choice(numeric)
            function = self._random.choice(("SUM", "SUM", "SUM", "AVG"))
            expression = f'{function}("{table.name}"."{column.name}")'
            measures[name] = MeasureEntry(names=Words(en=(name,)), expression=expression)
        return Glossary(measures=measures)

    def _measure(self) -> _Measure:
        draw = self._random.random()
        if draw < 0.4 and self.glossary.measures:
            name = self._random.choice(sorted(self.glossary.measures))
            expression = self.glossary.measures[name].expression
            owner, name_of_column = expression.split('"')[1::2]
            table = self._catalog.table(owner)
            text = self._random.choice((name, name, f"total {name}")) if expression.startswith("SUM") else name
            return _Measure(text, Metric(name, expression, (_ref(table, table.column(name_of_column)),)), table)
        table = self._random.choice(self._tables)
        things = plural(_words(table.name))
        amounts = [c for c in table.columns if _is_amount(table, c)]
        if draw < 0.7 or not amounts:
            text = self._random.choice((f"number of {things}", f"how many {things}", f"count of {things}"))
            return _Measure(text, Aggregate(Function.COUNT, None), table)
        function, texts = self._random.choice(_AGGREGATES)
        column = self._random.choice(amounts)
        text = self._random.choice(texts).format(_words(column.name))
        if self._random.random() < 0.4:
            text += f" of {things}"
        return _Measure(text, Aggregate(function, _ref(table, column)), table)

    def _group(self, table: Table) -> _Group:
        own = [c for c in table.columns if self._is_category(table, c)]
        keys = [k for k in table.foreign_keys if k.ref_table != table.name and k.ref_table in self._catalog]
        if keys and (not own or self._random.random() < 0.4):
            other = self._catalog.table(self._random.choice(keys).ref_table)
            label = label_column(other, self.glossary)
            sources = self._graph.sources(table.name, [other.name])
            if label is None or len(sources) != 1:
                raise IndexError(other.name)
            hidden = tuple(_ref(other, other.column(k)) for k in other.primary_key)
            return _Group(_words(other.name), _ref(other, label), hidden, sources[0])
        column = self._random.choice(own)
        return _Group(_words(column.name), _ref(table, column), (), Source(TableRef(table.name, table)))

    def _is_category(self, table: Table, column: Column) -> bool:
        few = 2 <= len(self._values.get((table.name, column.name), ())) <= 40
        return column.kind is Kind.TEXT and few and not is_identifier(table, column)

    def _condition(self, table: Table) -> tuple[str, Predicate | None]:
        """Words and what they mean: a value, a time, or nothing."""
        draw = self._random.random()
        dates = [c for c in table.columns if c.kind.is_time]
        if draw < 0.35 and len(dates) == 1:
            return self._time(table, dates[0])
        categories = [c for c in table.columns if self._is_category(table, c)]
        if draw < 0.65 and categories:
            column = self._random.choice(categories)
            value = self._random.choice(sorted(self._values[table.name, column.name]))
            name = _words(column.name)
            text = self._random.choice(
                (
                    f"for {value}",
                    f"in {value}",
                    f"with {name} {value}",
                    f"where {name} is {value}",
                    f"for {name} {value}",
                )
            )
            return text, Compare(_ref(table, column), Operator.EQ, value)
        return "", None

    def _time(self, table: Table, column: Column) -> tuple[str, Predicate]:
        years = sorted({int(str(s)[:4]) for s in column.samples if str(s)[:4].isdigit()})
        year = self._random.choice(years)
        ref = _ref(table, column)
        match self._random.randrange(5):
            case 0:
                month = self._random.randrange(12)
                end = date(year + month // 11, (month + 1) % 12 + 1, 1)
                return f"in {_MONTHS[month]} {year}", Within(ref, date(year, month + 1, 1), end)
            case 1:
                return f"since {year}", Within(ref, date(year, 1, 1), None)
            case 2:
                return f"before {year}", Within(ref, None, date(year, 1, 1))
        return f"in {year}", Within(ref, date(year, 1, 1), date(year + 1, 1, 1))

    # -- questions

    def _asked(self, text: str) -> str:
        if text.startswith("how many"):
            return self._random.choice((text, text, f"{text} are there?" if text.count(" ") < 4 else f"{text}?"))
        return self._random.choice((text, text, text, f"What is the {text}?", f"show me the {text}", f"{text}?"))

    def _figure(self) -> Made:
        measure = self._measure()
        words, where = self._condition(measure.table)
        source = Source(TableRef(measure.table.name, measure.table))
        plan = Select(source, (Item(measure.expr, "value"),), where=where)
        return self._made(self._asked(f"{measure.text} {words}".strip()), plan)

    def _grouped(self) -> Made:
        measure = self._measure()
        words, where = self._condition(measure.table)
        dates = [c for c in measure.table.columns if c.kind.is_time]
        if len(dates) == 1 and self._random.random() < 0.35:
            grain = self._random.choice(("month", "year", "quarter"))
            by: Expr = Truncated(_ref(measure.table, dates[0]), grain)
            text = self._random.choice((f"{measure.text} by {grain}", f"{measure.text} per {grain}"))
            if grain != "year" and not measure.text.startswith("how"):
                text = self._random.choice((text, f"{grain}ly {measure.text}"))
            keys: tuple[ColumnRef, ...] = ()
            source = Source(TableRef(measure.table.name, measure.table))
        else:
            group = self._group(measure.table)
            by, keys, source = group.expr, group.keys, group.source
            link = self._random.choice(("by", "by", "per", "for each", "in each"))
            text = f"{measure.text} {link} {group.text}"
        plan = Select(source, (Item(by, "group"), Item(measure.expr, "value")), where, (by,), keys)
        return self._made(self._asked(f"{text} {words}".strip()), plan)

    def _ranked(self) -> Made:
        measure = self._measure()
        group = self._group(measure.table)
        words, where = self._condition(measure.table)
        if measure.text.startswith("how"):
            raise IndexError("no key to rank by")
        shown: tuple[Item, ...] = (Item(group.expr, "group"), Item(measure.expr, "value"))
        if self._random.random() < 0.6:
            limit = self._random.choice((2, 3, 5, 10))
            text = f"top {limit} {plural(group.text)} by {measure.text}"
        else:
            limit, shown = 1, shown[:1]
            text = f"which {group.text} has the highest {measure.text}"
            if not isinstance(measure.expr, Metric) or measure.text.startswith("total"):
                raise IndexError("said twice")
        order = (Order(measure.expr, True),)
        plan = Select(group.source, shown, where, (group.expr,), group.keys, None, order, limit)
        return self._made(self._asked(f"{text} {words}".strip()), plan)

    def _listed(self) -> Made:
        table = self._random.choice(self._tables)
        columns = [c for c in table.columns if not is_identifier(table, c) and c.kind is not Kind.BLOB]
        chosen = self._random.sample(columns, min(len(columns), self._random.choice((1, 2, 2, 3))))
        words, where = self._condition(table)
        amounts = [c for c in table.columns if _is_amount(table, c) and c.samples]
        if where is None and amounts and self._random.random() < 0.6:
            column = self._random.choice(amounts)
            bound = self._random.choice([s for s in column.samples if isinstance(s, (int, float))])
            op, said = self._random.choice(
                ((Operator.GT, "above"), (Operator.GT, "over"), (Operator.LT, "below"), (Operator.LT, "under"))
            )
            words, where = f"with a {_words(column.name)} {said} {bound}", Compare(_ref(table, column), op, bound)
        names = [_words(c.name) for c in chosen]
        listed = ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
        start = self._random.choice(("", "", "list the ", "show the "))
        plan = Select(
            Source(TableRef(table.name, table)), tuple(Item(_ref(table, c), _words(c.name)) for c in chosen), where
        )
        return self._made(f"{start}{listed} of {plural(_words(table.name))} {words}".strip(), plan)

    def _nonsense(self) -> Made:
        """Something that the data do not hold."""
        table = self._random.choice(self._tables)
        things, foreign = plural(_words(table.name)), plural(self._random.choice(_FOREIGN))
        quality = self._random.choice(_QUALITIES)
        columns = {w for c in table.columns for w in split_identifier(c.name)}
        if quality in columns:
            raise IndexError(quality)
        texts = (
            f"how many {foreign} do the {things} have?",
            f"number of {foreign} by {_words(self._random.choice(table.columns).name)}",
            f"average {self._random.choice(_FOREIGN)} price by {_words(table.name)}",
            f"how many {quality} {things} are there",
            f"{quality} {things}",
            f"{self._measure().text} for {self._random.choice(_FOREIGN)}",
        )
        return Made(self._random.choice(texts), "")

    def _made(self, text: str, plan: Select) -> Made:
        return Made(text, to_sql(plan, self._catalog.dialect))


def _ref(table: Table, column: Column) -> ColumnRef:
    return ColumnRef(table.name, column.name, column.kind)


def _words(name: str) -> str:
    return " ".join(split_identifier(name))


def _is_amount(table: Table, column: Column) -> bool:
    return column.kind.is_number and not is_identifier(table, column) and not is_year(column)
