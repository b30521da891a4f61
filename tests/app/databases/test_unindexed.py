"""Columns that the index of values leaves out."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, Kind, Table
from agents.glossary import load_glossary
from app.databases.unindexed import is_secret, left_out


@pytest.mark.parametrize(
    ("name", "samples", "expected"),
    [
        ("password", (), True),
        ("userPassword", (), True),
        ("pwd_hash", (), True),
        ("api_key", (), True),
        ("AccessKey", (), True),
        ("creditCardNumber", (), True),
        ("登录密码", (), True),
        ("ref", ("d41d8cd98f00b204e9800998ecf8427e", "900150983cd24fb0d6963f7d28e17f72"), True),
        ("auth", ("$2b$12$" + "a" * 53, "$2b$12$" + "b" * 53), True),
        ("name", ("Ann", "Bo"), False),
        ("boarding_pass", ("B1",), False),
        ("token_ring", (), True),
        ("pinned_by", (), False),
        ("key", (), False),
        ("card_type", (), False),
        ("track_number", (), False),
        ("only_one", ("d41d8cd98f00b204e9800998ecf8427e",), False),
        ("product_code", ("1234567890123456", "2234567890123456"), False),
    ],
)
def test_secrets(name: str, samples: tuple[str, ...], expected: bool) -> None:
    assert is_secret(Column(name, "TEXT", Kind.TEXT, samples=samples)) is expected


CATALOG = Catalog(
    "small",
    "sqlite",
    (
        Table(
            "users",
            (
                *(Column(name, "TEXT", Kind.TEXT) for name in ("name", "password", "mail", "phone")),
                Column("essay", "TEXT", Kind.TEXT, samples=("long " * 40,)),
                Column("n", "INTEGER", Kind.INTEGER),
            ),
        ),
        Table("people", (Column("mail", "TEXT", Kind.TEXT),), kind="view"),
    ),
)


@pytest.mark.parametrize(
    ("glossary", "expected"),
    [
        ("", "password=secret essay=prose"),
        ("tables: {users: {columns: {Mail: {indexed: false}}}}", "password=secret mail=off essay=prose"),
        ("tables: {users: {columns: {password: {indexed: true}, essay: {indexed: true}}}}", ""),
        ("tables: {users: {columns: {password: {indexed: true, hidden: true}}}}", "password=hidden essay=prose"),
        ("tables: {users: {hidden: true}}", "name=hidden password=hidden mail=hidden phone=hidden essay=hidden"),
    ],
)
def test_left_out(glossary: str, expected: str) -> None:
    found = left_out(CATALOG, load_glossary(glossary, CATALOG))
    assert " ".join(f"{one.column}={one.why}" for one in found) == expected
