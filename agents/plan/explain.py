"""The plan read back: one sentence in the question's language, and its parts as chips."""

from __future__ import annotations

from dataclasses import replace

from agents.artifacts import ChipEvidence
from agents.glossary import Glossary
from agents.language.ir import ColumnTarget, TableTarget
from agents.language.times import range_text
from agents.plan.ir import (
    Aggregate,
    ColumnRef,
    ComparedPlan,
    CountPlan,
    DerivedPlan,
    Expr,
    Metric,
    Operator,
    PortionPlan,
    QuantilePlan,
    Select,
    SummaryPlan,
    Truncated,
    block_of,
)
from agents.plan.labels import column_label, table_label
from agents.plan.read.compile import Compiled
from agents.plan.read.draft import AbsenceDraft, FilterDraft, HavingDraft
from agents.plan.read.words import measure_words

_OPERATORS = {
    "en": {"=": "is", "<>": "is not", ">": "above", ">=": "at least", "<": "below", "<=": "at most"},
    "zh": {"=": "为", "<>": "不为", ">": "大于", ">=": "不少于", "<": "小于", "<=": "不超过"},
}
_LIKE = {
    "en": {"starts": "starts with", "ends": "ends with", "contains": "contains"},
    "zh": {"starts": "开头为", "ends": "结尾为", "contains": "包含"},
}


def explain(compiled: Compiled, glossary: Glossary, lang: str) -> tuple[str, tuple[ChipEvidence, ...]]:
    """The plan in words: a sentence, and the chips it is put together from."""
    chips = _chips(compiled, glossary, lang)
    by_role = {
        role: [c.text for c in chips if c.role == role] for role in ("measure", "dimension", "filter", "time", "order")
    }
    conditions = [*by_role["time"], *by_role["filter"]]
    if lang == "zh":
        sentence = "、".join(by_role["measure"]) or "列表"
        if by_role["dimension"]:
            sentence = f"按{'、'.join(by_role['dimension'])}统计{sentence}"
        if conditions:
            sentence += f"；条件：{'；'.join(conditions)}"
        if by_role["order"]:
            sentence += f"；{'，'.join(by_role['order'])}"
        return sentence, chips
    sentence = _list(by_role["measure"])
    if by_role["dimension"]:
        sentence += f" by {_list(by_role['dimension'])}"
    if conditions:
        sentence += f", for {'; '.join(conditions)}"
    if by_role["order"]:
        sentence += f", {', '.join(by_role['order'])}"
    return sentence[:1].upper() + sentence[1:], chips


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _chips(compiled: Compiled, glossary: Glossary, lang: str) -> tuple[ChipEvidence, ...]:
    draft = compiled.draft
    plan = block_of(compiled.plan)
    chips: list[ChipEvidence] = []

    def chip(role: str, text: str) -> None:
        chips.append(ChipEvidence(role=role, text=text))

    if isinstance(compiled.plan, CountPlan):
        chip("measure", compiled.plan.label)
        plan = replace(plan, items=plan.items[:1], group=(plan.items[0].expr,), group_keys=())
    whole = compiled.plan
    if isinstance(whole, (DerivedPlan, QuantilePlan, PortionPlan, SummaryPlan)):
        chip("measure", whole.label)
    elif isinstance(whole, ComparedPlan):
        chip("measure", whole.labels[2])
    if isinstance(whole, QuantilePlan):
        plan = replace(plan, items=plan.items[:-1] or plan.items, group=tuple(i.expr for i in plan.items[:-1]))
    if isinstance(whole, SummaryPlan):
        plan = replace(plan, items=(plan.items[whole.measure],))
    grouped = set(plan.group)
    for item in plan.items:
        told = isinstance(whole, (PortionPlan, SummaryPlan)) or (isinstance(whole, QuantilePlan) and not plan.group)
        if item.expr not in grouped and not told:
            chip("measure", item.label)
    for item in plan.items:
        if item.expr in grouped:
            chip("dimension", item.label)
    for one in draft.filters:
        chip("time" if one.time is not None else "filter", filter_text(one, glossary, lang))
    for absent in draft.absences:
        chip("filter", _absence_text(absent, glossary, lang))
    for having in draft.having:
        chip("filter", _having_text(having, glossary, lang))
    if draft.order or draft.limit is not None:
        chip("order", _order_text(plan, draft.limit, lang))
    return tuple(chips)


