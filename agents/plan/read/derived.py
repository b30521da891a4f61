"""Derived measures: "share of orders by region", "running total of sales by month", "median price", 同比增长, 占比.

Two passes: :func:`read_operands` runs before the aggregates and finds what each phrase is about; :func:`read_derived`
runs when groups and conditions are known and decides what is computed.
"""

from __future__ import annotations

from agents.language.ir import ColumnTarget, MeasureTarget, PhraseTarget, TableTarget
from agents.plan.ir import Function
from agents.plan.read.aggregates import FUNCTIONS
from agents.plan.read.draft import DerivedDraft, DimensionDraft, Item, MeasureDraft, Reading

_FAR = 4
_GRAINS = ("day", "week", "month", "quarter", "year")
_ZH_GRAINS = {"天": "day", "日": "day", "周": "week", "月": "month", "季": "quarter", "年": "year"}


def read_operands(reading: Reading) -> None:
    """Give shares, growth, running figures and quantiles the thing they are about."""
    draft = reading.draft
    for item in reading.items:
        if not reading.free(item):
            continue
        if item.is_concept("aggregate.median", "aggregate.percentile"):
            operand = _operand(reading, item)
            if operand is None or not isinstance(operand.schema, ColumnTarget) or not reading.is_number(operand.schema):
                continue
            fraction = _number(item) / 100 if item.is_concept("aggregate.percentile") else 0.5
            if not 0 <= fraction <= 1:
                continue
            _use(reading, item, operand)
            draft.measures.append(MeasureDraft(Function.AVG, operand.schema, at=item.at))
            draft.derived = DerivedDraft("quantile", fraction=fraction, at=item.at)
        elif item.is_concept("percent", "growth", "cumulative") and draft.derived is None:
            draft.derived = _kind(reading, item)
            operand = _operand(reading, item)
            if operand is None:
                reading.use(item, "derived")
                continue
            _use(reading, item, operand)
            draft.measures.append(_measure(reading, operand, average=item.is_concept("cumulative.moving")))
        elif item.is_concept("percent", "growth"):
            # "share of orders … in percent" says it twice.
            reading.use(item, "derived")
        elif item.is_concept("difference", "ratio") and draft.derived is None:
            draft.derived = DerivedDraft("difference" if item.is_concept("difference") else "ratio", at=item.at)
            reading.use(item, "derived")


def _kind(reading: Reading, item: Item) -> DerivedDraft:
    if item.is_concept("percent"):
        return DerivedDraft("share", at=item.at)
    if item.is_concept("cumulative.moving"):
        number = reading.items[item.at - 1].number if item.at else None
        window = int(_number(item) or (number.value if number is not None else 0)) or 3
        return DerivedDraft("moving", window=window, grain=_said_grain(item), at=item.at)
    if item.is_concept("cumulative"):
        return DerivedDraft("running", at=item.at)
    payload = item.mention.target
    against = str(payload.get("against") or "previous") if isinstance(payload, PhraseTarget) else "previous"
    if against in ("month", "quarter", "week"):
        return DerivedDraft("growth", grain=against, at=item.at)
    return DerivedDraft("growth", step=against, at=item.at)


def _said_grain(item: Item) -> str:
    said = item.mention.text.lower()
    for word in _GRAINS:
        if word in said:
            return word
    return next((grain for word, grain in _ZH_GRAINS.items() if word in said), "")


def _number(item: Item) -> float:
    payload = item.mention.target
    value = payload.get("n") if isinstance(payload, PhraseTarget) else None
    return float(value) if isinstance(value, (int, float)) else 0.0


def _operand(reading: Reading, item: Item) -> Item | None:
    """The thing behind the phrase, or (Chinese, "sales growth") the one right before it. An aggregate phrase there
    finds its own operand later."""
    following = next(iter(reading.after(item)[:1]), None)
    before = next(iter(reading.before(item)[:1]), None)
    if following is not None and following.time is not None:
        # "share of 2024 orders by region".
        following = next((o for o in reading.after(item)[1:2]), None)
    if following is not None and following.concept in FUNCTIONS:
        return None
    if (
        reading.chinese
        and before is not None
        and before.schema is not None
        and reading.free(before)
        and reading.gap_words(before, item) == 0
    ):
        return before
    for other, distance in (
        (following, reading.gap_words(item, following) if following is not None else _FAR + 1),
        (before, reading.gap_words(before, item) if before is not None else _FAR + 1),
    ):
        if other is not None and other.schema is not None and reading.free(other) and distance <= _FAR:
            return other
    return None


def _use(reading: Reading, item: Item, operand: Item) -> None:
    reading.use(item, "derived")
    reading.use(operand, "measure")


def _measure(reading: Reading, operand: Item, *, average: bool) -> MeasureDraft:
    target = operand.schema
    if isinstance(target, MeasureTarget):
        return MeasureDraft(None, target, at=operand.at)
    if isinstance(target, ColumnTarget) and reading.is_number(target):
        return MeasureDraft(Function.SUM if reading.adds_up(target) else Function.AVG, target, at=operand.at)
    assert isinstance(target, (ColumnTarget, TableTarget))
    return MeasureDraft(Function.COUNT, target, isinstance(target, ColumnTarget), at=operand.at)


def read_derived(reading: Reading) -> None:
    """Decide what is computed, now that groups and conditions are known; what does not fit stays declined."""
    draft = reading.draft
    derived = draft.derived
    if derived is None:
        return
    grained = [d for d in draft.dimensions if d.grain is not None]
    if derived.kind in ("difference", "ratio"):
        if len(draft.measures) != 2:
            draft.derived = None
            draft.problems.append("not_expressible")
        return
    if derived.kind == "summary":
        if len(draft.measures) != 1 or not draft.dimensions or draft.limit is not None:
            draft.problems.append("not_expressible")
        return
    if derived.kind == "quantile":
        if len(draft.measures) != 1 or draft.order or draft.having:
            draft.problems.append("not_expressible")
        return
    if not draft.measures:
        draft.problems.append("no_operand")
        return
    if len(draft.measures) > 1:
        draft.problems.append("not_expressible")
        return
    if derived.kind == "share":
        if not draft.dimensions:
            draft.derived = DerivedDraft("portion", at=derived.at)
        return
    if derived.kind == "growth":
        times = [f for f in draft.filters if f.time is not None and f.time.start is not None and f.time.end is not None]
        if not grained and not derived.grain and len(times) == 1:
            draft.derived = DerivedDraft("compared", step=derived.step, at=derived.at)
            return
        if not grained:
            grain = derived.grain or ("year" if derived.step == "year" else "month")
            draft.dimensions.append(DimensionDraft(None, grain, -1))
            if derived.step == "year":
                draft.derived = DerivedDraft("growth", at=derived.at)
        elif derived.step == "year" and grained[0].grain == "year":
            draft.derived = DerivedDraft("growth", at=derived.at)
        return
    if not grained:
        draft.dimensions.append(DimensionDraft(None, derived.grain or "month", -1))
