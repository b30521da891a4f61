"""What was read from a database file, kept on disk so that a restart does not read it again."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

# Part of every entry: raise it when a stored form or the way kinds are found changes.
FORMAT = 4

Identity: TypeAlias = tuple[int, int, int] | None
"""Of a file: changes whenever it is written anew; ``None`` while there is none."""


def file_stamp(path: Path) -> str:
    """Changes whenever the file may hold something else: path, size, times, and the same of its write-ahead log."""
    parts: list[object] = [str(path.absolute())]
    for part in (path, path.with_name(path.name + "-wal")):
        try:
            state = part.stat()
        except OSError:
            parts.append(None)
        else:
            parts.append((state.st_size, state.st_mtime_ns, state.st_ino) if state.st_size else None)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def write_atomically(target: Path, text: str) -> None:
    """Write a whole file or nothing; readers in other processes see the old or the new one, never a part."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(scratch, target)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


class FileCache:
    """What was read from a database file, kept as JSON. One entry per file and kind.

    A cache that cannot be read or written costs time, never an answer.

    :param folder: ``None`` keeps nothing.
    """

    def __init__(self, folder: Path | None, kind: str, path: Path) -> None:
        self._path = path
        place = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
        self._file = None if folder is None else folder / f"{kind}-{place}.json"

    @property
    def identity(self) -> Identity:
        """Another one whenever some process has saved."""
        try:
            state = self._file.stat() if self._file is not None else None
        except OSError:
            return None
        return None if state is None else (state.st_mtime_ns, state.st_size, state.st_ino)

    def load(self, *, outdated: bool = False) -> Any:
        """The stored document, or ``None`` when there is none or the file has changed since.

        :param outdated: give it even then.
        """
        if self._file is None:
            return None
        try:
            entry = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(entry, dict) or entry.get("format") != FORMAT:
            return None
        return entry.get("document") if outdated or entry.get("stamp") == file_stamp(self._path) else None

    def touch(self) -> None:
        """Give the entry another identity."""
        if self._file is not None:
            with suppress(OSError):
                os.utime(self._file)

    def remove_others(self, like: str) -> None:
        """Remove what is kept of the same file under other kinds that begin with ``like``: it was read by other
        settings, and may hold what is not to be kept any more."""
        if self._file is None:
            return
        place = self._file.stem.rsplit("-", 1)[1]
        with suppress(OSError):
            for other in self._file.parent.glob(f"{like}*-{place}.json"):
                if other != self._file:
                    other.unlink(missing_ok=True)

    def save(self, stamp: str, document: object) -> None:
        """:param stamp: :func:`file_stamp` from before the file was read."""
        if self._file is not None:
            entry = {"format": FORMAT, "stamp": stamp, "document": document}
            with suppress(OSError, UnicodeError):
                write_atomically(self._file, json.dumps(entry, ensure_ascii=False))
