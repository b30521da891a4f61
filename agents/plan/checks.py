"""What was made sure of while a plan was built, in words: no double counting, which formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agents.glossary import Glossary
from agents.language.ir import MeasureTarget, TableTarget
from agents.plan.ir import CountPlan, Plan, Select, SetPlan
from agents.plan.labels import measure_label, table_label

Code: TypeAlias = Literal["formula", "one_row", "counted_once", "by_key", "inferred_key"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing made sure of.

    :ivar names: for ``formula`` the measure and its expression; for ``inferred_key`` both ends of the key, as
        ``table.column``; else the table whose rows are counted.
    """

    code: Code
    names: tuple[str, ...]


_TEXTS: dict[str, dict[Code, str]] = {
    "en": {
        "formula": "{} = {}",
        "one_row": "No double counting: joins keep one row per row of “{}”.",
        "counted_once": "No double counting: every row of “{}” is counted once.",
        "by_key": "No double counting: rows of “{}” are counted by their key.",
        "inferred_key": "Joined by a key that nobody declared, found by its name and values: {} → {}.",
    },
    "zh": {
        "formula": "{} = {}",
        "one_row": "没有重复计数：连接后“{}”的每条记录仍只有一行。",
        "counted_once": "没有重复计数：“{}”的每条记录只计一次。",
        "by_key": "没有重复计数：“{}”的记录按主键计数。",
        "inferred_key": "按未声明的键连接（由名称和值推断）：{} → {}。",
    },
}


def inferred_keys(plan: Plan) -> tuple[Check, ...]:
    """The keys that the plan joins over and nobody declared, each from the table that has the reference."""
    match plan:
        case SetPlan(_, left, right):
            found = [*inferred_keys(left), *inferred_keys(right)]
        case CountPlan(inner):
            found = [*inferred_keys(inner)]
        case Select(source=source):
            tables = {ref.alias: ref.table.name for ref in source.refs()}
            found = []
            for join in source.joins:
                if join.inferred:
                    here = f"{tables[join.left_alias]}.{', '.join(join.left_columns)}"
                    there = f"{join.right.table.name}.{', '.join(join.right_columns)}"
                    found.append(Check("inferred_key", (there, here) if join.many else (here, there)))
        case _:
            found = []
    return tuple(dict.fromkeys(found))


def check_text(check: Check, glossary: Glossary, lang: str) -> str:
    """The check in words; a formula stays as the glossary wrote it."""
    name, *rest = check.names
    if check.code == "inferred_key":
        return _TEXTS[lang][check.code].format(name, *rest)
    if check.code == "formula":
        label = measure_label(MeasureTarget(name), glossary, lang)
    else:
        label = table_label(TableTarget(name), glossary, lang)
    return _TEXTS[lang][check.code].format(label, *rest)
