"""Reads the facts of a statement off its tree."""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from app.benchmark.execute import Schema
from app.benchmark.facts import Condition, Facts, Shown

_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Like: "like",
    exp.ILike: "like",
    exp.Glob: "like",
    exp.Is: "is",
}
_FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_NEGATED = {"=": "!=", "!=": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">", "like": "not like", "is": "is not"}
_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}


def parse(sql: str) -> exp.Query | None:
    """The tree of a query; ``None`` when it cannot be read."""
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
    except (SqlglotError, RecursionError):
        return None
    return tree if isinstance(tree, exp.Query) else None


def facts_of(tree: exp.Query, schema: Schema, same: Mapping[str, str] | None = None) -> Facts:
    """The facts of a query.

    :param same: columns that are to be taken for another one, because a join makes them equal.
    """
    found = Facts()
    _Reader(schema, same or {}, found).query(tree, {}, outermost=True)
    return found


Scope = dict[str, dict[str, str] | str]
"""What an alias stands for: a table, or the output columns of a subquery."""


class _Reader:
    def __init__(self, schema: Schema, same: Mapping[str, str], facts: Facts) -> None:
        self._schema, self._same, self._facts = schema, same, facts

    def query(self, tree: exp.Expr, outer: Scope, *, outermost: bool = False) -> dict[str, str]:
        """Gather a query's facts; returns its output columns."""
        tree = tree.unnest()
        outer = dict(outer)
        for cte in tree.args["with_"].expressions if tree.args.get("with_") else ():
            outer[cte.alias.lower()] = self.query(cte.this, outer)
            self._facts.nesting.append("from")
        if isinstance(tree, exp.SetOperation):
            self._facts.nesting.append(_SET_KINDS[tree.key])
            shown = self.query(tree.this, outer, outermost=outermost)
            other = self.query(tree.expression, outer)
            if isinstance(tree, exp.Except):
                self._linked(next(iter(shown.values()), ""), next(iter(other.values()), ""))
            self._sorted(tree, outer, {})
            return shown
        return self._select(tree, outer, outermost) if isinstance(tree, exp.Select) else {}

    def _select(self, tree: exp.Select, outer: Scope, outermost: bool) -> dict[str, str]:
        facts, scope = self._facts, dict(outer)
        joins: list[exp.Join] = tree.args.get("joins") or []
        sources = [tree.args["from_"].this] if tree.args.get("from_") else []
        for source in [*sources, *(join.this for join in joins)]:
            self._source(source, scope)
        aliases = {item.alias.lower(): item.this for item in tree.expressions if isinstance(item, exp.Alias)}
        for join in joins:
            facts.outer = facts.outer or bool(join.side)
            for name in join.args.get("using") or ():
                facts.joins.add(frozenset({name.name.lower()}))
            if join.args.get("on"):
                self._conditions(join.args["on"], scope, aliases, facts.conditions)
        shown = [self._shown(_unaliased(item), scope, aliases) for item in tree.expressions]
        if outermost:
            facts.select = shown
            facts.distinct = tree.args.get("distinct") is not None
        if tree.args.get("where"):
            self._conditions(tree.args["where"].this, scope, {}, facts.conditions)
        for key in tree.args["group"].expressions if tree.args.get("group") else ():
            facts.group.add(self._shown(self._meant(key, aliases, tree), scope, {}).inner)
        if tree.args.get("having"):
            self._conditions(tree.args["having"].this, scope, aliases, facts.having)
        self._sorted(tree, scope, aliases)
        names = [item.alias_or_name.lower() for item in tree.expressions]
        return {name: str(one) for name, one in zip(names, shown, strict=True)}

    def _source(self, source: exp.Expr, scope: Scope) -> None:
        if isinstance(source, exp.Table):
            name = source.name.lower()
            known = scope.get(name)
            if isinstance(known, dict):  # a common table expression
                scope[source.alias_or_name.lower()] = known
                return
            self._facts.tables.add(name)
            scope[source.alias_or_name.lower()] = name
        elif isinstance(source, exp.Subquery):
            self._facts.nesting.append("from")
            scope[source.alias_or_name.lower()] = self.query(
                source.this, {k: v for k, v in scope.items() if isinstance(v, dict)}
            )
        elif isinstance(source, exp.Paren):
            self._source(source.this, scope)

    def _sorted(self, tree: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr]) -> None:
        for ordered in tree.args["order"].expressions if tree.args.get("order") else ():
            key = self._meant(ordered.this, aliases, tree)
            self._facts.order.append((self._shown(key, scope, {}), bool(ordered.args.get("desc"))))
        if tree.args.get("limit"):
            self._facts.limits.append(tree.args["limit"].expression.sql())

    def _meant(self, key: exp.Expr, aliases: Mapping[str, exp.Expr], tree: exp.Expr) -> exp.Expr:
        """What a sort or group key stands for: an alias or the number of a column is the expression behind it."""
        if isinstance(key, exp.Column) and not key.table and key.name.lower() in aliases:
            return aliases[key.name.lower()]
        if isinstance(key, exp.Literal) and key.is_int and isinstance(tree, exp.Select):
            at = int(key.this) - 1
            if 0 <= at < len(tree.expressions):
                return _unaliased(tree.expressions[at])
        return key

    # -- expressions

    def _shown(self, item: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr]) -> Shown:
        if isinstance(item, exp.Distinct) and len(item.expressions) == 1:
            item = item.expressions[0]
        item = item.unnest()
        name = _AGGREGATES.get(type(item))
        if name is None:
            return Shown("", self._text(item, scope, aliases))
        inner, distinct = item.this, False
        if isinstance(inner, exp.Distinct):
            distinct, inner = True, inner.expressions[0]
        text = self._text(inner, scope, aliases)
        # Counting rows and counting the values of a column is nearly always the same.
        return Shown(name, "*" if name == "count" and not distinct else text, distinct)

    def _text(self, tree: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr]) -> str:
        """An expression in lower case with its columns resolved; subqueries are gathered apart."""

        def resolve(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Query | exp.Subquery):
                self._facts.nesting.append("value")
                shown = next(iter(self.query(node, scope).values()), "")
                return exp.Var(this=f"({shown})")
            if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
                return exp.Var(this=self._column(node, scope, aliases))
            return node

        plain = tree.copy().transform(resolve)
        while isinstance(plain, exp.Lower | exp.Upper | exp.Collate | exp.Paren):
            plain = plain.this
        return plain.sql(dialect="sqlite", comments=False).lower()

    def _column(self, column: exp.Column, scope: Scope, aliases: Mapping[str, exp.Expr]) -> str:
        name, alias = column.name.lower(), column.table.lower()
        if alias:
            key = _within(scope.get(alias, alias), name)
        else:
            owners = [source for source in reversed(scope.values()) if name in self._columns(source)]
            if owners:
                key = _within(owners[0], name)
            elif name in aliases:
                return self._shown(aliases[name], scope, {}).inner
            elif column.this.quoted:
                return f"'{column.name}'"  # SQLite takes a quoted name that is no column for text
            else:
                key = name
        self._facts.columns.add(key)
        return self._same.get(key, key)

    def _columns(self, source: dict[str, str] | str) -> Mapping[str, str] | tuple[str, ...]:
        return source if isinstance(source, dict) else self._schema.get(source, ())

    # -- conditions

    def _conditions(
        self, tree: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr], into: set[Condition], negated: bool = False
    ) -> None:
        tree = tree.unnest()
        match tree:
            case exp.And() | exp.Or():
                self._facts.ors += isinstance(tree, exp.Or) is not negated
                self._conditions(tree.this, scope, aliases, into, negated)
                self._conditions(tree.expression, scope, aliases, into, negated)
            case exp.Not():
                self._conditions(tree.this, scope, aliases, into, not negated)
            case exp.Exists():
                if negated:
                    self._facts.nesting.append("without")
                self.query(tree.this, scope)
            case exp.In():
                self._membership(tree, scope, aliases, into, negated)
            case exp.Between():
                subject = self._subject(tree.this, scope, aliases)
                bounds = (("<", ">") if negated else (">=", "<="), (tree.args["low"], tree.args["high"]))
                for operator, value in zip(*bounds, strict=True):
                    into.add(self._compared(subject, operator, value, scope, aliases))
            case _ if type(tree) in _COMPARISONS:
                self._comparison(tree, scope, aliases, into, negated)
            case _:
                into.add(Condition(self._text(tree, scope, aliases), "not" if negated else "", ""))

    def _membership(
        self, tree: exp.In, scope: Scope, aliases: Mapping[str, exp.Expr], into: set[Condition], negated: bool
    ) -> None:
        query = tree.args.get("query")
        subject = self._subject(tree.this, scope, aliases)
        if query is None:
            values = tree.expressions
            self._facts.ors += 0 if negated else len(values) - 1
            into |= {self._compared(subject, "!=" if negated else "=", value, scope, aliases) for value in values}
            return
        self._linked(subject, next(iter(self.query(query, scope).values()), ""))
        if negated:
            self._facts.nesting.append("without")

    def _linked(self, outside: str, inside: str) -> None:
        if outside != inside and all("." in end and "(" not in end for end in (outside, inside)):
            self._facts.joins.add(frozenset({outside, inside}))

    def _comparison(
        self, tree: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr], into: set[Condition], negated: bool
    ) -> None:
        operator = _COMPARISONS[type(tree)]
        left, right = tree.this, tree.expression
        if negated:
            operator = _NEGATED.get(operator, operator)
        if self._is_constant(left, scope) and not self._is_constant(right, scope):
            left, right, operator = right, left, _FLIPPED.get(operator, operator)
        mine = self._subject(left, scope, aliases)
        if isinstance(left, exp.Column) and isinstance(right, exp.Column) and operator == "=":
            other = self._text(right, scope, aliases)
            if not other.startswith("'"):
                self._facts.joins.add(frozenset({mine, other}))
                return
        into.add(self._compared(mine, operator, right, scope, aliases))

    def _compared(
        self, subject: str, operator: str, value: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr]
    ) -> Condition:
        value = value.unnest() if not isinstance(value, exp.Subquery) else value
        if isinstance(value, exp.Literal):
            return Condition(subject, operator, value.this, value.is_string and not _is_number(value.this))
        if isinstance(value, exp.Column) and self._is_constant(value, scope):
            return Condition(subject, operator, value.name, not _is_number(value.name))
        return Condition(subject, operator, self._text(value, scope, aliases))

    def _subject(self, tree: exp.Expr, scope: Scope, aliases: Mapping[str, exp.Expr]) -> str:
        return str(self._shown(tree, scope, aliases))

    def _is_constant(self, tree: exp.Expr, scope: Scope) -> bool:
        if isinstance(tree, exp.Column):
            known = any(tree.name.lower() in self._columns(source) for source in scope.values())
            return not tree.table and bool(tree.this.quoted) and not known
        return isinstance(tree, exp.Literal | exp.Neg | exp.Null | exp.Subquery)


_SET_KINDS = {"union": "either", "intersect": "both", "except": "without"}


def _unaliased(item: exp.Expr) -> exp.Expr:
    unaliased = item.this if isinstance(item, exp.Alias) else item
    assert isinstance(unaliased, exp.Expr)
    return unaliased


def _within(source: dict[str, str] | str, name: str) -> str:
    return source.get(name, name) if isinstance(source, dict) else f"{source}.{name}"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdigit()
