"""What the database and its keys say about a measure's expression: may its functions run, can its tables be joined."""

from __future__ import annotations

from functools import cached_property

import sqlglot
from sqlglot import exp

from agents.catalog import Catalog
from agents.errors import GuardRejected
from agents.glossary import GlossaryProblem
from agents.glossary.measures import TOO_DEEP
from agents.plan.graph import KeyGraph
from agents.sql.allowed import AllowedSql
from agents.sql.guard import check

_REASONS = {
    "guard.function": "Measure %(name)s uses a function that is not available here: %(problem)s",
    "guard.parameter": "Measure %(name)s has an open parameter.",
    "guard.too_complex": TOO_DEEP,
}


_FUNCTIONS = "Use SUM, AVG, COUNT, MIN, MAX and arithmetic."


def trial(expression: str, catalog: Catalog) -> AllowedSql:
    """A statement that computes the expression over no rows: what cannot run at all fails on it.

    :raises GuardRejected: for what the guard refuses.
    """
    tree = sqlglot.parse_one(expression, dialect=catalog.dialect)
    tables = dict.fromkeys(catalog.table(column.table).name for column in tree.find_all(exp.Column))
    source = " CROSS JOIN ".join(exp.to_identifier(table, quoted=True).sql(catalog.dialect) for table in tables)
    return check(f"SELECT {expression} AS measure FROM {source} WHERE 1 = 0", catalog)


class MeasureCheck:
    """Why an expression over known columns can never be computed; implements the check that glossaries are read with
    (:data:`agents.glossary.fits.MeasureCheck`)."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    @cached_property
    def _graph(self) -> KeyGraph:
        return KeyGraph(self._catalog)

    def __call__(self, name: str, expression: str) -> GlossaryProblem | None:
        """The problem at its place in the glossary; ``None`` when there is none."""
        at = ("measures", name, "expression")
        try:
            trial(expression, self._catalog)
        except GuardRejected as refused:
            template = _REASONS.get(refused.code, "Measure %(name)s is refused: %(problem)s")
            values = {"name": repr(name), "problem": refused.message}
            kept = {key: value for key, value in values.items() if f"%({key})s" in template}
            hint = _FUNCTIONS if refused.code == "guard.function" else refused.hint.replace("%", "%%")
            return GlossaryProblem("glossary.measure", template, kept, hint, at)
        return self._join_problem(name, expression, at)

    def _join_problem(self, name: str, expression: str, at: tuple[str, ...]) -> GlossaryProblem | None:
        tree = sqlglot.parse_one(expression, dialect=self._catalog.dialect)
        tables = _tables(tree, self._catalog)
        if len(tables) < 2:
            return None
        if not self._graph.connected(tables):
            return GlossaryProblem(
                "glossary.measure",
                "Measure %(name)s needs %(tables)s together, and no key leads from one to the other.",
                {"name": repr(name), "tables": ", ".join(tables)},
                "Use columns of tables that refer to each other.",
                at,
            )
        base = next((table for table in tables if _holds(self._graph, table, tables)), None)
        for aggregate in tree.find_all(exp.AggFunc):
            own = _tables(aggregate, self._catalog) or tables[:1]
            if _same_when_repeated(aggregate) or base in own:
                continue
            others = ", ".join(table for table in tables if table not in own)
            return GlossaryProblem(
                "glossary.measure",
                "Measure %(name)s would count rows of %(table)s more than once, for each row of %(others)s.",
                {"name": repr(name), "table": own[0], "others": others},
                "Make two measures of it, or count different values: COUNT(DISTINCT table.column).",
                at,
            )
        return None


def _holds(graph: KeyGraph, table: str, others: tuple[str, ...]) -> bool:
    """Whether a row of the table has at most one row of each of the others."""
    sources = graph.sources(table, others)
    return bool(sources) and not any(join.many for join in sources[0].joins)


def _same_when_repeated(aggregate: exp.Expr) -> bool:
    distinct = isinstance(aggregate, exp.Count) and isinstance(aggregate.this, exp.Distinct)
    return distinct or isinstance(aggregate, exp.Min | exp.Max)


def _tables(tree: exp.Expr, catalog: Catalog) -> tuple[str, ...]:
    return tuple(dict.fromkeys(catalog.table(column.table).name for column in tree.find_all(exp.Column)))
