"""Columns that say yes or no: "medicines that are FDA approved", "active employees", "customers with newsletter",
"not vegetarian dishes"."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.ir import Operator
from agents.plan.read.draft import FilterDraft, Item, Reading

_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_BETWEEN = frozenset({"also", "already", "currently", "all", "still", "actually"})
_NOT = frozenset({"not", "never", "non", "isn't", "aren't", "wasn't", "weren't", "no", "without"})
_OWNING = frozenset({"with", "having", "have", "has", "without"})


_ANSWER = re.compile(r"\s*(?:is|are|=|==|:|equals)\s*(?:(?P<yes>yes|true|y)|(?P<no>no|false|n))\b", re.IGNORECASE)
"""Behind the column's name: "is yes", "= false"."""
_ONES = re.compile(r"\s+ones?\b", re.IGNORECASE)


def read_flags(reading: Reading) -> None:
    """A yes-or-no column becomes a condition where it is said of something, not asked for."""
    if reading.chinese:
        return
    for item in reading.items:
        target = item.schema
        if not isinstance(target, ColumnTarget) or not reading.free(item):
            continue
        condition = _condition(reading, item, target)
        if condition is not None:
            reading.use(item, "condition")
            reading.draft.filters.append(condition)


def _condition(reading: Reading, item: Item, target: ColumnTarget) -> FilterDraft | None:
    boolean = reading.kind(target) == "boolean"
    flag = reading.values.flag(target.table, target.column) if reading.values is not None else None
    if not boolean and flag is None:
        return None
    words = reading.linked.text[: item.mention.start].lower().replace("-", " ").split()
    while words and words[-1] in _BETWEEN:
        words.pop()
    last = words[-1] if words else ""
    negated = last in _NOT
    owned = last in _OWNING and (boolean or negated)
    answer = _ANSWER.match(reading.linked.text, item.mention.end)
    for other in reading.after(item)[:1]:
        if answer is not None and other.value is not None and other.mention.start < answer.end():
            if (other.value.table, other.value.column) == (target.table, target.column):
                # The stored word itself is a condition already.
                return None
            reading.use(other, "condition")
    if answer is not None:
        negated = answer["no"] is not None
    elif not (negated or owned or last in _BEING or _stands_before_its_thing(reading, item, target)):
        return None
    for other in reading.before(item)[:1]:
        if negated and reading.free(other) and other.is_concept("negation", "null"):
            reading.use(other, "negation")
    if boolean or flag is None:
        return FilterDraft(target, op=Operator.EQ, value=not negated, at=item.at)
    stored = flag.no if negated else flag.yes
    if stored is not None:
        return FilterDraft(target, values=(stored,), at=item.at)
    # No row has it: every row, or none, says the opposite.
    opposite = flag.yes if negated else flag.no
    return FilterDraft(target, values=(opposite,), negated=True, at=item.at) if opposite is not None else None


def _stands_before_its_thing(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """ "FDA approved medicines", "the approved ones": right before the table that has the column, a word for what is
    spoken of, or a thing that this reading drops."""
    if _ONES.match(reading.linked.text, item.mention.end):
        return True
    after = next(iter(reading.after(item)), None)
    if after is None:
        return False
    its_own = isinstance(after.schema, TableTarget) and after.schema.table == target.table
    if not its_own and not after.is_concept("dropped"):
        return False
    return not reading.gap(item, after).strip(" -")
