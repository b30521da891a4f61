"""CSV that spreadsheets read right and never run."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.databases.results import to_array
from app.frames.csv import csv_pieces, formula_safe


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('=HYPERLINK("http://x.example","go")', '\'=HYPERLINK("http://x.example","go")'),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+49 30 1234", "'+49 30 1234"),
        ("-", "'-"),
        ("-1+1", "'-1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("-5", "-5"),
        ("+3.2%", "+3.2%"),
        ("-1,234.50", "-1,234.50"),
        ("-1.5e-3", "-1.5e-3"),
        ("-.5", "-.5"),
        ("a=b", "a=b"),
        ("'quoted", "'quoted"),
        ("", ""),
    ],
)
def test_formula_safe(text: str, expected: str) -> None:
    assert formula_safe(text) == expected


def written(columns: list[list[Any]], header: list[str], bom: bool = False) -> str:
    table = pa.Table.from_arrays([to_array(column) for column in columns], names=[f"c{n}" for n in range(len(columns))])
    return b"".join(csv_pieces(table, header, bom=bom)).decode()


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([[1, None], ["a", "b"]], "h0,h1\r\n1,a\r\n,b\r\n"),
        ([[-12.5, 3.0]], "h0\r\n-12.5\r\n3.0\r\n"),
        ([[2023, None, 2024]], 'h0\r\n2023\r\n""\r\n2024\r\n'),
        ([["", None, " x", "a,b"], [1] * 4], 'h0,h1\r\n"",1\r\n,1\r\n" x",1\r\n"a,b",1\r\n'),
        ([['q"q', "l\nl"]], 'h0\r\n"q""q"\r\n"l\nl"\r\n'),
        ([[9007199254740993]], "h0\r\n9007199254740993\r\n"),
        ([["2024-01-31"]], "h0\r\n2024-01-31\r\n"),
        ([["2024-01-31 10:00:00"]], "h0\r\n2024-01-31 10:00:00\r\n"),
        ([[b"\xff"]], "h0\r\n0xff\r\n"),
        ([[float("nan"), float("inf")]], "h0\r\nNaN\r\ninf\r\n"),
        ([[]], "h0\r\n"),
        ([["=1"], [-1]], "h0,h1\r\n'=1,-1\r\n"),
        ([["上海", "Zürich"]], "h0\r\n上海\r\nZürich\r\n"),
    ],
)  # fmt: skip
def test_lines(columns: list[list[Any]], expected: str) -> None:
    assert written(columns, [f"h{n}" for n in range(len(columns))]) == expected


def test_mark_for_excel_and_safe_titles() -> None:
    assert written([[1]], ["=a,b"], bom=True) == '\ufeff"\'=a,b"\r\n1\r\n'


def test_a_huge_text_is_exported_whole() -> None:
    assert len(written([["ab " * 700_000]], ["body"])) > 2_100_000


def test_pieces_are_streamed() -> None:
    table = pa.table({"n": list(range(5_000)), "day": [date(2024, 1, 1)] * 5_000})
    pieces = list(csv_pieces(table, ["n", "day"], bom=False))
    assert len(pieces) == 4
    assert b"".join(pieces).count(b"\r\n") == 5_001


_CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)


@given(st.lists(st.tuples(_CELLS, _CELLS), max_size=5))
def test_readers_get_the_same_texts_back(rows: list[tuple[str, str]]) -> None:
    texts = written([[row[0] for row in rows], [row[1] for row in rows]], ["a", "b"])
    read = list(csv.reader(io.StringIO(texts, newline="")))
    assert read[0] == ["a", "b"]
    dated = [[str(to_array([cell]).to_pylist()[0]) for cell in row] for row in rows]
    assert read[1:] == [[formula_safe(cell) for cell in row] for row in dated]
