"""What makes a measure's expression one that can be computed: a number, put together from rows, over known columns.

What the database and the keys say about it is asked elsewhere (:mod:`agents.sql.measures`); here it is read alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from agents.catalog import Catalog
from agents.glossary.problems import GlossaryProblem, nearest, unknown

DEEPEST = 40
"""Parentheses inside of each other: a measure stands inside of longer statements, which have their own limit."""
TOO_DEEP = "Measure %(name)s is too long or too deeply nested."
EXAMPLE = "Write for example SUM(table.column)."

# Allowed is what may stand in a list of selected things: a name, a query, a statement may not.
_FORBIDDEN = (exp.Query, exp.DML, exp.DDL, exp.Command, exp.Alias, exp.Window)
_TEXT = (exp.GroupConcat, exp.Concat, exp.DPipe, exp.Upper, exp.Lower, exp.Substring, exp.Trim)


def measure_problems(name: str, expression: str, catalog: Catalog) -> Iterator[GlossaryProblem]:
    """What is wrong with an expression, at the place of it."""
    at = ("measures", name, "expression")
    if _depth(expression) > DEEPEST:
        yield GlossaryProblem("glossary.measure", TOO_DEEP, {"name": repr(name)}, "Write it more simply.", at)
        return
    try:
        trees = sqlglot.parse(expression, dialect=catalog.dialect)
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        details = getattr(error, "errors", None) or [{}]
        problem = str(details[0].get("description") or "it cannot be read")
        yield GlossaryProblem(
            "glossary.measure",
            "Measure %(name)s is not SQL: %(problem)s",
            {"name": repr(name), "problem": problem},
            "Write one SQL expression.",
            at,
        )
        return
    tree = trees[0] if len(trees) == 1 else None
    if tree is None or tree.find(*_FORBIDDEN) or not tree.find(exp.AggFunc) or not tree.find(exp.Column):
        yield GlossaryProblem(
            "glossary.measure", "Measure %(name)s is not an aggregate expression.", {"name": repr(name)}, EXAMPLE, at
        )
        return
    refused = _refused(tree)
    if refused is not None:
        yield GlossaryProblem("glossary.measure", refused[0], {"name": repr(name), **refused[2]}, refused[1], at)
        return
    for column in dict.fromkeys(tree.find_all(exp.Column)):
        yield from _column_problems(name, column, catalog, at)


def _refused(tree: exp.Expr) -> tuple[str, str, dict[str, str]] | None:
    """Why a tree with aggregates is no measure: sentence, what to do, and the parts of the sentence."""
    for aggregate in tree.find_all(exp.AggFunc):
        if aggregate.find_ancestor(exp.AggFunc):
            return (
                "Measure %(name)s puts together what has been put together already: %(part)s.",
                "Leave one of the two functions out.",
                {"part": aggregate.sql()},
            )
    for column in tree.find_all(exp.Column):
        if column.find_ancestor(exp.AggFunc) is None:
            return (
                "Measure %(name)s uses %(part)s outside of SUM, COUNT or another function over rows.",
                "Put the column inside of one: rows have many values of it.",
                {"part": column.sql()},
            )
    if not _is_number(tree):
        return "Measure %(name)s is not a number.", EXAMPLE, {}
    return None


def _depth(expression: str) -> int:
    depth = deepest = 0
    for character in expression:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest


def _is_number(tree: exp.Expr) -> bool:
    while isinstance(tree, exp.Paren | exp.Collate | exp.Filter):
        tree = tree.this
    if isinstance(tree, (exp.Predicate, exp.Connector, exp.Not, exp.Boolean, exp.Collate, *_TEXT)):
        return False
    if isinstance(tree, exp.Literal):
        return not tree.is_string
    if isinstance(tree, exp.Case):
        parts = [branch.args.get("true") for branch in tree.args.get("ifs") or []]
        parts.append(tree.args.get("default"))
        return all(_is_number(part) for part in parts if isinstance(part, exp.Expr))
    if isinstance(tree, exp.Coalesce):
        return all(_is_number(part) for part in (tree.this, *tree.expressions))
    return True


def _column_problems(name: str, column: exp.Column, catalog: Catalog, at: tuple[str, ...]) -> Iterator[GlossaryProblem]:
    table, inner = column.table, column.name
    if column.args.get("db") is not None or isinstance(column.this, exp.Star):
        yield GlossaryProblem(
            "glossary.measure",
            "Measure %(name)s names %(part)s, which is not of the form table.column.",
            {"name": repr(name), "part": column.sql()},
            EXAMPLE,
            at,
        )
    elif not table or table not in catalog or inner not in catalog.table(table):
        known = [f"{t.name}.{c.name}" for t, c in catalog.columns()]
        wanted = f"{table}.{inner}" if table else inner
        yield unknown(f"{table or '?'}.{inner} in measure {name!r}", at, nearest(wanted, known))
