"""The guard: all SQL, whatever wrote it, passes here before it may run.

It allows by list and resolves every name; see :mod:`agents.sql.nodes` and :mod:`agents.sql.names`. What runs is written
anew from the checked tree, without comments, and read once more under the same rules before it is sealed.
"""

from __future__ import annotations

from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from agents.catalog import Catalog
from agents.errors import GuardRejected
from agents.sql.allowed import AllowedSql, seal
from agents.sql.names import NameCheck, is_plain_name
from agents.sql.nodes import check_nodes
from agents.sql.reading import CALL_MARK, read
from agents.sql.rules import DialectRules, rules_for


def check(sql: str, catalog: Catalog, *, dialect: str | None = None) -> AllowedSql:
    """A statement that can only read, and only what the catalog shows.

    :param sql: text from the rule engine, a model or a person.
    :param dialect: sqlglot's name; the catalog's own by default.
    :raises GuardRejected: ``guard.empty``, ``guard.syntax``, ``guard.not_one_statement``, ``guard.not_a_query``,
        ``guard.writes``, ``guard.locks``, ``guard.executable_comment``, ``guard.function``, ``guard.table_function``,
        ``guard.cast``, ``guard.construct``, ``guard.parameter``, ``guard.system_table``, ``guard.unknown_table``,
        ``guard.unknown_column``, ``guard.ambiguous_column``, ``guard.ambiguous_comparison``, ``guard.circular``,
        ``guard.too_complex``, ``guard.dialect``.
    """
    rules = rules_for(dialect or catalog.dialect)
    text, tables = inspect(sql, catalog, rules)
    return seal(text, rules.name, tables)


def verdict(sql: str, catalog: Catalog, *, dialect: str | None = None) -> dict[str, Any]:
    """What :func:`check` says, as JSON for evidence and the command line.

    ``verdict`` is ``allow`` or ``block``; ``code`` and ``reasons`` are empty when allowed, ``sql`` and ``tables`` when
    blocked.
    """
    try:
        allowed = check(sql, catalog, dialect=dialect)
    except GuardRejected as refusal:
        reasons = [part for part in (refusal.message, refusal.hint) if part]
        return {"verdict": "block", "code": refusal.code, "reasons": reasons, "sql": "", "tables": []}
    return {"verdict": "allow", "code": "", "reasons": [], "sql": allowed.text, "tables": list(allowed.tables)}


def inspect(sql: str, catalog: Catalog, rules: DialectRules) -> tuple[str, tuple[str, ...]]:
    """The regenerated text and the tables it reads, under given rules; only :func:`check` turns them into a permit.

    :raises GuardRejected: see :func:`check`.
    """
    try:
        tree = _checked(sql, catalog, rules)[0]
        text = _written(tree, rules)
        # Whatever the generator made of the tree must hold under the same rules.
        again, names = _checked(text, catalog, rules)
        return _written(again, rules), names.tables
    except RecursionError:
        raise GuardRejected(
            "guard.too_complex", "The statement is too deeply nested.", "Ask for less in one statement."
        ) from None


def _checked(sql: str, catalog: Catalog, rules: DialectRules) -> tuple[exp.Expr, NameCheck]:
    tree = read(sql, rules)
    check_nodes(tree, rules)
    names = NameCheck(catalog, rules)
    names.check(tree)
    return tree, names


def _written(tree: exp.Expr, rules: DialectRules) -> str:
    """SQL of the tree: quotes only where a name needs them, functions and types under their own names, no comments.

    A quoted name that matches no column is text to SQLite; a bare one is an error. So bare is the safer spelling.
    """
    for node in list(tree.walk()):
        if isinstance(node, exp.Identifier):
            name = node.name.removeprefix(CALL_MARK)
            node.set("this", name)
            node.set("quoted", not is_plain_name(name, rules))
        elif isinstance(node, exp.Anonymous):
            node.set("this", str(node.name).removeprefix(CALL_MARK).upper())
        elif isinstance(node, exp.DataType) and isinstance(node.this, exp.DType):
            faithful = rules.faithful_types.get(node.this.name)
            if faithful is not None:
                node.replace(exp.DataType(this=exp.DType.USERDEFINED, kind=faithful))
    try:
        return tree.sql(dialect=rules.name, comments=False, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise GuardRejected(
            "guard.construct", f"The statement cannot be written for {rules.name}: {error}.", "Write it another way."
        ) from None
