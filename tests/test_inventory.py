"""Everything that has a name and could vanish unseen: states, dialects, charts, rules, cases, codes, settings.

After something was added or taken away on purpose: ``python tests/test_inventory.py`` writes the list anew.
"""

from __future__ import annotations

import ast
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import agents.specialists
from agents.charts import all_charts
from agents.language.lexicon import load_lexicon
from agents.nodes import all_nodes
from agents.plan.score import default_weights
from agents.sql.lower import lowerings
from agents.sql.rules import all_rules
from app.cli import main
from app.settings import SETTINGS
from golden import load_cases

ROOT = Path(__file__).parent.parent
RECORD = Path(__file__).with_name("inventory.json")

FAMILIES = (
    "benchmark", "catalog", "database", "embedding", "execute", "frame", "glossary", "guard", "internal", "not_found",
    "plan", "question", "request", "serve", "settings", "store", "turn", "write",
)  # fmt: skip
_CODE = re.compile(rf"(?:{'|'.join(FAMILIES)})\.[a-z_]+")
_LOGGING = {"debug", "info", "warning", "error", "exception", "critical"}


def codes() -> Iterator[str]:
    """Codes of errors and problems: texts of that form in calls, dictionaries and sequences, but not what is logged."""
    for folder in ("agents", "app"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            logged = {
                id(node.args[0])
                for node in ast.walk(tree)
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in _LOGGING
                and node.args
            }
            for node in ast.walk(tree):
                is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in logged
                if is_text and _CODE.fullmatch(node.value):
                    yield node.value


def inventory() -> dict[str, Any]:
    lexicons = {lang: load_lexicon(lang) for lang in ("en", "zh")}
    return {
        "states": sorted(all_nodes()),
        "dialects": sorted(lowerings()),
        "guarded dialects": sorted(all_rules()),
        "charts": sorted(all_charts()),
        "specialists": sorted(
            module.name for module in pkgutil.iter_modules(agents.specialists.__path__) if module.name != "base"
        ),
        "features": sorted(default_weights().features),
        "lexicon": {lang: sorted(rule.id for rule in lexicon.rules) for lang, lexicon in lexicons.items()},
        "golden cases": sorted(case.id for case in load_cases()),
        "codes": sorted(set(codes())),
        "settings": [row.name for row in SETTINGS],
        "commands": sorted(main.commands),
    }


def flat(value: Any, path: str = "") -> set[str]:
    if isinstance(value, dict):
        return {entry for key, part in value.items() for entry in flat(part, f"{path}{key} / ")}
    return {f"{path}{name}" for name in value}


@pytest.fixture(scope="module")
def both() -> tuple[set[str], set[str]]:
    return flat(json.loads(RECORD.read_text(encoding="utf-8"))), flat(inventory())


def test_nothing_has_vanished(both: tuple[set[str], set[str]]) -> None:
    recorded, present = both
    assert sorted(recorded - present) == []


def test_everything_new_is_recorded(both: tuple[set[str], set[str]]) -> None:
    recorded, present = both
    assert sorted(present - recorded) == [], "python tests/test_inventory.py records it"


if __name__ == "__main__":
    RECORD.write_text(json.dumps(inventory(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
