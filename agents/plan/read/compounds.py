"""Compounds: "stock price", "customer segment", "price of stocks", 客户的城市: a thing named beside its own column
only says whose
column is meant."""

from __future__ import annotations

from agents.language.ir import ColumnTarget, TableTarget
from agents.plan.labels import label_column
from agents.plan.read.aggregates import FUNCTIONS
from agents.plan.read.draft import QUALIFIER, Item, Reading


def read_compounds(reading: Reading) -> None:
    """Mark tables that only qualify the column right after them (Chinese: with 的 and an aggregate between)."""
    for item in reading.items:
        target = item.schema
        if isinstance(target, (TableTarget, ColumnTarget)) and _names_the_value_beside(reading, item, target):
            reading.use(item, QUALIFIER)
            continue
        if not isinstance(target, TableTarget) or not reading.free(item):
            continue
        if _asked_for(reading, item):
            continue
        column = _column_after(reading, item)
        if column is not None and _belongs(target, column):
            reading.use(item, QUALIFIER)


def _asked_for(reading: Reading, item: Item) -> bool:
    """哪个员工的工资最高, "which employee's salary is the highest": the thing itself is asked for."""
    before = reading.linked.text[max(0, item.mention.start - 8) : item.mention.start].lower()
    which = any(word in before for word in ("哪", "谁")) or before.split()[-1:] in (["which"], ["what"])
    return which and any(i.is_concept("superlative", "top", "bottom") for i in reading.after(item))


def _names_the_value_beside(reading: Reading, item: Item, target: TableTarget | ColumnTarget) -> bool:
    """ "Apple company", "the city of Paris": a thing's own kind beside its name."""
    neighbours = [(o, reading.gap(o, item)) for o in reading.before(item)[:1]]
    neighbours += [(o, reading.gap(item, o)) for o in reading.after(item)[:1]]
    for other, gap in neighbours:
        value = other.value
        if value is None or gap.strip() not in ("", "of", "of the", "="):
            continue
        if isinstance(target, ColumnTarget):
            return (target.table, target.column) == (value.table, value.column)
        if target.table == value.table:
            label = label_column(reading.catalog.table(target.table), reading.glossary)
            return label is not None and label.name == value.column
    return False


def _column_after(reading: Reading, item: Item) -> ColumnTarget | None:
    for other in reading.after(item)[:2]:
        gap = reading.linked.text[item.mention.end : other.mention.start].lower()
        if reading.chinese:
            gap = gap.replace("的", "")
        if other.concept in FUNCTIONS and reading.chinese and not gap.strip():
            continue
        if isinstance(other.schema, ColumnTarget):
            if other.mention.score < 0.6 and other.mention.text.lower().endswith("ed"):
                # "stations opened after 2000": what was done to them, not a column of that name.
                return None
            between = reading.linked.text[item.mention.end : other.mention.start].strip(" 的").lower()
            for phrase in reading.items[item.at + 1 : other.at]:
                between = between.replace(phrase.mention.text.lower(), "")
            return other.schema if between.strip(" 的") in ("", "'s", "’s", "'") else None
        return None
    return None


def _belongs(table: TableTarget, column: ColumnTarget) -> bool:
    return table.table == column.table
