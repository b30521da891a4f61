"""Derived plans as trees: shares, running and moving figures, growth, quantiles, the first of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from agents.plan.ir import Derivation, DerivedPlan, QuantilePlan, TopPlan, Truncated

BASE = "base"
Column = Callable[[str | None, str], exp.Column]
Shift = Callable[[exp.Expr, str, int], exp.Expr]


def derived_tree(
    plan: DerivedPlan, inner: exp.Select, names: Sequence[str], added: str, column: Column, shift: Shift
) -> exp.Select:
    """``WITH base AS (…)`` and the further column.

    :param names: the columns of the inner query. :param added: the name of the further one.
    :param shift: ``(period, grain, steps)`` to the period that many steps later.
    """
    measure = names[plan.measure]
    value = column("a", measure)
    before: exp.Condition | None = None
    order: list[exp.Expr] = []
    tree: exp.Expr
    match plan.kind:
        case Derivation.SHARE:
            tree = _percent(value.copy(), exp.Window(this=exp.Sum(this=value.copy())))
            order = [exp.Ordered(this=value.copy(), desc=True, nulls_first=False)]
        case Derivation.DIFFERENCE:
            tree = exp.Sub(this=value.copy(), expression=_second(plan, names, column))
        case Derivation.RATIO:
            tree = _ratio("1.0", value.copy(), _second(plan, names, column))
        case Derivation.RUNNING | Derivation.MOVING | Derivation.GROWTH:
            periods = _Periods(plan, names, column, shift)
            order = [*map(_ascending, (*periods.others("a"), periods.at("a")))]
            if plan.kind is Derivation.RUNNING:
                tree = exp.Window(
                    this=exp.Sum(this=value.copy()),
                    partition_by=periods.others("a") or None,
                    order=exp.Order(expressions=[periods.at("a")]),
                    spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
                )
            elif plan.kind is Derivation.MOVING:
                mean = exp.select(exp.Avg(this=column("b", measure))).from_(_base("b"))
                tree = exp.Subquery(this=mean.where(periods.within(plan.window)))
            else:
                before = periods.before(_year_steps(periods.grain) if plan.step == "year" else 1)
                tree = _change(value.copy(), column("b", measure))
    shown: list[exp.Expr] = [column("a", n) for n in names]
    shown.insert(plan.place, _named(tree, added))
    query = exp.select(*shown).from_(_base("a"))
    if before is not None:
        query = query.join(_base("b"), on=before, join_type="left")
    if order:
        query = query.order_by(*order)
    return query.with_(BASE, as_=inner)


def _second(plan: DerivedPlan, names: Sequence[str], column: Column) -> exp.Column:
    assert plan.second is not None
    return column("a", names[plan.second])


class _Periods:
    """The column of periods, and what else a plan is grouped by, of the rows ``a`` and of others of theirs, ``b``."""

    def __init__(self, plan: DerivedPlan, names: Sequence[str], column: Column, shift: Shift) -> None:
        assert plan.period is not None
        period = plan.inner.items[plan.period].expr
        assert isinstance(period, Truncated)
        self.grain = period.grain
        self._name = names[plan.period]
        self._column, self._shift = column, shift
        grouped = [n for n, item in enumerate(plan.inner.items) if item.expr in plan.inner.group]
        self._others = [names[n] for n in grouped if n != plan.period]

    def at(self, alias: str) -> exp.Column:
        return self._column(alias, self._name)

    def others(self, alias: str) -> list[exp.Column]:
        return [self._column(alias, n) for n in self._others]

    def within(self, steps: int) -> exp.Condition:
        """Whether ``b`` is one of the last so many periods up to that of ``a``, in the same group."""
        since = self._shift(self.at("a"), self.grain, -steps)
        after = exp.GT(this=self.at("b"), expression=since)
        return exp.and_(after, exp.LTE(this=self.at("b"), expression=self.at("a")), *self._alike())

    def before(self, steps: int) -> exp.Condition:
        """Whether ``b`` is so many periods before ``a``, in the same group."""
        return exp.and_(
            exp.EQ(this=self.at("b"), expression=self._shift(self.at("a"), self.grain, -steps)), *self._alike()
        )

    def _alike(self) -> list[exp.EQ]:
        pairs = zip(self.others("b"), self.others("a"), strict=True)
        return [exp.EQ(this=b, expression=a) for b, a in pairs]


def quantile_tree(
    plan: QuantilePlan, inner: exp.Select, names: Sequence[str], added: str, column: Column
) -> exp.Select:
    """Each value is weighed by its distance from the place that is wanted; only the two nearest weigh anything."""
    *groups, value = names
    parts = [column(BASE, n) for n in groups]
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=[p.copy() for p in parts] or None,
        order=exp.Order(expressions=[column(BASE, value)]),
    )
    count = exp.Window(this=exp.Count(this=exp.Star()), partition_by=[p.copy() for p in parts] or None)
    wanted = exp.Add(
        this=exp.Literal.number(1),
        expression=exp.Mul(
            this=exp.Literal.number(f"{plan.fraction:g}"),
            expression=exp.Paren(this=exp.Sub(this=count, expression=exp.Literal.number(1))),
        ),
    )
    ranked = exp.select(
        *(p.copy() for p in parts), column(BASE, value), exp.alias_(place, "place"), exp.alias_(wanted, "wanted")
    )
    ranked = ranked.from_(inner.subquery(BASE)).where(
        exp.Not(this=exp.Is(this=column(BASE, value), expression=exp.Null()))
    )
    away = exp.Abs(this=exp.Sub(this=exp.column("place"), expression=exp.column("wanted")))
    weighed = exp.Mul(
        this=column("ranked", value),
        expression=exp.Paren(this=exp.Sub(this=exp.Literal.number(1), expression=away)),
    )
    shown = [column("ranked", n) for n in groups]
    query = exp.select(*shown, _named(exp.Sum(this=weighed), added))
    query = query.from_(ranked.subquery("ranked")).where(exp.LT(this=away.copy(), expression=exp.Literal.number(1)))
    if shown:
        query = query.group_by(*(s.copy() for s in shown))
        query = query.order_by(*map(_ascending, shown))
    return query


def top_tree(plan: TopPlan, inner: exp.Select, names: Sequence[str], column: Column) -> exp.Select:
    """Ranks within each group; equal values share a rank, so ties with the last one stay."""
    by = exp.Ordered(this=column(BASE, names[plan.by]), desc=plan.descending or None, nulls_first=False)
    rank = exp.Window(
        this=exp.Anonymous(this="RANK"),
        partition_by=[column(BASE, names[g]) for g in plan.groups],
        order=exp.Order(expressions=[by]),
    )
    ranked = exp.select(*(column(BASE, n) for n in names), exp.alias_(rank, "place")).from_(inner.subquery(BASE))
    query = exp.select(*(column("ranked", n) for n in names)).from_(ranked.subquery("ranked"))
    query = query.where(exp.LTE(this=exp.column("place"), expression=exp.Literal.number(plan.count)))
    keys = [*(column("ranked", names[g]) for g in plan.groups), exp.column("place")]
    rest = [column("ranked", n) for place, n in enumerate(names) if place not in (*plan.groups, plan.by)]
    return query.order_by(*map(_ascending, (*keys, *rest)))


def compared_tree(current: exp.Query, previous: exp.Query, names: Sequence[str]) -> exp.Select:
    both = exp.select(_named(exp.Subquery(this=current), names[0]), _named(exp.Subquery(this=previous), names[1]))
    now, before = (exp.column(exp.to_identifier(n, quoted=not n.isidentifier()), "both") for n in names[:2])
    change = _change(now.copy(), before.copy())
    return exp.select(now, before, _named(change, names[2])).from_(both.subquery("both"))


def portion_tree(part: exp.Query, whole: exp.Query, name: str) -> exp.Select:
    return exp.select(_named(_percent(exp.Subquery(this=part), exp.Subquery(this=whole)), name))


def _base(alias: str) -> exp.Expr:
    return exp.alias_(exp.Table(this=exp.to_identifier(BASE)), alias, table=True)


def _named(tree: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(tree, name, quoted=not name.isidentifier())


def _ascending(tree: exp.Expr) -> exp.Ordered:
    return exp.Ordered(this=tree.copy(), nulls_first=False)


def _ratio(factor: str, part: exp.Expr, whole: exp.Expr) -> exp.Div:
    """``factor * part / whole``, nothing where the whole is zero."""
    return exp.Div(
        this=exp.Mul(this=exp.Literal.number(factor), expression=part),
        expression=exp.Nullif(this=whole, expression=exp.Literal.number(0)),
    )


def _percent(part: exp.Expr, whole: exp.Expr) -> exp.Div:
    return _ratio("100.0", part, whole)


def _change(now: exp.Expr, before: exp.Expr) -> exp.Div:
    """By how many percent of what was before."""
    return _percent(exp.Paren(this=exp.Sub(this=now, expression=before)), before.copy())


def _year_steps(grain: str) -> int:
    """How many periods of a grain lie in a year; weeks and days are not matched by whole years."""
    return {"year": 1, "quarter": 4, "month": 12}[grain]
