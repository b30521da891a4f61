"""Which ids an address may carry; anything else is not found before anybody looks."""

from __future__ import annotations

import re
import secrets

from werkzeug.routing import BaseConverter

_TURN = re.compile(r"[0-9a-f]{32}")
_WORKSPACE = re.compile(r"[A-Za-z0-9_-]{8,64}")


class TurnIdConverter(BaseConverter):
    """``<id:turn>``: the id of a turn or a thread."""

    regex = _TURN.pattern


class FrameIdConverter(BaseConverter):
    """``<frame:frame>``: the id of a result set."""

    regex = "[A-Za-z0-9_-]{16,64}"


class ArtifactIdConverter(BaseConverter):
    """``<artifact:artifact>``: the id of an artifact within its turn."""

    regex = "[A-Za-z0-9_-]{1,64}"


def is_turn_id(text: str) -> bool:
    return _TURN.fullmatch(text) is not None


def workspace_id(text: str) -> str:
    """The given id of an open page, or a new one when it is none."""
    return text if _WORKSPACE.fullmatch(text) else secrets.token_urlsafe(12)
