"""What health says of the learned parts."""

from __future__ import annotations

import pytest

from agents.learn.scorer import PARTS, load_scorer
from app import services
from app.services import Services
from app.settings import Settings


@pytest.mark.parametrize(
    ("lost", "state", "active", "note"),
    [
        ((), "ok", "sketch, roles, ranker, encoder", ""),
        (("encoder",), "degraded", "sketch, roles, ranker", "encoder: left out"),
        (PARTS[:3], "degraded", "encoder", "sketch: left out; roles: left out; ranker: left out"),
    ],
)
def test_health_tells_what_is_learned(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, lost: tuple[str, ...], state: str, active: str, note: str
) -> None:
    monkeypatch.setattr(services, "default_scorer", lambda: load_scorer().without(lost))
    [part] = [part for part in Services(settings, (), meaning=False).health().parts if part.part == "learned scorer"]
    assert (part.state, part.active, part.note) == (state, active, note)