def filter_text(one: FilterDraft, glossary: Glossary, lang: str) -> str:
    """One condition in words: "origin is Japan", "2023", "horsepower above 100"."""
    name = _target_name(one.target, glossary, lang)
    if one.time is not None:
        text = range_text(one.time, "zh" if lang == "zh" else "en")
        text = f"{name} {text}" if name else text
    elif one.against is not None:
        word = {"avg": ("the average", "平均值"), "max": ("the highest", "最高值"), "min": ("the lowest", "最低值")}[
            one.against
        ]
        verb = _OPERATORS[lang][one.op or Operator.GT]
        if one.against_same is not None:
            text = _of_its_own(one, name, verb, word[0 if lang == "en" else 1], glossary, lang)
        else:
            text = f"{name}{verb}{word[1]}" if lang == "zh" else f"{name} {verb} {word[0]}"
    elif one.other is not None:
        verb = _OPERATORS[lang][one.op or Operator.GT]
        second = column_label(one.other, glossary, lang)
        text = f"{name}{verb}{second}" if lang == "zh" else f"{name} {verb} {second}"
    elif one.null:
        text = f"{name}为空" if lang == "zh" else f"{name} is missing"
        if one.negated:
            return f"{name}不为空" if lang == "zh" else f"{name} is there"
        return text
    elif one.like is not None:
        text = f"{name} {_LIKE[lang][one.like]} {one.value}"
    elif one.values:
        joint = ("和" if lang == "zh" else " and ") if one.all_of else "或" if lang == "zh" else " or "
        values = joint.join(str(v) for v in one.values)
        verb = _OPERATORS[lang]["<>" if one.negated else "="]
        return f"{name}{verb}{values}" if lang == "zh" else f"{name} {verb} {values}"
    elif one.upper is not None:
        text = f"{name}介于{one.value}和{one.upper}" if lang == "zh" else f"{name} between {one.value} and {one.upper}"
    else:
        verb = _OPERATORS[lang][one.op or Operator.EQ]
        text = f"{name}{verb}{one.value}" if lang == "zh" else f"{name} {verb} {one.value}"
    if one.negated:
        return f"非（{text}）" if lang == "zh" else f"not ({text})"
    return text


def _of_its_own(one: FilterDraft, name: str, verb: str, figure: str, glossary: Glossary, lang: str) -> str:
    """ "price above the average of the same category", "salary above that of the manager"."""
    assert one.against_same is not None and one.target is not None
    inside, outside = one.against_same
    whose = column_label(ColumnTarget(one.target.table, outside), glossary, lang).removesuffix(" id")
    if lang == "zh":
        return f"{name}{verb}同一{whose}的{figure}" if inside == outside else f"{name}{verb}其{whose}的{name}"
    return f"{name} {verb} {figure} of the same {whose}" if inside == outside else f"{name} {verb} that of the {whose}"


def _target_name(target: ColumnTarget | TableTarget | None, glossary: Glossary, lang: str) -> str:
    if isinstance(target, ColumnTarget):
        return column_label(target, glossary, lang)
    return table_label(target, glossary, lang) if target is not None else ""


def _absence_text(one: AbsenceDraft, glossary: Glossary, lang: str) -> str:
    name = table_label(one.table, glossary, lang)
    if lang == "zh":
        return f"没有{name}" if one.negated else f"有{name}"
    return f"no {name}" if one.negated else f"at least one {name}"


def _having_text(one: HavingDraft, glossary: Glossary, lang: str) -> str:
    name = measure_words(one.measure, glossary, lang)
    if one.upper is not None:
        return f"{name}介于{one.value}和{one.upper}" if lang == "zh" else f"{name} between {one.value} and {one.upper}"
    verb = _OPERATORS[lang][one.op]
    return f"{name}{verb}{one.value}" if lang == "zh" else f"{name} {verb} {one.value}"


def _order_text(plan: Select, limit: int | None, lang: str) -> str:
    order = plan.order[0] if plan.order else None
    words = ""
    if order is not None:
        name = _expr_label(order.expr, plan)
        down = order.descending
        if lang == "zh":
            words = f"按{name}{'降序' if down else '升序'}"
        else:
            words = f"{'highest' if down else 'lowest'} {name} first"
    if limit is None:
        return words
    if plan.offset:
        place = f"第 {plan.offset + 1} 名" if lang == "zh" else f"number {plan.offset + 1} only"
        return (f"{words}，{place}" if lang == "zh" else f"{words}, {place}") if words else place
    if lang == "zh":
        return f"{words}，取前 {limit} 条" if words else f"取前 {limit} 条"
    return f"{words}, the first {limit} only" if words else f"the first {limit} only"


def _expr_label(expr: Expr, plan: Select) -> str:
    for item in plan.items:
        if item.expr == expr:
            return item.label
    match expr:
        case Metric(name):
            return name.replace("_", " ")
        case Truncated(column):
            return column.column
        case ColumnRef():
            return expr.column.replace("_", " ")
        case Aggregate(argument=None):
            return "count"
        case Aggregate(function, argument):
            assert argument is not None
            return f"{function.value} {argument.column.replace('_', ' ')}"
