"""Derived plans as trees: shares, running and moving figures, growth, quantiles, the first of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from agents.plan.ir import (
    ComparedPlan,
    Derivation,
    DerivedPlan,
    PortionPlan,
    QuantilePlan,
    TopPlan,
    Truncated,
)

BASE = "base"
Column = Callable[[str | None, str], exp.Column]


def derived_tree(
    plan: DerivedPlan,
    inner: exp.Select,
    names: Sequence[str],
    added: str,
    column: Column,
    shift: Callable[[exp.Expr, str, int], exp.Expr],
) -> exp.Select:
    """``WITH base AS (…)`` and the further column.

    :param names: the columns of the inner query. :param added: the name of the further one.
    :param shift: ``(period, grain, steps)`` to the period that many steps later.
    """
    measure = names[plan.measure]
    value = column("a", measure)
    joins: exp.Expr | None = None
    order: list[exp.Expr] = []
    if plan.kind is Derivation.SHARE:
        whole = exp.Window(this=exp.Sum(this=value.copy()))
        tree: exp.Expr = exp.Div(
            this=exp.Mul(this=exp.Literal.number("100.0"), expression=value.copy()), expression=_not_zero(whole)
        )
        order = [_descending(value)]
    elif plan.kind in (Derivation.DIFFERENCE, Derivation.RATIO):
        assert plan.second is not None
        other = column("a", names[plan.second])
        if plan.kind is Derivation.DIFFERENCE:
            tree = exp.Sub(this=value.copy(), expression=other)
        else:
            factor = exp.Mul(this=exp.Literal.number("1.0"), expression=value.copy())
            tree = exp.Div(this=factor, expression=_not_zero(other))
    else:
        assert plan.period is not None
        period_expr = plan.inner.items[plan.period].expr
        assert isinstance(period_expr, Truncated)
        grain, name = period_expr.grain, names[plan.period]
        period = column("a", name)
        others = [
            n
            for place, n in enumerate(names)
            if place != plan.period and plan.inner.items[place].expr in plan.inner.group
        ]
        order = [*(column("a", n) for n in others), period.copy()]
        if plan.kind is Derivation.RUNNING:
            tree = exp.Window(
                this=exp.Sum(this=value.copy()),
                partition_by=[column("a", n) for n in others] or None,
                order=exp.Order(expressions=[period.copy()]),
                spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
            )
        elif plan.kind is Derivation.MOVING:
            since = shift(period.copy(), grain, -plan.window)
            within = exp.and_(
                exp.GT(this=column("b", name), expression=since),
                exp.LTE(this=column("b", name), expression=period.copy()),
                *(exp.EQ(this=column("b", n), expression=column("a", n)) for n in others),
            )
            tree = exp.Subquery(this=exp.select(exp.Avg(this=column("b", measure))).from_(_base("b")).where(within))
        else:
            steps = _year_steps(grain) if plan.step == "year" else 1
            same = exp.and_(
                exp.EQ(this=column("b", name), expression=shift(period.copy(), grain, -steps)),
                *(exp.EQ(this=column("b", n), expression=column("a", n)) for n in others),
            )
            joins = same
            before = column("b", measure)
            tree = exp.Div(
                this=exp.Mul(
                    this=exp.Literal.number("100.0"),
                    expression=exp.Paren(this=exp.Sub(this=value.copy(), expression=before)),
                ),
                expression=_not_zero(before.copy()),
            )
    query = exp.Select()
    shown: list[exp.Expr] = [column("a", n) for n in names]
    shown.insert(plan.place, _named(tree, added))
    query.set("expressions", shown)
    query = query.from_(_base("a"))
    if joins is not None:
        query = query.join(_base("b"), on=joins, join_type="left")
    if order:
        query = query.order_by(
            *(o if isinstance(o, exp.Ordered) else exp.Ordered(this=o, nulls_first=False) for o in order)
        )
    return query.with_(BASE, as_=inner)


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
    ranked = exp.Select()
    ranked.set(
        "expressions",
        [*(p.copy() for p in parts), column(BASE, value), exp.alias_(place, "place"), exp.alias_(wanted, "wanted")],
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
    query = exp.Select()
    query.set(
        "expressions",
        [*shown, exp.alias_(exp.Sum(this=weighed), added, quoted=not added.isidentifier())],
    )
    query = query.from_(ranked.subquery("ranked")).where(exp.LT(this=away.copy(), expression=exp.Literal.number(1)))
    if shown:
        query = query.group_by(*(s.copy() for s in shown))
        query = query.order_by(*(exp.Ordered(this=s.copy(), nulls_first=False) for s in shown))
    return query


def top_tree(plan: TopPlan, inner: exp.Select, names: Sequence[str], column: Column) -> exp.Select:
    """Ranks within each group; equal values share a rank, so ties with the last one stay."""
    by = exp.Ordered(this=column(BASE, names[plan.by]), desc=plan.descending or None, nulls_first=False)
    rank = exp.Window(
        this=exp.Anonymous(this="RANK"),
        partition_by=[column(BASE, names[g]) for g in plan.groups],
        order=exp.Order(expressions=[by]),
    )
    ranked = exp.Select()
    ranked.set("expressions", [*(column(BASE, n) for n in names), exp.alias_(rank, "place")])
    ranked = ranked.from_(inner.subquery(BASE))
    query = exp.Select()
    query.set("expressions", [column("ranked", n) for n in names])
    query = query.from_(ranked.subquery("ranked"))
    query = query.where(exp.LTE(this=exp.column("place"), expression=exp.Literal.number(plan.count)))
    keys = [*(column("ranked", names[g]) for g in plan.groups), exp.column("place")]
    rest = [column("ranked", n) for place, n in enumerate(names) if place not in (*plan.groups, plan.by)]
    return query.order_by(*(exp.Ordered(this=k, nulls_first=False) for k in (*keys, *rest)))


def compared_tree(plan: ComparedPlan, current: exp.Query, previous: exp.Query, names: Sequence[str]) -> exp.Select:
    both = exp.Select()
    both.set(
        "expressions",
        [_named(exp.Subquery(this=current), names[0]), _named(exp.Subquery(this=previous), names[1])],
    )
    now, before = (exp.column(exp.to_identifier(n, quoted=not n.isidentifier()), "both") for n in names[:2])
    change = exp.Div(
        this=exp.Mul(
            this=exp.Literal.number("100.0"),
            expression=exp.Paren(this=exp.Sub(this=now.copy(), expression=before.copy())),
        ),
        expression=_not_zero(before.copy()),
    )
    query = exp.Select()
    query.set("expressions", [now, before, _named(change, names[2])])
    return query.from_(both.subquery("both"))


def portion_tree(plan: PortionPlan, part: exp.Query, whole: exp.Query, name: str) -> exp.Select:
    tree = exp.Div(
        this=exp.Mul(this=exp.Literal.number("100.0"), expression=exp.Subquery(this=part)),
        expression=_not_zero(exp.Subquery(this=whole)),
    )
    query = exp.Select()
    query.set("expressions", [_named(tree, name)])
    return query


def _base(alias: str) -> exp.Expr:
    return exp.alias_(exp.Table(this=exp.to_identifier(BASE)), alias, table=True)


def _named(tree: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(tree, name, quoted=not name.isidentifier())


def _not_zero(tree: exp.Expr) -> exp.Expr:
    return exp.Nullif(this=tree, expression=exp.Literal.number(0))


def _descending(tree: exp.Expr) -> exp.Ordered:
    return exp.Ordered(this=tree.copy(), desc=True, nulls_first=False)


def _year_steps(grain: str) -> int:
    """How many periods of a grain lie in a year; weeks and days are not matched by whole years."""
    return {"year": 1, "quarter": 4, "month": 12}[grain]
