"""Synthesize: the only state that writes prose. The text is streamed piece by piece, then sent once more, complete."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from agents.artifacts import FrameMeta, Segment, TextArtifact
from agents.events import NarrativeReady
from agents.glossary import Glossary
from agents.language.asking import asks_whether
from agents.narrate.digest import Context
from agents.narrate.stream import deltas
from agents.narrate.talk import greeting
from agents.narrate.text import narrate, sentence
from agents.nodes.absent import absent_values
from agents.nodes.base import Node, Result, Tools
from agents.nodes.coverage import edge_of
from agents.nodes.members import absent_text
from agents.nodes.ties import tie_text
from agents.plan.ir import Aggregate, ColumnRef, Function, Item, Select
from agents.plan.labels import adds_up
from agents.sql.lower import output_names
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    if turn.problem is not None:
        status = "declined" if turn.problem.tone == "declined" else "error"
        return Result(Outcome.SPOKEN, {"status": status, "artifacts": (turn.problem,)})
    if turn.options:
        return Result(Outcome.SPOKEN, {"status": "clarify"})
    warnings: tuple[str, ...] = ()
    if turn.intent.startswith("talk"):
        sentences = tuple((Segment(text=s),) for s in greeting(turn.intent, tools.connection, turn.lang))
        text = TextArtifact(id="text", lang=turn.lang, sentences=sentences)
    else:
        assert turn.frame is not None
        table = tools.frames.open(turn.frame.id)
        context = _context(turn, turn.frame, table, tools)
        text = narrate(turn.frame, table, id="text", lang=turn.lang, reading=turn.filters, context=context)
        beside = (tie_text(turn.plan, table.num_rows, tools, turn.lang), absent_text(turn.plan, tools, turn.lang))
        warnings = tuple(said for said in beside if said)
        if context.edge is not None:
            warnings += ("".join(s.text for s in sentence(context.edge.statement, turn.frame.id, turn.lang)),)
        if turn.plan is not None and _is_nothing(turn.frame, table):
            warnings += absent_values(turn.plan, tools, turn.lang)
    for delta in deltas(text.sentences):
        tools.emit(delta)
    tools.emit(NarrativeReady(artifact=text))
    return Result(Outcome.SPOKEN, {"status": "answered", "text": text, "warnings": warnings})


def _context(turn: TurnState, frame: FrameMeta, table: pa.Table, tools: Tools) -> Context:
    """What the plan and the database know and the rows alone do not tell."""
    plan = turn.plan
    if plan is None:
        return Context()
    listed = not any(column.role == "measure" for column in frame.columns)
    whether = listed and asks_whether(turn.question)
    edge = edge_of(plan, tools, turn.now, turn.lang, nothing=_is_nothing(frame, table))
    if not isinstance(plan, Select):
        return Context(edge=edge, asks_whether=whether)
    names = zip(plan.items, output_names(plan), strict=True)
    tables = {ref.alias: ref.table.name for ref in plan.source.refs()}
    additive = frozenset(name for item, name in names if _is_additive(item, tables, tools.connection.glossary))
    return Context(limited=plan.limit is not None, asks_whether=whether, additive=additive, edge=edge)


def _is_nothing(frame: FrameMeta, table: pa.Table) -> bool:
    """Whether there are no rows, or no measure has a value other than zero."""
    measures = [table.column(column.name).to_pylist() for column in frame.columns if column.role == "measure"]
    found = any(value for values in measures for value in values)
    return table.num_rows == 0 or (bool(measures) and not found)


def _is_additive(item: Item, tables: Mapping[str, str], glossary: Glossary) -> bool:
    """Whether the measure's values of different groups may be added up."""
    match item.expr:
        case Aggregate(Function.COUNT, distinct=False):
            return True
        case Aggregate(Function.SUM, ColumnRef(alias, column), distinct=False):
            return adds_up(tables[alias], column, item.unit, glossary)
    return False


NODE = Node(
    State.SYNTHESIZE,
    frozenset({"question", "problem", "options", "intent", "lang", "now", "frame", "filters", "plan"}),
    frozenset({"status", "text", "artifacts", "warnings"}),
    run,
)
