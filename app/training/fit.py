"""From collected cases to model files: each layer learns from what the one before says of databases it has not seen."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sqlglot.errors import SqlglotError

from agents.catalog import Catalog
from agents.language.link import Linked
from agents.learn.candidates import Described, candidate_rows
from agents.learn.confidence import FILE, Ranked
from agents.learn.facts import ROLES, ColumnKey, Facts, facts_of
from agents.learn.links import ColumnRows, Links
from agents.learn.question import patterns
from agents.learn.roles import RoleModel, RoleScores, considered
from agents.learn.sketch import Floats, Sketcher
from agents.sql.lower import lower
from app.training.boost import fit_trees
from app.training.collect import MADE, Collected
from app.training.confidence import HELD_FOLD, Asked, curve, learn_confidence
from app.training.gold import known_facts
from app.training.ranking import MIX, Bools, Scorers, Table, build, confidences, fit_confidence, fit_scorers, threshold
from app.training.report import Judged, figures
from app.training.sketching import fit_sketch

FOLDS = 5
ALL = FOLDS
"""Stands for no fold left out, after the last fold."""

ROLE_TREES = 80
PRECISION = 0.925
"""Aimed at on databases of training that were left out; others are a little harder, and 90 % is what is promised."""


@dataclass(frozen=True)
class Example:
    """One question with everything that the models are trained from.

    :ivar gold: facts of the known SQL; ``None`` where nothing answers the question.
    :ivar by_rules: whether the first candidate by the rules is right.
    """

    db_id: str
    hardness: str
    linked: Linked
    links: Links
    patterns: set[str]
    gold: Facts | None
    described: tuple[Described, ...]
    labels: tuple[bool, ...]

    @property
    def by_rules(self) -> bool:
        return self.labels[:1] == (True,)


def fold_of(db_id: str) -> int:
    """The fold of a database, the same in every run."""
    return int(hashlib.sha256(db_id.encode()).hexdigest(), 16) % FOLDS


def examples_of(path: Path) -> tuple[Catalog, list[Example]]:
    """Examples of one collected file; questions whose known SQL cannot be parsed are left out."""
    collected: Collected = pickle.loads(path.read_bytes())
    catalog = collected.catalog
    found: list[Example] = []
    for case in collected.cases:
        try:
            gold = known_facts(case.question.gold, catalog) if case.question.gold else None
        except (SqlglotError, IndexError):
            continue
        linked = case.understood.linked
        described = tuple(
            Described(facts_of(lower(c.plan, catalog.dialect), catalog), c.features, c.score)
            for c in case.understood.candidates
        )
        found.append(
            Example(
                case.question.db_id,
                case.question.hardness,
                linked,
                Links.of(linked),
                patterns(linked),
                gold,
                described,
                case.labels,
            )
        )
    return catalog, found


def load_examples(work: Path, processes: int) -> tuple[dict[str, Catalog], list[Example]]:
    """All examples by database name, with the catalogs."""
    catalogs: dict[str, Catalog] = {}
    examples: list[Example] = []
    with ProcessPoolExecutor(processes) as pool:
        for catalog, found in pool.map(examples_of, sorted((work / "cases").glob("*.pkl"))):
            examples += found
            catalogs |= {example.db_id: catalog for example in found[:1]}
    return catalogs, examples


def side_by_side(processes: int, fit: Callable[..., Any], jobs: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Results of ``fit`` for each job, in order, computed in several processes."""
    found: list[Any] = Parallel(n_jobs=processes)(delayed(fit)(*job) for job in jobs)
    return found


