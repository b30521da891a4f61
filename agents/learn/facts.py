"""Facts of a query: its sketch and which columns play which role, read off the syntax tree.

The same reading is used for known SQL while training and for the engine's own plans, so that both speak of the same
things: an ``IN`` list and a chain of ``OR`` count alike, as do ``NOT EXISTS``, ``NOT IN`` and ``EXCEPT``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sqlglot import exp

from agents.catalog import Catalog

ColumnKey = tuple[str, str]
"""Table and column as the catalog spells them."""

HEADS: dict[str, tuple[str, ...]] = {
    "items": ("1", "2", "3", "4"),
    "count": ("no", "yes"),
    "avg": ("no", "yes"),
    "sum": ("no", "yes"),
    "min": ("no", "yes"),
    "max": ("no", "yes"),
    "group": ("no", "yes"),
    "order": ("no", "asc", "desc"),
    "order_aggregate": ("no", "yes"),
    "limit": ("no", "one", "more"),
    "where": ("0", "1", "2", "3"),
    "distinct": ("no", "yes"),
    "having": ("no", "yes"),
    "nested": ("no", "anti", "both", "scalar"),
    "or": ("no", "yes"),
    "more": ("no", "yes"),
    "less": ("no", "yes"),
    "differs": ("no", "yes"),
    "like": ("no", "yes"),
    "tables": ("1", "2", "3"),
}
"""The parts of the sketch, each with its classes."""

ROLES = ("select", "where", "group", "order")

_AGGREGATES: dict[type, str] = {exp.Count: "count", exp.Avg: "avg", exp.Sum: "sum", exp.Min: "min", exp.Max: "max"}
_OPERATORS: dict[type, str] = {
    exp.GT: "more",
    exp.GTE: "more",
    exp.LT: "less",
    exp.LTE: "less",
    exp.Between: "more",
    exp.EQ: "equal",
    exp.NEQ: "differs",
    exp.Like: "like",
    exp.ILike: "like",
    exp.Glob: "like",
    exp.StrPosition: "like",
    exp.Is: "null",
}
_CLAUSES = ("expressions", "where", "group", "having", "order")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a query does.

    :ivar sketch: the number of the class of each of :data:`HEADS`, in their order.
    :ivar roles: columns per role of :data:`ROLES`; aggregated columns have the role of their clause.
    :ivar shown: per projected item its column (``None`` where there is none, as in counting rows) and its aggregate.
    :ivar tables: tables read anywhere.
    :ivar clash: whether one column has to equal two values at once.
    """

    sketch: tuple[int, ...]
    roles: dict[str, frozenset[ColumnKey]]
    shown: tuple[tuple[ColumnKey | None, str], ...]
    tables: frozenset[str]
    clash: bool


def facts_of(tree: exp.Expr, catalog: Catalog) -> Facts:
    """The facts of a query over tables of the catalog; names that the catalog lacks are passed over."""
    reader = _Reader(catalog)
    reader.query(tree, shown=True)
    main = reader.blocks[0]
    shown = tuple(_item(item, main) for item in main.select.expressions)
    tables = frozenset(table for block in reader.blocks for table in block.tables.values())
    roles = {role: frozenset(reader.roles[role]) for role in ROLES}
    equal = Counter(column for operator, column in reader.conditions if operator == "equal")
    clash = "or" not in reader.seen and len(reader.blocks) == 1 and any(number > 1 for number in equal.values())
    return Facts(_sketch(tree, reader, shown, len(tables)), roles, shown, tables, clash)


class _Block:
    """One SELECT with the tables it names, by alias."""

    def __init__(self, select: exp.Select, catalog: Catalog) -> None:
        self.select = select
        self.catalog = catalog
        self.tables: dict[str, str] = {}
        for source in (select.args.get("from_"), *(select.args.get("joins") or ())):
            table = source.this if source is not None else None
            if isinstance(table, exp.Table) and table.name in catalog:
                self.tables[table.alias_or_name.lower()] = catalog.table(table.name).name

    def column(self, node: exp.Column) -> ColumnKey | None:
        """The catalog's column; without a qualifier that of the first table which has it."""
        owner = node.table.lower()
        owners = [self.tables[owner]] if owner in self.tables else [] if owner else list(self.tables.values())
        for name in owners:
            table = self.catalog.table(name)
            if node.name in table:
                return table.name, table.column(node.name).name
        return None


