"""Compiling derived drafts: the groups become a sub-plan, the derived column is put on top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from agents.language.ir import ColumnTarget, TableTarget
from agents.language.times import TimeRange, range_text
from agents.plan.ir import (
    Aggregate,
    And,
    ColumnRef,
    ComparedPlan,
    Derivation,
    DerivedPlan,
    Function,
    IsNull,
    Item,
    Not,
    Plan,
    PortionPlan,
    Predicate,
    QuantilePlan,
    Select,
    SummaryPlan,
    TopPlan,
    Truncated,
    is_aggregate,
)
from agents.plan.read.draft import DerivedDraft, DimensionDraft, Draft, FilterDraft
from agents.plan.read.shown import CannotCompile

Compile = Callable[[Draft], list[Plan]]

_LABELS = {
    "en": {
        "share": "share of {}",
        "portion": "share of {}",
        "running": "running total of {}",
        "moving": "moving average of {}",
        "growth": "growth of {}",
        "growth.year": "year-over-year growth of {}",
        "difference": "difference",
        "ratio": "ratio",
        "change": "change",
        "median": "median {}",
        "quantile": "{p} % quantile of {n}",
    },
    "zh": {
        "share": "{}占比",
        "portion": "{}占比",
        "running": "累计{}",
        "moving": "{}移动平均",
        "growth": "{}增长率",
        "growth.year": "{}同比增长率",
        "difference": "差值",
        "ratio": "比值",
        "change": "变化",
        "median": "{}中位数",
        "quantile": "{n}的{p}%分位数",
    },
}


def derive(draft: Draft, compile_plain: Compile, lang: str) -> list[Plan]:
    """Every plan of a derived draft, in the order of the plain ones.

    :raises CannotCompile: when the shape of the plain plan does not allow it. :raises PlanError: when the plan on top
        makes no sense.
    """
    derived = draft.derived
    assert derived is not None
    plain = replace(draft, derived=None)
    words = _LABELS[lang]
    if derived.kind == "portion":
        return _portion(plain, compile_plain, words)
    if derived.kind == "compared":
        return _compared(plain, derived, compile_plain, words, lang)
    if derived.kind == "summary":
        return [_summary(one, derived, lang) for one in _selects(compile_plain(replace(plain, order=[], limit=None)))]
    shares = derived.kind == "share"
    selects = _selects(compile_plain(replace(plain, order=[], limit=None, keeps_all=shares)))
    if derived.kind == "quantile":
        return [_quantile(one, derived, words) for one in selects]
    return [_column(replace(one, order=()), derived, words) for one in selects]


def _selects(plans: list[Plan]) -> list[Select]:
    found = [plan for plan in plans if isinstance(plan, Select)]
    if not found:
        raise CannotCompile("not_expressible")
    return found


def _column(inner: Select, derived: DerivedDraft, words: dict[str, str]) -> DerivedPlan:
    measures = [n for n, item in enumerate(inner.items) if is_aggregate(item.expr)]
    periods = [n for n, item in enumerate(inner.items) if isinstance(item.expr, Truncated)]
    if not measures:
        raise CannotCompile("not_expressible")
    kind = Derivation(derived.kind)
    name = _bare(inner.items[measures[0]].label)
    key = "growth.year" if derived.kind == "growth" and derived.step == "year" else derived.kind
    percent = kind in (Derivation.SHARE, Derivation.GROWTH)
    return DerivedPlan(
        inner,
        kind,
        words[key].format(name),
        measures[0],
        second=measures[1] if len(measures) > 1 else None,
        period=periods[0] if periods else None,
        step="year" if derived.step == "year" else "previous",
        window=derived.window,
        unit="%" if percent else None if kind is Derivation.RATIO else inner.items[measures[0]].unit,
    )


_FIGURES = {
    "en": {Function.AVG: "average {} per {}", Function.MIN: "lowest {} per {}", Function.MAX: "highest {} per {}"},
    "zh": {Function.AVG: "平均每{1}{0}", Function.MIN: "每{1}最低{0}", Function.MAX: "每{1}最高{0}"},
}


def _summary(select: Select, derived: DerivedDraft, lang: str) -> SummaryPlan:
    place = next((n for n, item in enumerate(select.items) if is_aggregate(item.expr)), None)
    groups = [item.label for item in select.items if not is_aggregate(item.expr)]
    if place is None or not groups:
        raise CannotCompile("not_expressible")
    measure = select.items[place]
    whose = ("、" if lang == "zh" else " and ").join(groups)
    label = _FIGURES[lang][derived.function].format(measure.label, whose)
    inner = replace(select, order=(), where=_with_groups(select))
    return SummaryPlan(inner, derived.function, place, label, measure.unit)


def _with_groups(select: Select) -> Predicate | None:
    """The conditions, and that there is a group: rows of no state are no state's."""
    tables = {ref.alias: ref.table for ref in select.source.refs()}
    parts = [select.where] if select.where is not None else []
    parts += [
        Not(IsNull(expr))
        for expr in select.group
        if isinstance(expr, ColumnRef) and not select.group_keys and tables[expr.alias].column(expr.column).nullable
    ]
    return parts[0] if len(parts) == 1 else And(tuple(parts)) if parts else None


