"""Builds the demo databases into a directory: once, atomically, with the same data on every machine."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from seed import shop, vega

APPLICATION_ID = 0x53544152
"""``STAR``: SQLite's application id of every file that this package writes."""

VERSION = 1
"""Stamped into ``user_version``; raise it whenever a schema or a row changes, so that old files are built again."""


@dataclass(frozen=True)
class Demo:
    """One demo database.

    :ivar name: the connection's name and the file's stem.
    :ivar glossary: YAML file with names, measures, about text and starter questions (see ``agents.glossary``).
    """

    name: str
    fill: Callable[[sqlite3.Connection], None]
    glossary: Path

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = yaml.safe_load(self.glossary.read_text(encoding="utf-8"))
        return document

    @property
    def about(self) -> dict[str, str]:
        """One text per language (``en``, ``zh``) on what the data are."""
        return dict(self._document["about"])

    @property
    def questions(self) -> dict[str, tuple[str, ...]]:
        """Starter questions per language (``en``, ``zh``)."""
        return {lang: tuple(texts) for lang, texts in self._document["questions"].items()}


_HERE = Path(__file__).parent

DEMOS: tuple[Demo, ...] = (
    Demo("shop", shop.fill, _HERE / "shop.glossary.yaml"),
    Demo("vega", vega.fill, _HERE / "vega.glossary.yaml"),
)


def build(directory: Path) -> dict[str, Path]:
    """Build the demo databases that are missing or of another version; returns the path of each by name.

    Each is written beside its place and renamed, so that a reader meets the whole file or none, and two processes that
    build at once do no harm.
    """
    directory.mkdir(parents=True, exist_ok=True)
    paths = {demo.name: directory / f"{demo.name}.sqlite" for demo in DEMOS}
    for demo in DEMOS:
        if not is_current(paths[demo.name]):
            _write(demo, paths[demo.name])
    return paths


def is_current(path: Path) -> bool:
    """Whether the file is a demo database of this version."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            stamp = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    except sqlite3.DatabaseError:
        return False
    return stamp == [APPLICATION_ID, VERSION]


def _write(demo: Demo, path: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{demo.name}-", suffix=".building", dir=path.parent)
    os.close(handle)
    building = Path(name)
    try:
        with closing(sqlite3.connect(building, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            demo.fill(connection)
            connection.execute("COMMIT")
            connection.execute("ANALYZE")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        building.chmod(0o644)
        building.replace(path)
    finally:
        building.unlink(missing_ok=True)


def content_hash(path: Path) -> str:
    """Hex SHA-256 over the schema and every row in stored order; independent of SQLite's version and page layout."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        schema = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND sql IS NOT NULL ORDER BY name"
        ).fetchall()
        digest.update(repr(schema).encode())
        for name, sql in schema:
            if sql.upper().startswith("CREATE TABLE"):
                for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY rowid'):
                    digest.update(repr(row).encode())
    return digest.hexdigest()
