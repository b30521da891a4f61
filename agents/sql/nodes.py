"""Which nodes of a syntax tree are harmless, with which arguments. Everything else is refused.

The table below is the guard's heart: a node type that is not in it, or an argument that its row does not name, is
refused, so that what a newer sqlglot learns to parse is refused until somebody has looked at it.
"""

from __future__ import annotations

import re
from typing import Final

from sqlglot import exp

from agents.errors import GuardRejected
from agents.sql.reading import CALL_MARK
from agents.sql.rules import DialectRules, words

_BINARY = frozenset({"this", "expression"})
_UNARY = frozenset({"this"})
_QUERY = frozenset({"with_", "order", "limit", "offset"})

ALLOWED: Final[dict[type[exp.Expr], frozenset[str]]] = {
    # queries
    exp.Select: _QUERY | {"expressions", "distinct", "from_", "joins", "where", "group", "having", "windows"},
    exp.Union: _QUERY | {"this", "expression", "distinct"},
    exp.Intersect: _QUERY | {"this", "expression", "distinct"},
    exp.Except: _QUERY | {"this", "expression", "distinct"},
    exp.Subquery: _QUERY | {"this", "alias", "joins"},
    exp.Values: frozenset({"expressions", "alias"}),
    exp.With: frozenset({"expressions", "recursive"}),
    exp.CTE: frozenset({"this", "alias", "materialized"}),
    exp.From: _UNARY,
    exp.Join: frozenset({"this", "on", "using", "side", "kind", "method"}),
    exp.Table: frozenset({"this", "alias", "db", "joins"}),
    exp.TableAlias: frozenset({"this", "columns"}),
    exp.Where: _UNARY,
    exp.Group: frozenset({"expressions"}),
    exp.Having: _UNARY,
    exp.Order: frozenset({"expressions"}),
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
    exp.Limit: frozenset({"expression"}),
    exp.Offset: frozenset({"expression"}),
    exp.Distinct: frozenset({"expressions"}),
    # names and constants
    exp.Identifier: frozenset({"this", "quoted"}),
    exp.Column: frozenset({"this", "table", "db"}),
    exp.Star: frozenset(),
    exp.Alias: frozenset({"this", "alias"}),
    exp.Literal: frozenset({"this", "is_string"}),
    exp.HexString: _UNARY,
    exp.RawString: _UNARY,
    exp.Null: frozenset(),
    exp.Boolean: _UNARY,
    exp.Paren: _UNARY,
    exp.Tuple: frozenset({"expressions"}),
    # operators
    exp.And: _BINARY,
    exp.Or: _BINARY,
    exp.Not: _UNARY,
    exp.Neg: _UNARY,
    exp.BitwiseNot: _UNARY,
    exp.EQ: _BINARY,
    exp.NEQ: _BINARY,
    exp.GT: _BINARY,
    exp.GTE: _BINARY,
    exp.LT: _BINARY,
    exp.LTE: _BINARY,
    exp.Is: _BINARY,
    exp.NullSafeEQ: _BINARY,
    exp.NullSafeNEQ: _BINARY,
    exp.Like: _BINARY | {"negate"},
    exp.Glob: _BINARY,
    exp.Escape: _BINARY,
    exp.Between: frozenset({"this", "low", "high"}),
    exp.In: frozenset({"this", "expressions", "query"}),
    exp.Exists: _UNARY,
    exp.Add: _BINARY,
    exp.Sub: _BINARY,
    exp.Mul: _BINARY,
    exp.Div: _BINARY | {"typed", "safe"},
    exp.Mod: _BINARY,
    exp.DPipe: _BINARY | {"safe"},
    exp.BitwiseAnd: _BINARY,
    exp.BitwiseOr: _BINARY,
    exp.BitwiseLeftShift: _BINARY,
    exp.BitwiseRightShift: _BINARY,
    exp.Collate: _BINARY,
    exp.JSONExtract: _BINARY | {"only_json_types"},
    exp.JSONExtractScalar: _BINARY | {"only_json_types"},
    exp.JSONPath: frozenset({"expressions"}),
    exp.JSONPathRoot: frozenset(),
    exp.JSONPathKey: _UNARY,
    exp.JSONPathSubscript: _UNARY,
    # calls; the name of an anonymous one is looked up in the dialect's list
    exp.Anonymous: frozenset({"this", "expressions"}),
    exp.Case: frozenset({"this", "ifs", "default"}),
    exp.If: frozenset({"this", "true"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.DataType: frozenset({"this", "expressions", "kind", "nested"}),
    exp.DataTypeParam: _UNARY,
    exp.CurrentDate: frozenset(),
    exp.CurrentTime: frozenset(),
    exp.CurrentTimestamp: frozenset(),
    exp.Filter: _BINARY,
    exp.Window: frozenset({"this", "partition_by", "order", "spec", "alias", "over", "first"}),
    exp.WindowSpec: frozenset({"kind", "start", "start_side", "end", "end_side", "exclude"}),
}

_QUERIES: Final = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)
_WRITES: Final = (
    exp.Insert,
    exp.Update,
    exp.Delete,
    exp.Merge,
    exp.Create,
    exp.Drop,
    exp.Alter,
    exp.TruncateTable,
    exp.Copy,
    exp.LoadData,
    exp.Into,
)
_WRITING_COMMANDS: Final = words("ALTER CREATE DROP REPLACE TRUNCATE")
# What stands between the percent sign of a format and its letter: flags, width, precision.
_CONVERSION: Final = re.compile(r"%%|%([^a-zA-Z%]*)")
_PARAMETERS: Final = (exp.Placeholder, exp.Parameter, exp.SessionParameter)


def _writes() -> GuardRejected:
    return GuardRejected("guard.writes", "The statement would change the database.", "Only reading is allowed here.")


def _check_root(tree: exp.Expr) -> None:
    if isinstance(tree, _QUERIES):
        return
    # Refused either way; the word only chooses what the person is told.
    if isinstance(tree, _WRITES) or (isinstance(tree, exp.Command) and str(tree.this).upper() in _WRITING_COMMANDS):
        raise _writes()
    raise GuardRejected("guard.not_a_query", "The statement is not a SELECT.", "Write one SELECT.")


def _call_name(node: exp.Anonymous) -> str:
    name = node.this if isinstance(node.this, str) else node.this.name
    if not name.startswith(CALL_MARK):
        # Not marked by the reader: a construct that only looks like a call here, such as ROW(…).
        raise _refused_function(name.lower(), "")
    return name[len(CALL_MARK) :].lower()


def _refused_function(name: str, advice: str) -> GuardRejected:
    return GuardRejected(
        "guard.function",
        f"The function {name}() is not on the list of harmless functions.",
        advice or "Use another function or leave it out.",
    )


def _check_format(name: str, node: exp.Anonymous) -> None:
    """A format pads to any width, so it must be written out, with widths of at most three digits."""
    given = node.expressions[0] if node.expressions else None
    written = given.name if isinstance(given, exp.Literal) and given.is_string else None
    if written is None or any("*" in part or re.search(r"\d{4}", part) for part in _CONVERSION.findall(written)):
        raise GuardRejected(
            "guard.function",
            f"The format of {name}() is not a plain text with small widths.",
            "Write the format out, with widths and precisions below 1000.",
        )


def _check_node(node: exp.Expr, rules: DialectRules) -> None:
    allowed = ALLOWED.get(type(node))
    if allowed is None:
        if isinstance(node, _WRITES):
            raise _writes()
        if isinstance(node, exp.Lock):
            raise GuardRejected("guard.locks", "The statement would lock rows.", "Leave FOR UPDATE or FOR SHARE out.")
        if isinstance(node, _PARAMETERS):
            raise GuardRejected("guard.parameter", "The statement has an open parameter.", "Write the value itself.")
        if isinstance(node, exp.Var) and isinstance(node.parent, exp.Collate):
            return
        if isinstance(node, exp.Func):
            name = node.sql_name().lower()
            raise _refused_function(name, rules.advice.get(name, ""))
        raise GuardRejected(
            "guard.construct",
            f"The statement uses {_readable(node)}, which is not on the list of harmless constructs.",
            "Write it another way.",
        )
    if isinstance(node, exp.Anonymous):
        called = _call_name(node)
        if isinstance(node.parent, exp.Table):
            raise GuardRejected("guard.table_function", f"{called}() stands in place of a table.", "Name a table.")
        if called not in rules.functions:
            raise _refused_function(called, rules.advice.get(called, ""))
        if called in rules.formatters:
            _check_format(called, node)
    elif isinstance(node, exp.DataType):
        written = node.this.name if isinstance(node.this, exp.DType) else str(node.this)
        if written not in rules.cast_types:
            raise GuardRejected(
                "guard.cast",
                f"A cast to {written} is not allowed: {rules.name} would not do what it says.",
                rules.advice.get(f"cast {written.lower()}", "Cast to INTEGER, REAL, NUMERIC or TEXT."),
            )


def _check_arguments(node: exp.Expr) -> None:
    allowed = ALLOWED.get(type(node), _UNARY)
    for name, value in node.args.items():
        if name not in allowed and value not in (None, False) and value != []:
            raise GuardRejected(
                "guard.construct",
                f"The statement uses {name.strip('_').upper()} with {_readable(node)}, which is not allowed.",
                "Write it another way.",
            )


def _readable(node: exp.Expr) -> str:
    return type(node).__name__.upper()


def check_nodes(tree: exp.Expr, rules: DialectRules) -> None:
    """Every node of the tree, not only the first, is of a kind that can do no harm.

    :raises GuardRejected: ``guard.writes``, ``guard.not_a_query``, ``guard.locks``, ``guard.parameter``,
        ``guard.function``, ``guard.cast``, ``guard.construct``.
    """
    _check_root(tree)
    nodes = list(tree.walk())
    for node in nodes:
        _check_node(node, rules)
    # Second, because the type of a node tells better what is wrong than its place in its parent.
    for node in nodes:
        _check_arguments(node)