def _quantile(select: Select, derived: DerivedDraft, words: dict[str, str]) -> QuantilePlan:
    place = next((n for n, item in enumerate(select.items) if isinstance(item.expr, Aggregate)), None)
    if place is None:
        raise CannotCompile("not_expressible")
    measure = select.items[place]
    assert isinstance(measure.expr, Aggregate)
    if measure.expr.argument is None or measure.expr.function is not Function.AVG:
        raise CannotCompile("not_expressible")
    groups = tuple(item for n, item in enumerate(select.items) if n != place)
    name = _bare(measure.label)
    label = (
        words["median"].format(name)
        if derived.fraction == 0.5
        else words["quantile"].format(p=f"{derived.fraction * 100:g}", n=name)
    )
    rows = replace(
        select,
        items=(*groups, Item(measure.expr.argument, name, measure.unit)),
        group=(),
        group_keys=(),
        having=None,
        order=(),
        limit=None,
    )
    return QuantilePlan(rows, derived.fraction, label, measure.unit)


def _bare(label: str) -> str:
    """The label without what the derived one says itself: the share of the "number of orders" is that of orders."""
    for prefix in ("number of ", "average ", "total ", "平均"):
        label = label.removeprefix(prefix)
    return label.removesuffix("合计")


def _portion(draft: Draft, compile_plain: Compile, words: dict[str, str]) -> list[Plan]:
    """ "what percentage of customers have ordered in 2024": with the conditions, of all. A time beside another
    condition bounds both ("what percentage of the 2024 orders were returned")."""
    others = [f for f in draft.filters if f.time is None]
    conditions = others or draft.absences or draft.related or draft.having
    kept = [f for f in draft.filters if f.time is not None] if others else []
    if not conditions and not draft.filters:
        raise CannotCompile("not_expressible")
    parts = compile_plain(draft)
    bare = replace(draft, filters=kept, absences=[], related=[], having=[], either=[])
    whole = compile_plain(bare)[0]
    found: list[Plan] = []
    for part in parts:
        label = part.items[0].label if isinstance(part, Select) else getattr(part, "label", "")
        found.append(PortionPlan(part, whole, words["portion"].format(_bare(label))))
    return found


def _compared(
    draft: Draft, derived: DerivedDraft, compile_plain: Compile, words: dict[str, str], lang: str
) -> list[Plan]:
    time = next((f for f in draft.filters if f.time is not None), None)
    if time is None or time.time is None:
        raise CannotCompile("no_date")
    earlier = earlier_range(time.time, derived.step)
    before: FilterDraft = replace(time, time=earlier)
    filters = [before if f is time else f for f in draft.filters]
    now = _selects(compile_plain(draft))
    then = _selects(compile_plain(replace(draft, filters=filters)))
    found: list[Plan] = []
    for left, right in zip(now, then, strict=False):
        if len(left.items) != 1 or left.group:
            raise CannotCompile("not_expressible")
        name = left.items[0].label
        labels = tuple(f"{name} {range_text(one, 'zh' if lang == 'zh' else 'en')}" for one in (time.time, earlier))
        found.append(ComparedPlan(left, right, (labels[0], labels[1], words["change"])))
    return found


