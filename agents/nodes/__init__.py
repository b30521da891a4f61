"""One thin file per state; each declares one constant ``NODE``. The folder is scanned, nothing is registered by
hand."""

from __future__ import annotations

import importlib
import pkgutil

from agents.nodes.base import Node, Result, Tools
from agents.table import State, TableError

__all__ = ["Node", "Result", "Tools", "all_nodes"]


def all_nodes() -> dict[State, Node]:
    """Every node by its state.

    :raises TableError: when two files serve one state, or a working state has no file.
    """
    found: dict[State, Node] = {}
    for module in pkgutil.iter_modules(__path__):
        node = getattr(importlib.import_module(f"{__name__}.{module.name}"), "NODE", None)
        if node is None:
            continue
        if node.state in found:
            raise TableError(f"two nodes for {node.state}")
        found[node.state] = node
    if missing := set(State) - set(found) - {State.START, State.DONE}:
        raise TableError(f"no node for {', '.join(sorted(missing))}")
    return found
