"""Small talk: a greeting, thanks and a call for help get a plain sentence about what can be asked here."""

from __future__ import annotations

from agents.plan.labels import humanize
from agents.ports import Connection


def greeting(intent: str, connection: Connection, lang: str) -> tuple[str, ...]:
    """One or two sentences; nothing in them is a number."""
    tables = connection.catalog.tables
    names = [connection.glossary.table(t.name).names.first(lang) or humanize(t.name) for t in tables[:5]]
    if lang == "zh":
        first = {"talk.thanks": "不客气。"}.get(intent, "您好。")
        return (first, f"可以用中文或英文询问{connection.name}中的数据，例如：{'、'.join(names)}。")
    first = {"talk.thanks": "You are welcome.", "talk.help": "This page answers questions about data."}.get(
        intent, "Hello."
    )
    return (first, f"Ask about the data in {connection.name} in English or Chinese: {', '.join(names)} …")
