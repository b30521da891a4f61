"""Frames on disk: kept, shared, expired, swept."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pytest

from agents.artifacts import FrameMeta
from agents.errors import FrameError
from app.frames import ArrowFrames

Put = Callable[..., FrameMeta]


class Now(Protocol):
    seconds: float


def gone(frames: ArrowFrames, frame_id: str, code: str = "frame.gone") -> None:
    with pytest.raises(FrameError) as caught:
        frames.open(frame_id)
    assert caught.value.code == code
    assert caught.value.hint


def test_round_trip(frames: ArrowFrames, put: Put) -> None:
    meta = put(id=[1, 2], name=["a", None], big=[2**60, 1])
    assert frames.open(meta.id).to_pydict() == {"id": [1, 2], "name": ["a", None], "big": [2**60, 1]}
    assert frames.meta(meta.id) == meta
    assert (meta.rows, meta.total, meta.truncated) == (2, 2, False)
    assert meta.preview == ((1, "a", str(2**60)), (2, None, 1))
    json.dumps(meta.model_dump(mode="json"), allow_nan=False)


def test_truncation_and_unknown_total_are_kept(frames: ArrowFrames) -> None:
    meta = frames.put(pa.table({}), (), total=None, truncated=True)
    assert (frames.meta(meta.id).total, frames.meta(meta.id).truncated) == (None, True)


def test_ids_cannot_be_guessed_or_name_other_files(frames: ArrowFrames, put: Put, tmp_path: Path) -> None:
    ids = {put(n=[1]).id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(frame_id) >= 24 for frame_id in ids)
    (tmp_path / "secret-secret-secret.arrow").write_bytes(b"x")
    for bad in ("", "../secret-secret-secret", "a/b", "x" * 100, "nosuchframe-nosuchframe", "\x00" * 20, "..%2f" * 5):
        gone(frames, bad)


def test_description_must_fit(frames: ArrowFrames) -> None:
    with pytest.raises(FrameError) as caught:
        frames.put(pa.table({"a": [1]}), (), total=1, truncated=False)
    assert caught.value.code == "frame.columns"


def test_unused_frames_expire_and_used_ones_stay(frames: ArrowFrames, put: Put, now: Now) -> None:
    idle, used = put(n=[1]).id, put(n=[2]).id
    now.seconds += 80
    frames.open(used)
    now.seconds += 80
    gone(frames, idle)
    assert frames.open(used).num_rows == 1
    now.seconds += 101
    frames.sweep()
    gone(frames, used)


def test_oldest_unused_go_first_when_the_budget_is_full(frames: ArrowFrames, now: Now, put: Put) -> None:
    made = []
    for number in range(4):
        now.seconds += 1
        made.append(put(text=[f"{number}" * 60_000]).id)
        frames.open(made[0])
    assert frames.open(made[0]).num_rows == 1
    gone(frames, made[1])
    assert frames.open(made[3]).num_rows == 1


def test_one_frame_larger_than_the_budget_is_kept(frames: ArrowFrames, put: Put) -> None:
    small, large = put(n=[1]).id, put(text=["x" * 500_000]).id
    assert frames.open(large).num_rows == 1
    gone(frames, small)


def test_another_worker_reads_it(frames: ArrowFrames, put: Put, tmp_path: Path) -> None:
    meta = put(word=["b", "a"], n=[1, -2])
    program = (
        "import sys; from pathlib import Path; from app.frames import ArrowFrames, Sort\n"
        "frames = ArrowFrames(Path(sys.argv[1]), clock=lambda: 1_700_000_000.0)\n"
        "page = frames.page(sys.argv[2], sort=Sort('word'))\n"
        "print([c.label for c in page.columns], page.rows, frames.meta(sys.argv[2]).total)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "frames"), meta.id], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['Word', 'N'] (('a', -2), ('b', 1)) 2"


def test_threads_put_read_and_sweep_at_once(frames: ArrowFrames, put: Put) -> None:
    trouble: list[Any] = []

    def work(number: int) -> None:
        try:
            for _ in range(10):
                meta = put(n=[number] * 2_000)
                with contextlib.suppress(FrameError):  # the budget may have pushed it out
                    assert frames.open(meta.id).num_rows == 2_000
                frames.sweep()
        except Exception as error:
            trouble.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert trouble == []


def test_an_open_frame_survives_its_deletion(frames: ArrowFrames, put: Put, tmp_path: Path) -> None:
    meta = put(n=list(range(1_000)))
    table = frames.open(meta.id)
    (tmp_path / "frames" / f"{meta.id}.arrow").unlink()
    assert table.column("n").to_pylist()[-1] == 999
    gone(frames, meta.id)


@pytest.mark.parametrize("content", [b"", b"ARROW1", b"nonsense" * 100])
def test_a_damaged_file_is_told(content: bytes, frames: ArrowFrames, put: Put, tmp_path: Path, now: Now) -> None:
    meta = put(n=[1])
    path = tmp_path / "frames" / f"{meta.id}.arrow"
    path.write_bytes(content)
    now.seconds = path.stat().st_mtime
    gone(frames, meta.id, "frame.damaged")


def test_leftovers_of_a_crash_are_swept(frames: ArrowFrames, now: Now, tmp_path: Path) -> None:
    leftover = tmp_path / "frames" / "half.part"
    leftover.write_bytes(b"x")
    now.seconds = leftover.stat().st_mtime + 10
    frames.sweep()
    assert leftover.exists()
    now.seconds += 4_000
    frames.sweep()
    assert not leftover.exists()


def test_a_folder_that_cannot_be_written(frames: ArrowFrames, put: Put, tmp_path: Path) -> None:
    (tmp_path / "frames").rmdir()
    with pytest.raises(FrameError) as caught:
        put(n=[1])
    assert caught.value.code == "frame.not_stored"
