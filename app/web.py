"""What views reach for: the parts of this process, and the paths of templates and static files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from flask import current_app

from app.settings import Settings
from app.stream.sockets import Sockets
from app.turns import TurnService
from app.turns.ports import AskService


@dataclass(frozen=True, slots=True)
class Web:
    """All that one process shares between its requests."""

    settings: Settings
    services: AskService
    turns: TurnService
    sockets: Sockets

    def let_go(self) -> None:
        """Have open sockets close and running turns stop, without waiting for either."""
        self.sockets.close()
        self.turns.cancel_all()

    def close(self) -> None:
        """Let everything go, wait for what runs, close the store."""
        self.let_go()
        self.turns.close()
        self.turns.store.close()


def web() -> Web:
    """The parts of the process that serves the current request."""
    return cast(Web, current_app.extensions["starchart"])


def folder(name: str) -> Path:
    """``templates`` or ``static``: inside the package in an installation, beside it in a checkout."""
    inside = Path(__file__).with_name(name)
    return inside if inside.is_dir() else Path(__file__).parent.parent / name
