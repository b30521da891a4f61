"""Collecting: the engine's candidates for every question, each labelled by execution; one file per database."""

from __future__ import annotations

import hashlib
import json
import pickle
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agents.catalog import Catalog
from agents.engine import Engine
from agents.glossary import Glossary
from agents.language.text import detect_language
from agents.language.values import ValueIndex
from agents.learn.scorer import Scorer
from agents.ports import Connection, Retrieval, Retriever
from agents.retrieval.embed import Embedder
from agents.retrieval.hybrid import HybridRetriever
from agents.understood import Understood
from app.databases import open_database
from app.databases.values import distinct_values
from app.training.made import Maker
from app.training.referee import Referee, is_ordered

NOW = datetime(2026, 6, 15, 12)
"""The moment at which the questions are asked; they hold hardly any relative times."""


@dataclass(frozen=True)
class Question:
    db_id: str
    text: str
    gold: str
    hardness: str


@dataclass(frozen=True)
class Case:
    """One question, what the engine made of it, and which of its candidates are right.

    :ivar ms: milliseconds that the engine took.
    """

    question: Question
    understood: Understood
    labels: tuple[bool, ...]
    ms: float


@dataclass(frozen=True)
class Collected:
    """What was collected on one database."""

    catalog: Catalog
    cases: tuple[Case, ...]


MADE = "made"
"""The hardness of questions that were made from templates."""

MADE_PER_DATABASE = 22


class NoRetriever:
    """Stands in where schema search is left out."""

    def search(self, query: str, *, limit: int = 24) -> Retrieval:
        return Retrieval((), "none")


def load_questions(path: Path) -> list[Question]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Question(r["db_id"], r["question"], r["gold"], r.get("hardness", "")) for r in rows]


def by_database(questions: list[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        found[question.db_id].append(question)
    return dict(found)


def copies(data: Path, db_id: str) -> list[Path]:
    """The database and its variants, plain first."""
    roots = [data / "database", *sorted((data / "variants").glob("*"))]
    return [p for root in roots if (p := root / db_id / f"{db_id}.sqlite").exists()]


def build_engine(path: Path, db_id: str, cache: Path, glossary: Glossary, *, search: bool) -> Engine:
    """The engine as the application builds it, with nothing learned."""
    database = open_database(str(path), name=db_id, cache_dir=cache)
    found = distinct_values(database, cache_dir=cache)
    values = ValueIndex(((v.table, v.column, v.values) for v in found), glossary)
    retriever: Retriever = NoRetriever()
    if search:
        retriever = HybridRetriever(
            database.catalog, glossary, cache_dir=cache / "retrieval" / db_id, embedder=Embedder()
        )
    connection = Connection(db_id, database.catalog, glossary, database, retriever, values)
    return Engine(connection, scorer=Scorer())


def collect_database(
    data: Path, work: Path, db_id: str, questions: list[Question], search: bool
) -> tuple[int, int, int]:
    """Write ``cases/DB.pkl`` and, with made questions, ``cases/DB.made.pkl``.

    :returns: how many of the given questions there are, have a right candidate, and have it first.
    """
    paths = copies(data, db_id)
    referee = Referee(paths)
    memory = Memory(work / "labels" / f"{db_id}.json")
    engine = build_engine(paths[0], db_id, work / "cache", Glossary(), search=search)
    cases = collect_cases(engine, referee, memory, questions, search)
    write(work / "cases" / f"{db_id}.pkl", engine, cases)
    maker = Maker(engine.connection.catalog, stored(paths[0], db_id, work / "cache"), db_id)
    made = [Question(db_id, m.text, m.gold, MADE) for m in maker.questions(MADE_PER_DATABASE)]
    engine = build_engine(paths[0], db_id, work / "cache", maker.glossary, search=search)
    write(work / "cases" / f"{db_id}.made.pkl", engine, collect_cases(engine, referee, memory, made, search))
    referee.close()
    memory.save()
    return len(cases), sum(any(c.labels) for c in cases), sum(c.labels[:1] == (True,) for c in cases)


def stored(path: Path, db_id: str, cache: Path) -> dict[tuple[str, str], Sequence[str]]:
    database = open_database(str(path), name=db_id, cache_dir=cache)
    return {(v.table, v.column): v.values for v in distinct_values(database, cache_dir=cache)}


def collect_cases(
    engine: Engine, referee: Referee, memory: Memory, questions: list[Question], search: bool
) -> tuple[Case, ...]:
    """What the engine makes of each question; those whose known SQL does not run are left out."""
    cases: list[Case] = []
    for question in questions:
        gold = question.gold
        if gold and not referee.is_usable(gold):
            continue
        if question.hardness == MADE and gold and referee.rows(0, gold) in ([], [(None,)], [(0,)]):
            # Nothing comes out: any query without rows would seem right.
            continue
        hits = engine.connection.retriever.search(question.text).hits if search else ()
        started = time.perf_counter()
        try:
            understood = engine.read(question.text, detect_language(question.text), NOW, hits)
        except Exception as error:
            # A defect of the engine is worth a line, not the run.
            print(f"\n{question.db_id}: {question.text!r}: {error!r}")
            continue
        ms = (time.perf_counter() - started) * 1000
        ordered = bool(gold) and is_ordered(gold)
        labels = tuple(bool(gold) and memory.label(referee, gold, c.sql, ordered) for c in understood.candidates)
        cases.append(Case(question, understood, labels, ms))
    return tuple(cases)


def write(target: Path, engine: Engine, cases: tuple[Case, ...]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(pickle.dumps(Collected(engine.connection.catalog, cases)))


class Memory:
    """Labels known from an earlier run, by the digest of both statements: a label depends on nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, bool] = json.loads(path.read_text()) if path.exists() else {}

    def label(self, referee: Referee, gold: str, sql: str, ordered: bool) -> bool:
        key = hashlib.sha256(f"{gold}\0{sql}".encode()).hexdigest()[:20]
        if key not in self._known:
            self._known[key] = referee.is_right(gold, sql, ordered=ordered)
        return self._known[key]

    def save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(self._known))


def collect(data: Path, work: Path, questions: list[Question], *, processes: int = 2, search: bool = False) -> None:
    """Collect all databases, the largest first, and print how it goes."""
    groups = sorted(by_database(questions).items(), key=lambda pair: -len(pair[1]))
    total = right = first = 0
    with ProcessPoolExecutor(processes) as pool:
        futures = [pool.submit(collect_database, data, work, db, asked, search) for db, asked in groups]
        for number, future in enumerate(as_completed(futures), start=1):
            n, oracle, top = future.result()
            total, right, first = total + n, right + oracle, first + top
            print(
                f"\r{number}/{len(groups)} databases, {total} questions, right among the candidates "
                f"{right / max(1, total):.1%}, first {first / max(1, total):.1%} ",
                end="",
                flush=True,
            )
    print()


def load_collected(work: Path) -> list[Collected]:
    """Everything collected so far, by database name."""
    return [pickle.loads(path.read_bytes()) for path in sorted((work / "cases").glob("*.pkl"))]
