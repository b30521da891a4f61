"""A made database of many tables, and what is done while a large one is being prepared."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from rich.console import Console

import agents.retrieval.hybrid as hybrid
from agents.catalog import Catalog
from agents.errors import ConnectionFailed
from agents.glossary import Glossary
from agents.retrieval.embed import Embedder
from agents.retrieval.hybrid import HybridRetriever
from agents.retrieval.vectors import document_vectors
from app.databases import open_database
from app.large import make, measure, questions
from app.services import Services, target_for
from app.settings import Settings


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.sqlite"
    make(path, tables=60, rows=5)
    return path


@pytest.fixture(scope="module")
def catalog(large: Path) -> Catalog:
    return open_database(str(large)).catalog


def test_the_same_database_every_time(large: Path, catalog: Catalog, tmp_path: Path) -> None:
    make(tmp_path / "large.sqlite", tables=60, rows=5)
    assert open_database(str(tmp_path / "large.sqlite"), name="large").catalog.tables == catalog.tables
    assert len(catalog.tables) == 60
    assert all(table.foreign_keys for table in catalog.tables[25:])
    assert questions(large, 9) == questions(large, 9)


def test_every_figure_is_printed(large: Path, settings: Settings) -> None:
    out = io.StringIO()
    measure(settings, large, Console(file=out, width=140))
    for figure in ("60 tables, ready from nothing:", "from the disk cache:", "p50", "Glossary saved and in use:"):
        assert figure in out.getvalue()


def test_words_answer_until_the_vectors_are_made(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid, "PATIENT", 10)
    held, told = threading.Event(), threading.Event()

    class Slow(Embedder):
        def passages(self, texts):  # type: ignore[no-untyped-def]
            told.set()
            held.wait(20)
            return super().passages(texts)

    retriever = HybridRetriever(catalog, Glossary(), cache_dir=None, embedder=Slow())
    first = retriever.search("payroll orders")
    assert first.backend == "lexical" and first.hits and "is being prepared" in first.warning
    assert told.wait(20)
    assert retriever.column_similarity(["wages"]) == [[]]
    assert retriever.health().backend == "lexical"
    held.set()
    retriever.prepare()
    second = retriever.search("payroll orders")
    assert (second.backend, second.warning) == ("hybrid", "")


def test_very_many_texts_are_put_together(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = HybridRetriever(catalog, Glossary(), cache_dir=None, embedder=None).documents
    model = Embedder()
    whole = document_vectors(documents, model, None)
    monkeypatch.setattr("agents.retrieval.vectors.COMPOSED_ABOVE", 10)
    steps: list[tuple[int, int]] = []
    parts = document_vectors(documents, model, None, step=lambda done, of: steps.append((done, of)))
    assert (parts.passages * whole.passages).sum(axis=1).min() > 0.85
    assert abs((parts.passages**2).sum(axis=1) - 1).max() < 1e-3
    assert steps[-1][0] == steps[-1][1] and max(of for _, of in steps) < len(whole.passages) / 2


def test_a_page_does_not_wait_for_a_database_that_is_being_opened(
    large: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    services = Services(settings, (target_for(str(large)),), meaning=False)
    opening = services._open

    def slow(*given):  # type: ignore[no-untyped-def]
        held.wait(20)
        return opening(*given)

    monkeypatch.setattr(services, "_open", slow)
    monkeypatch.setattr("app.services.PAGE_SECONDS", 0.05)
    assert [info.problem for info in services.connections()] == ["The database is still being read."]
    with pytest.raises(ConnectionFailed, match="still being read"):
        services.open("large", seconds=0)
    held.set()
    assert len(services.open("large").connection.catalog.tables) == 60
    assert [info.problem for info in services.connections()] == [""]
