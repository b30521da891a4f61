"""Frames as Arrow IPC files in one folder, shared by all worker processes.

A file is written under a scratch name and moved into place, so a reader sees a whole frame or none. Its modification
time is when it was last used; the oldest unused go first when the folder outgrows its budget. The description of the
frame travels in the Arrow schema's metadata, so that any worker can show a frame it did not make.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
from pydantic import ValidationError

from agents.artifacts import Cell, FrameColumn, FrameMeta
from agents.errors import FrameError
from app.frames.cells import to_cell
from app.frames.csv import csv_pieces
from app.frames.pages import FramePage, Sort, cut_page, selected, to_rows

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_META = b"starchart.frame"
_SCRATCH_SECONDS = 3600.0


class ArrowFrames:
    """Implements :class:`agents.ports.FrameStore`.

    :param budget_bytes: size of the folder above which the longest unused frames are deleted.
    :param max_age_seconds: an unused frame is gone after this.
    :param clock: seconds since the epoch; also what file times are set to.
    """

    def __init__(
        self,
        directory: Path,
        *,
        budget_bytes: int = 512 * 1024 * 1024,
        max_age_seconds: float = 24 * 3600.0,
        preview_rows: int = 20,
        preview_chars: int = 200,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._directory = directory
        self._budget = budget_bytes
        self._max_age = max_age_seconds
        self._preview_rows = preview_rows
        self._preview_chars = preview_chars
        self._clock = clock
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    def put(
        self, table: pa.Table, columns: tuple[FrameColumn, ...], *, total: int | None, truncated: bool
    ) -> FrameMeta:
        """Store a result set.

        :param columns: one per column of the table, same names in the same order.
        :param total: the true number of rows when known.
        :raises FrameError: ``frame.columns`` when the columns do not fit, ``frame.not_stored`` when the disk refuses.
        """
        if [column.name for column in columns] != table.column_names:
            raise FrameError("frame.columns", "The description of the result does not fit its columns.")
        meta = FrameMeta(
            id=secrets.token_urlsafe(18),
            columns=columns,
            rows=table.num_rows,
            total=total,
            truncated=truncated,
            bytes=table.nbytes,
            preview=to_rows(table.slice(0, self._preview_rows), self._preview_chars),
        )
        target = self._path(meta.id)
        scratch = target.with_suffix(".part")
        marked = table.replace_schema_metadata({_META: meta.model_dump_json().encode()})
        try:
            with pa.OSFile(str(scratch), "wb") as sink, pa.ipc.new_file(sink, marked.schema) as writer:
                writer.write_table(marked)
            self._touch(scratch)
            os.replace(scratch, target)
        except OSError as error:
            scratch.unlink(missing_ok=True)
            raise FrameError(
                "frame.not_stored",
                f"The result could not be stored: {error.strerror or error}.",
                "Check the free space and the rights of the data folder.",
            ) from error
        self.sweep(keep=meta.id)
        return meta

    def open(self, frame_id: str) -> pa.Table:
        """The whole frame, memory-mapped: only what is looked at is read.

        :raises FrameError: ``frame.gone`` for an unknown or expired id.
        """
        return self._load(frame_id)[1]

    def meta(self, frame_id: str) -> FrameMeta:
        """The description under which the frame was stored.

        :raises FrameError: ``frame.gone``.
        """
        return self._load(frame_id)[0]

    def page(
        self,
        frame_id: str,
        *,
        offset: int = 0,
        limit: int = 50,
        sort: Sort | None = None,
        text: str | None = None,
        column_texts: Mapping[str, str] | None = None,
        clip: int = 2_000,
    ) -> FramePage:
        """Rows ``offset`` to ``offset + limit`` after filter and sort.

        :param text: keep rows that contain it in any column, whatever the case.
        :param column_texts: per column name a text that this column must contain.
        :param clip: longest text of a cell in characters.
        :raises FrameError: ``frame.gone``, ``frame.no_column``.
        """
        meta, table = self._load(frame_id)
        return cut_page(
            frame_id,
            meta.columns,
            table,
            offset=offset,
            limit=limit,
            sort=sort,
            text=text,
            column_texts=column_texts or {},
            clip=clip,
        )

    def cell(self, frame_id: str, row: int, column: str) -> Cell:
        """One whole value, however long.

        :param row: 0-based in the unsorted frame.
        :raises FrameError: ``frame.gone``, ``frame.no_column``, ``frame.no_row``.
        """
        table = self.open(frame_id)
        if column not in table.column_names:
            raise FrameError("frame.no_column", f"The result has no column {column!r}.", "Reload the page.")
        if not 0 <= row < table.num_rows:
            raise FrameError("frame.no_row", f"The result has no row {row}.", "Reload the page.")
        return to_cell(table.column(column)[row].as_py())

    def csv(
        self,
        frame_id: str,
        *,
        sort: Sort | None = None,
        text: str | None = None,
        column_texts: Mapping[str, str] | None = None,
        bom: bool = True,
    ) -> Iterator[bytes]:
        """The rows that a page shows with the same filter and sort, all of them, as CSV titled with the labels.

        Errors come with the call, not with the first piece, so that a download never breaks off for a known reason.

        :raises FrameError: ``frame.gone``, ``frame.no_column``.
        """
        meta, table = self._load(frame_id)
        rows = selected(table, sort, text, column_texts or {})
        whole = table if rows is None else table.take(rows)
        return csv_pieces(whole, [column.label for column in meta.columns], bom=bom)

    def sweep(self, keep: str = "") -> None:
        """Delete expired frames, then the longest unused ones until the budget fits. ``keep`` is never deleted."""
        now = self._clock()
        found: list[tuple[float, int, Path]] = []
        for entry in os.scandir(self._directory):
            with contextlib.suppress(OSError):  # another worker may have deleted it in between
                state = entry.stat()
                age = now - state.st_mtime
                if entry.name.endswith(".part"):
                    if age > _SCRATCH_SECONDS:
                        os.unlink(entry.path)
                elif entry.name.endswith(".arrow") and entry.name != f"{keep}.arrow":
                    if age > self._max_age:
                        os.unlink(entry.path)
                    else:
                        found.append((state.st_mtime, state.st_size, Path(entry.path)))
        total = sum(size for _, size, _ in found)
        if keep:
            with contextlib.suppress(OSError):
                total += self._path(keep).stat().st_size
        for _, size, path in sorted(found):
            if total <= self._budget:
                break
            path.unlink(missing_ok=True)
            total -= size

    def _path(self, frame_id: str) -> Path:
        return self._directory / f"{frame_id}.arrow"

    def _touch(self, path: Path) -> None:
        now = self._clock()
        os.utime(path, (now, now))

    def _load(self, frame_id: str) -> tuple[FrameMeta, pa.Table]:
        # The pattern also keeps ids from naming files outside the folder.
        if not _ID.fullmatch(frame_id):
            raise _gone()
        path = self._path(frame_id)
        try:
            if self._clock() - path.stat().st_mtime > self._max_age:
                path.unlink(missing_ok=True)
                raise _gone()
            self._touch(path)
            with pa.memory_map(str(path)) as source:
                table = pa.ipc.open_file(source).read_all()
            return FrameMeta.model_validate_json((table.schema.metadata or {})[_META]), table
        except FileNotFoundError:
            raise _gone() from None
        except (OSError, pa.ArrowInvalid, KeyError, ValidationError) as error:
            raise FrameError("frame.damaged", "The stored result cannot be read.", "Ask the question again.") from error


def _gone() -> FrameError:
    return FrameError(
        "frame.gone", "The result is no longer kept on the server.", "Ask the question again to see its rows."
    )
