"""Lowering: a plan becomes a sqlglot tree, and the tree becomes SQL of the connection's dialect. No text is glued."""

from __future__ import annotations

import importlib
import pkgutil
import re
from datetime import date, datetime
from functools import lru_cache

import sqlglot
from sqlglot import exp

import agents.dialects
from agents.catalog import Kind
from agents.dialects.base import Lowering
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    Compare,
    ComparedPlan,
    CountPlan,
    DerivedPlan,
    Exists,
    Expr,
    Function,
    IsNull,
    Like,
    Metric,
    Not,
    OneOf,
    Operator,
    Or,
    Plan,
    PortionPlan,
    Predicate,
    QuantilePlan,
    Scalar,
    Select,
    SetOperator,
    SetPlan,
    Source,
    SummaryPlan,
    TableRef,
    TopPlan,
    Truncated,
    Value,
    Within,
    block_of,
)
from agents.sql.derive import compared_tree, derived_tree, portion_tree, quantile_tree, top_tree
from agents.sql.rules import rules_for

_COMPARE = {
    Operator.EQ: exp.EQ,
    Operator.NE: exp.NEQ,
    Operator.GT: exp.GT,
    Operator.GE: exp.GTE,
    Operator.LT: exp.LT,
    Operator.LE: exp.LTE,
}
_AGGREGATE = {
    Function.COUNT: exp.Count,
    Function.SUM: exp.Sum,
    Function.AVG: exp.Avg,
    Function.MIN: exp.Min,
    Function.MAX: exp.Max,
}
_SET = {SetOperator.UNION: exp.Union, SetOperator.INTERSECT: exp.Intersect, SetOperator.EXCEPT: exp.Except}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@lru_cache(maxsize=1)
def lowerings() -> dict[str, Lowering]:
    """Every dialect's lowering by sqlglot's name (the folder ``agents/dialects`` is scanned)."""
    found: dict[str, Lowering] = {}
    for module in pkgutil.iter_modules(agents.dialects.__path__):
        lowering = getattr(importlib.import_module(f"agents.dialects.{module.name}"), "LOWERING", None)
        if lowering is not None:
            found[lowering.name] = lowering
    return found


def lower(plan: Plan, dialect: str) -> exp.Query:
    """The plan as a tree.

    :raises KeyError: for a dialect without a file in ``agents/dialects``.
    """
    return _Lowerer(lowerings()[dialect]).plan(plan)


def to_sql(plan: Plan, dialect: str) -> str:
    """The plan as indented SQL text of the dialect."""
    return lower(plan, dialect).sql(dialect=dialect, pretty=True)


def output_names(plan: Plan) -> tuple[str, ...]:
    """The names of the result's columns, unique, in order."""
    if isinstance(plan, (CountPlan, PortionPlan, SummaryPlan)):
        return (_snake(plan.label),)
    if isinstance(plan, ComparedPlan):
        return _unlike([_snake(label) for label in plan.labels])
    items = block_of(plan).items
    if isinstance(plan, QuantilePlan):
        items = items[:-1]
    bases = [item.expr.column if isinstance(item.expr, ColumnRef) else _snake(item.label) for item in items]
    if isinstance(plan, QuantilePlan):
        bases.append(_snake(plan.label))
    if isinstance(plan, DerivedPlan):
        # The sub-plan's columns keep the names that they have by themselves.
        *own, added = _unlike([*bases, _snake(plan.label)])
        own.insert(plan.place, added)
        return tuple(own)
    return _unlike(bases)


def _unlike(bases: list[str]) -> tuple[str, ...]:
    """The same names, numbered where they repeat."""
    names: list[str] = []
    for base in bases:
        name, count = base, 2
        while name.lower() in {n.lower() for n in names}:
            name, count = f"{base}_{count}", count + 1
        names.append(name)
    return tuple(names)


def _snake(label: str) -> str:
    return re.sub(r"\W+", "_", label.strip().lower()).strip("_") or "value"


