"""Questions and the SQL they are read as, pair by pair, over the small catalog."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.catalog import Catalog
from tests.agents.plan.reading import NOW, engine_over, sql_of

READS: list[tuple[str, str]] = [
    (pair.split("\n    ")[0], pair.split("\n    ")[1])
    for pair in Path(__file__).with_name("reads.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_reads_as(catalog: Catalog, question: str, sql: str) -> None:
    assert sql_of(engine_over(catalog), question) == sql


DECLINED: list[tuple[str, str, str]] = [
    ("how many unicorns are there?", "nothing_asked", "unicorns"),
    ("standard deviation of the shipping cost", "not_expressible", "standard deviation of the"),
    ("correlation between price and quantity", "not_expressible", "correlation between"),
    ("how many orders and customers are there", "", ""),
    ("How many customers live in Atlantis?", "", "Atlantis"),
    ("how many pets do our customers own?", "unknown_words", "pets"),
    ("火星的客户有多少？", "", "火星"),
    ("revenue by country by month by airport", "", ""),
    ("total shipping cost by product", "", ""),
    ("customers in the island", "", ""),
]


@pytest.mark.parametrize(("question", "reason", "word"), DECLINED, ids=[case[0] for case in DECLINED])
def test_is_not_answered(catalog: Catalog, question: str, reason: str, word: str) -> None:
    """Whatever the best reading is, it is not trusted; where a word is to blame, it is named."""
    engine = engine_over(catalog)
    lang, _ = engine.route(question)
    understood = engine.read(question, lang, NOW)
    best = understood.candidates[0] if understood.candidates else None
    assert best is None or best.problem is not None or understood.confidence < 0.5
    assert not reason or understood.reason == reason
    assert not word or word in (*understood.unknown, understood.detail)


INTENTS = {
    "hello": "talk.greeting",
    "thank you very much": "talk.thanks",
    "what can you do?": "talk.help",
    "delete all customers": "write",
    "set the price of every product to 0": "write",
    "删除所有订单": "write",
    "what tables are there?": "schema",
    "有哪些表？": "schema",
    "hello, how many customers are there?": "data",
    "orders by country": "data",
}


@pytest.mark.parametrize("question", INTENTS)
def test_intent(catalog: Catalog, question: str) -> None:
    assert engine_over(catalog).route(question)[1] == INTENTS[question]
