"""Settings rows, their parsing, and the kept secret."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest

from app.settings import SETTINGS, Settings, SettingsError, load_settings, unknown_settings


def check(tmp_path: Path, name: str, text: str, expected: object) -> None:
    environment = {"STARCHART_DATA": str(tmp_path), f"STARCHART_{name}": text}
    row = next(row for row in SETTINGS if row.name == name)
    if isinstance(expected, str) and expected.startswith("!"):
        with pytest.raises(SettingsError) as caught:
            load_settings(environment)
        assert caught.value.code == expected[1:]
        assert f"STARCHART_{name}" in caught.value.message and caught.value.hint
    else:
        assert getattr(load_settings(environment), row.field) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ROWS", "", 10_000),
        ("ROWS", "5", 5),
        ("ROWS", "0", "!settings.invalid"),
        ("ROWS", "many", "!settings.invalid"),
        ("STATEMENT_SECONDS", "2.5", 2.5),
        ("STATEMENT_SECONDS", "nan", "!settings.invalid"),
        ("TURN_SECONDS", "-1", "!settings.invalid"),
        ("HTTPS", "ON", True),
        ("HTTPS", "perhaps", "!settings.invalid"),
        ("HOSTS", "a.example, b.example,", ("a.example", "b.example")),
        ("WEEK_START", "Sunday", "sunday"),
        ("WEEK_START", "friday", "!settings.invalid"),
        ("SOCKETS", "31", 31),
        ("SOCKETS", "32", "!settings.invalid"),
        ("SECRET_KEY", "short", "!settings.invalid"),
        ("STORE", "postgresql://u@h/d", "postgresql://u@h/d"),
    ],
)
def test_values(tmp_path: Path, name: str, text: str, expected: object) -> None:
    check(tmp_path, name, text, expected)


def test_every_field_has_a_documented_row() -> None:
    assert [row.field for row in SETTINGS] == [field.name for field in fields(Settings)]
    assert all(row.help.endswith(".") and row.kind for row in SETTINGS)


def test_a_misspelled_name_is_noticed() -> None:
    assert unknown_settings({"STARCHART_ROW": "5", "STARCHART_ROWS": "5", "PATH": ""}) == ("STARCHART_ROW",)


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    def load(_number: int) -> str:
        return load_settings({"STARCHART_DATA": str(tmp_path / "new")}).secret_key

    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load, range(8)))
    assert len(keys) == 1 and len(keys.pop()) >= 32
    assert stat.S_IMODE((tmp_path / "new" / "secret_key").stat().st_mode) == 0o600


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError) as caught:
        load_settings({"STARCHART_DATA": str(tmp_path / "file")})
    assert caught.value.code == "settings.data"


def test_a_path_with_odd_characters_is_a_store(tmp_path: Path) -> None:
    folder = tmp_path / "a?b #%20c"
    assert load_settings({"STARCHART_DATA": str(folder)}).store_url.startswith("sqlite:///")
