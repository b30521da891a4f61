"""Follow-ups: "and for 2023?", "only the top 3", "by month instead", 那德国呢: a fragment changes the draft before it.

Whether a question is a fragment is told by its form alone; a complete question is never merged with another one.
Merging works on drafts: what the fragment says replaces its like, the rest is kept.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agents.language.ir import ColumnTarget, MeasureTarget, PhraseTarget, TableTarget, TimeTarget
from agents.language.link import Linked
from agents.language.text import Language
from agents.plan.ir import Function
from agents.plan.read.aggregates import FUNCTIONS
from agents.plan.read.draft import DimensionDraft, Draft, FilterDraft, MeasureDraft, OrderDraft, Reading

_OPENS_EN = re.compile(
    r"^\s*(and|what about|how about|or|but|now|only|just|instead|also|then|same|the same|without|excluding|except"
    r"|(break|split|group) (it|that|them|this)( down)?|(sort|order|rank) (it|that|them|this)?|show (it|that|them)"
    r"|make (it|that)|as an?\b|by|per|for|in|limited to|restrict(ed)? to|of (those|them|these))\b",
    re.IGNORECASE,
)
_OPENS_WHOLE_EN = re.compile(r"^\s*(by|per|for|in)\b", re.IGNORECASE)
_OPENS_WHOLE_ZH = re.compile(r"^\s*按")
_POINTS_EN = re.compile(r"\b(them|those|these ones|their|of it)\b", re.IGNORECASE)
_ASKS_EN = re.compile(
    r"\b(how many|how much|what|which|who|when|where|show|list|give|find|count|total|number of|average)\b",
    re.IGNORECASE,
)
_AND_THE = re.compile(r"^\s*and (the|its|their) (average|total|number)", re.IGNORECASE)
_WHAT_ABOUT = re.compile(r"^\s*(and\s+)?(what|how) about\b", re.IGNORECASE)
_OPENS_ZH = re.compile(
    r"^\s*(那么?|还有|再|只看|只要|只|仅|换成|改成|改为|按|去掉|不含|不要|其中|同样|以及|如果是|如果换)"
)
_ENDS_ZH = re.compile(r"呢[？?。]?\s*$")
_ASKS_ZH = re.compile(r"(多少|几个|哪些|哪个|是什么|列出|显示)")
_INSTEAD = re.compile(r"\b(instead|rather)\b|换成|改成|改为", re.IGNORECASE)
_YEAR = re.compile(r"\s*\d{4}\b")
MAX_WORDS = 9


def is_fragment(question: str, lang: Language) -> bool:
    """Whether a question only makes sense after another one."""
    text = question.strip()
    if lang == "zh":
        if _ENDS_ZH.search(text) and len(text) <= 24:
            return True
        return bool(_OPENS_ZH.match(text)) and len(text) <= 20 and not (_ASKS_ZH.search(text) and len(text) > 14)
    words = text.split()
    if len(words) > MAX_WORDS or not words:
        return False
    if _WHAT_ABOUT.match(text):
        return True
    if _POINTS_EN.search(text) and len(words) <= 7:
        return True
    if not _OPENS_EN.match(text):
        return False
    # "and how many orders were there in 2023?" is complete, whatever word it begins with.
    return not _ASKS_EN.search(text) or _AND_THE.match(text) is not None


def is_complete(linked: Linked) -> bool:
    """Whether words that open like a fragment say all by themselves: "by month, revenue in 2024", 按类别的销售额."""
    if not (_OPENS_WHOLE_ZH if linked.lang == "zh" else _OPENS_WHOLE_EN).match(linked.text):
        return False
    firsts = [slot[0].target for slot in linked.slots]
    named = {t for t in firsts if isinstance(t, (ColumnTarget, TableTarget, MeasureTarget))}
    counted = any(isinstance(t, PhraseTarget) and t.concept in FUNCTIONS for t in firsts)
    measured = any(isinstance(t, MeasureTarget) for t in firsts) or (counted and bool(named))
    grained = any(isinstance(t, PhraseTarget) and t.concept.startswith("grain") for t in firsts)
    timed = any(isinstance(t, TimeTarget) for t in firsts)
    return measured and (timed or grained or len(named) > 1)


def bare(question: str) -> str:
    """The fragment without "what about", in spaces, so that places in the text stay what they are."""
    found = _WHAT_ABOUT.match(question)
    if found is None:
        return question
    rest = question[found.end() :]
    return ("in " if _YEAR.match(rest) else "").rjust(found.end()) + rest


def merge(base: Draft, fragment: Reading) -> Draft | None:
    """The base draft as the fragment changes it; ``None`` when the fragment changes nothing."""
    said = fragment.draft
    replaced = [f for f in base.filters if any(_same_subject(f, one) for one in said.filters)]
    # Places in two texts are not to be taken for each other.
    apart = 1 + max((f.at for f in base.filters), default=0)
    added = [replace(_dated_like(one, base), at=one.at + apart) for one in said.filters]
    # "the average?" is of what was asked before.
    problems = [*base.problems, *[p for p in said.problems if p != "no_operand"]]
    if any(f.at in group for f in replaced for group in base.either):
        # Whether the other side of the "or" still holds is not told.
        problems.append("not_expressible")
    draft = replace(
        base,
        filters=[*[f for f in base.filters if f not in replaced], *added],
        having=[*base.having, *said.having],
        absences=[*base.absences, *[a for a in said.absences if a not in base.absences]],
        either=[*base.either, *[frozenset(at + apart for at in group) for group in said.either]],
        problems=problems,
    )
    changed = bool(said.filters or said.having or said.absences)
    function = _bare_function(fragment)
    if function is not None and base.measures:
        draft.measures = [replace(m, function=function) for m in base.measures[:1] if m.function is not None]
        changed = changed or bool(draft.measures)
    elif (swapped := _swapped(base, fragment)) is not None:
        draft.measures = [swapped]
        changed = True
    elif said.measures and not _only_echo(said.measures, base):
        draft.measures = [_counted(m, fragment, base) for m in said.measures]
        draft.projections = []
        changed = True
    changed = _regroup(draft, base, fragment) or changed
    if said.limit is not None or said.order:
        keys = [o for o in said.order if o.key is not None]
        draft.order = keys or base.order or _by_measure(draft)
        if said.order and not keys and draft.order:
            draft.order = [replace(draft.order[0], descending=said.order[0].descending), *draft.order[1:]]
        draft.limit = said.limit if said.limit is not None else base.limit
        draft.offset = said.offset if said.limit is not None else base.offset
        changed = True
    return draft if changed else None


def _same_subject(old: FilterDraft, new: FilterDraft) -> bool:
    """Whether a new condition stands in the place of an old one: both tell a time, or both are about one column."""
    if old.time is not None and new.time is not None:
        return True
    return old.target is not None and old.target == new.target and old.negated == new.negated


def _dated_like(one: FilterDraft, base: Draft) -> FilterDraft:
    """A time without a column of its own is about the column that the time before it was about."""
    if one.time is None or one.target is not None:
        return one
    before = next((f.target for f in base.filters if f.time is not None), None)
    return replace(one, target=before)


def _bare_function(fragment: Reading) -> Function | None:
    """ "and the average?": an aggregate of nothing else."""
    found = [i for i in fragment.items if i.concept in FUNCTIONS]
    others = [i for i in fragment.items if i.schema is not None or i.value is not None]
    if len(found) == 1 and not others and FUNCTIONS[found[0].concept] is not Function.COUNT:
        return FUNCTIONS[found[0].concept]
    return None


def _swapped(base: Draft, fragment: Reading) -> MeasureDraft | None:
    """ "what about miles per gallon": the same of another number."""
    said = fragment.draft
    if len(said.projections) != 1 or said.measures or len(base.measures) != 1:
        return None
    target, measure = said.projections[0][1], base.measures[0]
    grouping = any(i.is_concept("group") for i in fragment.items)
    if grouping or not isinstance(target, ColumnTarget) or not fragment.is_number(target):
        return None
    return replace(measure, target=target) if isinstance(measure.target, ColumnTarget) else None


def _only_echo(measures: list[MeasureDraft], base: Draft) -> bool:
    known = {(m.function, m.target) for m in base.measures}
    return all((m.function, m.target) in known for m in measures)


def _counted(measure: MeasureDraft, fragment: Reading, base: Draft) -> MeasureDraft:
    """其中2024年注册的有多少: the date says when; what is counted is what the conversation is about."""
    of = measure.target
    if measure.function is not Function.COUNT or not isinstance(of, ColumnTarget):
        return measure
    is_date = fragment.catalog.table(of.table).column(of.column).kind.is_time
    if not is_date or all(f.time is None for f in fragment.draft.filters):
        return measure
    counts = (m for m in base.measures if m.function is Function.COUNT)
    return next(counts, replace(measure, target=base.entity, distinct=False))


def _regroup(draft: Draft, base: Draft, fragment: Reading) -> bool:
    """Put what the fragment groups by, or shows, into the draft; whether it did."""
    said = fragment.draft
    groups = list(said.dimensions)
    grouping = any(i.is_concept("group") for i in fragment.items)
    for at, target in said.projections:
        if grouping and isinstance(target, (ColumnTarget, TableTarget)):
            groups.append(DimensionDraft(target, None, at))
    if said.entity is not None and grouping and not groups:
        groups.append(DimensionDraft(said.entity, None, said.entity_at))
    if groups and (draft.measures or any(isinstance(i.schema, MeasureTarget) for i in fragment.items)):
        # "by month" is within the groups so far; "by month instead" and "by region" are in their place.
        within = any(g.grain for g in groups) and not _INSTEAD.search(fragment.linked.text)
        draft.dimensions = [*(d for d in base.dimensions if within and not d.grain), *groups]
        draft.order, draft.limit, draft.offset = [], None, 0
        return True
    if said.projections and not grouping and not draft.measures:
        draft.projections = [*said.projections]
        return True
    return False


def _by_measure(draft: Draft) -> list[OrderDraft]:
    return [OrderDraft(draft.measures[0], True)] if draft.measures and draft.dimensions else []