def train(work: Path, target: Path, *, processes: int = 2, say: Callable[[str], None] = print) -> dict[str, object]:
    """Fit everything, write ``sketch.npz``, ``roles.npz`` and ``ranker.npz`` into ``target``.

    :returns: the figures, all measured on databases that the models in question had not seen.
    """
    started = time.monotonic()
    catalogs, examples = load_examples(work, processes)
    say(f"{len(examples)} questions over {len(catalogs)} databases, {time.monotonic() - started:.0f} s")
    folds = np.array([fold_of(e.db_id) for e in examples])
    sketcher, sketches = learn_sketch(examples, folds, processes)
    say(f"sketch, {time.monotonic() - started:.0f} s")
    role_model, roles = learn_roles(examples, catalogs, folds, sketches, processes)
    say(f"roles, {time.monotonic() - started:.0f} s")
    engine = tuple(sorted({name for e in examples for one in e.described for name in one.features}))
    table = rank_table(examples, sketches, roles, engine)
    scorers, trees, linear = learn_scorers(table, folds, processes)
    say(f"ranker, {time.monotonic() - started:.0f} s")
    encoded = learn_encoded(target / "encoder", examples, catalogs, folds, table, engine, trees, linear)
    say(encoded.get("missing") or f"confidence with the encoder, {time.monotonic() - started:.0f} s")
    collected = np.array([e.hardness != MADE for e in examples])[table.question]
    weights = fit_confidence(table.where(collected), trees[collected], linear[collected])
    confidence, right = confidences(table, trees, linear, weights)
    asked = [e for e in examples if e.described]
    real = np.array([e.hardness != MADE for e in asked])
    answer_above = threshold(confidence[real], right[real], PRECISION)
    ranker = build(scorers, engine, weights, answer_above)
    target.mkdir(parents=True, exist_ok=True)
    sketcher.save(target / "sketch.npz")
    role_model.save(target / "roles.npz")
    ranker.save(target / "ranker.npz")
    judged = [
        Judged(e.hardness, any(e.labels), e.by_rules, bool(r), float(c))
        for e, r, c in zip(asked, right, confidence, strict=True)
    ]
    judged += [Judged(e.hardness, False, False, False, 0.0) for e in examples if not e.described]
    heads = [
        [int(p.argmax()) == c for p, c in zip(sketch, example.gold.sketch, strict=True)]
        for sketch, example in zip(sketches, examples, strict=True)
        if example.gold is not None and example.hardness != MADE
    ]
    return figures(judged, answer_above, np.array(heads)) | {"encoder": encoded}


def learn_sketch(
    examples: Sequence[Example], folds: NDArray[np.int64], processes: int
) -> tuple[Sketcher, list[list[Floats]]]:
    """The sketch model of all examples, and the out-of-fold log-probabilities of each."""

    def job(kept: Bools) -> tuple[list[set[str]], list[str], NDArray[np.int64]]:
        chosen = [(e, e.gold) for e, k in zip(examples, kept.tolist(), strict=True) if k and e.gold is not None]
        classes = np.array([gold.sketch for _, gold in chosen])
        return [e.patterns for e, _ in chosen], [e.db_id for e, _ in chosen], classes

    models = side_by_side(processes, fit_sketch, (job(folds != fold) for fold in (*range(FOLDS), ALL)))
    return models[ALL], [models[fold].predict(e.linked) for fold, e in zip(folds.tolist(), examples, strict=True)]


def learn_roles(
    examples: Sequence[Example],
    catalogs: dict[str, Catalog],
    folds: NDArray[np.int64],
    sketches: Sequence[Sequence[Floats]],
    processes: int,
) -> tuple[RoleModel, list[RoleScores]]:
    """The role model of all examples, and the out-of-fold scores of each."""
    columns: list[list[ColumnKey]] = []
    blocks: list[NDArray[np.float32]] = []
    labels: list[list[bool]] = []
    for example, sketch in zip(examples, sketches, strict=True):
        mine = considered(example.links, [one.facts for one in example.described])
        columns.append(mine)
        blocks.append(ColumnRows(example.links, catalogs[example.db_id], sketch).rows(mine).astype(np.float32))
        gold = example.gold.roles if example.gold is not None else dict.fromkeys(ROLES, frozenset[ColumnKey]())
        labels += [[column in gold[role] for role in ROLES] for column in mine]
    rows, wanted = np.vstack(blocks), np.array(labels)
    row_folds = np.repeat(folds, [len(c) for c in columns])
    masks = [row_folds != fold for fold in (*range(FOLDS), ALL)]
    jobs = [(rows[kept], wanted[kept, role], ROLE_TREES) for kept in masks for role in range(len(ROLES))]
    trees = side_by_side(processes, fit_trees, jobs)
    models = [RoleModel(tuple(trees[n : n + len(ROLES)])) for n in range(0, len(trees), len(ROLES))]
    found = np.zeros((len(rows), len(ROLES)))
    for model, kept in zip(models[:ALL], masks, strict=False):
        found[~kept] = model.probabilities(rows[~kept].astype(np.float64))
    ends = np.cumsum([len(c) for c in columns])
    scores = [RoleScores.of(c, found[end - len(c) : end]) for c, end in zip(columns, ends, strict=True)]
    return models[ALL], scores


