"""The encoder and the confidence that looks at it: what it reads, what it changes, what happens without it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from agents.catalog import Catalog
from agents.learn.confidence import FEATURES, FILE, ConfidenceModel, Ranked, confidence_features
from agents.learn.encoder import AGREEMENT, MAX_TOKENS, MODEL, OUTPUTS, SPAN_FEATURES, TOKENIZER, Encoder, encode
from agents.learn.facts import ROLES, facts_of
from agents.learn.links import Links
from agents.learn.scorer import MODELS, Ranking, Scorer, load_scorer
from agents.sql.lower import lower
from agents.understood import Understood
from tests.agents.plan.conftest import CATALOG, column
from tests.agents.plan.reading import NOW, engine_over

FOLDER = MODELS / "encoder"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(FOLDER)


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    found = load_scorer()
    assert not found.missing
    return found


def understood(question: str, catalog: Catalog = CATALOG) -> Understood:
    engine = engine_over(catalog)
    return engine.read(question, engine.route(question)[0], NOW)


def rank(scorer: Scorer, question: str) -> Ranking:
    read = understood(question)
    ranking = scorer.rank(read.linked, read.candidates, CATALOG)
    assert ranking is not None
    return ranking


@pytest.mark.parametrize(
    ("question", "role", "named"),
    [
        ("What are the names of all customers?", "select", ("customers", "name")),
        ("What are the cities of the airports?", "select", ("airports", "city")),
        ("How many customers are there for each country?", "group", ("customers", "country")),
        ("List the names of all customers sorted by their country", "order", ("customers", "country")),
    ],
)
def test_columns_play_their_roles(encoder: Encoder, question: str, role: str, named: tuple[str, str]) -> None:
    scores = encoder.scores(Links.of(understood(question).linked), CATALOG)
    assert scores is not None
    columns = [name for name in scores.rows if name[1]]
    output = ROLES.index(role)
    assert max(columns, key=lambda name: float(scores.yes[scores.rows[name], output])) == named


def test_the_same_question_is_read_the_same_twice(encoder: Encoder, scorer: Scorer) -> None:
    links = Links.of(understood("number of customers by country").linked)
    first, second = encoder.scores(links, CATALOG), encoder.scores(links, CATALOG)
    assert first is not None and second is not None
    assert np.array_equal(first.yes, second.yes)
    assert all(np.array_equal(a, b) for a, b in zip(first.sketch, second.sketch, strict=True))
    assert rank(scorer, "names of customers") == rank(scorer, "names of customers")


def test_candidates_agree_more_or_less(encoder: Encoder) -> None:
    read = understood("number of customers by country")
    facts = [facts_of(lower(c.plan, CATALOG.dialect), CATALOG) for c in read.candidates]
    agreement = encoder.agreement(Links.of(read.linked), CATALOG, facts)
    assert agreement is not None and agreement.shape == (len(facts), len(AGREEMENT))
    assert agreement.max() <= 0.0


@pytest.mark.parametrize("tables", [1, 40, 300])
def test_no_schema_is_too_large(encoder: Encoder, tables: int) -> None:
    one = CATALOG.table("customers")
    columns = (*one.columns, *(column(f"measured quantity {n}") for n in range(40)))
    many = tuple(type(one)(f"{one.name} {n}", columns, primary_key=one.primary_key) for n in range(tables))
    catalog = Catalog("large", "sqlite", (*CATALOG.tables, *many))
    links = Links.of(understood("number of customers by country", catalog).linked)
    one_read = encode(links.linked.text, links, catalog, encoder.pieces)
    assert len(one_read.ids) <= MAX_TOKENS
    assert ("customers", "country") in one_read.names
    assert one_read.features.shape == (len(one_read.names), len(SPAN_FEATURES))
    scores = encoder.scores(links, catalog)
    assert scores is not None and scores.yes.shape == (len(one_read.names), len(OUTPUTS))


def test_nothing_is_read_of_an_empty_schema(encoder: Encoder) -> None:
    assert encoder.scores(Links.of(understood("customers").linked), Catalog("empty", "sqlite", ())) is None


def test_the_clear_question_is_surer(scorer: Scorer) -> None:
    clear = rank(scorer, "How many customers are there?")
    doubtful = rank(scorer, "countries of customers and products with quantity by origin")
    assert clear.confidence > doubtful.confidence
    assert clear.answer_above == doubtful.answer_above


def test_without_the_encoder_the_ranking_is_the_same(scorer: Scorer) -> None:
    question = "number of customers by country"
    plain = rank(scorer.without(("encoder",)), question)
    assert plain.scores == rank(scorer, question).scores
    assert scorer.ranker is not None and plain.answer_above == scorer.ranker.answer_above
    assert scorer.without(("encoder",)).complete


@pytest.mark.parametrize("name", [MODEL, TOKENIZER, FILE])
@pytest.mark.parametrize("content", [None, b"", b"no model at all"])
def test_falls_back_to_the_ranker_alone(tmp_path: Path, name: str, content: bytes | None) -> None:
    folder = tmp_path / "models"
    shutil.copytree(MODELS, folder)
    path = folder / "encoder" / name
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    found = load_scorer(folder)
    assert list(found.missing) == ["encoder"]
    assert found.missing["encoder"]
    assert rank(found, "number of customers by country") == rank(
        load_scorer().without(("encoder",)), "number of customers by country"
    )


def test_a_damaged_byte_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    shutil.copytree(MODELS, folder)
    path = folder / "encoder" / MODEL
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    assert "another encoder" in load_scorer(folder).missing["encoder"]


def test_other_features_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    shutil.copytree(MODELS, folder)
    with np.load(folder / "encoder" / FILE) as data:
        arrays = dict(data)
    arrays["columns"] = arrays["columns"][:-1]
    np.savez_compressed(folder / "encoder" / FILE, **arrays)
    assert "trained for other" in load_scorer(folder).missing["encoder"]


def test_the_confidence_is_stored_as_it_was(tmp_path: Path) -> None:
    many = len(FEATURES)
    model = ConfidenceModel(np.zeros(many), np.ones(many), np.linspace(-1, 1, many + 1), 0.75, "0" * 64)
    model.save(tmp_path / FILE)
    again = ConfidenceModel.load(tmp_path / FILE)
    assert (again.answer_above, again.encoder) == (0.75, "0" * 64)
    rows = np.eye(many)
    assert np.array_equal(again.probability(rows), model.probability(rows))


def test_features_tell_of_the_candidate_that_is_first() -> None:
    scorer = load_scorer()
    assert scorer.ranker is not None
    rows = np.zeros((2, len(scorer.ranker.mean)))
    agreement = np.stack([np.full(len(AGREEMENT), -3.0), np.full(len(AGREEMENT), -1.0)])
    ranked = Ranked(rows, scorer.ranker.engine, np.array([2.0, 1.0]), np.zeros(2), 0.4)
    found = dict(zip(FEATURES, confidence_features(ranked, agreement), strict=True))
    assert (found["trees"], found["encoder.sum"], found["encoder.lead"]) == (2.0, -3.0, -2.0)
    assert found["candidates"] == pytest.approx(np.log(3))


@pytest.mark.parametrize(("parts", "encoded"), [((), True), (("encoder",), False)])
def test_says_whether_it_had_a_say(scorer: Scorer, parts: tuple[str, ...], encoded: bool) -> None:
    assert rank(scorer.without(parts), "number of customers by country").encoded is encoded
