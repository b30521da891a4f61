"""Glossaries on disk: what counts, who may replace it, and what is kept."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agents.errors import NotFound
from app.glossaries import GlossaryFile, GlossaryNotSaved, version_of

NOW = datetime(2026, 5, 4, 9, 41, tzinfo=UTC)


@pytest.fixture
def packaged(tmp_path: Path) -> Path:
    path = tmp_path / "shop.glossary.yaml"
    path.write_text("currency: EUR\n", "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path, packaged: Path) -> GlossaryFile:
    return GlossaryFile(tmp_path / "glossaries", "shop", packaged)


def saved(file: GlossaryFile, *texts: str) -> None:
    for minute, text in enumerate(texts):
        file.save(text, seen=file.read().version, now=NOW + timedelta(minutes=minute))


def test_until_somebody_saves(file: GlossaryFile, tmp_path: Path) -> None:
    assert (file.read().text, file.read().origin, file.stamp(), file.versions()) == (
        "currency: EUR\n",
        "packaged",
        None,
        (),
    )
    none = GlossaryFile(tmp_path / "glossaries", "other").read()
    assert (none.text, none.version, none.origin) == ("", version_of(""), "none")


def test_saving_keeps_what_was(file: GlossaryFile) -> None:
    stamps = {file.stamp()}
    for minute, text in enumerate(("a: 1\r\nb: 2\r", "second\n", "third 订单\n")):
        file.save(text, seen=file.read().version, now=NOW + timedelta(minutes=minute))
        stamps.add(file.stamp())
    assert (file.read().text, file.read().origin, len(stamps)) == ("third 订单\n", "edited", 4)
    ids = [version.id for version in file.versions()]
    assert [file.version_text(id) for id in ids] == ["second\n", "a: 1\nb: 2\n", "currency: EUR\n"]
    later = [NOW + timedelta(minutes=2), NOW + timedelta(minutes=1)]
    assert [version.until for version in file.versions()] == [*later, None]
    assert [path.name for path in file.path.parent.rglob(".*")] == []


def test_the_last_ten_stay(file: GlossaryFile) -> None:
    saved(file, *(f"text: {n}\n" for n in range(15)))
    assert [file.version_text(version.id) for version in file.versions()] == [
        *(f"text: {n}\n" for n in reversed(range(4, 14))),
        "currency: EUR\n",
    ]


def test_the_same_text_is_no_new_version(file: GlossaryFile) -> None:
    saved(file, "a: 1\n", "a: 1\n")
    assert [version.until for version in file.versions()] == [None]


def test_who_has_not_seen_what_is_there_does_not_replace_it(file: GlossaryFile) -> None:
    seen = file.read().version
    saved(file, "theirs: 1\n")
    with pytest.raises(GlossaryNotSaved) as raised:
        file.save("mine: 1\n", seen=seen, now=NOW)
    assert raised.value.code == "glossary.conflict"
    assert file.read().text == "theirs: 1\n"


def test_of_many_who_save_at_once_one_wins(file: GlossaryFile, tmp_path: Path, packaged: Path) -> None:
    seen = file.read().version
    ready = threading.Barrier(8)
    won: list[str] = []
    lost: list[str] = []

    def save(text: str) -> None:
        own = GlossaryFile(tmp_path / "glossaries", "shop", packaged)  # as another process would have it
        ready.wait()
        try:
            won.append(own.save(text, seen=seen, now=NOW).text)
        except GlossaryNotSaved as error:
            lost.append(error.code)

    threads = [threading.Thread(target=save, args=(f"by: {n}\n",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [file.read().text]
    assert lost == ["glossary.conflict"] * 7


@pytest.mark.parametrize(
    "id", ["", "x", "../shop", "../../shop.glossary", "20260504T094100000000-000000000000", "packaged/.."]
)
def test_only_versions_that_are_kept_are_found(file: GlossaryFile, id: str) -> None:
    saved(file, "a: 1\n", "b: 1\n")
    with pytest.raises(NotFound):
        file.version_text(id)


@pytest.mark.parametrize("name", ["../evil", "a/b", "..", "订单", "a b"])
def test_any_name_stays_in_the_folder(tmp_path: Path, name: str) -> None:
    file = GlossaryFile(tmp_path / "glossaries", name)
    saved(file, "a: 1\n")
    assert file.path.parent == tmp_path / "glossaries"
    assert [path.name for path in tmp_path.iterdir()] == ["glossaries"]


def test_a_disk_that_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "glossaries").write_text("a file where the folder should be")
    with pytest.raises(GlossaryNotSaved) as raised:
        GlossaryFile(tmp_path / "glossaries", "shop").save("a: 1\n", seen=version_of(""), now=NOW)
    assert raised.value.code == "glossary.disk"


def test_a_file_that_is_no_text_is_told(file: GlossaryFile) -> None:
    saved(file, "a: 1\n")
    file.path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GlossaryNotSaved) as raised:
        file.read()
    assert raised.value.code == "glossary.disk"
