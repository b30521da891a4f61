"""One connection's glossary on disk: read, saved by whoever has seen what is there, with its earlier versions.

``FOLDER/NAME.yaml`` is the glossary, ``FOLDER/NAME.versions/`` holds the texts it replaced. Until somebody saves, the
text that came with the connection counts. Several processes may read and save at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import quote

from agents.errors import NotFound, StarchartError

KEPT = 10
"""Earlier versions that are kept."""

Origin: TypeAlias = Literal["edited", "packaged", "none"]
Stamp: TypeAlias = tuple[int, int, int] | None

_VERSION = re.compile(r"(\d{8}T\d{12})-([0-9a-f]{12})\.yaml")
_STAMP_FORMAT = "%Y%m%dT%H%M%S%f"
PACKAGED = "packaged"
"""The id of the version that came with the connection."""


class GlossaryNotSaved(StarchartError):
    """A glossary was not saved: ``glossary.conflict`` (somebody else saved), ``glossary.disk``."""


@dataclass(frozen=True, slots=True)
class GlossaryText:
    """The text that counts, the hash by which a later save shows that it has seen it, and where it is from."""

    text: str
    version: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Version:
    """A text that was replaced: ``id`` finds it again, ``until`` is when it stopped to count (UTC; ``None`` for the
    packaged one)."""

    id: str
    until: datetime | None


def version_of(text: str) -> str:
    """The hash that names a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class GlossaryFile:
    """The glossary of one connection. Safe to share between threads and processes.

    :param folder: where glossaries are kept; made when something is saved.
    :param packaged: the text that came with the connection, if any.
    """

    def __init__(self, folder: Path, name: str, packaged: Path | None = None) -> None:
        safe = quote(name, safe="")
        self.path = folder / f"{safe}.yaml"
        self._versions = folder / f"{safe}.versions"
        self._lock = folder / f"{safe}.lock"
        self._packaged = packaged

    def stamp(self) -> Stamp:
        """Changes whenever the saved text does: one look at the disk, cheap enough for every question."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def read(self) -> GlossaryText:
        """:raises GlossaryNotSaved: ``glossary.disk`` when the file is there and cannot be read."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = self._packaged.read_text(encoding="utf-8") if self._packaged else ""
            return GlossaryText(text, version_of(text), "packaged" if self._packaged else "none")
        except (OSError, UnicodeDecodeError) as error:
            raise _disk(f"The glossary cannot be read: {error}.") from error
        return GlossaryText(text, version_of(text), "edited")

    def save(self, text: str, *, seen: str, now: datetime) -> GlossaryText:
        """Replace the text that has the version ``seen``, and keep it among the earlier ones.

        :param now: with its time zone.
        :raises GlossaryNotSaved: ``glossary.conflict`` when another text counts by now, ``glossary.disk``.
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with self._locked():
                current = self.read()
                if current.version != seen:
                    raise GlossaryNotSaved(
                        "glossary.conflict",
                        "Somebody else has saved this glossary in the meantime.",
                        "Look at the other version; yours is kept below.",
                    )
                if text == current.text and current.origin == "edited":
                    return current
                if current.origin == "edited":
                    self._keep(current, now)
                _write(self.path, text)
        except OSError as error:
            raise _disk(f"The glossary cannot be saved: {error.strerror or error}.") from error
        return GlossaryText(text, version_of(text), "edited")

    def versions(self) -> tuple[Version, ...]:
        """The earlier versions, the newest first, then the packaged one."""
        found = [
            Version(match[0].removesuffix(".yaml"), datetime.strptime(match[1], _STAMP_FORMAT).replace(tzinfo=UTC))
            for match in self._kept()
        ]
        return (*found, *([Version(PACKAGED, None)] if self._packaged and self.path.exists() else []))

    def version_text(self, id: str) -> str:
        """:raises NotFound: ``not_found.version`` when it is not, or no longer, kept."""
        if id == PACKAGED and self._packaged:
            return self._packaged.read_text(encoding="utf-8")
        try:
            if _VERSION.fullmatch(f"{id}.yaml"):
                return (self._versions / f"{id}.yaml").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            pass
        raise NotFound(
            "not_found.version", "This version of the glossary is no longer kept.", "Choose one from the list."
        )

    def _kept(self) -> list[re.Match[str]]:
        try:
            names = sorted(os.listdir(self._versions), reverse=True)
        except OSError:
            return []
        return [match for name in names if (match := _VERSION.fullmatch(name))]

    def _keep(self, current: GlossaryText, now: datetime) -> None:
        self._versions.mkdir(exist_ok=True)
        name = f"{now.astimezone(UTC).strftime(_STAMP_FORMAT)}-{current.version[:12]}.yaml"
        _write(self._versions / name, current.text)
        for match in self._kept()[KEPT:]:
            (self._versions / match[0]).unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Between processes, and between threads too: every opening of the file is a lock of its own."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _write(path: Path, text: str) -> None:
    """All or nothing: readers see the old text or the new one, also when the machine stops half way."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _disk(message: str) -> GlossaryNotSaved:
    return GlossaryNotSaved("glossary.disk", message, "See to the data folder: its space and its rights.")
