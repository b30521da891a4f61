from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.catalog import Catalog
from agents.glossary import Glossary
from agents.retrieval.embed import MODEL_FOLDER, Embedder, EmbeddingUnavailable
from agents.retrieval.hybrid import MEANING_MARGIN, SAME_MEANING, HybridRetriever

FINDS = [
    ("how many clients do we have", "table:customers"),
    ("what do workers earn", "column:employees.salary"),
    ("unit price of order lines", "column:order_lines.unitPrice"),
    ("quantity per product", "column:order_lines.qty"),
    ("turnover in 2023", "metric:revenue"),
    ("customers in Berlin", "column:customers.city"),
    ("how many kitchen things", "column:products.category"),
    ("各城市的顾客", "column:customers.city"),
    ("去年的销售额", "metric:revenue"),
    ("有多少客户", "table:customers"),
    ("每个类别的商品", "column:products.category"),
]

LINKS = [
    ("clients", "table:customers"),
    ("workers", "table:employees"),
    ("wage", "column:employees.salary"),
    ("工资", "column:employees.salary"),
]


@pytest.fixture(scope="module")
def retriever(catalog: Catalog, glossary: Glossary, model: Embedder) -> HybridRetriever:
    return HybridRetriever(catalog, glossary, cache_dir=None, embedder=model)


@pytest.mark.parametrize(("question", "expected"), FINDS)
def test_finds(retriever: HybridRetriever, question: str, expected: str) -> None:
    found = retriever.search(question, limit=5)
    assert found.backend == "hybrid"
    assert expected in [hit.document for hit in found.hits]


@pytest.mark.parametrize(("phrase", "expected"), LINKS)
def test_links_by_meaning(retriever: HybridRetriever, phrase: str, expected: str) -> None:
    [[(first, cosine), (_, second), *_]] = retriever.column_similarity([phrase])
    assert (first.id, cosine >= SAME_MEANING, cosine - second >= MEANING_MARGIN) == (expected, True, True)


@pytest.mark.parametrize("phrase", ["banana", "philosophy", "twice"])
def test_links_nothing_to_unrelated_words(retriever: HybridRetriever, phrase: str) -> None:
    [[(_, cosine), *_]] = retriever.column_similarity([phrase])
    assert cosine < SAME_MEANING


def test_hits_carry_both_scores_and_their_sum(retriever: HybridRetriever) -> None:
    hits = retriever.search("average salary of employees").hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.semantic is not None
        assert hit.lexical is not None
        assert hit.score == pytest.approx(0.56 * hit.semantic + 0.44 * hit.lexical, abs=2e-4)


def test_hidden_columns_are_no_documents(retriever: HybridRetriever) -> None:
    assert not [document.id for document in retriever.documents if "secret" in document.id]
    assert len({document.id for document in retriever.documents}) == len(retriever.documents)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text())
def test_any_text_is_answered(retriever: HybridRetriever, question: str) -> None:
    found = retriever.search(question)
    assert all(0 <= hit.score <= 1 for hit in found.hits)
    assert retriever.search(question) == found


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_nothing_asked_nothing_found(retriever: HybridRetriever, question: str) -> None:
    assert retriever.search(question).hits == ()


def test_long_question_is_cheap(retriever: HybridRetriever) -> None:
    assert retriever.search("customers and orders " * 5_000).hits


def test_empty_catalog(model: Embedder) -> None:
    retriever = HybridRetriever(Catalog("empty", "sqlite"), Glossary(), cache_dir=None, embedder=model)
    assert retriever.search("anything").hits == ()
    assert retriever.column_similarity(["anything"]) == [[]]


def _missing(folder: Path) -> None:
    shutil.copy(MODEL_FOLDER / "tokenizer.json", folder)


def _broken(folder: Path) -> None:
    _missing(folder)
    (folder / "model.onnx").write_bytes(b"no model")


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [(_missing, "embedding.missing", "model.onnx"), (_broken, "embedding.broken", "does not work")],
)
def test_without_model_words_work_alone(
    catalog: Catalog, glossary: Glossary, tmp_path: Path, spoil: Callable[[Path], None], code: str, words: str
) -> None:
    spoil(tmp_path)
    embedder = Embedder(tmp_path)
    with pytest.raises(EmbeddingUnavailable) as caught:
        embedder.load()
    assert caught.value.code == code
    retriever = HybridRetriever(catalog, glossary, cache_dir=None, embedder=embedder)
    found = retriever.search("unit price")
    assert (found.backend, found.hits[0].document, found.hits[0].semantic) == (
        "lexical",
        "column:order_lines.unitPrice",
        None,
    )
    assert words in found.warning
    assert retriever.health().warning == found.warning
    assert retriever.column_similarity(["clients"]) == [[]]


