"""Known SQL as a tree: double quotes that hold a text and no column become text, as SQLite reads them."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from agents.catalog import Catalog
from agents.learn.facts import Facts, facts_of


def known_facts(sql: str, catalog: Catalog) -> Facts:
    """The facts of a known query.

    :raises sqlglot.errors.SqlglotError: when it cannot be parsed.
    """
    tree = sqlglot.parse_one(sql, dialect="sqlite")
    names = {column.name.lower() for _, column in catalog.columns()}
    aliases = {node.alias.lower() for node in tree.find_all(exp.Alias)}
    for node in list(tree.find_all(exp.Column)):
        if node.this.args.get("quoted") and not node.table and node.name.lower() not in names | aliases:
            node.replace(exp.Literal.string(node.name))
    return facts_of(tree, catalog)
