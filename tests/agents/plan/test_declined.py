"""Refusals: every reason has its words in both languages, and the data's things are called as the glossary does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import agents
from agents.catalog import Catalog
from agents.plan.declined import declined
from agents.plan.reasons import HINTS, REASONS, Words
from tests.agents.plan.reading import NOW, engine_over


def _used() -> set[str]:
    """The reasons that the code gives: to ``CannotCompile``, to a draft's ``problems``, and to ``Understood``."""
    found: set[str] = set()
    root = Path(agents.__file__).parent
    for path in (root / "engine.py", *sorted((root / "plan").rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called == "CannotCompile" or called.endswith("problems.append"):
                found |= {str(a.value) for a in node.args[:1] if isinstance(a, ast.Constant)}
            elif called == "Understood":
                found |= {str(a.value) for a in node.args[4:5] if isinstance(a, ast.Constant)}
    return found


def test_every_reason_has_words() -> None:
    assert {"fan_out", "not_a_number", "nothing_grouped", "invalid", "no_operand", "nothing_known"} <= _used()
    assert _used() - set(REASONS) == set()


@pytest.mark.parametrize("words", [*REASONS.values(), *HINTS.values()], ids=[*REASONS, *HINTS])
def test_words_in_both_languages(words: Words) -> None:
    slots = set(re.findall(r"\{\d?\}", words.en))
    assert slots == set(re.findall(r"\{\d?\}", words.zh))
    assert not slots or not words.bare_en or words.text("en") == words.bare_en
    filling = ("x", "y", "z")[: max(1, words.en.count("{"))]
    for lang, end in (("en", "."), ("zh", "。")):
        for text in (words.text(lang, *filling), words.text(lang) if words.bare_en else words.text(lang, *filling)):
            assert text.endswith(end)
            assert bool(re.search("[\u4e00-\u9fff]", text)) == (lang == "zh")


DECLINED: list[tuple[str, str, str]] = [
    (
        "total shipping cost by product",
        "One row of “order” can go with several of “order lines”, so “shipping cost” would be counted more than once.",
        "Ask for “shipping cost” as a whole, or by customer.",
    ),
    (
        "各产品的运费合计",
        "一条“订单”可能对应多条“order lines”，“运费”会被重复计算。",
        "可以询问“运费”的总体数值，或按客户统计。",
    ),
    ("how many pets do our customers own?", "Nothing in this data is called “pets”.", ""),
    ("火星的客户有多少？", "这些数据里没有找到“火星”。", ""),
    ("top 5 customers", "The question asks for the top rows, but not by what.", "Say by what, for example by revenue"),
    (
        "products in 2024",
        "The question names a time, but “product” has no date that fits it.",
        "Dates are known for order.",
    ),
    ("2024年的产品", "问题里有时间，但“产品”没有合适的日期列。", "有日期的数据：订单。"),
    ("standard deviation of the shipping cost", "I cannot work out “standard deviation of the” yet.", ""),
]


@pytest.mark.parametrize(("question", "message", "hint"), DECLINED, ids=[case[0] for case in DECLINED])
def test_says_why(catalog: Catalog, question: str, message: str, hint: str) -> None:
    engine = engine_over(catalog)
    lang, _ = engine.route(question)
    problem = declined(engine.read(question, lang, NOW), engine.connection)
    assert problem.message == message
    assert problem.hint.startswith(hint)
    assert problem.hint
