"""Classes of failures: which clauses of a wrong reading differ from the gold, by their facts.

A failure may fall into several classes. A class alone in its failure is what surely kept it from being right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from app.benchmark.clauses import facts_of, parse
from app.benchmark.execute import Schema
from app.benchmark.facts import Condition, Facts, Shown, columns_made_equal

NO_READING = "no reading"
NOT_RUN = "does not run"
NOT_PARSED = "cannot be compared"
SAME_CLAUSES = "same clauses, other result"

_NESTING = {
    "without": "not in, except",
    "both": "intersect",
    "either": "union",
    "value": "compared with a subquery",
    "from": "in from",
}


def differences(gold: str, got: str, schema: Schema) -> tuple[str, ...]:
    """The classes of what differs, at least one, in the order in which a query is made up."""
    trees = parse(gold), parse(got)
    if trees[0] is None or trees[1] is None:
        return (NOT_PARSED,)
    mine, other = (facts_of(tree, schema) for tree in trees if tree is not None)
    same = columns_made_equal(mine, other)
    joins = mine.joins, other.joins
    if same:
        mine, other = (facts_of(tree, schema, same) for tree in trees if tree is not None)
    found = [
        *_tables(mine, other, joins),
        *_nesting(mine, other),
        *_selected(mine, other),
        *_distinct(mine, other),
        *_conditions(mine, other),
        *_groups(mine, other),
        *(f"{_having(name)}" for name in _compared(mine.having, other.having, other)),
        *_sorted(mine, other),
    ]
    return tuple(dict.fromkeys(found)) or (SAME_CLAUSES,)


def _tables(mine: Facts, other: Facts, joins: tuple[Collection[object], Collection[object]]) -> Iterator[str]:
    missing, extra = mine.tables - other.tables, other.tables - mine.tables
    if missing or extra:
        yield "wrong table" if missing and extra else "missing table" if missing else "extra table"
    elif set(joins[0]) != set(joins[1]):
        yield "wrong join"
    elif mine.outer != other.outer:
        yield "missing outer join" if mine.outer else "extra outer join"


def _nesting(mine: Facts, other: Facts) -> Iterator[str]:
    for sign, kinds in (
        ("missing", set(mine.nesting) - set(other.nesting)),
        ("extra", set(other.nesting) - set(mine.nesting)),
    ):
        for kind in sorted(kinds):
            yield f"{sign} nesting ({_NESTING[kind]})"


def _selected(mine: Facts, other: Facts) -> Iterator[str]:
    """What is shown: pairs of columns that nearly agree first, then what is left on either side."""
    gold, got = _left(mine.select, other.select)
    for one in list(gold):
        near = next((two for two in got if (two.aggregate, two.inner) == (one.aggregate, one.inner)), None)
        if near is not None:
            yield "distinct in aggregate"
        else:
            near = next((two for two in got if two.inner == one.inner), None)
            if near is not None:
                yield "wrong aggregate"
        if near is None and one.aggregate:
            near = next((two for two in got if two.aggregate == one.aggregate), None)
            if near is not None:
                counts = one.aggregate == "count"
                yield "distinct in aggregate" if counts else "wrong column (in aggregate)"
        if near is not None:
            gold.remove(one)
            got.remove(near)
    paired = min(len(gold), len(got))
    for one, two in zip(gold[:paired], got[:paired], strict=True):
        yield "wrong aggregate" if one.aggregate or two.aggregate else "wrong column (shown)"
    if len(gold) > paired:
        yield "missing column"
    if len(got) > paired:
        yield "extra column"


def _left(gold: list[Shown], got: list[Shown]) -> tuple[list[Shown], list[Shown]]:
    common = Counter(gold) & Counter(got)
    return list((Counter(gold) - common).elements()), list((Counter(got) - common).elements())


def _distinct(mine: Facts, other: Facts) -> Iterator[str]:
    # A grouping by what is shown makes rows distinct as well.
    if mine.distinct and not other.distinct and not other.group:
        yield "missing distinct"
    elif other.distinct and not mine.distinct:
        yield "extra distinct"


def _conditions(mine: Facts, other: Facts) -> Iterator[str]:
    found = list(_compared(mine.conditions, other.conditions, other))
    yield from found
    if not found and bool(mine.ors) != bool(other.ors):
        yield "wrong and, or"


def _compared(gold: set[Condition], got: set[Condition], other: Facts) -> Iterator[str]:
    mine, theirs = sorted(gold - got), sorted(got - gold)
    for name, fields in _NEARLY:
        for one in list(mine):
            near = next((two for two in theirs if all(getattr(one, f) == getattr(two, f) for f in fields)), None)
            if near is not None:
                yield name
                mine.remove(one)
                theirs.remove(near)
    texts = {c.value.lower() for c in (*other.conditions, *other.having) if c.is_text}
    for one in mine:
        yield "missing value link" if one.is_text and one.value.lower() not in texts else "missing condition"
    if theirs:
        yield "extra condition"


_NEARLY = (
    ("wrong value", ("subject", "operator")),
    ("wrong operator", ("subject", "value")),
    ("wrong column (in condition)", ("operator", "value")),
    ("wrong column and operator", ("value",)),
    ("wrong operator and value", ("subject",)),
)
"""Pairs of conditions that belong together, the nearest first, and what is wrong when only these fields agree."""


def _having(name: str) -> str:
    return {
        "missing condition": "missing having",
        "missing value link": "missing having",
        "extra condition": "extra having",
    }.get(name, "wrong having")


def _groups(mine: Facts, other: Facts) -> Iterator[str]:
    if mine.group and not other.group:
        yield "missing group"
    elif other.group and not mine.group:
        # Grouping by all that is shown, without an aggregate, is another way to say distinct.
        if mine.distinct is False:
            yield "extra group"
    elif mine.group != other.group:
        tables = {key.rpartition(".")[0] for key in mine.group}
        finer = mine.group <= other.group and all(k.rpartition(".")[0] in tables for k in other.group)
        coarser = other.group <= mine.group
        if not finer and not coarser:
            yield "wrong group"


def _sorted(mine: Facts, other: Facts) -> Iterator[str]:
    if mine.limits and not other.limits:
        yield "missing order and limit" if not other.order else "missing limit"
    elif other.limits and not mine.limits:
        yield "extra order and limit" if not mine.order else "extra limit"
    elif mine.limits != other.limits:
        yield "wrong limit"
    if mine.order and not other.order and not (mine.limits and not other.limits):
        yield "missing order"
    elif mine.order and other.order:
        keys = [key for key, _ in mine.order], [key for key, _ in other.order]
        ways = [way for _, way in mine.order], [way for _, way in other.order]
        length = min(len(mine.order), len(other.order))
        if len(keys[1]) < len(keys[0]) or keys[0] != keys[1][: len(keys[0])]:
            yield "wrong order (by what)"
        elif ways[0][:length] != ways[1][:length]:
            yield "wrong order (direction)"
