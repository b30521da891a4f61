"""Words in common: BM25F over the documents' fields (Robertson, Zaragoza & Taylor, 2004), kept by Whoosh."""

from __future__ import annotations

import hashlib
import shutil
import threading
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.filedb import filestore
from whoosh.query.compound import Or
from whoosh.query.terms import Term
from whoosh.scoring import BM25F

from agents.retrieval.analysis import IdentifierTokenizer, query_terms
from agents.retrieval.documents import Document

# Whoosh's storages carry no types.
_stores: Any = filestore

BOOSTS = {"name": 3.0, "names": 3.0, "context": 1.0, "description": 1.0, "samples": 1.5}
"""How much a term counts by where it stands."""

MAX_TERMS = 60
"""Terms of one question that are looked up; a pasted page must not cost seconds."""


SEAL = "sha256"
"""The file with the digest of the others: Whoosh checks nothing, and a damaged index would silently find less."""


class LexicalIndex:
    """A searchable index over documents, in memory; safe to share between threads."""

    def __init__(self, storage: Any) -> None:
        self._searcher = storage.open_index().searcher(weighting=BM25F())
        reader = self._searcher.reader()
        self._known = {name: {text.decode() for text in reader.lexicon(name)} for name in BOOSTS}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._searcher.doc_count())

    @classmethod
    def build(cls, documents: Sequence[Document], folder: Path | None = None) -> LexicalIndex:
        """Index the documents; with ``folder`` the index is also kept there, complete or not at all.

        :raises OSError: when the folder cannot be written.
        """
        if folder is None:
            return cls(_written(_stores.RamStorage(), documents))
        draft = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}")
        draft.mkdir(parents=True)
        try:
            index = cls(_stores.copy_to_ram(_written(_stores.FileStorage(str(draft)), documents)))
            (draft / SEAL).write_text(_seal(draft))
            _replace(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return index

    @classmethod
    def open(cls, folder: Path, count: int) -> LexicalIndex | None:
        """The index kept in ``folder``; ``None`` when there is none, or not one of ``count`` documents."""
        if not folder.is_dir():
            return None
        try:
            if (folder / SEAL).read_text() != _seal(folder):
                return None
            # Read whole: the files may then be replaced or swept while this process searches.
            index = cls(_stores.copy_to_ram(_stores.FileStorage(str(folder))))
        except Exception:  # Whoosh raises whatever foreign or vanishing files lead to.
            return None
        return index if len(index) == count else None

    def search(self, question: str) -> dict[int, float]:
        """BM25F score by document position; documents without a common term are absent."""
        wanted = query_terms(question)[:MAX_TERMS]
        query = [
            Term(field, term, boost=boost)
            for term in wanted
            for field, boost in BOOSTS.items()
            if term in self._known[field]
        ]
        if not query:
            return {}
        with self._lock:
            results = self._searcher.search(Or(query), limit=None)
            return {int(hit["position"]): float(hit.score) for hit in results}


def _written(storage: Any, documents: Sequence[Document]) -> Any:
    fields = {name: TEXT(analyzer=IdentifierTokenizer(), phrase=False) for name in BOOSTS}
    writer = storage.create_index(Schema(position=NUMERIC(stored=True, signed=False), **fields)).writer()
    for position, document in enumerate(documents):
        writer.add_document(
            position=position,
            name=document.name,
            names=" ".join(document.names),
            context=" ".join(document.context),
            description=" ".join(document.description),
            samples=" ".join(document.samples),
        )
    writer.commit()
    return storage


def _replace(draft: Path, folder: Path) -> None:
    """Put a finished folder in place. When another process was faster, either one is good."""
    if folder.exists():
        old = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}")
        try:
            folder.rename(old)
        except OSError:
            return
        shutil.rmtree(old, ignore_errors=True)
    try:
        draft.rename(folder)
    except OSError:
        return


def _seal(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name != SEAL:
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
