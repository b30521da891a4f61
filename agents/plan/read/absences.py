"""Absence: "without an e-mail", "who never ordered", "that have not hosted", 没有订单的客户."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.read.draft import (
    AbsenceDraft,
    FilterDraft,
    Item,
    Reading,
)

_ANY = re.compile(r"\s*(in|for|on|to|at|of|by)?\s*(any|a|an|some)?\s*")


def read_absences(reading: Reading) -> None:
    """ "customers without orders", "who never ordered", "products with no price", 没有订单的客户."""
    for item in reading.items:
        if not reading.free(item) or not _says_none(reading, item):
            continue
        negated = not item.is_concept("null.present")
        entity = next((o for o in reading.before(item) if isinstance(o.schema, TableTarget)), None)
        operand = _absent(reading, item)
        if operand is None:
            continue
        target = operand.schema
        if isinstance(target, TableTarget):
            if entity is None or entity.schema == target:
                entity = next((o for o in reading.after(operand) if isinstance(o.schema, TableTarget)), None)
            owners = {o.schema.table for o in reading.before(item) if isinstance(o.schema, ColumnTarget)}
            if (entity is None or entity.schema == target) and not owners - {target.table}:
                continue
            reading.draft.absences.append(AbsenceDraft(target, negated))
            _what_was_not_done(reading, operand, target)
        elif isinstance(target, ColumnTarget) and _elsewhere(target, entity, item):
            # "products that were never sold", "games that had no injury": there is no such row at all.
            reading.draft.absences.append(AbsenceDraft(TableTarget(target.table), negated))
        elif isinstance(target, ColumnTarget) and (answer := _flag_of(reading, target, negated)) is not None:
            # "models that do not have wifi", where each says yes or no.
            reading.draft.filters.append(FilterDraft(target, values=(answer,), at=operand.at))
        elif isinstance(target, ColumnTarget):
            if not reading.catalog.table(target.table).column(target.column).nullable:
                # A column that is never empty cannot be what is missing: "never ordered" is about orders.
                continue
            reading.draft.filters.append(FilterDraft(target, null=True, negated=not negated, at=operand.at))
        else:
            continue
        reading.use(item, "condition")
        reading.use(operand, "condition")


def _what_was_not_done(reading: Reading, doing: Item, target: TableTarget) -> None:
    """ "who did not enrol in any course": without an enrolment there is no course either."""
    other = next(iter(reading.after(doing)[:1]), None)
    if other is None or not isinstance(other.schema, TableTarget) or not reading.free(other):
        return
    keys = reading.catalog.table(target.table).foreign_keys
    if any(k.ref_table == other.schema.table for k in keys) and _ANY.fullmatch(reading.gap(doing, other)):
        reading.use(other, "condition")


def _flag_of(reading: Reading, target: ColumnTarget, negated: bool) -> str | None:
    flag = reading.values.flag(target.table, target.column) if reading.values is not None else None
    return None if flag is None else flag.no if negated else flag.yes


def _elsewhere(target: ColumnTarget, entity: Item | None, item: Item) -> bool:
    """Whether what is missing belongs to another thing than the one that is listed."""
    thing = entity.schema if entity is not None else None
    return (
        isinstance(thing, TableTarget)
        and thing.table != target.table
        and item.is_concept("negation.never", "negation.without")
    )


def _says_none(reading: Reading, item: Item) -> bool:
    if item.is_concept("null", "negation.without", "negation.never"):
        return True
    if not reading.chinese and item.is_concept("negation.not", "compare.ne"):
        return _not_done(reading, item)
    # 没有 is "not" and "has none" in one: before a thing it is the second.
    after = next(iter(reading.after(item)[:1]), None)
    return (
        reading.chinese
        and item.is_concept("negation.not")
        and after is not None
        and isinstance(after.schema, TableTarget)
        and not reading.gap(item, after).strip()
    )


def _not_done(reading: Reading, item: Item) -> bool:
    """ "cities that have not hosted a competition", "instructors who didn't teach": a thing before, its doings
    behind."""
    after = next(iter(reading.after(item)[:1]), None)
    before = next((o for o in reading.before(item) if isinstance(o.schema, TableTarget)), None)
    if after is None or before is None or not isinstance(after.schema, TableTarget) or after.schema == before.schema:
        return False
    table, other = reading.catalog.table(before.schema.table), reading.catalog.table(after.schema.table)  # type: ignore[union-attr]
    keyed = any(k.ref_table == table.name for k in other.foreign_keys) or any(
        k.ref_table == other.name for k in table.foreign_keys
    )
    far = "any" in reading.gap(item, after).split() and _linked(reading, table.name, other.name)
    return (keyed or far) and reading.gap_words(item, after) <= 3


def _linked(reading: Reading, left: str, right: str) -> bool:
    """Whether the rows of a third table join those of the two, as enrolments join students and courses."""
    return any({left, right} <= {key.ref_table for key in table.foreign_keys} for table in reading.catalog.tables)


def _absent(reading: Reading, item: Item) -> Item | None:
    for other in reading.after(item)[:1]:
        if other.schema is not None and reading.free(other) and reading.gap_words(item, other) <= 3:
            return other
    for other in reading.before(item)[:1] if item.is_concept("null") or reading.chinese else ():
        # "whose e-mail is missing", 邮箱为空.
        if isinstance(other.schema, ColumnTarget) and reading.free(other) and reading.gap_words(other, item) <= 2:
            return other
    return None
