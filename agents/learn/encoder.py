"""The encoder: a small transformer reads question and schema together and says how likely each column plays each role.

A MiniLM of six layers (Wang et al., "MiniLM", 2020), fine-tuned on questions with known SQL, exported to ONNX with
8-bit weights. Input is one line: the question, then each table with its columns. Every table and column is a *span* of
tokens, whose vectors are averaged; beside the words a span carries a few numbers (type, keys, how the linker matched
its name and its values). The heads give four roles and "is used" per span, and the sketch.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.catalog import Catalog, Column, Table
from agents.language.names import identifier_words
from agents.learn.facts import HEADS, ROLES, ColumnKey, Facts
from agents.learn.links import Links, is_foreign
from agents.learn.sketch import Floats, split_heads

OUTPUTS = (*ROLES, "used")
"""What is said of each span; a table has only the last."""

SPAN_FEATURES = (
    *"table key foreign number text time unique named guessed valued place".split(),
    *"table_named columns_named values_named".split(),
)
MODEL, TOKENIZER = "encoder.onnx", "tokenizer.json"

_FITS = ("fit", "worst", "missed")
AGREEMENT = (
    *(f"{output}.{name}" for output in (*ROLES, "tables") for name in _FITS),
    *HEADS,
    "sketch",
    "sketch.least",
    "sum",
)
"""What is told of how well a candidate agrees with the encoder; all are logarithms, 0 being the best."""

MAX_TOKENS = 256
"""Positions that the model was trained on; a larger schema keeps the tables and columns that the question touches."""

_CLS, _SEP = 101, 102
_LEAST = 0.003


@dataclass(frozen=True)
class Encoded:
    """One question over one schema as the model reads it.

    :ivar ids: token numbers, shape ``(tokens,)``.
    :ivar segments: 0 for the question, 1 for the schema.
    :ivar spans: of each span its first token and the one behind its last.
    :ivar features: shape ``(spans, len(SPAN_FEATURES))``.
    :ivar names: of each span its table and column; the column is empty for the table itself.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    spans: NDArray[np.int64]
    features: NDArray[np.float32]
    names: tuple[ColumnKey, ...]

    @property
    def members(self) -> NDArray[np.float32]:
        """Shape ``(spans, tokens)``; a row averages the tokens of its span."""
        found = np.zeros((len(self.spans), len(self.ids)), np.float32)
        for row, (start, end) in enumerate(self.spans.tolist()):
            found[row, start:end] = 1.0 / (end - start)
        return found


@dataclass(frozen=True)
class EncoderScores:
    """Log-probabilities per table and column, and of the sketch.

    :ivar rows: row of ``yes`` and ``no`` by table and column (the table itself under an empty column).
    :ivar yes: shape ``(spans, len(OUTPUTS))``.
    :ivar no: the same of the opposite.
    :ivar sketch: log-probabilities of the classes of each head.
    """

    rows: dict[ColumnKey, int]
    yes: Floats
    no: Floats
    sketch: list[Floats]

    def fit(self, output: int, used: Iterable[ColumnKey], *, tables: bool = False) -> tuple[float, float, float]:
        """How well a set of columns (or tables) fits an output: its log-likelihood below that of the likeliest set, the
        least likely of the set, the likeliest left out. What the model did not read counts as unlikely."""
        kind = np.array([(name[1] == "") == tables for name in self.rows])
        inside = np.zeros(len(self.rows), dtype=bool)
        strange = 0
        for name in used:
            row = self.rows.get(name)
            if row is None:
                strange += 1
            else:
                inside[row] = True
        yes, no = self.yes[:, output], self.no[:, output]
        floor = float(np.log(_LEAST))
        loss = float(((np.maximum(yes, no) - np.where(inside, yes, no)) * kind).sum()) - strange * floor
        worst = min(float(yes[inside].min()) if inside.any() else 0.0, floor if strange else 0.0)
        outside = kind & ~inside
        missed = float(yes[outside].max()) if outside.any() else floor
        return -loss, worst, missed

    def agreement(self, facts: Facts) -> list[float]:
        """:data:`AGREEMENT` of a candidate."""
        fits = [value for n, role in enumerate(ROLES) for value in self.fit(n, facts.roles[role])]
        fits += self.fit(OUTPUTS.index("used"), [(table, "") for table in facts.tables], tables=True)
        heads = [float(p[c] - p.max()) for p, c in zip(self.sketch, facts.sketch, strict=True)]
        return [*fits, *heads, sum(heads), min(heads), sum(fits[:: len(_FITS)]) + sum(heads)]


