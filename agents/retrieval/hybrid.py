"""Hybrid search over one catalog: words in common and meaning, fused; either works alone when the other is missing."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias

import numpy as np

from agents.artifacts import HitEvidence
from agents.catalog import Catalog
from agents.glossary import Glossary
from agents.ports import Retrieval
from agents.retrieval.documents import Document, build_documents
from agents.retrieval.embed import Embedder, EmbeddingUnavailable
from agents.retrieval.fuse import WEIGHTS, Scores, fuse, normalise_lexical, normalise_semantic
from agents.retrieval.lexical import LexicalIndex
from agents.retrieval.vectors import DocumentVectors, Step, best_by_owner, centred, document_vectors, unwatched

SAME_MEANING = 0.35
"""The centred cosine from which a phrase may be taken for a name.

Measured on 97 pairs such as ``clients`` and ``customers``: the median of synonyms is .38 (English) and .56 (Chinese to
English), two in three reach the threshold; of other pairs one in a hundred reaches .40. The nearest of 80 names to a
word that means none of them is at .22. First places above the threshold are right in 64 % (English) and 92 % (Chinese);
asking also that the next different name is :data:`MEANING_MARGIN` behind gives 77 % and 100 %.
"""

MEANING_MARGIN = 0.1

PATIENT = 2_000
"""Documents up to which a question waits until their vectors are made, a few seconds; for more it goes by words until a
thread has made them."""

Similar: TypeAlias = list[tuple[Document, float]]


@dataclass(frozen=True, slots=True)
class RetrievalHealth:
    """What search works with: ``hybrid``, ``lexical``, ``semantic`` or ``none``, and why not with both."""

    backend: str
    warning: str
    documents: int


class HybridRetriever:
    """Implements :class:`agents.ports.Retriever`. Safe to share between threads; the first call prepares the index.

    :param cache_dir: where index and vectors are kept between starts, in a folder named after the documents' content,
        which follows from catalog and glossary; ``None`` keeps them in memory only. It belongs to this database:
        folders of earlier contents, which may hold what is hidden now, are removed from it.
    :param embedder: ``None`` leaves meaning out.
    :param lexical: ``False`` leaves words out.
    :param weights: of the semantic and the lexical side.
    :param like: the retriever of an earlier glossary, whose vectors are taken for all texts that are the same.
    """

    def __init__(
        self,
        catalog: Catalog,
        glossary: Glossary,
        *,
        cache_dir: Path | None,
        embedder: Embedder | None,
        lexical: bool = True,
        weights: tuple[float, float] = WEIGHTS,
        like: HybridRetriever | None = None,
    ) -> None:
        self.documents = build_documents(catalog, glossary)
        self._folder = cache_dir / _digest(self.documents) if cache_dir else None
        self._embedder = embedder
        self._wants_lexical = lexical
        self._weights = weights
        self._like: tuple[Sequence[Document], DocumentVectors] | None = None
        if like is not None and like._embedder is embedder:
            # One that was replaced before anybody searched has no vectors yet, but knows whose to take.
            self._like = like._like if like._vectors is None else (like.documents, like._vectors)
        self._lock = threading.Lock()
        self._prepared = False
        self._index: LexicalIndex | None = None
        self._index_lock = threading.Lock()
        self._index_made = False
        self._vectors: DocumentVectors | None = None
        self._warning = ""
        self._embedded = (0, 0)
        self._thread: threading.Thread | None = None
        self._thread_lock = threading.Lock()

    def prepare(self, step: Step = unwatched) -> None:
        """Open or build index and vectors now, so that the first question need not wait.

        :param step: told of texts that are embedded; of none when the vectors are kept on disk.
        """
        if self._prepared:
            return
        with self._lock:
            self._prepare_index()
            if self._prepared:
                return
            if self._embedder is None:
                self._warn("Search by meaning is switched off.")
            else:
                try:
                    self._vectors = document_vectors(
                        self.documents, self._embedder, self._vector_file(), self._like, partial(self._count, step)
                    )
                except EmbeddingUnavailable as error:
                    self._warn(f"Search by meaning does not work: {error.message}")
            self._like = None
            self._prepared = True

    def _prepare_index(self) -> None:
        with self._index_lock:
            if not self._index_made:
                if self._wants_lexical:
                    self._index = self._open_index()
                else:
                    self._warn("Search by words is switched off.")
                self._index_made = True
                self._remove_earlier()

    def _remove_earlier(self) -> None:
        if self._folder is None:
            return
        with suppress(OSError):
            for other in self._folder.parent.iterdir():
                # What begins with a dot is being written by another process.
                if other != self._folder and not other.name.startswith(".") and other.is_dir():
                    shutil.rmtree(other, ignore_errors=True)

    def _vector_file(self) -> Path | None:
        return self._folder / f"vectors-{self._embedder.fingerprint}.npz" if self._folder and self._embedder else None

    def _count(self, step: Step, done: int, of: int) -> None:
        self._embedded = (done, of)
        step(done, of)

    def _begin(self) -> None:
        """Prepare what is quick, and leave to a thread what is not."""
        if self._prepared:
            return
        if not self._is_long():
            self.prepare()
            return
        self._prepare_index()
        with self._thread_lock:
            if self._thread is None and not self._lock.locked():
                self._thread = threading.Thread(target=self.prepare, name="starchart-vectors", daemon=True)
                self._thread.start()

    def _is_long(self) -> bool:
        if self._embedder is None or len(self.documents) <= PATIENT or self._like is not None:
            return False
        try:
            file = self._vector_file()
        except EmbeddingUnavailable:
            return False
        return file is None or not file.is_file()

    def health(self) -> RetrievalHealth:
        """What a search would work with now."""
        self._begin()
        return RetrievalHealth(self._backend(self._vectors is not None), self._told(), len(self.documents))

    def search(self, question: str, *, limit: int = 24) -> Retrieval:
        """The documents nearest to the question, best first; equal scores in catalog order. Never raises."""
        self._begin()
        count = len(self.documents)
        semantic = self._semantic(question)
        lexical = normalise_lexical(self._index.search(question), count) if self._index is not None else None
        backend = self._backend(semantic is not None)
        if backend == "none" or not question.strip():
            return Retrieval((), backend, self._told())
        scores = fuse(semantic, lexical, self._weights)
        best = [int(i) for i in np.argsort(-scores, kind="stable")[: max(0, limit)] if scores[i] > 0]
        hits = tuple(self._hit(i, scores, semantic, lexical) for i in best)
        return Retrieval(hits, backend, self._told())

    def column_similarity(self, phrases: Sequence[str], *, limit: int = 8) -> list[Similar]:
        """For each phrase the tables, columns and metrics whose best name is nearest in meaning, with the cosine.

        Cosines are of centred vectors (:data:`agents.retrieval.vectors.CENTRE_WORDS`): about 0 for unrelated words, .35
        and more for synonyms, near 1 for the name itself; below :data:`SAME_MEANING` they mean nothing. Empty lists
        when search by meaning does not work.
        """
        self._begin()
        vectors, embedder = self._vectors, self._embedder
        if vectors is None or embedder is None or not vectors.name_owners:
            return [[] for _ in phrases]
        try:
            queries = centred(phrases, embedder.query(phrases), vectors.centre)
        except EmbeddingUnavailable as error:
            self._lose_meaning(error)
            return [[] for _ in phrases]
        positions, best = best_by_owner(queries @ vectors.names.T, vectors.name_owners)
        ranked = np.argsort(-best, axis=1, kind="stable")[:, :limit]
        return [
            [(self.documents[positions[i]], float(best[row, i])) for i in order] for row, order in enumerate(ranked)
        ]

    def _semantic(self, question: str) -> Scores | None:
        vectors = self._vectors
        if vectors is None or self._embedder is None or not vectors.passage_owners:
            return None
        try:
            cosines = vectors.passages @ self._embedder.query([question])[0]
        except EmbeddingUnavailable as error:
            self._lose_meaning(error)
            return None
        _, best = best_by_owner(cosines, vectors.passage_owners)
        return normalise_semantic(best)

    def _lose_meaning(self, error: EmbeddingUnavailable) -> None:
        with self._lock:
            if self._vectors is not None:
                self._vectors = None
                self._warn(f"Search by meaning does not work: {error.message}")

    def _told(self) -> str:
        """The warning, with how far the vectors are while they are made."""
        if self._prepared:
            return self._warning
        done, of = self._embedded
        far = f" ({done:,} of {of:,} names)" if of else ""
        return f"{self._warning} Search by meaning is being prepared{far}; until then it goes by words.".strip()

    def _warn(self, sentence: str) -> None:
        self._warning = f"{self._warning} {sentence}".strip()

    def _backend(self, semantic: bool) -> str:
        if self._index is not None:
            return "hybrid" if semantic else "lexical"
        return "semantic" if semantic else "none"

    def _hit(self, position: int, scores: Scores, semantic: Scores | None, lexical: Scores | None) -> HitEvidence:
        document = self.documents[position]
        return HitEvidence(
            document=document.id,
            kind=document.kind,
            label=document.label,
            score=round(float(scores[position]), 4),
            semantic=None if semantic is None else round(float(semantic[position]), 4),
            lexical=None if lexical is None else round(float(lexical[position]), 4),
        )

    def _open_index(self) -> LexicalIndex:
        folder = self._folder / "lexical" if self._folder else None
        kept = LexicalIndex.open(folder, len(self.documents)) if folder else None
        if kept is not None:
            return kept
        # A cache that cannot be written costs only the next start.
        with suppress(OSError):
            return LexicalIndex.build(self.documents, folder)
        return LexicalIndex.build(self.documents)


_CONTENT = attrgetter(*(field.name for field in fields(Document)))


def _digest(documents: Sequence[Document]) -> str:
    text = json.dumps([_CONTENT(document) for document in documents], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
