"""Vectors of a connection's documents and names, embedded once and kept on disk."""

from __future__ import annotations

import os
import uuid
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.retrieval.documents import Document
from agents.retrieval.embed import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """One row of ``passages`` for each document; one row of ``names`` for each spoken name, ``owners`` telling whose.

    :ivar owners: positions of the documents that the rows of ``names`` belong to, ascending.
    """

    passages: Vectors
    names: Vectors
    owners: tuple[int, ...]


def document_vectors(documents: Sequence[Document], embedder: Embedder, file: Path | None) -> DocumentVectors:
    """From the file when it fits, else embedded and written there. The file is named after its content by the caller.

    A file that cannot be written costs only the next start.

    :raises EmbeddingUnavailable: when the vectors have to be made and cannot.
    """
    spoken = [(position, name) for position, document in enumerate(documents) for name in document.spoken_names]
    owners = tuple(position for position, _ in spoken)
    distinct = list(dict.fromkeys(name for _, name in spoken))
    kept = _read(file, len(documents), len(distinct)) if file else None
    if kept is None:
        kept = embedder.passages([document.passage for document in documents]), embedder.names(distinct)
        if file:
            with suppress(OSError):
                _write(file, *kept)
    passages, names = kept
    row = {name: i for i, name in enumerate(distinct)}
    return DocumentVectors(passages, names[[row[name] for _, name in spoken]], owners)


def _read(file: Path, documents: int, names: int) -> tuple[Vectors, Vectors] | None:
    try:
        with np.load(file, allow_pickle=False) as data:
            passages, spoken = data["passages"], data["names"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    fits = len(passages) == documents and len(spoken) == names and passages.ndim == spoken.ndim == 2
    if not fits or passages.dtype != np.float32 or not (np.isfinite(passages).all() and np.isfinite(spoken).all()):
        return None
    return passages, spoken


def _write(file: Path, passages: Vectors, names: Vectors) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{uuid.uuid4().hex}")
    try:
        with draft.open("wb") as stream:
            np.savez(stream, passages=passages, names=names)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)
