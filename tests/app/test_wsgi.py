"""The application over a real database and the real engine."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app.wsgi import make


def test_a_question_about_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(tmp_path / "pets.sqlite") as connection:
        connection.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, species TEXT)")
        connection.executemany(
            "INSERT INTO pets (name, species) VALUES (?, ?)", [("Rex", "dog"), ("Tom", "cat"), ("Ada", "cat")]
        )
    connection.close()
    monkeypatch.setenv("STARCHART_DATA", str(tmp_path / "data"))
    app = make(f"sqlite:///{tmp_path / 'pets.sqlite'}")
    client = app.test_client()
    assert "pets" in client.get("/c/pets/").get_data(as_text=True)
    answer = client.post("/api/query", json={"question": "How many pets are there?"}).get_json()
    assert (answer["status"], answer["rows"], answer["total_rows"]) == ("answered", [[3]], 1)
    assert "3" in answer["narrative"]
    app.extensions["starchart"].close()
