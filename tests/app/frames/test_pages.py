"""Sorting, filtering and cutting frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents.artifacts import FrameMeta
from agents.errors import FrameError
from app.frames import ArrowFrames, Sort

Put = Callable[..., FrameMeta]


@pytest.mark.parametrize(
    ("values", "descending", "order"),
    [
        ([3, 1, None, 2], False, [1, 3, 0, 2]),
        ([3, 1, None, 2], True, [0, 3, 1, 2]),
        ([1, 1, 1], True, [0, 1, 2]),
        (["b", "A", None, "a", "É"], False, [1, 3, 0, 4, 2]),
        (["9", "10", "100"], False, [0, 1, 2]),
        (["9", "10", "n/a"], False, [1, 0, 2]),
        ([2**60, 2**60 - 1], False, [1, 0]),
        (["2024-02-01", "1000-01-01", "9999-12-31"], True, [2, 0, 1]),
        ([1.5, None, float("inf"), -1.0], False, [3, 0, 2, 1]),
        ([None, None], False, [0, 1]),
        ([b"b", b"a"], False, [1, 0]),
    ],
)
def test_sort(values: list[Any], descending: bool, order: list[int], frames: ArrowFrames, put: Put) -> None:
    page = frames.page(put(v=values, n=list(range(len(values)))).id, sort=Sort("v", descending))
    assert list(page.row_numbers) == order
    assert [row[1] for row in page.rows] == order


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        (None, {}, [0, 1, 2, 3]),
        ("", {"city": " "}, [0, 1, 2, 3]),
        ("oslo", {}, [0, 3]),
        ("ÉVORA", {}, [1]),
        (" évora ", {}, [1]),
        ("2.5", {}, [1]),
        ("2024-02", {}, [2]),
        ("o", {"n": "1"}, [0]),
        (None, {"city": "o", "day": "2024-01"}, [0, 1]),
        ("%", {}, []),
        (".*", {}, []),
        (None, {"raw": "x"}, []),
        ("no such", {}, []),
    ],
)
def test_filter(text: str | None, columns: dict[str, str], rows: list[int], frames: ArrowFrames, put: Put) -> None:
    meta = put(
        city=["Oslo", "Évora", None, "OSLO"],
        n=[1.5, 2.5, 3.0, None],
        day=["2024-01-01", "2024-01-02", "2024-02-01", None],
        raw=[b"x", b"y", b"z", None],
    )
    page = frames.page(meta.id, text=text, column_texts=columns)
    assert list(page.row_numbers) == rows
    assert (page.matching, page.total) == (len(rows), 4)


def test_pages_of_a_filtered_and_sorted_frame(frames: ArrowFrames, put: Put) -> None:
    meta = put(n=list(range(100)), word=[f"w{n % 3}" for n in range(100)])
    page = frames.page(meta.id, offset=10, limit=5, sort=Sort("n", True), text="w1")
    assert [row[0] for row in page.rows] == [67, 64, 61, 58, 55]
    assert (page.matching, page.total, page.offset, page.limit) == (33, 100, 10, 5)
    assert page.row_numbers == (67, 64, 61, 58, 55)


@pytest.mark.parametrize(
    ("offset", "limit", "rows"), [(0, 2, 2), (2, 2, 1), (3, 2, 0), (99, 2, 0), (-5, 2, 2), (0, -1, 0)]
)
def test_edges(offset: int, limit: int, rows: int, frames: ArrowFrames, put: Put) -> None:
    assert len(frames.page(put(n=[1, 2, 3]).id, offset=offset, limit=limit).rows) == rows


def test_no_rows(frames: ArrowFrames, put: Put) -> None:
    meta = put(d=[], v=[])
    page = frames.page(meta.id, sort=Sort("v"), text="x", column_texts={"d": "y"})
    assert (page.rows, page.matching, len(page.columns)) == ((), 0, 2)
    assert frames.page(meta.id).rows == ()


def test_long_cells_are_cut_on_the_page_and_whole_on_demand(frames: ArrowFrames, put: Put) -> None:
    meta = put(id=[1], body=["ab " * 20_000])
    assert len(str(frames.page(meta.id).rows[0][1])) == 2_000
    assert len(str(meta.preview[0][1])) == 200
    assert len(str(frames.cell(meta.id, 0, "body"))) == 60_000


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda frames, key: frames.page(key, sort=Sort("x")), "frame.no_column"),
        (lambda frames, key: frames.page(key, column_texts={"x": "1"}), "frame.no_column"),
        (lambda frames, key: frames.csv(key, sort=Sort("x")), "frame.no_column"),
        (lambda frames, key: frames.cell(key, 0, "x"), "frame.no_column"),
        (lambda frames, key: frames.cell(key, 3, "n"), "frame.no_row"),
        (lambda frames, key: frames.cell(key, -1, "n"), "frame.no_row"),
    ],
)
def test_what_is_not_there(
    call: Callable[[ArrowFrames, str], object], code: str, frames: ArrowFrames, put: Put
) -> None:
    with pytest.raises(FrameError) as caught:
        call(frames, put(n=[1, 2, 3]).id)
    assert caught.value.code == code


def test_csv_of_what_the_page_shows(frames: ArrowFrames, put: Put) -> None:
    meta = put(word=["b", "a", "=c"], n=[1, 2, -3])
    text = b"".join(frames.csv(meta.id, sort=Sort("n"), bom=False)).decode()
    assert text == "Word,N\r\n'=c,-3\r\nb,1\r\na,2\r\n"
    assert b"".join(frames.csv(meta.id, text="a")) == b"\xef\xbb\xbfWord,N\r\na,2\r\n"
