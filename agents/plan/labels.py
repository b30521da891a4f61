"""Naming: which column stands for a row, which date a table means, and what things are called in each language."""

from __future__ import annotations

import re

from agents.catalog import Column, Kind, Table
from agents.glossary import Glossary
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.language.names import identifier_words, name_parts
from agents.language.text import lemmatize, split_identifier

_LABEL_WORDS = ("name", "title", "label", "名称", "姓名", "名字", "标题")
_AMOUNT = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d+)?")
_YEAR_OF = frozenset(
    "born built completed constructed died elected established founded joined launched office opened published "
    "released".split()
)
_YEAR_WORDS = frozenset({"year", "yr", "年", "年份"})


def label_column(table: Table, glossary: Glossary) -> Column | None:
    """The column that names a row of the table: the glossary's, else one called name or title, else a unique text."""
    chosen = glossary.table(table.name).label
    if chosen:
        return table.column(chosen)
    own = identifier_words(table.name)
    ranked: list[tuple[int, int, Column]] = []
    for position, column in enumerate(table.columns):
        if column.kind is not Kind.TEXT or glossary.column(table.name, column.name).hidden:
            continue
        words = identifier_words(column.name)
        if words in (("name",), ("title",)) or column.name in _LABEL_WORDS:
            rank = 0
        elif words == own or words in ((*own, "name"), (*own[-1:], "name"), (*own, "title")):
            rank = 1
        elif (
            words[-1:] in (("name",), ("title",))
            or (len(words) == 1 and words[0].endswith("name") and len(words[0]) <= 6)
            or any(column.name.endswith(w) for w in _LABEL_WORDS[3:])
        ):
            rank = 2
        elif column.unique:
            rank = 3
        else:
            continue
        ranked.append((rank, position, column))
    return min(ranked, key=lambda r: r[:2])[2] if ranked else None


def label_columns(table: Table, glossary: Glossary) -> tuple[Column, ...]:
    """What names a row to people: first and last name where they lie apart, else the label; may be empty."""
    parts = None if glossary.table(table.name).label else name_parts(table)
    if parts is not None and not any(glossary.column(table.name, part.name).hidden for part in parts):
        return parts
    label = label_column(table, glossary)
    return (label,) if label is not None else ()


def date_columns(table: Table, glossary: Glossary) -> tuple[Column, ...]:
    """Columns that hold a date, the default one first; whole years kept as integers count last."""
    default = glossary.table(table.name).default_date
    dates = [c for c in table.columns if c.kind.is_time]
    years = [c for c in table.columns if is_year(c)]
    visible = [c for c in (*dates, *years) if not glossary.column(table.name, c.name).hidden]
    return tuple(sorted(visible, key=lambda c: c.name != default))


def is_year(column: Column) -> bool:
    """Whether a column of numbers holds calendar years, by its name and its samples; numbers that are no integers by
    their type need samples that are."""
    words = split_identifier(column.name)
    named = bool(words) and (words[-1] in _YEAR_WORDS or words[0] in _YEAR_WORDS)
    years = [v for v in column.samples if isinstance(v, (int, float))]
    if column.kind is Kind.DECIMAL and not (years and all(v == int(v) for v in years)):
        return False
    # A column called founded holds years where its numbers say so.
    named = named or (bool(words) and words[-1] in _YEAR_OF and bool(years))
    return named and column.kind.is_number and all(1000 <= v <= 2200 for v in years)


_CODES = frozenset({"id", "code", "phone", "zip", "number", "postcode", "fax", "mobile", "cell"})


def is_numeric_text(table: Table, column: Column) -> bool:
    """Whether a text column holds amounts: every sample is a plain number, and neither name nor form says code."""
    if column.kind is not Kind.TEXT or is_identifier(table, column) or set(identifier_words(column.name)) & _CODES:
        return False
    samples = [str(v).strip() for v in column.samples]
    return bool(samples) and all(_AMOUNT.fullmatch(v) for v in samples)


