"""Events of a turn as HTML fragments, each with the id of the place on the page that it fills."""

from __future__ import annotations

from flask import render_template

from agents.artifacts import Artifact, TextArtifact
from agents.events import ArtifactReady, Event, NarrativeReady, StateEntered, TextDelta, TurnDone
from app.views.contexts import TurnView
from app.views.pages import turn_summary


def snapshot(view: TurnView) -> str:
    """Everything of a turn as it is now. Sending it twice changes nothing."""
    parts = [_artifact(view, artifact) for artifact in view.artifacts]
    if view.text is not None:
        parts.append(_artifact(view, view.text, streaming=view.status == "running"))
    parts.append(_state(view, view.state) if view.status == "running" else done(view))
    return "\n".join(parts)


def done(view: TurnView) -> str:
    """What changes when the turn has ended: status, evidence, its line in the thread."""
    return render_template("_partials/done.html", turn=view, summary=turn_summary(view, current=True))


class News:
    """Fragments for the events that follow a snapshot.

    :param view: the turn as it was in that snapshot.
    """

    def __init__(self, view: TurnView) -> None:
        self._view = view
        self._sentence = len(view.text.sentences) - 1 if view.text else -1

    def of(self, event: Event) -> str:
        """The fragment for one event; empty for the end, for which :func:`done` needs the whole turn."""
        match event:
            case StateEntered():
                return _state(self._view, event.state)
            case ArtifactReady() | NarrativeReady():
                return _artifact(self._view, event.artifact)
            case TextDelta():
                starts, self._sentence = event.sentence != self._sentence, event.sentence
                return render_template(
                    "_partials/delta.html",
                    turn_id=self._view.id,
                    sentence=event.sentence,
                    segment=event.segment,
                    starts=starts,
                    lang=self._view.lang,
                )
            case TurnDone():
                return ""


def _artifact(view: TurnView, artifact: Artifact, *, streaming: bool = False) -> str:
    return render_template(
        "_partials/artifact.html",
        artifact=artifact,
        turn_id=view.id,
        conn=view.connection,
        oob=True,
        streaming=streaming and isinstance(artifact, TextArtifact),
    )


def _state(view: TurnView, state: str) -> str:
    return render_template("_partials/state.html", turn_id=view.id, state=state, oob=True)
