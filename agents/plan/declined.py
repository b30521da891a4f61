"""Declining: why a question was not answered, what was understood of it, and what to ask instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.artifacts import ProblemArtifact
from agents.catalog import Catalog
from agents.glossary import Glossary
from agents.language.link import is_guess
from agents.plan.labels import humanize
from agents.ports import Connection

if TYPE_CHECKING:
    from agents.engine import Understood

_REASONS = {
    "unknown_words": (
        "Nothing in this data is called {}.",
        "这些数据里没有找到“{}”。",
    ),
    "guessed": (
        "Nothing in this data is called “{}”. The nearest is “{}”.",
        "这些数据里没有“{}”，最接近的是“{}”。",
    ),
    "nothing_known": (
        "None of the words in this question were found in the data.",
        "问题里的词在数据中都没有找到。",
    ),
    "no_date": (
        "The question names a time, but {} has no date to look at.",
        "问题里有时间，但“{}”没有日期列。",
    ),
    "not_connected": (
        "No key connects {}, so they cannot be put together safely.",
        "“{}”之间没有键相连，无法可靠地合并。",
    ),
    "fan_out": (
        "Answering this would count some rows more than once: {}.",
        "这样回答会重复计数：{}。",
    ),
    "not_expressible": (
        "I cannot work out “{}” yet.",
        "目前还不能计算“{}”。",
    ),
    "several_counts": (
        "I cannot count two different things in one answer yet.",
        "目前还不能在一个回答里同时统计两种对象，请分开提问。",
    ),
    "top_per_group": (
        "I can rank everything, but not yet the first ones of each group.",
        "目前可以整体排名，还不能在每个分组内分别取前几名。",
    ),
    "no_order_key": (
        "The question asks for the top rows, but not by what.",
        "问题要求排名，但没有说明按什么排。",
    ),
    "not_a_number": (
        "That column does not hold numbers that can be put together.",
        "该列不是可以汇总的数字。",
    ),
    "unsure": (
        "I could not read this question well enough to trust the answer.",
        "对这个问题的理解不够可靠，因此没有给出答案。",
    ),
}


def declined(understood: Understood, connection: Connection) -> ProblemArtifact:
    """The card that says so, in the question's language."""
    reason: str = understood.reason
    detail: str | tuple[str, str] = understood.detail
    if understood.unknown and reason in ("", "nothing_known", "nothing_asked", "no_operand"):
        reason = "unknown_words"
        joint = "、" if understood.lang == "zh" else " or "
        detail = joint.join(f"“{word}”" if understood.lang == "en" else word for word in understood.unknown[:3])
    guess = _guess(understood)
    if guess is not None and reason in ("", "unsure"):
        reason, detail = "guessed", guess
    if reason not in _REASONS:
        reason = "unsure"
    english, chinese = _REASONS[reason]
    words = detail if isinstance(detail, tuple) else (detail,)
    text = (chinese if understood.lang == "zh" else english).format(*words)
    return ProblemArtifact(
        id="problem",
        code=f"question.{reason}",
        message=text,
        hint=_hint(connection.catalog, connection.glossary, understood.lang),
        tone="declined",
    )


def _guess(understood: Understood) -> tuple[str, str] | None:
    """A word that was only vaguely like a name, with that name."""
    if not understood.candidates:
        return None
    mention = next((m for m in understood.candidates[0].mentions if is_guess(m)), None)
    return (mention.text, str(mention.target).replace("_", " ")) if mention is not None else None


def _hint(catalog: Catalog, glossary: Glossary, lang: str) -> str:
    names = [glossary.table(t.name).names.first(lang) or humanize(t.name) for t in catalog.tables[:6]]
    more = len(catalog.tables) - len(names)
    if lang == "zh":
        tail = f"等 {len(catalog.tables)} 张表" if more > 0 else ""
        return f"可以询问：{'、'.join(names)}{tail}。" if names else ""
    tail = f" and {more} more" if more > 0 else ""
    return f"There is data about {', '.join(names)}{tail}." if names else ""