@dataclass
class _Reader:
    """Walks a query once and notes what it meets."""

    catalog: Catalog
    blocks: list[_Block] = field(default_factory=list)
    roles: dict[str, set[ColumnKey]] = field(default_factory=lambda: {role: set() for role in ROLES})
    conditions: list[tuple[str, str]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    exists: int = 0

    def query(self, tree: exp.Expr, *, shown: bool) -> None:
        """A statement or a query inside one; ``shown`` when what it projects is part of the result."""
        if isinstance(tree, exp.SetOperation):
            self.seen.add(type(tree).__name__.lower())
            self.query(tree.this, shown=shown)
            self.query(tree.expression, shown=shown)
        elif isinstance(tree, exp.Select):
            block = _Block(tree, self.catalog)
            self.blocks.append(block)
            for clause in _CLAUSES:
                part = tree.args.get(clause)
                if not part:
                    continue
                self.seen.add(clause)
                for node in part if isinstance(part, list) else (part,):
                    self.node(node, clause, block, shown=shown, negated=False, aggregated=False)
            for source in (tree.args.get("from_"), *(tree.args.get("joins") or ())):
                if source is not None and isinstance(source.this, exp.Subquery):
                    self.query(source.this.this, shown=False)
        elif isinstance(tree, exp.Subquery):
            self.query(tree.this, shown=shown)

    def node(self, node: exp.Expr, clause: str, block: _Block, *, shown: bool, negated: bool, aggregated: bool) -> None:
        kind: type = type(node)
        if isinstance(node, exp.Query):
            self.query(node, shown=False)
            return
        if isinstance(node, exp.Column):
            self._column(node, clause, block, shown=shown, aggregated=aggregated)
            return
        if kind is exp.Not:
            negated = True
        elif kind is exp.Or:
            self.seen.add("or")
        elif kind is exp.Exists:
            self.exists += 1
            self.seen.add("anti" if negated else "exists")
        elif kind in _AGGREGATES:
            aggregated = True
        elif kind is exp.In:
            if node.args.get("query") is not None:
                self.seen.add("anti" if negated else "in")
            elif clause == "where":
                self.conditions += [("differs" if negated else "equal", node.this.sql())] * len(node.expressions)
                if len(node.expressions) > 1:
                    self.seen.add("or")
        elif (
            kind in _OPERATORS and clause in ("where", "having") and self._compare(node, kind, clause, negated=negated)
        ):
            return
        for inner in node.iter_expressions():
            self.node(inner, clause, block, shown=shown, negated=negated, aggregated=aggregated)

    def _compare(self, node: exp.Expr, kind: type, clause: str, *, negated: bool) -> bool:
        """Note a comparison; whether it only ties blocks together by their keys."""
        left, right = node.this, node.args.get("expression")
        if kind is exp.EQ and isinstance(left, exp.Column) and isinstance(right, exp.Column):
            return True
        if isinstance(left, exp.Query) or isinstance(right, exp.Query):
            self.seen.add("scalar")
        operator = _OPERATORS[kind]
        if operator == "equal" and negated:
            operator = "differs"
        self.seen.add(operator)
        if clause == "where":
            self.conditions.append((operator, left.sql()))
        return False

    def _column(self, node: exp.Column, clause: str, block: _Block, *, shown: bool, aggregated: bool) -> None:
        role = {"expressions": "select" if shown else "", "having": "" if aggregated else "group"}.get(clause, clause)
        column = block.column(node) if role else None
        if column is not None:
            self.roles[role].add(column)


def _item(item: exp.Expr, block: _Block) -> tuple[ColumnKey | None, str]:
    inner = item.unalias()
    if type(inner) is exp.Column:
        return block.column(inner), ""
    found = next((node for node in inner.walk() if type(node) in _AGGREGATES), None)
    column = inner.find(exp.Column)
    return (block.column(column) if column is not None else None), _AGGREGATES[type(found)] if found is not None else ""


def _sketch(
    tree: exp.Expr, reader: _Reader, shown: tuple[tuple[ColumnKey | None, str], ...], tables: int
) -> tuple[int, ...]:
    aggregates = {aggregate for _, aggregate in shown}
    top = reader.blocks[0].select
    order = tree.args.get("order") or top.args.get("order")
    first = order.expressions[0] if order is not None and order.expressions else None
    limit = tree.args.get("limit") or top.args.get("limit")
    seen = reader.seen
    ranges = {column for operator, column in reader.conditions if operator in ("more", "less")}
    count = len(ranges) + sum(operator not in ("more", "less") for operator, _ in reader.conditions)
    both = "intersect" in seen or reader.exists > 1
    anti = "except" in seen or "anti" in seen
    values: dict[str, int] = {
        "items": min(len(shown), 4) - 1,
        **{name: int(name in aggregates) for name in _AGGREGATES.values()},
        "group": int("group" in seen),
        "order": 0 if first is None else 2 if first.args.get("desc") else 1,
        "order_aggregate": int(first is not None and _orders_by_aggregate(first, top)),
        "limit": 0 if limit is None else 1 if limit.expression.name == "1" else 2,
        "where": min(count, 3),
        "distinct": int(bool(top.args.get("distinct"))),
        "having": int("having" in seen),
        "nested": 1 if anti else 2 if both else 3 if "scalar" in seen else 0,
        "or": int("or" in seen or "union" in seen),
        **{name: int(name in seen) for name in ("more", "less", "differs", "like")},
        "tables": min(max(tables, 1), 3) - 1,
    }
    return tuple(values[head] for head in HEADS)


def _orders_by_aggregate(first: exp.Expr, top: exp.Select) -> bool:
    key = first.this
    if key.find(exp.AggFunc):
        return True
    named = {item.alias: item for item in top.expressions if item.alias}
    return isinstance(key, exp.Column) and key.name in named and named[key.name].find(exp.AggFunc) is not None
