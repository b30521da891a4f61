"""Synthesize: the only state that writes prose. The text is streamed piece by piece, then sent once more, complete."""

from __future__ import annotations

from collections.abc import Mapping

from agents.artifacts import Segment, TextArtifact
from agents.events import NarrativeReady
from agents.glossary import Glossary
from agents.narrate.digest import Context
from agents.narrate.stream import deltas
from agents.narrate.talk import greeting
from agents.narrate.text import narrate
from agents.nodes.base import Node, Result, Tools
from agents.plan.ir import Aggregate, ColumnRef, Function, Item, Select
from agents.plan.labels import adds_up
from agents.sql.lower import output_names
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    text, status = _text(turn, tools)
    artifacts = (turn.problem,) if turn.problem is not None else ()
    if text is None:
        return Result(Outcome.SPOKEN, {"status": status, "artifacts": artifacts})
    for delta in deltas(text.sentences):
        tools.emit(delta)
    tools.emit(NarrativeReady(artifact=text))
    return Result(Outcome.SPOKEN, {"status": status, "text": text, "artifacts": artifacts})


def _text(turn: TurnState, tools: Tools) -> tuple[TextArtifact | None, str]:
    if turn.problem is not None:
        declined = turn.problem.tone == "declined"
        return None, "declined" if declined else "error"
    if turn.options:
        return None, "clarify"
    if turn.intent.startswith("talk"):
        sentences = tuple((Segment(text=s),) for s in greeting(turn.intent, tools.connection, turn.lang))
        return TextArtifact(id="text", lang=turn.lang, sentences=sentences), "answered"
    assert turn.frame is not None
    table = tools.frames.open(turn.frame.id)
    context = _context(turn, tools.connection.glossary)
    text = narrate(turn.frame, table, id="text", lang=turn.lang, reading=turn.filters, context=context)
    return text, "answered"


def _context(turn: TurnState, glossary: Glossary) -> Context:
    """What the plan knows and the rows alone do not tell."""
    plan = turn.plan
    if not isinstance(plan, Select):
        return Context()
    names = zip(plan.items, output_names(plan), strict=True)
    tables = {ref.alias: ref.table.name for ref in plan.source.refs()}
    additive = frozenset(name for item, name in names if _is_additive(item, tables, glossary))
    return Context(limited=plan.limit is not None, additive=additive)


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
    frozenset({"problem", "options", "intent", "lang", "frame", "filters", "plan"}),
    frozenset({"status", "text", "artifacts"}),
    run,
)
