"""A digest as sentences in the question's language, each number linked to its cell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import pyarrow as pa

from agents.artifacts import CellRef, FrameMeta, Segment, TextArtifact
from agents.narrate import sentences_en, sentences_zh
from agents.narrate.digest import NO_CONTEXT, Context, Fact, Statement, digest
from agents.narrate.format import as_number, decimals_for, format_cell, format_number, format_percent, is_year_name
from agents.narrate.periods import Lang

LONGEST = 80
"""Characters of a name in a sentence; longer ones are cut."""

_SENTENCES = {"en": sentences_en, "zh": sentences_zh}
_WITHOUT = sentences_en.WITHOUT.format("")
_SLOT = re.compile(r"\{(\w+)(?::([^|}]*)\|([^}]*))?\}")


def narrate(
    meta: FrameMeta,
    table: pa.Table,
    *,
    id: str,
    lang: Lang,
    reading: str = "",
    context: Context = NO_CONTEXT,
) -> TextArtifact:
    """The lead sentence and at most two more.

    :param id: of the artifact. :param reading: the conditions in words, told when nothing matched them.
    """
    statements = digest(meta, table, context)
    return TextArtifact(
        id=id, lang=lang, sentences=tuple(sentence(statement, meta.id, lang, reading) for statement in statements)
    )


def sentence(statement: Statement, frame_id: str, lang: Lang, reading: str = "") -> tuple[Segment, ...]:
    """A statement in words."""
    key = "empty.reading" if statement.key == "empty" and reading.strip() else statement.key
    segments: list[Segment] = []
    for literal, slot, one, many in _pieces(_SENTENCES[lang].SENTENCES[key]):
        if literal:
            segments.append(Segment(text=literal))
        if slot == "reading":
            segments.append(Segment(text=reading.strip().rstrip(".。")))
        elif slot:
            fact = statement.facts[slot]
            segments += _segments_of(fact, frame_id, lang)
            if one:
                segments.append(Segment(text=f" {one if fact.value == 1 else many}"))
            segments += _second_name(slot, statement.facts, frame_id, lang)
    first = segments[0]
    if lang == "en" and (first.cell is None or first.text.startswith(_WITHOUT)):
        segments[0] = first.model_copy(update={"text": first.text[:1].upper() + first.text[1:]})
    return tuple(segments)


def fact_text(fact: Fact, lang: Lang) -> str:
    """The fact as it stands in a sentence; numbers carry their unit."""
    match fact.kind:
        case "label":
            return str(fact.value)
        case "count" if isinstance(fact.value, int):
            return format_number(fact.value, lang)
        case "percent" if isinstance(fact.value, float):
            return format_percent(fact.value, lang)
    number = as_number(fact.value, fact.column)
    places = None
    if number is not None and fact.column.unit and not -10_000 < number < 10_000:
        places = 0 if decimals_for([number], fact.column.unit) == 2 else None
    text = format_cell(fact.value, fact.column, lang, decimals=places, unit=True)
    if number is None and not text.strip():
        return {"en": "(empty)", "zh": "（空）"}[lang]
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _segments_of(fact: Fact, frame_id: str, lang: Lang) -> list[Segment]:
    if fact.kind in ("label", "edge"):
        return [Segment(text=fact_text(fact, lang))]
    cell = CellRef(frame_id=frame_id, row=fact.row, column=fact.column.name)
    if fact.kind == "name" and fact.value is None:
        return [Segment(text=_SENTENCES[lang].WITHOUT.format(fact.column.label), cell=cell)]
    segment = Segment(text=fact_text(fact, lang), cell=cell)
    if fact.kind == "name" and _needs_label(fact):
        return [Segment(text=f"{fact.column.label} "), segment]
    return [segment]


def _needs_label(fact: Fact) -> bool:
    """Whether the value says nothing alone: "8" may be a number of cylinders or a manager; a year speaks for itself."""
    if fact.column.grain is not None or fact.column.kind.is_time:
        return False
    if isinstance(fact.value, bool):
        return True
    number = as_number(fact.value, fact.column)
    return number is not None and not (is_year_name(fact.column) and 1000 <= number <= 2200)


def _second_name(slot: str, facts: Mapping[str, Fact], frame_id: str, lang: Lang) -> list[Segment]:
    second = facts.get(f"{slot}_2")
    return [Segment(text=_SENTENCES[lang].AND), *_segments_of(second, frame_id, lang)] if second else []


@lru_cache(maxsize=256)
def _pieces(template: str) -> tuple[tuple[str, str, str, str], ...]:
    """Literal text, then a slot with its singular and plural word; the last literal has no slot."""
    slots = list(_SLOT.finditer(template))
    ends = [0, *(slot.end() for slot in slots)]
    pieces = [
        (template[start : slot.start()], slot[1], slot[2] or "", slot[3] or "")
        for slot, (start, _) in zip(slots, pairwise([*ends, len(template)]), strict=False)
    ]
    return (*pieces, (template[ends[-1] :], "", "", ""))
