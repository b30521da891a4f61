"""Compiling: a draft becomes a plan. Tables are joined over keys, dates and labels are filled in, fan-out is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from agents.catalog import Catalog
from agents.glossary import Glossary, measure_expression
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.plan.checks import Check
from agents.plan.graph import KeyGraph, siblings
from agents.plan.ir import (
    Aggregate,
    And,
    CountPlan,
    Function,
    Item,
    Metric,
    Or,
    Plan,
    PlanError,
    Predicate,
    Select,
    SetOperator,
    SetPlan,
    Source,
    Truncated,
)
from agents.plan.labels import table_label
from agents.plan.read.derive import Compile, derive, top_of_each
from agents.plan.read.draft import AbsenceDraft, DimensionDraft, Draft, MeasureDraft
from agents.plan.read.fanout import FanOut, semi_join, settle
from agents.plan.read.predicates import absence, condition, having
from agents.plan.read.sets import NeedsBoth, contradicts, two_sides
from agents.plan.read.shown import CannotCompile, Shown
from agents.plan.read.words import measure_words


@dataclass(frozen=True, slots=True)
class Compiled:
    """A plan with the draft it came from and what had to be decided on the way."""

    plan: Plan
    draft: Draft
    checks: tuple[Check, ...]
    features: tuple[tuple[str, float], ...]


class Compiler(Shown):
    """Compiles drafts against one catalog. Immutable; safe to share between threads."""

    def __init__(self, catalog: Catalog, glossary: Glossary, graph: KeyGraph) -> None:
        super().__init__(catalog, glossary)
        self.graph = graph

    def compile(self, draft: Draft, lang: str) -> list[Compiled]:
        """Every plan the draft may mean (one per equally short way to join), best first.

        :raises CannotCompile: when it makes none.
        """
        if draft.derived is not None:
            return self._over(draft, lang, lambda plain: derive(draft, plain, lang))
        if (sides := two_sides(draft)) is not None:
            return self._combined(draft, *sides, lang)
        if (counted := self._counted_groups(draft)) is not None:
            return self._count_groups(draft, counted, lang)
        if draft.per_group and draft.limit is not None:
            if draft.offset:
                raise CannotCompile("not_expressible")
            of = draft.partition or [d.target for d in draft.dimensions[:1] if d.target]
            return self._over(draft, lang, lambda plain: top_of_each(draft, plain, of))
        root = self._root(draft)
        if root is None:
            raise CannotCompile("nothing_asked")
        draft = self._dated(draft, root)
        if contradicts(draft):
            raise CannotCompile("not_expressible", "no row can meet both conditions")
        needed = list(self._tables(draft, root))
        sources = self.graph.sources(root, needed)
        if not sources:
            raise CannotCompile("not_connected", names=tuple(dict.fromkeys([root, *needed])))
        hinted = {(h.table, h.column) for h in draft.hints}
        sources = tuple(sorted(sources, key=lambda s: -_hits(s, hinted)))
        compiled: list[Compiled] = []
        problem: CannotCompile | None = None
        for source in sources:
            try:
                compiled.append(self._select(draft, source, lang, len(sources)))
            except FanOut as error:
                problem = problem or CannotCompile("fan_out", str(error), (error.measure, error.base, *error.tables))
            except PlanError as error:
                problem = problem or CannotCompile("invalid", str(error))
            except NeedsBoth as error:
                return self._combined(draft, SetOperator.INTERSECT, *error.sides, lang)
        if not compiled:
            raise problem or CannotCompile("invalid")
        return compiled

    def _over(self, draft: Draft, lang: str, make: Callable[[Compile], list[Plan]]) -> list[Compiled]:
        """What is made of the plans of plain drafts: of their measures, of their first rows in each group."""
        kept: list[Compiled] = []

        def plain(one: Draft) -> list[Plan]:
            made = self.compile(one, lang)
            kept.extend(made)
            return [compiled.plan for compiled in made]

        try:
            plans = make(plain)
        except PlanError as error:
            raise CannotCompile("not_expressible", str(error)) from error
        return [replace(one, plan=plan, draft=draft) for one, plan in zip(kept, plans, strict=False)]

    def _counted_groups(self, draft: Draft) -> TableTarget | None:
        """The thing that is counted although a condition is about groups of its rows ("how many customers have more
        than 10
        orders"); a condition on the count of the thing itself makes no sense."""
        if not draft.having or draft.dimensions or len(draft.measures) != 1:
            return None
        measure = draft.measures[0]
        if measure.function is not Function.COUNT or not isinstance(measure.target, TableTarget):
            return None
        if any(h.measure.target == measure.target for h in draft.having):
            shown = [DimensionDraft(target, None, at) for at, target in draft.projections]
            if not shown and draft.entity is not None and draft.entity != measure.target:
                shown = [DimensionDraft(draft.entity, None, draft.entity_at)]
            if shown:
                # "which documents have more than 1 draft copy? Show their id and number of draft copies."
                draft.dimensions, draft.projections = shown, []
                return None
            raise CannotCompile("not_expressible", names=(measure.target.table,))
        return measure.target

    def _count_groups(self, draft: Draft, target: TableTarget, lang: str) -> list[Compiled]:
        label = measure_words(draft.measures[0], self.glossary, lang)
        inner = replace(
            draft, measures=[], order=[], limit=None, dimensions=[DimensionDraft(target, None)], entity=target
        )
        found: list[Compiled] = []
        for one in self.compile(inner, lang):
            if isinstance(one.plan, Select):
                key = self.ref(target)
                item = Item(key, table_label(target, self.glossary, lang))
                bare = replace(one.plan, items=(item,), group=(key,), group_keys=(), order=())
                found.append(replace(one, plan=CountPlan(bare, label), draft=draft))
        return found

    def _combined(self, draft: Draft, op: SetOperator, left: Draft, right: Draft, lang: str) -> list[Compiled]:
        """Rows of both sides, or of the left without those of the right."""
        sides = self.compile(left, lang)[0], self.compile(right, lang)[0]
        plans = [side.plan for side in sides]
        if not all(isinstance(plan, Select) for plan in plans):
            raise CannotCompile("not_expressible")
        bare = [replace(plan, order=(), limit=None, distinct=False) for plan in plans if isinstance(plan, Select)]
        checks = tuple(dict.fromkeys((*sides[0].checks, *sides[1].checks)))
        return [Compiled(SetPlan(op, bare[0], bare[1]), draft, checks, sides[0].features)]

    # -- which tables

    def _measures(self, draft: Draft) -> list[MeasureDraft]:
        ordered = [o.key for o in draft.order if isinstance(o.key, MeasureDraft)]
        return [*draft.measures, *ordered, *(h.measure for h in draft.having)]

    def measure_tables(self, measure: MeasureDraft) -> tuple[str, ...]:
        """Tables whose rows the measure goes over; the first is the one it is counted in."""
        target = measure.target
        if isinstance(target, MeasureTarget):
            tree = measure_expression(self.glossary.measures[target.name], self.catalog.dialect)
            return tuple(dict.fromkeys(self.catalog.table(c.table).name for c in tree.find_all(exp.Column)))
        return (target.table,) if target is not None else ()

    def _root(self, draft: Draft) -> str | None:
        for measure in self._measures(draft):
            if tables := self.measure_tables(measure):
                return self._finest(tables)
        grouped = next((d.target.table for d in draft.dimensions if d.target is not None), None)
        if grouped is not None and self._measures(draft):
            # Rows are counted by a group and nothing says of what: of the group's own table.
            return grouped
        if draft.entity is not None:
            return draft.entity.table
        for _, target in draft.projections:
            return target.table
        for one in draft.filters:
            if one.target is not None and (draft.measures or draft.dimensions or one.values or one.like):
                return one.target.table
        return next((d.target.table for d in draft.dimensions if d.target is not None), None)

    def _finest(self, tables: tuple[str, ...]) -> str:
        """Of a measure's tables, the one whose rows the others do not repeat."""
        for table in tables:
            sources = self.graph.sources(table, tables)
            if sources and not any(join.many for join in sources[0].joins):
                return table
        return tables[0]

    def _tables(self, draft: Draft, root: str) -> list[str]:
        needed: list[str] = []
        for measure in self._measures(draft):
            needed += self.measure_tables(measure)
        needed += [d.target.table for d in draft.dimensions if d.target is not None]
        needed += [t.table for _, t in draft.projections]
        needed += [o.key.table for o in draft.order if isinstance(o.key, ColumnTarget)]
        needed += [f.target.table for f in draft.filters if f.target is not None]
        if draft.entity is not None and not draft.measures:
            # Beside a measure, a thing that nothing is grouped or filtered by only says what the question is about.
            needed.append(draft.entity.table)
        return [t for t in dict.fromkeys(needed) if t != root]

    def _dated(self, draft: Draft, root: str) -> Draft:
        """Fill in the date that times and grains without a column mean."""
        if not any((f.time is not None and f.target is None) for f in draft.filters) and not any(
            d.grain is not None and d.target is None for d in draft.dimensions
        ):
            return draft
        date = self._date(draft, root)
        if date is None:
            raise CannotCompile("no_date", names=(root,))
        filters = [replace(f, target=date) if f.time is not None and f.target is None else f for f in draft.filters]
        dimensions = [
            replace(d, target=date) if d.grain is not None and d.target is None else d for d in draft.dimensions
        ]
        return replace(draft, filters=filters, dimensions=dimensions)

    def _date(self, draft: Draft, root: str) -> ColumnTarget | None:
        said = next((d.target for d in draft.dimensions if d.grain and isinstance(d.target, ColumnTarget)), None)
        said = said or next((f.target for f in draft.filters if f.time and isinstance(f.target, ColumnTarget)), None)
        if said is not None:
            return said
        for measure in self._measures(draft):
            if isinstance(measure.target, MeasureTarget) and (date := self.glossary.measures[measure.target.name].date):
                table, _, column = date.partition(".")
                return ColumnTarget(self.catalog.table(table).name, column)
        near = [edge.right for edge in self.graph.edges(root) if not edge.many]
        for table in (root, *self._tables(draft, root), *near):
            columns = self._date_columns(table)
            if columns:
                return ColumnTarget(table, columns[0])
        # "members who registered in 2016": the date lies with the doings, where only one kind of them has a date.
        doings = [edge.right for edge in self.graph.edges(root) if edge.many]
        dated = [ColumnTarget(t, columns[0]) for t in dict.fromkeys(doings) if (columns := self._date_columns(t))]
        return dated[0] if len(dated) == 1 else None

    # -- the query block

    def _select(self, draft: Draft, source: Source, lang: str, ways: int) -> Compiled:
        checks: list[Check] = []
        whole_siblings = siblings(source)
        shown = self._shown_tables(draft)
        source, semi = semi_join(source, shown, {f.target.table for f in draft.filters if f.target is not None})
        if draft.keeps_all:
            joins = tuple(join if join.many else replace(join, outer=True) for join in source.joins)
            source = replace(source, joins=joins)
        measures = {id(m): self._measure(m, source, checks) for m in self._measures(draft)}
        items, group, keys = self._items(draft, source, measures, lang)
        plain: list[tuple[int, Predicate]] = []
        for one in draft.filters:
            if one.target is None or one.target.table in semi.inside:
                continue
            if one.all_of and not one.negated:
                others = [f for f in draft.filters if f is not one]
                raise NeedsBoth(
                    replace(draft, filters=[*others, replace(one, values=one.values[:1], all_of=False)]),
                    replace(draft, filters=[*others, replace(one, values=one.values[1:2], all_of=False)]),
                )
            plain.append((one.at, condition(one, self.ref(one.target), self.catalog.table(one.target.table))))
        predicates = either(plain, draft.either)
        missing = frozenset(a.table.table for a in draft.absences if a.negated) & semi.inside
        predicates += semi.predicates(draft.filters, self, missing)
        absences = [a for a in draft.absences if a.table.table not in missing]
        absences += self._related(draft, source, semi.inside)
        predicates += [absence(a, source, self.catalog, self.graph) for a in absences]
        havings = [having(h, measures[id(h.measure)]) for h in draft.having]
        order = self._order(draft, source, measures, items, group)
        aggregated = any(isinstance(i.expr, (Aggregate, Metric)) for i in items)
        order_measures = any(isinstance(o.expr, (Aggregate, Metric)) for o in order)
        if not group and not aggregated and order_measures:
            raise CannotCompile("nothing_grouped")
        if any(isinstance(expr, Truncated) for expr in group) and not aggregated and not havings and not order_measures:
            # Months alone say nothing: what was asked of each was not read.
            raise CannotCompile("no_operand")
        distinct = draft.distinct and not aggregated
        plan = Select(
            source=source,
            items=tuple(items),
            where=_and(predicates),
            group=tuple(group),
            group_keys=tuple(keys),
            having=_and(havings),
            order=tuple(order),
            limit=draft.limit,
            offset=draft.offset,
            distinct=distinct,
        )
        features = (
            ("joins", float(len(source.joins))),
            ("inferred_joins", float(sum(join.inferred for join in source.joins))),
            ("ways", float(ways)),
            ("semi_joins", float(len(semi.inside))),
            ("siblings", float(whole_siblings)),
        )
        return Compiled(plan, draft, tuple(checks), features)

    def _related(self, draft: Draft, source: Source, inside: frozenset[str]) -> list[AbsenceDraft]:
        """Things that the question names and nothing else in the plan is about: "employees who have certificates" must
        have one. A thing that every row has anyway (behind joins to one) adds nothing."""
        present = {ref.table.name for ref in source.refs()} | inside | {a.table.table for a in draft.absences}
        found: list[AbsenceDraft] = []
        for target in draft.related:
            if target.table in present:
                continue
            ways = self.graph.sources(source.root.table.name, [target.table])
            if ways and ways[0].joins and ways[0].joins[0].many:
                found.append(AbsenceDraft(target, negated=False))
                present.add(target.table)
        return found

    def _shown_tables(self, draft: Draft) -> set[str]:
        """Tables that more than a condition needs: their rows are shown, grouped, measured or ordered by."""
        shown = {t.table for _, t in draft.projections}
        shown |= {d.target.table for d in draft.dimensions if d.target is not None}
        shown |= {o.key.table for o in draft.order if isinstance(o.key, ColumnTarget)}
        for measure in self._measures(draft):
            shown |= set(self.measure_tables(measure))
        if draft.entity is not None and not draft.measures:
            shown.add(draft.entity.table)
        return shown

    def _measure(self, measure: MeasureDraft, source: Source, checks: list[Check]) -> Aggregate | Metric:
        target = measure.target
        if isinstance(target, MeasureTarget):
            entry = self.glossary.measures[target.name]
            tree = measure_expression(entry, self.catalog.dialect)
            refs = tuple(self.ref(ColumnTarget(c.table, c.name)) for c in tree.find_all(exp.Column))
            expr: Aggregate | Metric = Metric(target.name, entry.expression, tuple(dict.fromkeys(refs)))
            base = self._finest(self.measure_tables(measure))
            checks.append(Check("formula", (target.name, entry.expression)))
        elif target is None:
            expr, base = Aggregate(Function.COUNT, None), source.root.table.name
        elif isinstance(target, TableTarget):
            expr, base = Aggregate(Function.COUNT, None), target.table
        else:
            assert measure.function is not None
            function, table = measure.function, self.catalog.table(target.table)
            if function is Function.COUNT and table.is_unique((target.column,)):
                expr, base = Aggregate(Function.COUNT, None), target.table
            else:
                expr, base = Aggregate(function, self.ref(target), measure.distinct), target.table
        return settle(expr, base, source, checks)

    # -- words and units


def _hits(source: Source, hinted: set[tuple[str, str]]) -> int:
    """How many of the source's joins go over a hinted key."""
    tables = {ref.alias: ref.table.name for ref in source.refs()}
    used = {(tables[j.left_alias], c) for j in source.joins for c in j.left_columns}
    used |= {(j.right.table.name, c) for j in source.joins for c in j.right_columns}
    return len(used & hinted)


def either(parts: list[tuple[int, Predicate]], groups: list[frozenset[int]]) -> list[Predicate]:
    """The conditions with those that the question joins by "or" put together; the rest stands side by side."""
    found: list[Predicate] = []
    done: set[int] = set()
    for at, predicate in parts:
        group = next((g for g in groups if at in g), None)
        if group is None:
            found.append(predicate)
        elif at not in done:
            members = tuple(p for other, p in parts if other in group)
            done |= group
            found.append(Or(members) if len(members) > 1 else members[0])
    return found


def _and(parts: list[Predicate]) -> Predicate | None:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else And(tuple(parts))
