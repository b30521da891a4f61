"""Vectors of a connection's documents and names, embedded once and kept on disk."""

from __future__ import annotations

import os
import uuid
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.retrieval.analysis import has_han
from agents.retrieval.documents import Document
from agents.retrieval.embed import BATCH, Embedder, Vectors

CENTRE_WORDS = (
    """
    customer order product name date city price employee country type number status year month amount address phone
    title description category code id email region school student team player game weather temperature color size
    weight height age score rank speed length time hour day week song movie book author company department budget
    """.split(),
    """
    客户 订单 产品 名称 日期 城市 价格 员工 国家 类型 编号 状态 年份 月份 金额 地址 电话 标题 描述 类别
    代码 邮箱 地区 学校 学生 球队 球员 比赛 天气 温度 颜色 尺寸 重量 身高 年龄 分数 排名 速度 长度 时间
    小时 星期 歌曲 电影 书籍 作者 公司 部门 预算
    """.split(),
)
"""Everyday schema words, English and Chinese. The mean of their vectors is what all names of a language have in common;
taken away, it leaves cosines near 0 for unrelated words and .3 to .6 for synonyms, where the raw ones are .86 and .90,
and keeps a Chinese phrase from being nearest to whatever has a Chinese name."""


COMPOSED_ABOVE = 4_000
"""Texts from which on "orders: city." is not embedded as a whole, which takes minutes for ten thousand columns, but put
together from the vectors of "orders" and "city", of which there are few."""

CHUNK = 8 * BATCH
"""Texts that are embedded between two signs of life."""

Step: TypeAlias = Callable[[int, int], None]
"""Told how many texts are embedded, of how many."""


def unwatched(done: int, of: int) -> None:
    """Nobody waits."""


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """One row of ``passages`` for each text of a document, one row of ``names`` for each of its spoken names.

    :ivar passage_owners: positions of the documents that the rows of ``passages`` belong to, ascending; each has one.
    :ivar names: centred, of length 1.
    :ivar centre: two rows, English and Chinese, for :func:`centred`.
    :ivar name_owners: the same for ``names``; relations and questions have none.
    """

    passages: Vectors
    passage_owners: tuple[int, ...]
    names: Vectors
    name_owners: tuple[int, ...]
    centre: Vectors


def document_vectors(
    documents: Sequence[Document],
    embedder: Embedder,
    file: Path | None,
    like: tuple[Sequence[Document], DocumentVectors] | None = None,
    step: Step = unwatched,
) -> DocumentVectors:
    """From the file when it fits, else embedded and written there. The file is named after its content by the caller.

    A file that cannot be written costs only the next start.

    :param like: similar documents with their vectors by the same model: only other texts are embedded.
    :raises EmbeddingUnavailable: when the vectors have to be made and cannot.
    """
    spoken = [(position, name) for position, document in enumerate(documents) for name in document.spoken_names]
    distinct = list(dict.fromkeys(name for _, name in spoken))
    texts = [(position, text) for position, document in enumerate(documents) for text in document.passages]
    kept = _read(file, len(texts), len(distinct)) if file else None
    if kept is None:
        old_passages, old_names = _by_text(*like) if like else ({}, {})
        centre = like[1].centre if like else np.stack([embedder.names(words).mean(axis=0) for words in CENTRE_WORDS])
        passages = _completed([text for _, text in texts], old_passages, lambda new: _passages(new, embedder, step))
        names = _completed(distinct, old_names, lambda new: centred(new, _in_chunks(new, embedder.names, step), centre))
        kept = passages, names, centre
        if file:
            with suppress(OSError):
                _write(file, *kept)
    passages, names, centre = kept
    row = {name: i for i, name in enumerate(distinct)}
    return DocumentVectors(
        passages=passages,
        passage_owners=tuple(position for position, _ in texts),
        names=names[[row[name] for _, name in spoken]],
        name_owners=tuple(position for position, _ in spoken),
        centre=centre,
    )


def _by_text(documents: Sequence[Document], vectors: DocumentVectors) -> tuple[dict[str, Vectors], dict[str, Vectors]]:
    """The vectors of all texts and of all names."""
    texts = [text for document in documents for text in document.passages]
    names = [name for document in documents for name in document.spoken_names]
    return dict(zip(texts, vectors.passages, strict=True)), dict(zip(names, vectors.names, strict=True))


def _completed(texts: list[str], known: dict[str, Vectors], embed: Callable[[list[str]], Vectors]) -> Vectors:
    """The vectors of the texts, embedding those that are not known."""
    new = [text for text in dict.fromkeys(texts) if text not in known]
    if len(new) == len(texts):
        return embed(texts)
    found = known | dict(zip(new, embed(new), strict=True)) if new else known
    return np.stack([found[text] for text in texts])


def _passages(texts: list[str], embedder: Embedder, step: Step) -> Vectors:
    """The vectors of the texts; of very many, those of their heads and tails added up."""
    if len(texts) <= COMPOSED_ABOVE:
        return _in_chunks(texts, embedder.passages, step)
    cut = [text.partition(": ") for text in texts]
    parts = list(dict.fromkeys(part for head, _, tail in cut for part in (head, tail) if part))
    vectors = dict(zip(parts, _in_chunks(parts, embedder.passages, step), strict=True))
    whole = np.stack([vectors[head] + vectors[tail] if tail else vectors[head] for head, _, tail in cut])
    scaled: Vectors = (whole / np.linalg.norm(whole, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def _in_chunks(texts: list[str], embed: Callable[[list[str]], Vectors], step: Step) -> Vectors:
    """All vectors, in the order given; texts of like length go together, as the embedder itself would put them."""
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
    found: list[Vectors] = []
    for start in range(0, len(order), CHUNK):
        found.append(embed([texts[i] for i in order[start : start + CHUNK]]))
        step(min(start + CHUNK, len(order)), len(order))
    vectors = np.concatenate(found) if found else embed([])
    ordered = np.empty_like(vectors)
    ordered[order] = vectors
    return ordered


def centred(texts: Sequence[str], vectors: Vectors, centre: Vectors) -> Vectors:
    """The texts' vectors with what is common to their language taken away, of length 1."""
    moved = vectors - centre[[int(has_han(text)) for text in texts]]
    lengths = np.linalg.norm(moved, axis=-1, keepdims=True)
    scaled: Vectors = (moved / np.maximum(lengths, 1e-6)).astype(np.float32)
    return scaled


def best_by_owner(scores: Vectors, owners: tuple[int, ...]) -> tuple[NDArray[np.intp], Vectors]:
    """The owners, ascending, and for each the greatest of its scores along the last axis."""
    positions, starts = np.unique(owners, return_index=True)
    best: Vectors = np.maximum.reduceat(scores, starts, axis=-1)
    return positions, best


def _read(file: Path, passage_count: int, name_count: int) -> tuple[Vectors, Vectors, Vectors] | None:
    try:
        with np.load(file, allow_pickle=False) as data:
            passages, spoken, centre = (data[part] for part in ("passages", "names", "centre"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    shapes = (len(passages), len(spoken), len(centre)) == (passage_count, name_count, len(CENTRE_WORDS))
    parts = (passages, spoken, centre)
    sound = all(part.dtype == np.float32 and part.ndim == 2 and bool(np.isfinite(part).all()) for part in parts)
    return parts if shapes and sound and len({part.shape[1] for part in parts}) == 1 else None


def _write(file: Path, passages: Vectors, names: Vectors, centre: Vectors) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{uuid.uuid4().hex}")
    try:
        with draft.open("wb") as stream:
            np.savez(stream, passages=passages, names=names, centre=centre)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)
