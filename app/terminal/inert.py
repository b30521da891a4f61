"""What is printed must not steer the terminal: names, cells and texts of a database may hold any character."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

from app.terminal.characters import inert


class Inert:
    """A renderable that prints as another one does, without any of its control characters."""

    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._inner, options):
            if segment.control is None:
                yield Segment(inert(segment.text), segment.style)
