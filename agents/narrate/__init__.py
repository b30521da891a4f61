"""From a frame to words: facts (digest), sentences in the question's language, cells as text."""

from agents.narrate.digest import Context, Edge, digest
from agents.narrate.format import format_cell
from agents.narrate.stream import deltas
from agents.narrate.text import narrate

__all__ = ["Context", "Edge", "deltas", "digest", "format_cell", "narrate"]
