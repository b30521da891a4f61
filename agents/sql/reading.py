"""From text to one syntax tree, function by function as it was written.

sqlglot knows hundreds of functions and translates them: ``mod(5.5, 2)`` would come back as ``5.5 % 2``, which SQLite
answers differently. A guard must neither allow a function under another name nor change what a statement means, so the
names of all called functions are marked before parsing. sqlglot then keeps each call as it is (an anonymous function),
and the guard checks the very name that the database will see.
"""

from __future__ import annotations

import logging
import re

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from agents.errors import GuardRejected
from agents.sql.rules import DialectRules

# sqlglot warns about statements that it only half understands; those are refused here, with a code.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

MAX_CHARACTERS = 50_000
MAX_TOKENS = 10_000
MAX_JOINS = 100

CALL_MARK = "starchart_call_"

# Comments that MySQL and MariaDB execute.
_EXECUTABLE = ("/*!", "/*M!")
# Words that stand before a parenthesis without being called.
_NOT_CALLED = frozenset({"CAST", "MATERIALIZED"})
_JSON_KEY = re.compile(r"\$(?:\.\w+|\[\d+\])*|\w+")


def _syntax(detail: str) -> GuardRejected:
    return GuardRejected("guard.syntax", f"The statement cannot be read as SQL: {detail}.", "Check its spelling.")


def _too_big() -> GuardRejected:
    return GuardRejected(
        "guard.too_complex", "The statement is too long or too deeply nested.", "Ask for less in one statement."
    )


def _tokens(sql: str, dialect: Dialect) -> list[Token]:
    if len(sql) > MAX_CHARACTERS:
        raise _too_big()
    if "\x00" in sql:
        raise _syntax("it holds a zero byte")
    try:
        sql.encode()
    except UnicodeEncodeError:
        raise _syntax("it holds broken characters") from None
    try:
        tokens = list(dialect.tokenize(sql))
    except SqlglotError as error:
        raise _syntax(_first_line(error)) from None
    joins = sum(token.token_type == TokenType.JOIN for token in tokens)
    if len(tokens) > MAX_TOKENS or joins > MAX_JOINS:
        raise _too_big()
    return tokens


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].split(" Line ", 1)[0].strip().rstrip(".") or "unexpected text"


def _refuse_executable_comments(sql: str, tokens: list[Token]) -> None:
    """Text that a server would run although it looks like a comment here; the same text in a literal is harmless."""
    for opening in _EXECUTABLE:
        if opening not in sql:
            continue
        quoted = sum(token.text.count(opening) for token in tokens if token.token_type == TokenType.STRING)
        if sql.count(opening) > quoted:
            raise GuardRejected(
                "guard.executable_comment",
                "The statement holds a comment that some databases execute.",
                "Remove the comment that starts with /*!.",
            )


def _marked(tokens: list[Token], rules: DialectRules) -> list[Token]:
    """The tokens with the name of every called function marked."""
    marked: list[Token] = []
    for place, token in enumerate(tokens):
        called = (
            place + 1 < len(tokens)
            and tokens[place + 1].token_type == TokenType.L_PAREN
            # After AS stand a type with its length, or the body of a common table expression.
            and (place == 0 or tokens[place - 1].token_type != TokenType.ALIAS)
        )
        if called and _is_name(token, rules):
            token = Token(
                TokenType.VAR, CALL_MARK + token.text, token.line, token.col, token.start, token.end, token.comments
            )
        marked.append(token)
    return marked


def _is_name(token: Token, rules: DialectRules) -> bool:
    lowered = token.text.lower()
    if token.token_type == TokenType.IDENTIFIER:
        return True
    if token.token_type == TokenType.VAR:
        return token.text.upper() not in _NOT_CALLED and lowered not in rules.infix
    return lowered in rules.functions and lowered not in rules.infix and token.token_type != TokenType.STRING


def _statement(statements: list[exp.Expr | None]) -> exp.Expr:
    # A lone semicolon or comment is no statement.
    real = [found for found in statements if found is not None and not isinstance(found, exp.Semicolon)]
    if not real:
        raise GuardRejected("guard.empty", "There is no statement.", "Write one SELECT.")
    if len(real) > 1:
        raise GuardRejected(
            "guard.not_one_statement",
            f"There are {len(real)} statements where one is allowed.",
            "Send a single SELECT.",
        )
    return real[0]


