"""What is pushed to an open page: every fragment is swapped by an id that the page has."""

from __future__ import annotations

import re
from typing import Any

import gallery_answers as answers
import gallery_states as samples
import gallery_tables as tables
import pytest
from flask import Flask, render_template

from agents.artifacts import CellRef, Segment

RUNNING = samples.turn("running", state="plan", artifacts=(), text=None, rows=None, ms=None)
ENDED = samples.turn(why=answers.evidence())
ARTIFACTS = (*answers.FULL, answers.TEXT, samples.CLARIFY, samples.NO_TABLE)


def render(gallery: Flask, template: str, **names: Any) -> str:
    with gallery.test_request_context("/"):
        return render_template(f"_partials/{template}.html", **names)


def ids(text: str) -> set[str]:
    return set(re.findall(r'\sid="([^"]+)"', text))


def swapped(text: str) -> set[str]:
    """Ids of the elements that htmx puts in place by themselves."""
    found = set()
    for tag in re.findall(r"<[^>]*hx-swap-oob=[^>]*>", text):
        beforeend = re.search(r'hx-swap-oob="beforeend:#([^"]+)"', tag)
        found |= {beforeend.group(1)} if beforeend else ids(tag)
    return found


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: artifact.kind)
def test_each_artifact_has_its_slot(gallery: Flask, artifact: Any) -> None:
    skeleton = render(gallery, "turn", turn=RUNNING, workspace_id="w")
    fragment = render(gallery, "artifact", artifact=artifact, turn_id="t2", conn="shop", oob=True)
    assert swapped(fragment) == {f"artifact-t2-{artifact.kind}"}
    assert swapped(fragment) <= ids(skeleton)


@pytest.mark.parametrize(
    ("sentence", "starts", "lang", "expected"),
    [
        (0, True, "en", '<span hx-swap-oob="beforeend:#lead-t2">A &lt; b</span>'),
        (1, True, "en", '<span hx-swap-oob="beforeend:#aside-t2">A &lt; b</span>'),
        (2, True, "en", '<span hx-swap-oob="beforeend:#aside-t2"> A &lt; b</span>'),
        (2, False, "en", '<span hx-swap-oob="beforeend:#aside-t2">A &lt; b</span>'),
        (2, True, "zh", '<span hx-swap-oob="beforeend:#aside-t2">A &lt; b</span>'),
    ],
)
def test_delta(gallery: Flask, sentence: int, starts: bool, lang: str, expected: str) -> None:
    fragment = render(
        gallery, "delta", turn_id="t2", sentence=sentence, segment=Segment(text="A < b"), starts=starts, lang=lang
    )
    assert fragment.strip() == expected
    assert swapped(fragment) <= ids(render(gallery, "turn", turn=RUNNING, workspace_id="w"))


@pytest.mark.parametrize(("row", "target"), [(3, "#row-f1-3"), (0, "#row-f1-0"), (None, "#table-f1")])
def test_cited_number_leads_to_its_row(gallery: Flask, row: int | None, target: str) -> None:
    segment = Segment(text="9", cell=CellRef(frame_id="f1", row=row, column="revenue"))
    link = render(gallery, "segment", segment=segment)
    assert f'href="{target}"' in link
    assert f'id="{target[1:]}"' in render(
        gallery, "artifact", artifact=tables.TABLE, turn_id="t2", conn="shop", oob=False
    )


def test_end_of_a_turn(gallery: Flask) -> None:
    summary = samples.workspace(ENDED).turns[-1]
    fragment = render(gallery, "done", turn=ENDED, summary=summary)
    assert swapped(fragment) == {"chips-t2", "turn-status-t2", "evidence", "turn-link-t2", "socket-t2"}
    page = gallery.test_client().get("/gallery/running").get_data(as_text=True)
    assert swapped(fragment) <= ids(page)
    assert 'data-status="answered"' in fragment


def test_answer_to_a_question_brings_thread_and_evidence(gallery: Flask) -> None:
    client = gallery.test_client()
    text = client.post("/c/shop/ask", data={"question": "x"}, headers={"HX-Request": "true"}).get_data(as_text=True)
    assert swapped(text) == {"thread", "evidence"}
    assert swapped(text) <= ids(client.get("/gallery/first").get_data(as_text=True))


@pytest.mark.parametrize(
    "state",
    [
        "route",
        "schema",
        "retrieve",
        "plan",
        "clarify",
        "generate",
        "guard",
        "execute",
        "analyse",
        "synthesize",
        "unheard_of",
    ],
)
def test_any_state_can_be_shown(gallery: Flask, state: str) -> None:
    fragment = render(gallery, "state", turn_id="t2", state=state, oob=True)
    assert swapped(fragment) == {"state-t2"}
    assert f'data-state="{state}"' in fragment
