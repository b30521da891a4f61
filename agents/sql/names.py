"""Every table and column of a query, resolved against the catalog the way SQLite resolves them.

SQLite reads ``"reveune"`` as a piece of text when no column has that name, and answers nonsense. Here an unknown name
is an error with the nearest names as a hint, quoted or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import fuzz, process
from sqlglot import exp

from agents.catalog import Catalog
from agents.errors import GuardRejected
from agents.sql.rules import DialectRules
from agents.sql.scopes import Cte, Ctes, Scope, Source


def _nearest(name: str, known: Iterable[str]) -> str:
    scored = process.extract(
        name, list(dict.fromkeys(known)), scorer=fuzz.ratio, processor=str.lower, limit=3, score_cutoff=55
    )
    names = [found[0] for found in scored]
    return f"Did you mean {' or '.join(names)}?" if names else ""


class NameCheck:
    """One walk over one query. ``tables`` afterwards holds the catalog names of all tables read, in order of use."""

    def __init__(self, catalog: Catalog, rules: DialectRules) -> None:
        self._catalog = catalog
        self._rules = rules
        self._tables: dict[str, None] = {}
        self._seen: set[int] = set()

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self._tables)

    def check(self, tree: exp.Expr) -> None:
        """
        :raises GuardRejected: ``guard.unknown_table``, ``guard.unknown_column``, ``guard.ambiguous_column``,
            ``guard.system_table``, ``guard.table_function``, ``guard.circular``.
        """
        self._query(tree, None, Ctes())
        # A name in a place that the walk does not know would be a hole: refused until the walk learns that place.
        for node in tree.find_all(exp.Table, exp.Column):
            if id(node) not in self._seen:
                raise GuardRejected(
                    "guard.construct", f"{node.name} stands in an unexpected place.", "Write the statement another way."
                )

    # queries: each returns the lower-case names of its output columns ("" where an expression has no name)

    def _query(self, node: exp.Expr, outer: Scope | None, ctes: Ctes) -> list[str]:
        ctes = self._with(node, outer, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, outer, ctes)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, outer, ctes)
        if isinstance(node, exp.Subquery):
            columns = self._query(node.this, outer, ctes)
            self._modifiers(node, Scope(outer, [Source("", columns)]), ctes)
            return columns
        if isinstance(node, exp.Values):
            return self._values(node, outer, ctes)
        raise GuardRejected("guard.not_a_query", "A sub-query is not a SELECT.", "Write a SELECT.")

    def _with(self, node: exp.Expr, outer: Scope | None, ctes: Ctes) -> Ctes:
        clause = node.args.get("with_")
        if clause is None:
            return ctes
        inner = Ctes(ctes)
        for cte in clause.expressions:
            inner.by_name[cte.alias.lower()] = Cte(cte, inner, outer)
        for entry in inner.by_name.values():
            self._cte_columns(entry)
        return inner

    def _cte_columns(self, cte: Cte) -> list[str]:
        if cte.columns is not None:
            return cte.columns
        alias = cte.node.args["alias"]
        named = [column.name.lower() for column in alias.args.get("columns") or []]
        if cte.busy:
            # A recursive reference: its columns are those of the first SELECT, which does not refer to itself.
            body = cte.node.this.unnest()
            if not isinstance(body, exp.SetOperation):
                raise GuardRejected(
                    "guard.circular", f"{cte.node.alias} refers to itself.", "Start it with a plain SELECT."
                )
            return named or self._names_only(body)
        cte.busy = True
        found = self._query(cte.node.this, cte.outer, cte.defined_in)
        cte.columns = named or found
        return cte.columns

    def _names_only(self, body: exp.SetOperation) -> list[str]:
        first: exp.Expr = body
        while isinstance(first, exp.SetOperation | exp.Subquery):
            first = first.this
        if not isinstance(first, exp.Select) or any(item.is_star for item in first.expressions):
            raise GuardRejected(
                "guard.circular", "A recursive query needs named columns.", "List them: WITH RECURSIVE name(a, b) AS …"
            )
        return [item.alias_or_name.lower() for item in first.expressions]

    def _select(self, node: exp.Select, outer: Scope | None, ctes: Ctes) -> list[str]:
        scope = Scope(outer)
        first = node.args.get("from_")
        if first is not None:
            self._source(first.this, scope, ctes)
        self._joins(node.args.get("joins") or [], scope, ctes)
        for item in node.expressions:
            self._expression(item, scope, ctes)
        scope.aliases = {item.alias.lower() for item in node.expressions if isinstance(item, exp.Alias)}
        # SQLite lets the other clauses see the aliases of the result, but not one result column those of another.
        for join in self._all_joins(node):
            on = join.args.get("on")
            if on is not None:
                self._expression(on, scope, ctes)
        for key in ("distinct", "where", "group", "having"):
            part = node.args.get(key)
            if part is not None:
                self._expression(part, scope, ctes)
        for window in node.args.get("windows") or []:
            self._expression(window, scope, ctes)
        columns = list(self._outputs(node.expressions, scope))
        self._modifiers(node, scope, ctes, set(columns))
        return columns

    def _set_operation(self, node: exp.SetOperation, outer: Scope | None, ctes: Ctes) -> list[str]:
        # Chains of UNION lean to the left and may be long: walked in a loop.
        chain: list[exp.Expr] = []
        left: exp.Expr = node
        while isinstance(left, exp.SetOperation):
            chain.append(left.expression)
            if left is not node:
                ctes = self._with(left, outer, ctes)
                self._modifiers(left, Scope(outer), ctes)
            left = left.this
        columns = self._query(left, outer, ctes)
        named = set(columns)
        for part in reversed(chain):
            named.update(self._query(part, outer, ctes))
        sources = Scope(outer, [Source("", sorted(named - {""}))])
        inner = left.unnest() if isinstance(left, exp.Subquery) else left
        if isinstance(inner, exp.Select):
            # ORDER BY may also repeat an expression of a part, with its table names.
            self._repeat_sources(inner, sources, ctes)
        self._modifiers(node, sources, ctes, named)
        return columns

    def _repeat_sources(self, select: exp.Select, scope: Scope, ctes: Ctes) -> None:
        behind = Scope(scope.outer)
        first = select.args.get("from_")
        if first is not None:
            self._source(first.this, behind, ctes)
        self._joins(select.args.get("joins") or [], behind, ctes)
        scope.outer = behind

    def _values(self, node: exp.Values, outer: Scope | None, ctes: Ctes) -> list[str]:
        scope = Scope(outer)
        width = 0
        for row in node.expressions:
            cells = row.expressions if isinstance(row, exp.Tuple) else [row]
            width = max(width, len(cells))
            for cell in cells:
                self._expression(cell, scope, ctes)
        return [f"column{place}" for place in range(1, width + 1)]

    def _modifiers(self, node: exp.Expr, scope: Scope, ctes: Ctes, outputs: set[str] | None = None) -> None:
        order = node.args.get("order")
        if order is not None:
            for term in order.expressions:
                column = term.this if isinstance(term, exp.Ordered) else term
                if isinstance(column, exp.Column) and not column.table and outputs and column.name.lower() in outputs:
                    self._seen.add(id(column))
                else:
                    self._expression(column, scope, ctes)
        for key in ("limit", "offset"):
            if node.args.get(key) is not None:
                self._expression(node.args[key], Scope(None), ctes)

    # FROM

    def _joins(self, joins: Sequence[exp.Join], scope: Scope, ctes: Ctes) -> None:
        for join in joins:
            before = [column for source in scope.sources for column in source.columns]
            self._source(join.this, scope, ctes)
            right = scope.sources[-1]
            if join.args.get("method") == "NATURAL":
                scope.merged.update(set(before) & set(right.columns))
            for name in join.args.get("using") or []:
                lowered = name.name.lower()
                if lowered not in before or lowered not in right.columns:
                    raise self._unknown_column(name.name, scope)
                scope.merged.add(lowered)

    def _all_joins(self, node: exp.Expr) -> Iterator[exp.Join]:
        """The joins of a FROM clause, those inside parentheses too."""
        first = node.args.get("from_")
        tables = [] if first is None else [first.this]
        for join in node.args.get("joins") or []:
            yield join
            tables.append(join.this)
        for table in tables:
            yield from self._nested(table)

    def _nested(self, table: exp.Expr) -> Iterator[exp.Join]:
        if not isinstance(table, exp.Table | exp.Subquery):
            return
        for join in table.args.get("joins") or []:
            yield join
            yield from self._nested(join.this)
        if isinstance(table, exp.Subquery):
            yield from self._nested(table.this)

    def _source(self, node: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        if isinstance(node, exp.Table):
            scope.sources.append(self._table(node, ctes))
        elif isinstance(node, exp.Subquery) and _is_join(node.this):
            if node.alias:
                raise GuardRejected("guard.construct", "A join in parentheses has an alias.", "Leave the alias out.")
            self._source(node.this, scope, ctes)
        elif isinstance(node, exp.Subquery | exp.Values):
            columns = self._query(node, scope.outer, ctes)
            scope.sources.append(Source(node.alias.lower(), columns))
        else:
            raise GuardRejected(
                "guard.construct", "FROM holds something that is no table.", "Name tables or sub-queries."
            )
        self._joins(node.args.get("joins") or [], scope, ctes)

    def _table(self, node: exp.Table, ctes: Ctes) -> Source:
        self._seen.add(id(node))
        if not isinstance(node.this, exp.Identifier):
            raise GuardRejected("guard.table_function", "A function stands in place of a table.", "Name a table.")
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            raise GuardRejected("guard.construct", "A table alias lists columns.", "Name the columns in a sub-query.")
        name, schema = node.name, node.db
        shown = (node.alias or name).lower()
        cte = None if schema else ctes.find(name.lower())
        if cte is not None:
            return Source(shown, self._cte_columns(cte))
        system_schema = schema and schema.lower() not in self._rules.schemas
        if self._rules.is_system_table(name) or (system_schema and not self._in_schema(schema, name)):
            whole = f"{schema}.{name}" if schema else name
            raise GuardRejected(
                "guard.system_table",
                f"{whole} is not one of the tables that may be read.",
                "Use the tables of the schema page.",
            )
        if name not in self._catalog:
            hint = _nearest(name, (table.name for table in self._catalog.tables))
            raise GuardRejected(
                "guard.unknown_table", f"There is no table {name}.", hint or "See the schema page for its tables."
            )
        table = self._catalog.table(name)
        self._tables[table.name] = None
        return Source(shown, [column.name.lower() for column in table.columns], table.kind == "table")

    def _in_schema(self, schema: str, name: str) -> bool:
        if name not in self._catalog:
            return False
        return (self._catalog.table(name).schema or "").lower() == schema.lower()

    # expressions

    def _expression(self, node: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        waiting = [node]
        while waiting:
            found = waiting.pop()
            if isinstance(found, exp.Column):
                self._column(found, scope)
            elif isinstance(found, exp.Select | exp.SetOperation | exp.Subquery | exp.Values):
                self._query(found, scope, ctes)
            else:
                waiting.extend(found.iter_expressions())

    def _column(self, node: exp.Column, scope: Scope) -> None:
        self._seen.add(id(node))
        if node.db and node.db.lower() not in self._rules.schemas:
            raise GuardRejected(
                "guard.system_table", f"{node.db}.{node.table} cannot be read.", "Name the table alone."
            )
        name, table = node.name.lower(), node.table.lower()
        if table:
            source = self._find_source(table, scope)
            if source is None:
                known = (found.name for found in self._visible(scope))
                hint = _nearest(node.table, known) or "Add it to FROM, or use its alias."
                raise GuardRejected("guard.unknown_table", f"{node.table} is not in the FROM of this query.", hint)
            if isinstance(node.this, exp.Star) or name in source.columns or self._is_row_id(name, [source]):
                return
            raise self._unknown_column(f"{node.table}.{node.name}", scope, source)
        if isinstance(node.this, exp.Star):
            return
        place: Scope | None = scope
        while place is not None:
            holders = [source for source in place.sources if name in source.columns]
            if len(holders) > 1 and name not in place.merged and name not in place.aliases:
                where = " and ".join(source.name or "a sub-query" for source in holders)
                raise GuardRejected(
                    "guard.ambiguous_column", f"{node.name} is in {where}.", f"Write {holders[0].name}.{node.name}."
                )
            if holders or name in place.aliases or self._is_row_id(name, place.sources):
                if holders and holders[0].name and not is_plain_name(node.name, self._rules):
                    # Unqualified and quoted, it would turn into text should the column ever be dropped.
                    node.set("table", exp.to_identifier(holders[0].name))
                return
            place = place.outer
        raise self._unknown_column(node.name, scope, quoted=bool(node.this.args.get("quoted")))

    def _is_row_id(self, name: str, sources: Sequence[Source]) -> bool:
        return name in self._rules.row_ids and any(source.is_table for source in sources)

    def _find_source(self, table: str, scope: Scope) -> Source | None:
        return next((source for source in self._visible(scope) if source.name == table), None)

    @staticmethod
    def _visible(scope: Scope | None) -> Iterator[Source]:
        while scope is not None:
            yield from scope.sources
            scope = scope.outer

    def _unknown_column(
        self, shown: str, scope: Scope, source: Source | None = None, quoted: bool = False
    ) -> GuardRejected:
        sources = [source] if source is not None else list(self._visible(scope))
        hint = _nearest(shown.rsplit(".", 1)[-1], (column for found in sources for column in found.columns if column))
        if quoted and not hint:
            hint = f"If it is a text, write it in single quotes: '{shown}'."
        return GuardRejected(
            "guard.unknown_column", f"There is no column {shown}.", hint or "See the schema page for its columns."
        )

    def _outputs(self, items: Sequence[exp.Expr], scope: Scope) -> Iterator[str]:
        for item in items:
            if isinstance(item, exp.Star):
                for source in scope.sources:
                    yield from source.columns
            elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
                found = self._find_source(item.table.lower(), scope)
                yield from found.columns if found is not None else []
            else:
                yield item.alias_or_name.lower() if isinstance(item, exp.Alias | exp.Column) else ""


def _is_join(node: exp.Expr) -> bool:
    """Whether parentheses in FROM hold tables and joins, not a query."""
    if isinstance(node, exp.Subquery):
        return bool(node.alias or node.args.get("joins")) or _is_join(node.this)
    return isinstance(node, exp.Table)


def is_plain_name(name: str, rules: DialectRules) -> bool:
    """Whether a name can be written without quotes."""
    return name.isidentifier() and name.lower() not in rules.keywords
