"""What a plan shows: its items, groups and order, with the labels and units that people read."""

from __future__ import annotations

from agents.catalog import Catalog, Kind
from agents.glossary import Glossary
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    Expr,
    Function,
    Item,
    Metric,
    Order,
    Source,
    Truncated,
)
from agents.plan.labels import column_label, date_columns, label_columns, table_label
from agents.plan.read.draft import DimensionDraft, Draft, MeasureDraft, OrderDraft
from agents.plan.read.words import grain_label, measure_words


class CannotCompile(ValueError):
    """The draft makes no plan.

    :ivar reason: a stable word. :ivar detail: the problem, for logs.
    :ivar names: the tables, columns (``table.column``) and measures that it is about, as the catalog calls them.
    """

    def __init__(self, reason: str, detail: str = "", names: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        self.names = names


class Shown:
    """The part of the compiler that needs no joins. Immutable; safe to share between threads."""

    def __init__(self, catalog: Catalog, glossary: Glossary) -> None:
        self.catalog = catalog
        self.glossary = glossary

    def _date_columns(self, table: str) -> list[str]:
        return [c.name for c in date_columns(self.catalog.table(table), self.glossary)]

    def ref(self, target: ColumnTarget | TableTarget) -> ColumnRef:
        """The column as the plan names it; a table stands for its first key column."""
        table = self.catalog.table(target.table)
        if isinstance(target, TableTarget):
            name = table.primary_key[0] if table.primary_key else table.columns[0].name
        else:
            name = target.column
        column = table.column(name)
        return ColumnRef(table.name, column.name, column.kind)

    def _items(
        self, draft: Draft, source: Source, measures: dict[int, Aggregate | Metric], lang: str
    ) -> tuple[list[Item], list[Expr], list[ColumnRef]]:
        items: list[tuple[int, Item]] = []
        group: list[Expr] = []
        keys: list[ColumnRef] = []
        for dimension in draft.dimensions:
            if (
                isinstance(dimension.target, TableTarget)
                and dimension.grain is None
                and self._named(draft, dimension.target)
            ):
                # "the product ids and the number of orders of each product": the ids stand for the products.
                own_key = self.ref(dimension.target)
                keys += [] if own_key in keys else [own_key]
                continue
            named, hidden = self._dimension(dimension, lang)
            for expr, label in named:
                if expr in group:
                    continue
                if not draft.hide_groups:
                    items.append((0, Item(expr, label, self._unit(expr))))
                group.append(expr)
            keys += [k for k in hidden if k not in keys]
        for measure in draft.measures:
            expr = measures[id(measure)]
            items.append((1, Item(expr, self._measure_label(measure, lang), self._measure_unit(measure))))
        for order in draft.order:
            key = order.key
            if isinstance(key, MeasureDraft) and draft.dimensions and self._show_key(draft, key):
                expr = measures[id(key)]
                if all(i.expr != expr for _, i in items):
                    items.append((1, Item(expr, self._measure_label(key, lang), self._measure_unit(key))))
        if not items:
            items = [(0, item) for item in self._details(draft, lang)]
        return [item for _, item in items], group, [k for k in keys if k not in group]

    @staticmethod
    def _named(draft: Draft, table: TableTarget) -> bool:
        """Whether another group shows a column of that table."""
        return any(isinstance(d.target, ColumnTarget) and d.target.table == table.table for d in draft.dimensions)

    def _show_key(self, draft: Draft, key: MeasureDraft) -> bool:
        """A ranking shows what it ranks by; "which country has the most customers" asks for the country alone."""
        return (draft.limit != 1 and not draft.hide_key) or key in draft.measures

    def _details(self, draft: Draft, lang: str) -> list[Item]:
        targets: list[ColumnTarget | TableTarget] = [t for _, t in draft.projections]
        if not targets and draft.entity is not None:
            targets = [draft.entity]
        if not targets:
            # Only a condition was said ("Germany", "in 2023"): show the rows it is about.
            targets += [TableTarget(f.target.table) for f in draft.filters if f.target is not None][:1]
        items: list[Item] = []
        for target in targets:
            columns = [target] if isinstance(target, ColumnTarget) else self._row_columns(target, draft.everything)
            for column in columns:
                expr = self.ref(column)
                if all(i.expr != expr for i in items):
                    unit = self.glossary.unit(column.table, column.column)
                    items.append(Item(expr, column_label(column, self.glossary, lang), unit))
        return items

    def _row_columns(self, target: TableTarget, everything: bool) -> list[ColumnTarget]:
        """How a row is shown when only the thing is asked for: its name, else everything visible."""
        table = self.catalog.table(target.table)
        labels = label_columns(table, self.glossary)
        if labels and not everything:
            return [ColumnTarget(table.name, label.name) for label in labels]
        return [
            ColumnTarget(table.name, c.name)
            for c in table.columns
            if not self.glossary.column(table.name, c.name).hidden and c.kind is not Kind.BLOB
        ]

    def _dimension(self, dimension: DimensionDraft, lang: str) -> tuple[list[tuple[Expr, str]], list[ColumnRef]]:
        """What is grouped by, each with its label, and the keys that only tell things of one name apart."""
        target = dimension.target
        if target is None:
            raise CannotCompile("no_date")
        if dimension.grain is not None:
            ref = self.ref(target)
            label = f"{column_label(target, self.glossary, lang)}" if isinstance(target, ColumnTarget) else ""
            if not ref.kind.is_time:
                if dimension.grain != "year":
                    raise CannotCompile("no_date", names=(target.table,))
                return [(ref, label)], []
            return [(Truncated(ref, dimension.grain), grain_label(dimension.grain, lang))], []
        if isinstance(target, TableTarget):
            table = self.catalog.table(target.table)
            columns = [ColumnTarget(table.name, c.name) for c in label_columns(table, self.glossary)]
            pk = [self.ref(ColumnTarget(table.name, name)) for name in table.primary_key]
            if not columns:
                return [(self.ref(target), table_label(target, self.glossary, lang))], pk[1:]
            if len(columns) > 1:
                return [(self.ref(c), column_label(c, self.glossary, lang)) for c in columns], pk
            hidden = [] if table.is_unique((columns[0].column,)) else pk
            return [(self.ref(columns[0]), table_label(target, self.glossary, lang))], hidden
        return [(self.ref(target), column_label(target, self.glossary, lang))], []

    def _order(
        self,
        draft: Draft,
        source: Source,
        measures: dict[int, Aggregate | Metric],
        items: list[Item],
        group: list[Expr],
    ) -> list[Order]:
        order: list[Order] = []
        for one in draft.order:
            order.append(Order(self._order_key(one, draft, source, measures, items), one.descending))
        if order:
            return order
        if any(isinstance(expr, Truncated) for expr in group) or any(
            isinstance(expr, ColumnRef) and expr.kind.is_time for expr in group
        ):
            return [Order(expr) for expr in group]
        first = next((i.expr for i in items if isinstance(i.expr, (Aggregate, Metric))), None)
        if group and first is not None:
            # Nobody asked for an order: largest first reads best, and names break ties the same way every time.
            return [Order(first, True), *(Order(expr) for expr in group)]
        return order

    def _order_key(
        self,
        one: OrderDraft,
        draft: Draft,
        source: Source,
        measures: dict[int, Aggregate | Metric],
        items: list[Item],
    ) -> Expr:
        if isinstance(one.key, MeasureDraft):
            return measures[id(one.key)]
        if isinstance(one.key, ColumnTarget):
            ref = self.ref(one.key)
            if draft.dimensions and all(i.expr != ref for i in items):
                return Aggregate(Function.MAX if one.descending else Function.MIN, ref)
            return ref
        if one.chronological:
            for ref_table in source.refs():
                dates = self._date_columns(ref_table.table.name)
                if dates:
                    return self.ref(ColumnTarget(ref_table.table.name, dates[0]))
            raise CannotCompile("no_date", names=(source.root.table.name,))
        if draft.limit is not None and not one.chronological:
            raise CannotCompile("no_order_key")
        measure = next((i.expr for i in items if isinstance(i.expr, (Aggregate, Metric))), None)
        if not items:
            raise CannotCompile("nothing_asked")
        return measure if measure is not None and not one.by_name else items[0].expr

    def _measure_label(self, measure: MeasureDraft, lang: str) -> str:
        return measure_words(measure, self.glossary, lang)

    def _measure_unit(self, measure: MeasureDraft) -> str | None:
        target = measure.target
        if isinstance(target, MeasureTarget):
            return self.glossary.measure_unit(target.name)
        if isinstance(target, ColumnTarget) and measure.function is not Function.COUNT:
            return self.glossary.unit(target.table, target.column)
        return None

    def _unit(self, expr: Expr) -> str | None:
        return self.glossary.unit(expr.alias, expr.column) if isinstance(expr, ColumnRef) else None