def top_of_each(draft: Draft, compile_plain: Compile, of: Sequence[ColumnTarget | TableTarget]) -> list[Plan]:
    """The first rows of each group: what is ranked becomes the sub-plan.

    :param of: the targets of the groups. :raises CannotCompile: :raises PlanError: as :func:`derive` does.
    """
    if not draft.order or draft.limit is None:
        raise CannotCompile("not_expressible")
    first = draft.order[0]
    plain = replace(draft, order=[], limit=None, per_group=False)
    if isinstance(first.key, ColumnTarget):
        groups = [(-1, target) for target in of]
        rest = [p for p in draft.projections if p[1] != first.key and p[1] not in of]
        if not rest and draft.entity is not None and draft.entity not in of:
            rest = [(draft.entity_at, draft.entity)]
        shown = [*groups, *rest, (10**6, first.key)]
        plain = replace(plain, dimensions=[], measures=[], projections=shown)
    elif first.key is not None:
        measures = draft.measures if first.key in draft.measures else [*draft.measures, first.key]
        groups_first = [DimensionDraft(target) for target in of]
        groups_first += [d for d in draft.dimensions if d.target not in of]
        if draft.entity is not None and all(d.target != draft.entity for d in groups_first):
            groups_first.append(DimensionDraft(draft.entity, None, draft.entity_at))
        plain = replace(plain, measures=list(measures), dimensions=groups_first)
    else:
        raise CannotCompile("not_expressible")
    found: list[Plan] = []
    for select in _selects(compile_plain(plain)):
        names = {(t.table, t.column if isinstance(t, ColumnTarget) else None) for t in of}
        places = tuple(
            n for n, item in enumerate(select.items) if not is_aggregate(item.expr) and _stands_for(item, names)
        )
        by = next((n for n, item in enumerate(select.items) if _is_key(item, first.key)), len(select.items) - 1)
        if not places or by in places or len(select.items) <= len(places) + 1:
            raise CannotCompile("not_expressible")
        found.append(TopPlan(replace(select, order=()), places, by, first.descending, draft.limit))
    return found


def _is_key(item: Item, key: object) -> bool:
    """Whether the item is what is ranked by."""
    if not isinstance(key, ColumnTarget):
        return is_aggregate(item.expr)
    alias, column = getattr(item.expr, "alias", None), getattr(item.expr, "column", None)
    return (alias, column) == (key.table, key.column)


def _stands_for(item: Item, names: set[tuple[str, str | None]]) -> bool:
    expr = item.expr.column if isinstance(item.expr, Truncated) else item.expr
    alias, column = getattr(expr, "alias", None), getattr(expr, "column", None)
    return (alias, column) in names or (alias, None) in names


def earlier_range(time: TimeRange, step: str) -> TimeRange:
    """The same range a year earlier, or the one of the same length right before (whole months before whole months).

    :raises CannotCompile: for a range that is open on one side.
    """
    start, end = time.start, time.end
    if start is None or end is None:
        raise CannotCompile("no_date")
    if step == "year":
        return TimeRange(_months(start, -12), _months(end, -12))
    if start.day == 1 and end.day == 1:
        span = (end.year - start.year) * 12 + end.month - start.month
        return TimeRange(_months(start, -span), _months(end, -span))
    first, last = (datetime(d.year, d.month, d.day) for d in (start, end))
    length: timedelta = last - first
    return TimeRange(start - length, end - length)


def _months(moment: date | datetime, months: int) -> date | datetime:
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    for day in range(moment.day, 27, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    return moment.replace(year=year, month=month + 1)