def test_model_that_fails_later_costs_only_meaning(
    catalog: Catalog, glossary: Glossary, counting: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = HybridRetriever(catalog, glossary, cache_dir=None, embedder=counting)
    assert retriever.health().backend == "hybrid"

    def fail(texts: object) -> np.ndarray:
        raise EmbeddingUnavailable("embedding.broken", "The model went away.", "Start again.")

    monkeypatch.setattr(counting, "query", fail)
    found = retriever.search("customers")
    assert (found.backend, "went away" in found.warning, bool(found.hits)) == ("lexical", True, True)


def test_meaning_alone(catalog: Catalog, glossary: Glossary, model: Embedder) -> None:
    retriever = HybridRetriever(catalog, glossary, cache_dir=None, embedder=model, lexical=False)
    found = retriever.search("how many clients")
    assert (found.backend, found.hits[0].lexical) == ("semantic", None)
    assert "words" in found.warning


def test_neither(catalog: Catalog, glossary: Glossary) -> None:
    retriever = HybridRetriever(catalog, glossary, cache_dir=None, embedder=None, lexical=False)
    found = retriever.search("customers")
    assert (found.backend, found.hits) == ("none", ())
    assert "meaning" in found.warning
    assert "words" in found.warning


def test_second_start_embeds_nothing(catalog: Catalog, glossary: Glossary, counting: Embedder, tmp_path: Path) -> None:
    first = HybridRetriever(catalog, glossary, cache_dir=tmp_path, embedder=counting)
    hits = first.search("orders by city").hits
    made = counting.embedded
    assert made > len(first.documents)
    second = HybridRetriever(catalog, glossary, cache_dir=tmp_path, embedder=counting)
    assert second.search("orders by city").hits == hits
    assert counting.embedded == made
    HybridRetriever(catalog, Glossary(), cache_dir=tmp_path, embedder=counting).prepare()
    assert counting.embedded > made


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-40])


def _garble(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 3 : len(data) // 2] = b"\xff" * (len(data) // 2 - len(data) // 3)
    file.write_bytes(bytes(data))


@pytest.mark.parametrize("spoil", [_empty, _cut, _garble, Path.unlink])
@pytest.mark.parametrize("what", ["vectors-*.npz", "lexical/*.toc", "lexical/*.seg"])
def test_spoilt_cache_is_made_again(
    catalog: Catalog, glossary: Glossary, counting: Embedder, tmp_path: Path, what: str, spoil: Callable[[Path], None]
) -> None:
    hits = HybridRetriever(catalog, glossary, cache_dir=tmp_path, embedder=counting).search("orders by city").hits
    [file] = tmp_path.glob(f"*/{what}")
    spoil(file)
    again = HybridRetriever(catalog, glossary, cache_dir=tmp_path, embedder=counting).search("orders by city")
    assert (again.hits, again.warning) == (hits, "")
    assert not list(tmp_path.glob("*/.*"))


def test_cache_that_cannot_be_written(catalog: Catalog, glossary: Glossary, counting: Embedder, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    retriever = HybridRetriever(catalog, glossary, cache_dir=tmp_path / "file", embedder=counting)
    assert retriever.search("orders").backend == "hybrid"


def _prepare(
    catalog: Catalog, glossary: Glossary, folder: Path, embedder: Embedder, found: multiprocessing.Queue
) -> None:
    retriever = HybridRetriever(catalog, glossary, cache_dir=folder, embedder=embedder)
    found.put([hit.document for hit in retriever.search("orders by city").hits])


def test_processes_share_one_cache(catalog: Catalog, glossary: Glossary, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    found = context.Queue()
    workers = [context.Process(target=_prepare, args=(catalog, glossary, tmp_path, None, found)) for _ in range(4)]
    for worker in workers:
        worker.start()
    answers = [found.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert len(answers[0]) > 3
    assert all(answer == answers[0] for answer in answers)
    assert not list(tmp_path.glob("*/.*"))


def test_a_changed_glossary_embeds_only_new_texts(catalog: Catalog, glossary: Glossary, counting: Any) -> None:
    before = HybridRetriever(catalog, glossary, cache_dir=None, embedder=counting)
    before.prepare()
    all_texts = counting.embedded
    data = glossary.model_dump()
    data["tables"]["orders"]["names"]["en"] = ["order", "shipment"]
    unused = HybridRetriever(catalog, Glossary(), cache_dir=None, embedder=counting, like=before)
    after = HybridRetriever(catalog, Glossary.model_validate(data), cache_dir=None, embedder=counting, like=unused)
    after.prepare()
    assert 0 < counting.embedded - all_texts < all_texts / 3
    fresh = HybridRetriever(catalog, Glossary.model_validate(data), cache_dir=None, embedder=counting)
    assert after.search("shipment") == fresh.search("shipment")
