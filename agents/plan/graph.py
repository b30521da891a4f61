"""The key graph of a catalog, and the ways to join a set of tables over it.

Joining is a Steiner tree problem; schemas are small and question terminals few, so the tree is grown from the root by
the
cheapest path to the next terminal (the shortest-path heuristic of Takahashi and Matsuyama, 1980). Where several
cheapest
paths exist, every one is returned: that is an ambiguity for the caller to weigh, not to toss a coin over.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from agents.catalog import Catalog
from agents.plan.ir import Join, Source, TableRef

DECLARED, INFERRED = 1.0, 1.3
"""Cost of a join over a declared and over an inferred key."""

MAX_SOURCES = 4


@dataclass(frozen=True, slots=True)
class Edge:
    """A key between two tables, seen from ``left``."""

    left: str
    left_columns: tuple[str, ...]
    right: str
    right_columns: tuple[str, ...]
    many: bool
    inferred: bool

    @property
    def cost(self) -> float:
        return INFERRED if self.inferred else DECLARED


class KeyGraph:
    """Undirected multigraph of tables and keys. Immutable after construction."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._edges: dict[str, list[Edge]] = {table.name: [] for table in catalog.tables}
        for table in catalog.tables:
            for key in table.foreign_keys:
                if key.ref_table not in catalog:
                    continue
                other = catalog.table(key.ref_table)
                if not all(c in table for c in key.columns) or not all(c in other for c in key.ref_columns):
                    continue
                up = Edge(table.name, key.columns, other.name, key.ref_columns, False, key.inferred)
                self._edges[table.name].append(up)
                if other.name != table.name:
                    many = not table.is_unique(key.columns)
                    down = Edge(other.name, key.ref_columns, table.name, key.columns, many, key.inferred)
                    self._edges[other.name].append(down)

        self._component: dict[str, int] = {}
        for number, name in enumerate(self._edges):
            queue = [name] if name not in self._component else []
            while queue:
                here = queue.pop()
                if here not in self._component:
                    self._component[here] = number
                    queue += [edge.right for edge in self._edges[here]]

    def component(self, table: str) -> int:
        """Number of the connected part of the graph that the table is in."""
        return self._component[table]

    def edges(self, table: str) -> tuple[Edge, ...]:
        return tuple(self._edges[table])

    def between(self, left: str, right: str) -> tuple[Edge, ...]:
        return tuple(edge for edge in self._edges[left] if edge.right == right)

    def sources(self, root: str, terminals: Iterable[str]) -> tuple[Source, ...]:
        """Ways to join ``terminals`` to ``root``, cheapest first; empty when they are not connected."""
        start = Source(TableRef(root, self._catalog.table(root)))
        wanted = [t for t in dict.fromkeys(terminals) if t != root]
        trees: list[tuple[float, Source]] = [(0.0, start)]
        while wanted:
            grown: list[tuple[float, int, str, Source]] = []
            for cost, source in trees:
                inside = {ref.table.name for ref in source.refs()}
                for terminal in wanted:
                    if terminal in inside:
                        grown.append((cost, len(grown), terminal, source))
                        continue
                    for path_cost, path in self._paths(inside, terminal):
                        grown.append((cost + path_cost, len(grown), terminal, self._extend(source, path)))
            if not grown:
                return ()
            cheapest = min(grown)
            terminal = cheapest[2]
            same = [(c, s) for c, _, t, s in sorted(grown, key=lambda g: g[:2]) if t == terminal]
            limit = same[0][0] + 1e-9
            trees = list(islice(((c, s) for c, s in same if c <= limit), MAX_SOURCES))
            wanted.remove(terminal)
        return tuple(source for _, source in trees)

    def cost(self, source: Source) -> float:
        return sum(INFERRED if join.inferred else DECLARED for join in source.joins)

    def connected(self, tables: Iterable[str]) -> bool:
        names = list(dict.fromkeys(tables))
        return len(names) < 2 or bool(self.sources(names[0], names[1:]))

    def _paths(self, inside: set[str], goal: str) -> list[tuple[float, tuple[Edge, ...]]]:
        """All cheapest paths from the tree to ``goal`` (Dijkstra, keeping equal-cost predecessors)."""
        distance = dict.fromkeys(inside, 0.0)
        before: dict[str, list[Edge]] = {}
        queue = [(0.0, table) for table in sorted(inside)]
        while queue:
            so_far, table = heapq.heappop(queue)
            if so_far > distance.get(table, float("inf")):
                continue
            if table == goal:
                break
            for edge in self._edges[table]:
                if edge.right in inside or edge.right == table:
                    continue
                cost = so_far + edge.cost
                known = distance.get(edge.right, float("inf"))
                if cost < known - 1e-9:
                    distance[edge.right] = cost
                    before[edge.right] = [edge]
                    heapq.heappush(queue, (cost, edge.right))
                elif abs(cost - known) <= 1e-9:
                    before[edge.right].append(edge)
        if goal not in distance:
            return []
        return [(distance[goal], path) for path in islice(self._walk(goal, inside, before), MAX_SOURCES)]

    def _walk(self, goal: str, inside: set[str], before: dict[str, list[Edge]]) -> Iterator[tuple[Edge, ...]]:
        if goal in inside:
            yield ()
            return
        for edge in before[goal]:
            for path in self._walk(edge.left, inside, before):
                yield (*path, edge)

    def _extend(self, source: Source, path: tuple[Edge, ...]) -> Source:
        joins = list(source.joins)
        for edge in path:
            right = TableRef(edge.right, self._catalog.table(edge.right))
            joins.append(
                Join(edge.left, edge.left_columns, right, edge.right_columns, many=edge.many, inferred=edge.inferred)
            )
        return Source(source.root, tuple(joins))


