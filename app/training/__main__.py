"""``python -m app.training``: collect the engine's candidates, label them, fit the models, record the figures."""

from __future__ import annotations

import argparse
import importlib
import json
import time
from pathlib import Path
from typing import Any

from agents.learn.scorer import MODELS
from app.training.collect import MADE, collect, load_questions
from app.training.confidence import HELD_FOLD
from app.training.fit import fold_of, load_examples, train


def train_encoder(work: Path, target: Path, *, processes: int) -> None:
    """Half an hour of two cores; the confidence has to be fitted anew afterwards, with ``--reuse``."""
    try:
        encoding = importlib.import_module("app.training.encoding")
    except ImportError as error:
        raise SystemExit(
            f"{error}: training the encoder needs pip install '.[encoder]'; the one that is there stays."
        ) from error
    catalogs, examples = load_examples(work, processes)
    kept = [e for e in examples if e.gold is not None and fold_of(e.db_id) != HELD_FOLD]
    lessons: list[Any] = [encoding.Lesson(e.links, catalogs[e.db_id], e.gold) for e in kept]
    further = [lesson for lesson, e in zip(lessons, kept, strict=True) if e.hardness == MADE]
    real = [lesson for lesson, e in zip(lessons, kept, strict=True) if e.hardness != MADE]
    encoding.export(encoding.fine_tune(real, further), target)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m app.training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with tune.jsonl, database/ and variants/")
    parser.add_argument(
        "--work", type=Path, default=Path("build/training"), help="where candidates and labels are kept"
    )
    parser.add_argument("--target", type=Path, default=MODELS, help="where the models go")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--search", action="store_true", help="with schema search, as in the application; slower")
    parser.add_argument("--reuse", action="store_true", help="fit on what was collected before")
    parser.add_argument(
        "--encoder", action="store_true", help="train the encoder instead, on what was collected before"
    )
    args = parser.parse_args()
    if args.encoder:
        train_encoder(args.work, args.target / "encoder", processes=args.processes)
        return
    started = time.monotonic()
    if not args.reuse:
        questions = load_questions(args.data / "tune.jsonl")
        collect(args.data, args.work, questions, processes=args.processes, search=args.search)
        print(f"collected, {time.monotonic() - started:.0f} s")
    figures = train(args.work, args.target, processes=args.processes)
    text = json.dumps(figures, indent=1)
    (args.target / "figures.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
