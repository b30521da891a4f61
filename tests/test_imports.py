"""Rules of the house that no import contract can say, checked on the source itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("agents", "app", "golden", "seed")
CLOCKS = {"now", "utcnow", "today", "fromtimestamp"}
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError")


def sources(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def importers(module: str, name: str) -> set[str]:
    """Files that import ``name`` from ``module``, under whatever alias, or the module as a whole."""
    found: set[str] = set()
    package, _, leaf = module.rpartition(".")
    for path, tree in sources(*PACKAGES):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                names = {alias.name for alias in node.names}
                if (node.module == module and names & {name, "*"}) or (node.module == package and leaf in names):
                    found.add(path)
            elif isinstance(node, ast.Import) and any(alias.name == module for alias in node.names):
                found.add(path)
    return found


@pytest.mark.parametrize(("name", "only"), [("seal", {"agents/sql/guard.py"}), ("_SEAL", set()), ("_Seal", set())])
def test_only_the_guard_makes_a_permit(name: str, only: set[str]) -> None:
    assert importers("agents.sql.allowed", name) == only


def test_only_these_open_sqlite() -> None:
    """The pool with its locks, and what builds, judges and measures the demo databases."""
    found = {
        path
        for path, tree in sources(*PACKAGES)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "connect"
        and isinstance(node.value, ast.Name)
        and node.value.id == "sqlite3"
    }
    assert found == {"app/bench.py", "app/databases/locks.py", "app/large.py", "golden/runner.py", "seed/build.py"}


def test_the_engine_has_no_clock_of_its_own() -> None:
    """``clock.now()`` is the caller's clock; ``datetime.now()`` would be one's own."""
    found: list[str] = []
    for path, tree in sources("agents"):
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=name, value=ast.Name(id="datetime" | "date")) if name in CLOCKS:
                    found.append(f"{path}:{node.lineno}")
                case ast.Import(names=names) if any(alias.name == "time" for alias in names):
                    found.append(f"{path}:{node.lineno}")
                case ast.ImportFrom(module="time"):
                    found.append(f"{path}:{node.lineno}")
    assert found == []


def test_nothing_is_left_unfinished() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for folder in (*PACKAGES, "templates", "static")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".html", ".css", ".js", ".yaml", ".sql"} and "vendor" not in path.parts
        for match in UNFINISHED.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path, tree in sources(*PACKAGES) if tree.body and ast.get_docstring(tree) is None]
    assert silent == []