def reroot(source: Source, root: str) -> Source:
    """The same join tree seen from another of its table instances: ``many`` is turned round with each edge."""
    refs = {ref.alias: ref for ref in source.refs()}
    joins: list[Join] = []
    seen, queue = {root}, [root]
    while queue:
        here = queue.pop(0)
        for join in source.joins:
            if join.left_alias == here and join.right.alias not in seen:
                joins.append(join)
                seen.add(join.right.alias)
                queue.append(join.right.alias)
            elif join.right.alias == here and join.left_alias not in seen:
                left = refs[join.left_alias]
                many = not left.table.is_unique(join.left_columns)
                joins.append(Join(here, join.right_columns, left, join.left_columns, many=many, inferred=join.inferred))
                seen.add(left.alias)
                queue.append(left.alias)
    return Source(refs[root], tuple(joins))


def multiplied(source: Source, alias: str) -> bool:
    """Whether the join repeats rows of this table instance (the fan-out question)."""
    return any(join.many for join in reroot(source, alias).joins)


def siblings(source: Source) -> int:
    """Joins to many that hang on a table reached by a join to one: orders and suppliers that share a country. Rows put
    together like that seldom have anything to do with each other."""
    upward = {join.right.alias for join in source.joins if not join.many}
    return sum(join.many and join.left_alias in upward for join in source.joins)


def repeaters(source: Source, alias: str) -> tuple[str, ...]:
    """Tables that have several rows for one of ``alias``: the first behind each join to many, not what hangs on it."""
    behind = set(sides(source, alias))
    found = [j.right.table.name for j in reroot(source, alias).joins if j.many and j.left_alias not in behind]
    return tuple(dict.fromkeys(found))


def sides(source: Source, alias: str) -> tuple[str, ...]:
    """Table instances that, seen from ``alias``, lie behind a join to many: those that would repeat its rows."""
    behind: list[str] = []
    for join in reroot(source, alias).joins:
        if join.many or join.left_alias in behind:
            behind.append(join.right.alias)
    return tuple(behind)
