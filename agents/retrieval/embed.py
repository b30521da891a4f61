"""Sentence vectors from an ONNX file that comes with the package; nothing is ever fetched.

The model is multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", 2024) cut to English and Chinese. It
was trained with the prefixes ``query:`` and ``passage:`` and gives pooled vectors of length 1, so that a dot product is
the cosine. Cosines of e5 sit between about .7 and .95: only differences mean something.
"""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.errors import StarchartError

Vectors: TypeAlias = NDArray[np.float32]

MODEL_FOLDER = Path(__file__).parent / "models" / "e5-small-en-zh-int8"
PAD_ID = 1
PAD_TOKEN = "<pad>"
MAX_TOKENS = 128
BATCH = 32
_EDGE = 64 * 1024


class EmbeddingUnavailable(StarchartError):
    """The model cannot be used: ``embedding.missing`` (no file) or ``embedding.broken`` (does not load or run)."""


class Embedder:
    """Texts to vectors of shape ``(n, dimension)``, float32, each of length 1. Safe to share between threads.

    :param folder: holds ``model.onnx`` and ``tokenizer.json``; read on first use, not here.
    :param threads: cores that one call may use; one, because requests already run side by side.
    :param remembered: how many query vectors are kept.
    """

    def __init__(self, folder: Path = MODEL_FOLDER, *, threads: int = 1, remembered: int = 2048) -> None:
        self.folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._fingerprint: str | None = None
        self._query = lru_cache(maxsize=remembered)(self._embed_query)

    @property
    def dimension(self) -> int:
        """:raises EmbeddingUnavailable: as every method."""
        session, _ = self._load()
        return int(session.get_outputs()[0].shape[-1])

    @property
    def fingerprint(self) -> str:
        """Identifies the model files by size and both ends, so that a cache of another model is not taken for ours."""
        if self._fingerprint is None:
            digest = hashlib.sha256(f"{MAX_TOKENS}".encode())
            for name in ("model.onnx", "tokenizer.json"):
                digest.update(self._edges(self.folder / name))
            self._fingerprint = digest.hexdigest()[:16]
        return self._fingerprint

    def query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions and phrases. One run each: activations are quantised per run, so that a text's vector
        would otherwise depend on its company."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([self._query(text) for text in texts])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, in the order given."""
        return self._batched([f"passage: {text}" for text in texts])

    def names(self, texts: Sequence[str]) -> Vectors:
        """Vectors of short names, to be compared with :meth:`query` vectors of phrases (a symmetric task)."""
        return self._batched([f"query: {text}" for text in texts])

    def load(self) -> None:
        """Read the model now instead of on first use."""
        self._load()

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._run([f"query: {text}"])[0]
        vector.flags.writeable = False
        return vector

    def _batched(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        # Texts of like length go together: a batch is padded to its longest.
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors[batch] = self._run([texts[i] for i in batch])
        return vectors

    def _run(self, texts: list[str]) -> Vectors:
        session, tokenizer = self._load()
        try:
            encoded = tokenizer.encode_batch(texts)
            feed = {
                "input_ids": np.array([one.ids for one in encoded], np.int64),
                "attention_mask": np.array([one.attention_mask for one in encoded], np.int64),
            }
            output: Vectors = session.run(None, feed)[0]
        except Exception as error:
            raise _broken(self.folder, error) from error
        return output.astype(np.float32, copy=False)

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = self._read()
        return self._loaded

    def _read(self) -> tuple[Any, Any]:
        for name in ("model.onnx", "tokenizer.json"):
            if not (self.folder / name).is_file():
                raise _missing(self.folder / name)
        try:
            # Imported here: together they take a quarter of a second that nobody need pay who never embeds.
            onnxruntime = importlib.import_module("onnxruntime")
            tokenizers = importlib.import_module("tokenizers")
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            options.log_severity_level = 3
            session = onnxruntime.InferenceSession(
                str(self.folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = tokenizers.Tokenizer.from_file(str(self.folder / "tokenizer.json"))
            tokenizer.enable_truncation(MAX_TOKENS)
            tokenizer.enable_padding(pad_id=PAD_ID, pad_token=PAD_TOKEN)
        except Exception as error:
            raise _broken(self.folder, error) from error
        return session, tokenizer

    def _edges(self, path: Path) -> bytes:
        try:
            with path.open("rb") as file:
                size = path.stat().st_size
                head = file.read(_EDGE)
                file.seek(max(0, size - _EDGE))
                return f"{size}".encode() + head + file.read(_EDGE)
        except OSError as error:
            raise _missing(path) from error


def _missing(path: Path) -> EmbeddingUnavailable:
    return EmbeddingUnavailable(
        "embedding.missing",
        f"The embedding model file {path.name} is missing.",
        f"Install Starchart again, or put the file into {path.parent}.",
    )


def _broken(folder: Path, error: Exception) -> EmbeddingUnavailable:
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    return EmbeddingUnavailable(
        "embedding.broken",
        f"The embedding model in {folder.name} does not work: {reason}",
        "Install Starchart again.",
    )