def _refuse_lossy(tree: exp.Expr, tokens: list[Token]) -> None:
    """Spellings that sqlglot would silently change the meaning of, or passes although no database does."""
    if any(not select.expressions for select in tree.find_all(exp.Select)):
        raise _syntax("a SELECT names nothing to select")
    pluses = sum(token.token_type == TokenType.PLUS for token in tokens)
    if pluses > sum(1 for _ in tree.find_all(exp.Add)):
        raise _syntax("a plus sign has nothing on its left")
    for place, token in enumerate(tokens[:-1]):
        if token.token_type in (TokenType.ARROW, TokenType.DARROW):
            key = tokens[place + 1]
            if key.token_type == TokenType.STRING and not _JSON_KEY.fullmatch(key.text):
                raise _syntax("a JSON path is not of the simple form $.name[0]")


# SQLite gives these one precedence, from left to right; sqlglot has three. Where they meet without parentheses, what
# was read may not be what SQLite would have read.
_COMPARISONS = (
    exp.EQ,
    exp.NEQ,
    exp.GT,
    exp.GTE,
    exp.LT,
    exp.LTE,
    exp.Is,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.Like,
    exp.Glob,
    exp.In,
    exp.Between,
    exp.Escape,
)


def _refuse_chains(tree: exp.Expr) -> None:
    for node in tree.find_all(*_COMPARISONS):
        operands = [node.args.get(key) for key in ("this", "expression", "low", "high")]
        inner = (*_COMPARISONS, exp.Not)
        if not isinstance(node, exp.Escape) and any(isinstance(operand, inner) for operand in operands):
            raise GuardRejected(
                "guard.ambiguous_comparison",
                "Two comparisons follow each other without parentheses.",
                "Put each comparison in parentheses.",
            )


def _commas_as_written(tree: exp.Expr, tokens: list[Token]) -> None:
    # sqlglot reads a comma as CROSS JOIN, which forbids SQLite to choose the order of the tables.
    if any(token.token_type == TokenType.CROSS for token in tokens):
        return
    for join in tree.find_all(exp.Join):
        if join.args.get("kind") == "CROSS":
            join.set("kind", None)


def _without_parentheses(tree: exp.Expr) -> exp.Expr:
    """The same query for a grammar that knows no parentheses around a whole SELECT or the parts of a UNION."""
    while isinstance(tree, exp.Subquery) and not _modified(tree) and isinstance(tree.this, exp.Query):
        tree = tree.this
    for operation in list(tree.find_all(exp.SetOperation)):
        for side in ("this", "expression"):
            part = operation.args[side]
            if not isinstance(part, exp.Subquery):
                continue
            inner = part.this
            plain = isinstance(inner, exp.Select) and not _modified(inner) and not _modified(part)
            operation.set(side, inner if plain else exp.Select(expressions=[exp.Star()], from_=exp.From(this=part)))
    return tree


def _modified(query: exp.Expr) -> bool:
    return any(query.args.get(key) for key in ("with_", "order", "limit", "offset", "alias", "joins"))


def read(sql: str, rules: DialectRules) -> exp.Expr:
    """The syntax tree of the single statement in ``sql``; called functions are anonymous nodes with :data:`CALL_MARK`.

    :raises GuardRejected: ``guard.empty``, ``guard.not_one_statement``, ``guard.syntax``, ``guard.too_complex``,
        ``guard.executable_comment``, ``guard.ambiguous_comparison``.
    """
    dialect = Dialect.get_or_raise(rules.name)
    tokens = _tokens(sql, dialect)
    _refuse_executable_comments(sql, tokens)
    if not tokens:
        raise GuardRejected("guard.empty", "There is no statement.", "Write one SELECT.")
    try:
        tree = _statement(dialect.parser().parse(_marked(tokens, rules), sql))
    except SqlglotError as error:
        raise _syntax(_first_line(error).replace(CALL_MARK, "")) from None
    except RecursionError:
        raise _too_big() from None
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        # What the parser trips over is not SQL that may run.
        raise _syntax(f"the parser failed on it ({type(error).__name__})") from error
    _refuse_lossy(tree, tokens)
    _refuse_chains(tree)
    _commas_as_written(tree, tokens)
    for name in list(tree.find_all(exp.Identifier)):
        # WITH name(column) AS … has a parenthesis after a name and is no call.
        name.set("this", name.name.removeprefix(CALL_MARK))
    return _without_parentheses(tree) if rules.flat_set_operations else tree