def is_identifier(table: Table, column: Column) -> bool:
    """Whether a column only identifies rows: adding its numbers up would mean nothing."""
    if column.name in table.primary_key or any(column.name in key.columns for key in table.foreign_keys):
        return True
    words = identifier_words(column.name)
    return words[-1:] in (("id",), ("code",), ("uuid",), ("key",))


def adds_up(table: str, column: str, unit: str | None, glossary: Glossary) -> bool:
    """Whether a sum over the column's numbers is a quantity: amounts are, prices, rates and temperatures are not.

    The glossary's aggregation decides; without one, a unit per something (``km/h``, ``%``, ``°C``) or the name does.
    """
    said = glossary.column(table, column).aggregation
    if said is not None:
        return said in ("sum", "count")
    if unit and (unit in ("%", "‰") or "/" in unit or "°" in unit):
        return False
    return _RATES.isdisjoint(identifier_words(column)) and not any(word in column for word in _RATES_ZH)


_RATES = frozenset(
    "age altitude average avg height index latitude longitude mean median mpg percent percentage price rank rate "
    "rating ratio score share speed temp temperature yield".split()
)
_RATES_ZH = ("率", "价", "比例", "占比", "温", "均", "评分", "年龄", "指数", "排名", "速度")


def column_label(target: ColumnTarget, glossary: Glossary, lang: str) -> str:
    """What people read: the glossary's first name in their language, else the identifier's words."""
    named = glossary.column(target.table, target.column).names.first(lang)
    return named or humanize(target.column)


_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women"}
_SAME = ("series", "species", "staff")
_UNCOUNTED = frozenset({"weather", "news", "data", "information", "history", "employment", "equipment", "traffic"})


def plural(name: str, parts: str = "rows") -> str:
    """The plural of an English name; one that is a plural already (by its lemma) stays.

    :param parts: what is counted of a name that has no plural ("weather rows", "b x b rows").
    """
    head, _, last = name.rpartition(" ")
    lowered = last.lower()
    if not last.isascii() or lowered.endswith(_SAME):
        return name
    if lowered in _UNCOUNTED or len(last) < 2 or not last.isalpha():
        return f"{name} {parts}"
    if lemmatize(lowered) != lowered:
        return name
    if lowered in _IRREGULAR:
        last = _IRREGULAR[lowered]
    elif lowered.endswith("y") and lowered[-2:-1] not in "aeiou":
        last = last[:-1] + "ies"
    elif lowered.endswith(("s", "x", "z", "ch", "sh")):
        last += "es"
    else:
        last += "s"
    return f"{head} {last}".strip()


_SAID = {
    "total": ("total", "sum"),
    "average": ("average", "avg", "mean"),
    "lowest": ("lowest", "minimum", "min"),
    "highest": ("highest", "maximum", "max"),
    "合计": ("合计", "总计", "总额", "总数", "总量"),
    "平均": ("平均",),
    "最低": ("最低", "最小"),
    "最高": ("最高", "最大"),
}
"""Words of a name that say already what an aggregate's word would say once more."""


def aggregate_label(pattern: str, name: str) -> str:
    """``total {}`` with the name filled in; a name that says so itself stays ("total amount", 最高气温)."""
    before, _, after = pattern.partition("{}")
    lowered = name.lower()
    if after and lowered.endswith(_SAID.get(after, ())):
        return name
    for word in _SAID.get(before.strip(), ()):
        if lowered.startswith(word) and not (word.isascii() and lowered[len(word) :][:1].isalpha()):
            return name
    return pattern.format(name)


def table_label(target: TableTarget, glossary: Glossary, lang: str) -> str:
    return glossary.table(target.table).names.first(lang) or humanize(target.table)


def measure_label(target: MeasureTarget, glossary: Glossary, lang: str) -> str:
    return glossary.measures[target.name].names.first(lang) or humanize(target.name)


def humanize(identifier: str) -> str:
    """``order_lines`` → ``order lines``; Chinese names stay as they are."""
    words = split_identifier(identifier)
    return " ".join(words) if words else identifier