class _Lowerer:
    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self._keywords = rules_for(lowering.name).keywords

    def plan(self, plan: Plan) -> exp.Query:
        match plan:
            case DerivedPlan(inner):
                own = [*output_names(plan)]
                added = own.pop(plan.place)
                shift = self._lowering.shift
                return derived_tree(plan, self._select(inner), own, added, self._column, shift)
            case QuantilePlan(inner):
                names = output_names(plan)
                return quantile_tree(plan, self._select(inner), output_names(inner), names[-1], self._column)
            case TopPlan(inner):
                return top_tree(plan, self._select(inner), output_names(inner), self._column)
            case ComparedPlan(current, previous):
                return compared_tree(self._select(current), self._select(previous), output_names(plan))
            case PortionPlan(part, whole):
                return portion_tree(self.plan(part), self.plan(whole), output_names(plan)[0])
            case SetPlan(op, left, right):
                return _SET[op](this=self.plan(left), expression=self.plan(right), distinct=True)
            case CountPlan(inner, label):
                counted = exp.alias_(exp.Count(this=exp.Star()), self._identifier(_snake(label)))
                return exp.select(counted).from_(self._select(inner).subquery("groups_found"))
            case SummaryPlan(inner, function, measure, label):
                figure = _AGGREGATE[function](this=self._column(None, output_names(inner)[measure]))
                named = exp.alias_(figure, self._identifier(_snake(label)))
                return exp.select(named).from_(self._select(inner).subquery("groups_found"))
            case Select():
                return self._select(plan)

    def _select(self, plan: Select) -> exp.Select:
        qualify = bool(plan.source.joins) or self._has_exists(plan.where)
        names = output_names(plan)
        query = exp.Select()
        projections: list[exp.Expr] = []
        for item, name in zip(plan.items, names, strict=True):
            tree = self._expr(item.expr, qualify)
            plain = isinstance(item.expr, ColumnRef) and item.expr.column == name
            projections.append(tree if plain else exp.alias_(tree, self._identifier(name)))
        query.set("expressions", projections)
        query = query.from_(self._table(plan.source.root))
        query = self._joins(query, plan.source)
        if plan.where is not None:
            query = query.where(self._predicate(plan.where, qualify))
        grouping = [self._expr(expr, qualify) for expr in (*plan.group, *plan.group_keys)]
        if grouping:
            query = query.group_by(*grouping)
        if plan.having is not None:
            query = query.having(self._predicate(plan.having, qualify))
        shown = {item.expr: name for item, name in zip(plan.items, names, strict=True)}
        for order in plan.order:
            tree = (
                exp.column(self._identifier(shown[order.expr]))
                if order.expr in shown and not isinstance(order.expr, ColumnRef)
                else self._expr(order.expr, qualify)
            )
            # A missing value is neither the largest nor the smallest: it comes last either way.
            query = query.order_by(exp.Ordered(this=tree, desc=order.descending or None, nulls_first=False))
        if plan.limit is not None:
            query = query.limit(plan.limit)
        if plan.offset:
            query = query.offset(plan.offset)
        return query.distinct() if plan.distinct else query

    def _joins(self, query: exp.Select, source: Source) -> exp.Select:
        for join in source.joins:
            on = exp.and_(
                *(
                    exp.EQ(this=self._column(join.left_alias, left), expression=self._column(join.right.alias, right))
                    for left, right in zip(join.left_columns, join.right_columns, strict=True)
                )
            )
            if join.where is not None:
                on = exp.and_(on, self._predicate(join.where, True))
            query = query.join(self._table(join.right), on=on, join_type="left" if join.outer else "")
        return query

    def _table(self, ref: TableRef) -> exp.Expr:
        table = exp.Table(this=self._identifier(ref.table.name))
        if ref.table.schema:
            table.set("db", self._identifier(ref.table.schema))
        return table if ref.alias == ref.table.name else exp.alias_(table, self._identifier(ref.alias), table=True)

    def _identifier(self, name: str) -> exp.Identifier:
        quoted = not _PLAIN.match(name) or name.lower() in self._keywords
        return exp.to_identifier(name, quoted=quoted)

    def _column(self, alias: str | None, name: str) -> exp.Column:
        return exp.Column(this=self._identifier(name), table=self._identifier(alias) if alias else None)

    def _expr(self, expr: Expr, qualify: bool) -> exp.Expr:
        match expr:
            case ColumnRef():
                return self._column(expr.alias if qualify else None, expr.column)
            case Truncated():
                return self._lowering.truncate(self._expr(expr.column, qualify), expr.grain)
            case Aggregate(argument=None):
                return exp.Count(this=exp.Star())
            case Aggregate():
                assert expr.argument is not None
                argument = self._expr(expr.argument, qualify)
                inner = exp.Distinct(expressions=[argument]) if expr.distinct else argument
                return _AGGREGATE[expr.function](this=inner)
            case Metric():
                return self._metric(expr, qualify)

    def _metric(self, metric: Metric, qualify: bool) -> exp.Expr:
        tree = sqlglot.parse_one(metric.sql, dialect=self._lowering.name)
        by_name = {(c.alias.lower(), c.column.lower()): c for c in metric.columns}

        def place(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Column):
                ref = by_name[(node.table.lower(), node.name.lower())]
                return self._column(ref.alias if qualify else None, ref.column)
            return node

        return tree.transform(place)

    def _predicate(self, predicate: Predicate, qualify: bool) -> exp.Expr:
        match predicate:
            case And(parts):
                return exp.and_(*(self._predicate(part, qualify) for part in parts))
            case Or(parts):
                return exp.or_(*(self._predicate(part, qualify) for part in parts))
            case Not(IsNull(left)):
                return exp.Not(this=exp.Is(this=self._expr(left, qualify), expression=exp.Null()))
            case Not(inner):
                return exp.not_(self._predicate(inner, qualify))
            case IsNull(left):
                return exp.Is(this=self._expr(left, qualify), expression=exp.Null())
            case Compare(left, op, right):
                other: exp.Expr
                if isinstance(right, Scalar):
                    query = self._select(right.inner)
                    if right.same is not None:
                        inside, outside = (self._column(ref.alias, ref.column) for ref in right.same)
                        query = query.where(exp.EQ(this=inside, expression=outside))
                    other = exp.Subquery(this=query)
                else:
                    other = self._expr(right, qualify) if isinstance(right, ColumnRef) else self._value(right)
                tree = self._expr(left, qualify)
                if isinstance(left, ColumnRef) and left.kind is Kind.TEXT and _is_amount(right):
                    # Amounts kept as text: '9' would be more than '100'.
                    tree = exp.cast(tree, exp.DataType.Type.DOUBLE)
                return _COMPARE[op](this=tree, expression=other)
            case OneOf(left, values):
                return exp.In(this=self._expr(left, qualify), expressions=[self._value(v) for v in values])
            case Within(left, start, end):
                tree = self._expr(left, qualify)
                ends: list[exp.Expr] = []
                if start is not None:
                    ends.append(exp.GTE(this=tree, expression=self._value(start)))
                if end is not None:
                    ends.append(exp.LT(this=tree.copy(), expression=self._value(end)))
                return exp.and_(*ends)
            case Like(left, piece, where):
                return self._lowering.contains(self._expr(left, qualify), piece, where)
            case Exists(outer, inner, inner_column, further):
                query = self._select_exists(inner)
                same = [
                    exp.EQ(this=self._column(own.alias, own.column), expression=self._column(left.alias, left.column))
                    for left, own in ((outer, inner_column), *further)
                ]
                query = query.where(*same)
                return exp.Exists(this=query)

    def _select_exists(self, inner: Select) -> exp.Select:
        query = exp.select("1").from_(self._table(inner.source.root))
        query = self._joins(query, inner.source)
        return query.where(self._predicate(inner.where, True)) if inner.where is not None else query

    def _value(self, value: Value) -> exp.Expr:
        if isinstance(value, (date, datetime)):
            return self._lowering.moment(value)
        if isinstance(value, bool):
            return exp.Boolean(this=value)
        if isinstance(value, (int, float)):
            return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))
        return exp.Literal.string(value)

    def _has_exists(self, predicate: Predicate | None) -> bool:
        match predicate:
            case Exists():
                return True
            case Not(inner):
                return self._has_exists(inner)
            case And(parts) | Or(parts):
                return any(self._has_exists(part) for part in parts)
        return False


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
