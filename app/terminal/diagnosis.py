"""The doctor's findings in the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.doctor import Diagnosis

_MARKS = {"ok": ("real", "green"), "degraded": ("degraded", "yellow"), "missing": ("missing", "red")}


def render(diagnosis: Diagnosis) -> RenderableType:
    parts = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in ("part", "is", "what stands behind it", "why"):
        parts.add_column(head, overflow="fold")
    for part in diagnosis.parts:
        word, style = _MARKS[part.state]
        parts.add_row(Text(part.part), Text(word, style=style), Text(part.active), Text(part.note))
    values = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in ("setting", "value", "from"):
        values.add_column(head, overflow="fold")
    for setting in diagnosis.settings:
        source = "environment" if setting.given else "default"
        values.add_row(Text(setting.name), Text(setting.value), Text(source, style="" if setting.given else "dim"))
    word, style = _MARKS[diagnosis.status]
    sentence = {
        "ok": "Everything is real.",
        "degraded": "Questions can be answered; some parts work less well than they could.",
        "missing": "A part is missing; what depends on it does not work.",
    }[diagnosis.status]
    return Group(parts, Text(), values, Text(), Text(sentence, style=style))
