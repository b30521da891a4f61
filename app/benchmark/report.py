"""The figures of a benchmark, from its lines and what was judged of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import quantiles
from typing import Any

from app.benchmark.judge import Judged
from app.benchmark.questions import Line, golds_of

HARDNESS = ("easy", "medium", "hard", "extra")
DEPTHS = (5, 10, 20)
PRECISION_WANTED = 0.9
_COMBINATIONS = 20
_CURVE = tuple(step / 20 for step in range(1, 21))


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        return self.count / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Point:
    """Answering the questions of at least this confidence: how many that are, and how many of them are right."""

    confidence: float
    coverage: float
    precision: float


@dataclass(frozen=True, slots=True)
class Example:
    db_id: str
    question: str
    gold: str
    got: str | None


@dataclass(frozen=True, slots=True)
class FailureClass:
    """One way to be wrong.

    :ivar failures: wrong readings with this difference; ``alone`` those that have no other.
    :ivar among_candidates: of ``failures``, those with a right plan among the first candidates.
    :ivar points: percent of all judged questions, an upper bound of what there is to win; ``points_alone`` is certain.
    """

    name: str
    failures: int
    alone: int
    among_candidates: int
    points: float
    points_alone: float
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """Classes that go together: what one cause does to several clauses shows here, as a class alone does not."""

    classes: tuple[str, ...]
    failures: int
    among_candidates: int


@dataclass(frozen=True, slots=True)
class Report:
    """All figures. ``Share`` counts questions; milliseconds and megabytes where the name says so."""

    asked: int
    judged: int
    forced_right: dict[str, Share]
    coverage: Share
    precision: Share
    curve: tuple[Point, ...]
    wanted_precision: Point | None
    oracle: Share
    first_given_oracle: Share
    recall: dict[str, dict[str, float]]
    stability: Share
    latency_ms: dict[str, tuple[float, float]]
    memory_mb: float | None
    statuses: dict[str, int]
    no_reading: dict[str, int]
    failures: tuple[FailureClass, ...]
    combinations: tuple[Combination, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain objects, each share with its quotient."""
        return _with_shares(asdict(self))  # type: ignore[no-any-return]


def _with_shares(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"count", "of"}:
            return {**value, "share": round(value["count"] / value["of"], 4) if value["of"] else None}
        return {key: _with_shares(part) for key, part in value.items()}
    return [_with_shares(part) for part in value] if isinstance(value, list | tuple) else value


def summarise(lines: Sequence[Line], judged: Sequence[Judged], memory_mb: float | None, *, examples: int = 2) -> Report:
    """The report over lines and their judgements, which belong together by position."""
    known = [(line, one) for line, one in zip(lines, judged, strict=True) if one.gold_ran]
    answered = [one.answered_right for _, one in known if one.answered_right is not None]
    oracle = [one for _, one in known if one.rank is not None]
    curve = _curve(known)
    return Report(
        asked=len(lines),
        judged=len(known),
        forced_right=_by_hardness(known),
        coverage=Share(sum(line.get("pred_sql") is not None for line in lines), len(lines)),
        precision=Share(sum(answered), len(answered)),
        curve=tuple(curve[max(0, round(step * len(curve)) - 1)] for step in _CURVE) if curve else (),
        wanted_precision=next((p for p in reversed(curve) if p.precision >= PRECISION_WANTED), None),
        oracle=Share(len(oracle), len(known)),
        first_given_oracle=Share(sum(one.right for one in oracle), len(oracle)),
        recall=_recall([one for _, one in known]),
        stability=_stability(known),
        latency_ms=_latency(lines),
        memory_mb=memory_mb,
        statuses=dict(Counter(line["status"] for line in lines).most_common()),
        no_reading=dict(Counter(line["reason"] or "none" for line in lines if not line["forced_sql"]).most_common()),
        failures=_failures(known, examples),
        combinations=_combinations(known),
    )


Known = Sequence[tuple[Line, Judged]]


