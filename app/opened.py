"""A connection in use, and what there is to say about its health."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agents.engine import Engine
from agents.glossary import GlossaryProblem
from agents.ports import Connection
from agents.retrieval.hybrid import HybridRetriever
from app.databases.sqlite import SqliteDatabase
from app.databases.unindexed import LeftOut
from app.glossaries import Stamp
from app.turns.ports import PartHealth

State: TypeAlias = Literal["ok", "degraded", "missing"]

WHY_LEFT_OUT = {"hidden": "hidden", "off": "switched off", "secret": "looks secret", "prose": "long texts"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection in use, with the state of the glossary it was made with and what of that does not fit.

    :ivar indexed: columns whose values questions may name; ``left_out`` the text columns that are not indexed.
    """

    database: SqliteDatabase
    connection: Connection
    retriever: HybridRetriever
    engine: Engine
    stamp: Stamp
    misfits: tuple[GlossaryProblem, ...] = ()
    indexed: int = 0
    left_out: tuple[LeftOut, ...] = ()


def parts_of(opened: Opened) -> Iterator[PartHealth]:
    """Database, glossary, values and search of one connection."""
    name = opened.connection.name
    tables = len(opened.connection.catalog.tables)
    warnings = opened.database.warnings
    state: State = "degraded" if warnings else "ok"
    note = "; ".join(w.message for w in warnings[:3])
    yield (PartHealth(f"connection {name}", state, f"SQLite, {tables} tables", note))
    if opened.misfits:
        lines = ", ".join(str(m.line) for m in opened.misfits[:5] if m.line)
        note = f"{opened.misfits[0].message} What does not fit is left out (lines {lines})."
        yield (PartHealth(f"glossary {name}", "degraded", "in part", note))
    index = opened.connection.values
    shown = ", ".join(f"{one.table}.{one.column} ({WHY_LEFT_OUT[one.why]})" for one in opened.left_out[:8])
    more = f" and {len(opened.left_out) - 8} more" if len(opened.left_out) > 8 else ""
    note = f"Not read: {shown}{more}." if shown else ""
    yield (PartHealth(f"values {name}", "ok", f"{index.size:,} from {opened.indexed} columns", note))
    search = opened.retriever.health()
    searching: State = "ok" if search.backend == "hybrid" else "missing" if search.backend == "none" else "degraded"
    yield (PartHealth(f"search {name}", searching, search.backend, search.warning))


@contextmanager
def long_lived() -> Iterator[None]:
    """Without looking for garbage: what is made here lives as long as the process, and looking at all of it over and
    over takes half of the time for a thousand tables."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
