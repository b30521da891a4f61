"""Which parts are real, degraded or missing, and why: everything that an answer depends on is tried once."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

import seed
from agents.errors import StarchartError
from agents.retrieval.embed import MODEL_FOLDER, Embedder, EmbeddingUnavailable
from app.services import DEMO_FOLDER, Services
from app.settings import PREFIX, SETTINGS, Settings, unknown_settings
from app.store import open_store
from app.turns.ports import PartHealth
from app.web import folder
from seed.build import is_current

SHOWN_PACKAGES = (
    "flask",
    "sqlalchemy",
    "sqlglot",
    "sqlglotc",
    "pydantic",
    "pandas",
    "pyarrow",
    "onnxruntime",
    "whoosh3",
)


class SettingValue(BaseModel):
    """A setting as it is now; ``given`` when the environment says so, secrets hidden."""

    model_config = ConfigDict(frozen=True)
    name: str
    value: str
    given: bool
    help: str


class Diagnosis(BaseModel):
    """:ivar status: the worst of the parts."""

    model_config = ConfigDict(frozen=True)
    status: Literal["ok", "degraded", "missing"]
    parts: tuple[PartHealth, ...]
    settings: tuple[SettingValue, ...]


def examine(settings: Settings, services: Services, environment: Mapping[str, str]) -> Diagnosis:
    """Try every part. Never raises for a part that does not work: that is its finding."""
    parts = (
        _python(),
        *_packages(),
        _model(),
        _assets(),
        _data(settings.data),
        _store(settings.store_url),
        *_demos(settings),
        *services.health().parts,
        *_unknown(environment),
    )
    states = {part.state for part in parts}
    status = next(state for state in ("missing", "degraded", "ok") if state in states)
    return Diagnosis.model_validate(
        {"status": status, "parts": parts, "settings": tuple(_values(settings, environment))}
    )


def _python() -> PartHealth:
    active = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    return PartHealth("python", "ok" if sys.version_info >= (3, 11) else "degraded", active)


def _packages() -> Iterator[PartHealth]:
    """Every declared dependency; those that are there share one line."""
    try:
        needed = [line for line in requires("starchart") or () if "extra ==" not in line]
    except PackageNotFoundError:
        yield PartHealth("packages", "degraded", "", "Starchart is not installed; run make run, or pip install .")
        return
    found: dict[str, str] = {}
    for line in needed:
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            yield PartHealth(f"package {name}", "missing", "", f"Install it: pip install '{line}'")
    shown = ", ".join(f"{name} {found[name]}" for name in SHOWN_PACKAGES if name in found)
    yield PartHealth("packages", "ok", f"{len(found)} of {len(needed)}: {shown} …")


def _model() -> PartHealth:
    file = MODEL_FOLDER / "model.onnx"
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        dimension = Embedder().dimension
    except (OSError, EmbeddingUnavailable) as error:
        note = error.message if isinstance(error, EmbeddingUnavailable) else f"{file.name}: {error.strerror}"
        return PartHealth("embedding model", "missing", "", f"{note} Search works by words alone.")
    active = f"{MODEL_FOLDER.name}, {dimension} dimensions, sha256 {digest[:16]}…"
    if digest not in (MODEL_FOLDER / "NOTICE.md").read_text(encoding="utf-8"):
        return PartHealth("embedding model", "degraded", active, "The file is not the one that its notice names.")
    return PartHealth("embedding model", "ok", active)


def _assets() -> PartHealth:
    templates, static = folder("templates"), folder("static")
    absent = [str(path) for path in (templates / "base.html", static / "app.css") if not path.is_file()]
    if absent:
        return PartHealth("pages", "missing", "", f"There is no {' and no '.join(absent)}.")
    return PartHealth("pages", "ok", str(templates.parent))


def _data(path: Path) -> PartHealth:
    if not os.access(path, os.W_OK | os.X_OK):
        return PartHealth("data folder", "missing", str(path), "It may not be written to.")
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    return PartHealth("data folder", "ok", f"{path}, {size / 1e6:,.0f} MB")


def _store(url: str) -> PartHealth:
    try:
        store = open_store(url)
        described = store.describe()
        store.close()
    except StarchartError as error:
        return PartHealth("store", "missing", "", f"{error.message} {error.hint}")
    return PartHealth("store", "ok", described)


def _demos(settings: Settings) -> Iterator[PartHealth]:
    for demo in seed.DEMOS:
        path = settings.data / DEMO_FOLDER / f"{demo.name}.sqlite"
        if is_current(path):
            yield PartHealth(f"demo {demo.name}", "ok", f"{path.stat().st_size / 1e6:.1f} MB")
        else:
            yield PartHealth(f"demo {demo.name}", "ok", "not built", "It is built when it is first asked.")


def _unknown(environment: Mapping[str, str]) -> Iterator[PartHealth]:
    for name in unknown_settings(environment):
        yield PartHealth(f"setting {name}", "degraded", "ignored", "There is no such setting: a typing error?")


def _values(settings: Settings, environment: Mapping[str, str]) -> Iterator[SettingValue]:
    for row in SETTINGS:
        value = _shown(row.field, getattr(settings, row.field))
        given = bool(environment.get(PREFIX + row.name, "").strip())
        yield SettingValue(name=PREFIX + row.name, value=value, given=given, help=row.help)


def _shown(field: str, value: Any) -> str:
    if field == "secret_key":
        return f"hidden, {len(value)} characters"
    if field == "store_url":
        try:
            return make_url(value).render_as_string(hide_password=True)
        except ArgumentError:
            return "hidden, not an address"
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
