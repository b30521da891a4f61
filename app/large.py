"""``python -m app.large`` measures a database of a thousand tables: how long until it can be asked, and how long a
question takes. The database is made: the same one for the same seed."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from rich.console import Console

from app.bench import percentiles
from app.clock import SystemClock
from app.logs import log_to_stderr
from app.services import Services, shared_embedder, target_for
from app.settings import Settings, load_settings
from app.terminal.progress import watched

TABLES = 1000
ROWS = 40
READY_SECONDS = 60.0
CACHED_SECONDS = 2.0
SAVE_SECONDS = 2.0
QUESTION_MS = 200.0

AREAS = tuple(
    """
    sales purchasing stock finance payroll hiring training support marketing web mobile fleet plant quality safety
    legal travel events library clinic lab school housing energy archive
    """.split()
)
THINGS = tuple(
    """
    customer order invoice payment product supplier shipment employee contract project task meeting ticket campaign
    device vehicle machine inspection incident policy trip booking room building meter document course student patient
    sample test result budget account branch region category team skill review
    """.split()
)
_COLUMNS: dict[str, tuple[str, ...]] = {
    "TEXT": ("status", "city", "country", "color", "type", "level", "channel", "language", "priority", "source"),
    "REAL": ("amount", "price", "weight", "score", "length", "cost", "discount", "speed"),
    "INTEGER": ("quantity", "capacity", "rank", "duration", "floor", "age", "points"),
    "DATE": ("created_on", "closed_on", "due_date", "start_date"),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "status": ("open", "closed", "pending", "rejected"),
    "city": ("Berlin", "Paris", "Oslo", "Lima", "Osaka", "Lagos", "Quito"),
    "country": ("Germany", "France", "Norway", "Peru", "Japan", "Nigeria", "Ecuador"),
    "color": ("red", "green", "blue", "black"),
}


def make(path: Path, tables: int = TABLES, rows: int = ROWS, seed: int = 1) -> None:
    """Write the database: areas with things, each thing with attributes and, but for the first, keys to earlier ones of
    its area."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(path)) as connection:
        for number in range(tables):
            area, at = AREAS[number % len(AREAS)], number // len(AREAS)
            thing = THINGS[at % len(THINGS)] + ("" if at < len(THINGS) else f"_{at // len(THINGS)}")
            earlier = [f"{area}_{THINGS[n % len(THINGS)]}" for n in range(min(at, len(THINGS)))]
            parents = chance.sample(earlier, min(len(earlier), chance.choice((1, 1, 2))))
            columns = {f"{thing}_name": "TEXT"}
            for kind, names in _COLUMNS.items():
                columns |= dict.fromkeys(chance.sample(names, chance.randint(1, 3)), kind)
            keys = [f"{parent.partition('_')[2]}_id" for parent in parents]
            parts = ["id INTEGER PRIMARY KEY", *(f"{name} {kind}" for name, kind in columns.items())]
            parts += [f"{key} INTEGER REFERENCES {p}(id)" for key, p in zip(keys, parents, strict=True)]
            table = f"{area}_{thing}"
            connection.execute(f"CREATE TABLE {table} ({', '.join(parts)})")
            marks = ", ".join("?" * (1 + len(columns) + len(keys)))
            connection.executemany(
                f"INSERT INTO {table} VALUES ({marks})",
                (
                    (
                        row,
                        *(_cell(name, kind, thing, row, chance) for name, kind in columns.items()),
                        *(chance.randint(1, rows) for _ in keys),
                    )
                    for row in range(1, rows + 1)
                ),
            )
        connection.commit()


def _cell(name: str, kind: str, thing: str, row: int, chance: random.Random) -> str | int | float:
    if kind == "DATE":
        return (date(2023, 1, 1) + timedelta(days=chance.randrange(1000))).isoformat()
    if kind == "REAL":
        return round(chance.uniform(1, 1000), 2)
    if kind == "INTEGER":
        return chance.randint(1, 100)
    if name.endswith("_name"):
        return f"{thing.title()} {row}"
    words = _WORDS.get(name)
    return chance.choice(words) if words else f"{name} {chance.randint(1, 6)}"


def questions(path: Path, count: int = 60, seed: int = 2) -> tuple[str, ...]:
    """Questions of the usual kinds about tables drawn by chance."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        asked: list[str] = []
        for table in chance.sample(names, min(count, len(names))):
            columns = {name: kind for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")}
            asked.append(chance.choice(list(_about(table.replace("_", " "), columns))))
    return tuple(asked)


def _about(things: str, columns: dict[str, str]) -> Iterator[str]:
    said = {name: name.replace("_", " ") for name in columns}
    text = next(n for n, k in columns.items() if k == "TEXT" and not n.endswith("_name"))
    number = next(n for n, k in columns.items() if k == "REAL")
    yield f"How many {things}s are there?"
    yield f"Average {said[number]} of {things}s by {said[text]}"
    yield f"Top 5 {things}s by {said[number]}"
    yield f"Which {things}s have a {said[number]} above 500?"
    yield f"{things}s per year"


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(settings: Settings, path: Path, console: Console) -> bool:
    """Print every figure beside its bound; whether all are kept."""
    target = target_for(str(path))

    def opened() -> Services:
        shared_embedder.cache_clear()
        services = Services(settings, (target,))
        with watched(console) as step:
            services.make_ready(target.name, step)
        return services

    first = _seconds(opened)
    services = opened()
    cached = _seconds(lambda: opened())
    engine = services.open(target.name).engine
    clock = SystemClock()
    times: list[float] = []
    answered = 0
    for question in questions(path):
        began = time.perf_counter()
        lang, _ = engine.route(question)
        hits = engine.connection.retriever.search(question).hits
        understood = engine.read(question, lang, clock.now(), hits)
        times.append((time.perf_counter() - began) * 1000)
        answered += bool(understood.candidates) and understood.confidence >= understood.answer_above
    middle, high = percentiles(times)
    file = services.glossary_file(target.name)

    def saved() -> None:
        text = file.read().text + "\ncurrency: EUR\n"
        file.save(text, seen=file.read().version, now=clock.now())
        services.open(target.name).retriever.search("orders")

    save = _seconds(saved)
    tables = len(services.catalog(target.name).tables)
    console.print(f"{tables} tables, ready from nothing: {first:.1f} s (bound {READY_SECONDS:.0f})")
    console.print(f"Ready from the disk cache: {cached:.2f} s (bound {CACHED_SECONDS:.0f})")
    console.print(f"Question to SQL: p50 {middle:.0f} ms (bound {QUESTION_MS:.0f}), p95 {high:.0f} ms")
    console.print(f"Confident about {answered} of {len(times)} questions", style="dim")
    console.print(f"Glossary saved and in use: {save:.2f} s (bound {SAVE_SECONDS:.0f})")
    return first <= READY_SECONDS and cached <= CACHED_SECONDS and save <= SAVE_SECONDS and middle <= QUESTION_MS


def main(arguments: Iterable[str] = ()) -> int:
    """Make the database, print all figures; 1 when a bound is not kept."""
    log_to_stderr("error")
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    tables = int(next(iter(arguments), str(TABLES)))
    folder = Path(tempfile.mkdtemp(prefix="starchart-large-"))
    try:
        make(folder / "large.sqlite", tables)
        kept = measure(load_settings({"STARCHART_DATA": str(folder / "data")}), folder / "large.sqlite", console)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    console.print("Every bound is kept." if kept else "A bound is NOT kept.")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