def rank_table(
    examples: Sequence[Example],
    sketches: Sequence[Sequence[Floats]],
    roles: Sequence[RoleScores],
    engine: Sequence[str],
) -> Table:
    """The candidates of all examples that have any, as rows."""
    rows: list[Floats] = []
    labels: list[bool] = []
    question: list[int] = []
    for number, example in enumerate(examples):
        if example.described:
            rows.append(candidate_rows(example.described, example.links, sketches[number], roles[number], engine))
            labels += example.labels
            question += [number] * len(example.labels)
    return Table(np.vstack(rows), np.array(labels), np.array(question))


def learn_scorers(table: Table, folds: NDArray[np.int64], processes: int) -> tuple[Scorers, Floats, Floats]:
    """The scorers of all candidates, and the two out-of-fold scores of each."""
    row_folds = folds[table.question]
    masks = [row_folds != fold for fold in (*range(FOLDS), ALL)]
    models = side_by_side(processes, fit_scorers, ((table.where(kept),) for kept in masks))
    trees, linear = np.zeros(len(table.rows)), np.zeros(len(table.rows))
    for model, kept in zip(models[:ALL], masks, strict=False):
        trees[~kept], linear[~kept] = model.scores(table.rows[~kept])
    return models[ALL], trees, linear


def learn_encoded(
    folder: Path,
    examples: Sequence[Example],
    catalogs: dict[str, Catalog],
    folds: NDArray[np.int64],
    table: Table,
    engine: tuple[str, ...],
    trees: Floats,
    linear: Floats,
) -> dict[str, Any]:
    """Fit the confidence for the encoder of the folder, beside which it is written.

    :param trees: out-of-fold scores, as ``linear``.
    :returns: the figures; where there is no encoder, ``missing`` says so, and what was fitted before stays.
    """
    asked: list[Asked] = []
    for rows in table.groups:
        number = int(table.question[rows[0]])
        if folds[number] != HELD_FOLD:
            continue
        one = examples[number]
        ranked = Ranked(table.rows[rows], engine, trees[rows], linear[rows], MIX)
        right = bool(table.labels[rows[np.argmax(trees[rows] + MIX * linear[rows])]])
        facts = tuple(described.facts for described in one.described)
        asked.append(Asked(one.db_id, one.hardness == MADE, one.links, catalogs[one.db_id], facts, ranked, right))
    try:
        learned = learn_confidence(folder, asked, PRECISION)
    except (OSError, ValueError) as error:
        return {"missing": f"no confidence with the encoder: {error}"}
    learned.model.save(folder / FILE)
    real = np.array([not one.made for one in asked])
    right = np.array([one.right for one in asked])[real]
    confidence, above = learned.confidence[real], learned.model.answer_above
    total = sum(1 for e, fold in zip(examples, folds, strict=True) if fold == HELD_FOLD and e.hardness != MADE)
    answered = confidence >= above
    return {
        "questions": total,
        "answer_above": round(above, 4),
        "answered": {
            "coverage": round(100 * int(answered.sum()) / total, 1),
            "precision": round(100 * float(right[answered].mean()), 1) if answered.any() else 0.0,
        },
        "coverage_at_precision": curve(confidence, right, total),
    }
