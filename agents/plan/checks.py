"""What was made sure of while a plan was built, in words: no double counting, which formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agents.glossary import Glossary
from agents.language.ir import MeasureTarget, TableTarget
from agents.plan.labels import measure_label, table_label

Code: TypeAlias = Literal["formula", "one_row", "counted_once", "by_key"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing made sure of.

    :ivar names: for ``formula`` the measure and its expression; else the table whose rows are counted.
    """

    code: Code
    names: tuple[str, ...]


_TEXTS: dict[str, dict[Code, str]] = {
    "en": {
        "formula": "{} = {}",
        "one_row": "No double counting: joins keep one row per row of “{}”.",
        "counted_once": "No double counting: every row of “{}” is counted once.",
        "by_key": "No double counting: rows of “{}” are counted by their key.",
    },
    "zh": {
        "formula": "{} = {}",
        "one_row": "没有重复计数：连接后“{}”的每条记录仍只有一行。",
        "counted_once": "没有重复计数：“{}”的每条记录只计一次。",
        "by_key": "没有重复计数：“{}”的记录按主键计数。",
    },
}


def check_text(check: Check, glossary: Glossary, lang: str) -> str:
    """The check in words; a formula stays as the glossary wrote it."""
    name, *rest = check.names
    if check.code == "formula":
        label = measure_label(MeasureTarget(name), glossary, lang)
    else:
        label = table_label(TableTarget(name), glossary, lang)
    return _TEXTS[lang][check.code].format(label, *rest)
