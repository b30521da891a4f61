"""Route: the language and what kind of request this is."""

from __future__ import annotations

from agents.artifacts import ProblemArtifact
from agents.nodes.base import Node, Result, Tools
from agents.state import TurnState
from agents.table import Outcome, State


def run(turn: TurnState, tools: Tools) -> Result:
    spoken, intent = tools.engine.route(turn.question)
    if turn.continues and not any(character.isalpha() for character in turn.question):
        # "2023?" is in no language; the conversation is.
        spoken, _ = tools.engine.route(turn.continues[-1])
    lang = turn.wanted_lang or spoken
    update: dict[str, object] = {"lang": lang, "intent": intent}
    if intent == "write":
        update["problem"] = ProblemArtifact(
            id="problem",
            code="write.read_only",
            message="这个连接是只读的，不会修改任何数据。"
            if lang == "zh"
            else "This connection is read-only: nothing was changed.",
            hint="可以改问要修改的数据目前是什么样。" if lang == "zh" else "Ask what the rows look like instead.",
            tone="declined",
        )
        return Result(Outcome.WRITE_REQUEST, update)
    if intent == "schema":
        return Result(Outcome.SCHEMA_QUESTION, update)
    if intent.startswith("talk"):
        return Result(Outcome.TALK, update)
    return Result(Outcome.DATA_QUESTION, update)


NODE = Node(
    State.ROUTE, frozenset({"question", "wanted_lang", "continues"}), frozenset({"lang", "intent", "problem"}), run
)