class Pieces:
    """Words to token numbers, remembered: schemas repeat the same words."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.of = lru_cache(maxsize=20_000)(self._of)

    def _of(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)


def encode(
    question: str,
    links: Links,
    catalog: Catalog,
    pieces: Pieces,
    order: Sequence[tuple[Table, Sequence[Column]]] | None = None,
) -> Encoded:
    """The input of the model.

    :param order: tables with their columns as they are to be read; by default those of the catalog in its order, and
        of a large schema those that the question touches.
    """
    ids = [_CLS, *pieces.of(question)[: MAX_TOKENS // 2], _SEP]
    first = len(ids)
    spans: list[tuple[int, int]] = []
    names: list[ColumnKey] = []
    features: list[list[float]] = []
    values = _values(links)
    for table, columns in order if order is not None else _chosen(links, catalog, pieces, MAX_TOKENS - first):
        words = pieces.of(" ".join(identifier_words(table.name)) or table.name)
        spans.append((len(ids), len(ids) + len(words)))
        names.append((table.name, ""))
        features.append(_table_features(table, links))
        ids += [*words, *pieces.of(":")]
        for column in columns:
            words = pieces.of(" ".join(identifier_words(column.name)) or column.name)
            spans.append((len(ids), len(ids) + len(words)))
            names.append((table.name, column.name))
            features.append(_column_features(table, column, links))
            ids += words
            value = values.get((table.name, column.name))
            if value is not None:
                ids += [*pieces.of("="), *pieces.of(value)[:6]]
            ids += pieces.of(",")
        ids[-1:] = [_SEP]
    kept = [n for n, (_, end) in enumerate(spans) if end <= MAX_TOKENS and end > spans[n][0]]
    ids = ids[:MAX_TOKENS]
    return Encoded(
        np.array(ids, np.int64),
        np.array([0] * first + [1] * (len(ids) - first), np.int64),
        np.array([spans[n] for n in kept], np.int64).reshape(len(kept), 2),
        np.array([features[n] for n in kept], np.float32).reshape(len(kept), len(SPAN_FEATURES)),
        tuple(names[n] for n in kept),
    )


def _values(links: Links) -> dict[ColumnKey, str]:
    """The words of the question that are a stored value of a column."""
    found: dict[ColumnKey, str] = {}
    for key, touch in links.touches.items():
        if touch.value >= 0.7:
            found[key] = links.linked.slots[touch.value_slot][0].text
    return found


def _chosen(links: Links, catalog: Catalog, pieces: Pieces, room: int) -> Iterator[tuple[Table, list[Column]]]:
    """All tables where there is room; else the touched ones, the nearest by key next, and of each what fits."""
    tables = list(catalog.tables)
    if sum(len(t.columns) + 1 for t in tables) * 3 <= room:
        yield from ((t, list(t.columns)) for t in tables)
        return
    weight = dict(links.tables)
    for (name, _), touch in links.touches.items():
        score = max(touch.value, touch.mention.score if touch.mention else 0.0, touch.loser * 0.5)
        weight[name] = weight.get(name, 0.0) + score
    touched = sorted((t for t in weight if weight[t] > 0), key=lambda t: -weight[t])
    near = [k.ref_table for t in touched for k in catalog.table(t).foreign_keys]
    near += [t.name for t in tables if len(tables) <= 200 for k in t.foreign_keys if k.ref_table in touched]
    order = list(dict.fromkeys([*touched, *near, *(t.name for t in tables[:30])]))
    shares = max(8, room // max(1, min(len(order), 6)))
    for name in order:
        if room < 4:
            return
        table = catalog.table(name)
        columns: list[Column] = []
        spent = len(identifier_words(table.name)) + 2
        ranked = sorted(table.columns, key=lambda c: -_weight(table, c, links))
        for column in ranked:
            cost = len(pieces.of(" ".join(identifier_words(column.name)) or column.name)) + 1
            if (_weight(table, column, links) < 1.0 and spent + cost > shares) or spent + cost > room:
                break
            columns.append(column)
            spent += cost
        room -= spent
        places = {c.name: n for n, c in enumerate(table.columns)}
        yield table, sorted(columns, key=lambda c: places[c.name])


def _weight(table: Table, column: Column, links: Links) -> float:
    touch = links.touches.get((table.name, column.name))
    if touch is not None:
        return 1.0 + max(touch.value, touch.mention.score if touch.mention else 0.0, touch.loser)
    key = column.name in table.primary_key or is_foreign(table, column.name)
    return 0.5 if key or "name" in column.name.lower() else 0.1


def _table_features(table: Table, links: Links) -> list[float]:
    return [
        1.0,
        *[0.0] * 10,
        links.tables.get(table.name, 0.0),
        min(3.0, float(links.columns_of.get(table.name, 0))) / 3,
        min(3.0, float(links.values_of.get(table.name, 0))) / 3,
    ]


def _column_features(table: Table, column: Column, links: Links) -> list[float]:
    touch = links.touches.get((table.name, column.name))
    mention = touch.mention if touch else None
    return [
        0.0,
        float(column.name in table.primary_key),
        float(is_foreign(table, column.name)),
        float(column.kind.is_number),
        float(column.kind == "text"),
        float(column.kind.is_time),
        float(column.unique),
        mention.score if mention else 0.0,
        touch.loser if touch else 0.0,
        touch.value if touch else 0.0,
        min(3.0, float(touch.place)) / 3 if touch and mention else 0.0,
        links.tables.get(table.name, 0.0),
        min(3.0, float(links.columns_of.get(table.name, 0))) / 3,
        min(3.0, float(links.values_of.get(table.name, 0))) / 3,
    ]


class Encoder:
    """The model of a folder with ``encoder.onnx`` and ``tokenizer.json``. Safe to share between threads.

    :ivar pieces: its words to numbers; not safe to share, runs take turns.
    :param threads: cores that one run may use.
    :raises OSError: when a file cannot be read. :raises ValueError: when it is no such model.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        for name in (MODEL, TOKENIZER):
            if not (folder / name).is_file():
                raise FileNotFoundError(folder / name)
        onnxruntime = importlib.import_module("onnxruntime")
        tokenizers = importlib.import_module("tokenizers")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / MODEL), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
            tokenizer.no_truncation()
            tokenizer.no_padding()
        except Exception as error:
            raise ValueError(str(error).splitlines()[0] if str(error) else type(error).__name__) from error
        wanted = self._session.get_inputs()[-1].shape[-1]
        if wanted != len(SPAN_FEATURES):
            raise ValueError("the encoder was trained for other features")
        self.pieces = Pieces(tokenizer)
        self._lock = threading.Lock()

    def agreement(self, links: Links, catalog: Catalog, facts: Sequence[Facts]) -> Floats | None:
        """Shape ``(candidates, len(AGREEMENT))``; ``None`` as :meth:`scores` says it."""
        scores = self.scores(links, catalog)
        return None if scores is None else np.array([scores.agreement(one) for one in facts])

    def scores(self, links: Links, catalog: Catalog) -> EncoderScores | None:
        """``None`` for a schema of which nothing can be read."""
        with self._lock:
            one = encode(links.linked.text, links, catalog, self.pieces)
        if not one.names:
            return None
        spans, sketch = self._session.run(
            None,
            {
                "ids": one.ids[None],
                "segments": one.segments[None],
                "members": one.members[None],
                "features": one.features[None],
            },
        )
        chances = np.clip(1.0 / (1.0 + np.exp(-spans[0].astype(np.float64))), _LEAST, 1 - _LEAST)
        return EncoderScores(
            {name: row for row, name in enumerate(one.names)},
            np.log(chances),
            np.log1p(-chances),
            split_heads(sketch[0].astype(np.float64)),
        )
