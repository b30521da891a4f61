"""``python -m app.training``: collect the engine's candidates, label them, fit the models, record the figures."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from agents.learn.scorer import MODELS
from app.training.collect import collect, load_questions
from app.training.fit import train


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
    args = parser.parse_args()
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
