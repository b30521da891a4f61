"""The documents are true: what they print is what the program prints, and what they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.table import as_mermaid, as_text
from app.cli import main
from app.settings import PREFIX, SETTINGS
from app.views.openapi import document

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
BOTH = {"README.md": README, "ARCHITECTURE.md": ARCHITECTURE}


def settings_table() -> str:
    rows = [f"| `{PREFIX}{row.name}` | {row.default or 'empty'} | {row.help} |" for row in SETTINGS]
    return "\n".join(["| setting | default | what for |", "| --- | --- | --- |", *rows])


def printed_graph() -> str:
    """What ``starchart graph`` prints."""
    return f"{as_text()}\n\n```mermaid\n{as_mermaid()}\n```"


def test_readme_lists_every_setting_as_it_is() -> None:
    assert settings_table() in README


def test_architecture_shows_what_graph_prints() -> None:
    assert printed_graph() in ARCHITECTURE


def test_named_commands_exist() -> None:
    named = set(re.findall(r"\bstarchart ([a-z]+)\b", re.sub(r"-t starchart|docker run.*", "", README)))
    assert named == set(main.commands)


def test_named_options_exist() -> None:
    known = {name for command in main.commands.values() for option in command.params for name in option.opts}
    named = {
        option for line in README.splitlines() if "starchart " in line and "docker" not in line
        for option in re.findall(r"--[a-z-]+", line)
    }  # fmt: skip
    assert named <= known


@pytest.mark.parametrize("name", BOTH)
def test_named_targets_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)`?", BOTH[name])) - {"another", "the"} <= targets


@pytest.mark.parametrize("name", BOTH)
def test_named_files_exist(name: str) -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    named = re.findall(r"`([\w.-]+(?:/[\w.-]+)+)`|\]\(([^)#:]+)\)", BOTH[name])
    paths = {first or second for first, second in named}
    assert [path for path in sorted(paths) if path.split("/")[0] in folders and not (ROOT / path).exists()] == []


def test_the_map_names_what_is_there() -> None:
    drawn = set(re.findall(r"^ {6}([a-z]+)/", ARCHITECTURE, re.MULTILINE))
    drawn |= set(re.findall(r"; ([a-z]+)/:", ARCHITECTURE))
    packages = {
        path.name
        for top in ("agents", "app")
        for path in (ROOT / top).iterdir()
        if path.is_dir() and path.name[0] != "_"
    }
    assert packages - drawn <= {"translations", "templates", "static"}


def test_named_addresses_are_in_the_interface() -> None:
    named = set(re.findall(r"`(GET|POST) (/api/[a-z./]+)`", README))
    described = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    assert named == described


def test_the_licence_and_the_notices_are_there() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    for vendored in (ROOT / "static/vendor").iterdir():
        assert not vendored.is_dir() or (vendored / "LICENSE").is_file(), vendored
    for model in (ROOT / "agents/retrieval/models").iterdir():
        assert (model / "NOTICE.md").is_file(), model