def _by_hardness(known: Known) -> dict[str, Share]:
    names = [*HARDNESS, *sorted({_hardness(line) for line, _ in known} - set(HARDNESS))]
    groups = {name: [one.right for line, one in known if _hardness(line) == name] for name in names}
    return {"all": Share(sum(one.right for _, one in known), len(known))} | {
        name: Share(sum(rights), len(rights)) for name, rights in groups.items() if rights
    }


def _hardness(line: Line) -> str:
    return str(line.get("hardness") or "unknown")


def _curve(known: Known) -> list[Point]:
    """One point for each question, the surest first; a reading that is missing is surely wrong and comes last."""
    ranked = sorted(known, key=lambda pair: (not pair[0]["forced_sql"], -pair[0]["confidence"]))
    points: list[Point] = []
    right = 0
    for count, (line, one) in enumerate(ranked, 1):
        right += one.right
        points.append(Point(line["confidence"], round(count / len(ranked), 4), round(right / count, 4)))
    return points


def _recall(judged: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """Mean share of a question's gold tables and columns among the first hits, by how many hits are looked at."""
    found: dict[str, dict[str, float]] = {}
    for kind in ("tables", "columns"):
        ranks = [r for one in judged if (r := getattr(one, kind))]
        found[kind] = {
            str(depth): round(sum(_within(r, depth) for r in ranks) / len(ranks), 4) if ranks else 0.0
            for depth in DEPTHS
        }
    return found


def _within(ranks: Iterable[int | None], depth: int) -> float:
    inside = [rank is not None and rank < depth for rank in ranks]
    return sum(inside) / len(inside)


def _stability(known: Known) -> Share:
    """Pairs of questions with the same gold over the same database: how many are both right or both wrong."""
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for line, one in known:
        groups[line["db_id"], " ".join(golds_of(line)[0].lower().split())].append(one.right)
    pairs = [a is b for rights in groups.values() for a, b in combinations(rights, 2)]
    return Share(sum(pairs), len(pairs))


def _latency(lines: Sequence[Line]) -> dict[str, tuple[float, float]]:
    """p50 and p95 in ms, of each stage over the questions that went through it, and of all to the SQL."""
    times: dict[str, list[float]] = defaultdict(list)
    for line in lines:
        for stage, ms in line["stages"].items():
            times[stage].append(ms)
        if line["ms"] is not None:
            times["question to SQL"].append(line["ms"])
    return {stage: percentiles(values) for stage, values in times.items()}


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """p50 and p95."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (0.0, 0.0)
    cuts = quantiles(values, n=100, method="inclusive")
    return round(cuts[49], 2), round(cuts[94], 2)


def _failures(known: Known, examples: int) -> tuple[FailureClass, ...]:
    wrong: dict[str, list[tuple[Line, Judged]]] = defaultdict(list)
    for line, one in known:
        for name in one.classes:
            wrong[name].append((line, one))
    classes: list[FailureClass] = []
    for name, members in wrong.items():
        # Those that are wrong in nothing else show best what the class is about.
        shown = sorted(members, key=lambda pair: len(pair[1].classes))[:examples]
        alone = sum(len(one.classes) == 1 for _, one in members)
        classes.append(
            FailureClass(
                name=name,
                failures=len(members),
                alone=alone,
                among_candidates=sum(one.rank is not None for _, one in members),
                points=round(100 * len(members) / len(known), 2),
                points_alone=round(100 * alone / len(known), 2),
                examples=tuple(
                    Example(line["db_id"], line["question"], golds_of(line)[0], line["forced_sql"]) for line, _ in shown
                ),
            )
        )
    return tuple(sorted(classes, key=lambda c: (-c.failures, c.name)))


def _combinations(known: Known) -> tuple[Combination, ...]:
    """The most frequent sets of classes, each failure in exactly one."""
    counts = Counter(one.classes for _, one in known if one.classes)
    reachable = Counter(one.classes for _, one in known if one.classes and one.rank is not None)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Combination(classes, count, reachable[classes]) for classes, count in ranked[:_COMBINATIONS])
