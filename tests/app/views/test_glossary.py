"""The glossary's page: shown, saved, refused, fought over, restored; nothing that was typed is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from agents.glossary import fits, load, measures, problems
from agents.sql import measures as sql_measures
from app import i18n
from app.glossaries import GlossaryFile, check, forms
from app.settings import Settings

HERE = "/c/vega/glossary"
NOW = datetime(2026, 5, 4, 9, 41, tzinfo=UTC)
TEXT = """# Ours.
tables:
  cars:
    names: {en: [car], zh: [汽车]}
measures:
  power: {expression: AVG(cars.id)}
"""


class Fields(HTMLParser):
    """What a browser would send: the fields of the page's form as they are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self._inside = False
        self._area = self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            self._inside = given.get("action") == HERE
        elif not self._inside:
            return
        elif tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self.sent[name] = value
        elif tag == "textarea":
            self.sent[name], self._area = "", name
        elif tag == "select":
            self.sent[name], self._select = "", name
        elif tag == "option" and self._select and "selected" in given:
            self.sent[self._select] = given.get("value") or ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.sent[self._area] = self.sent[self._area].removeprefix("\n")
            self._area = ""
        elif tag == "select":
            self._select = ""


@pytest.fixture
def file(settings: Settings, engine: Any) -> GlossaryFile:
    own: GlossaryFile = engine.glossary_file("vega")
    return own


@pytest.fixture
def edited(file: GlossaryFile) -> GlossaryFile:
    file.save(TEXT, seen=file.read().version, now=NOW)
    return file


def fields(client: FlaskClient, query: str = "") -> dict[str, str]:
    return Fields(client.get(f"{HERE}{query}").get_data(as_text=True)).sent


def post(client: FlaskClient, sent: dict[str, str]) -> tuple[int, str]:
    answer = client.post(HERE, data=sent)
    return answer.status_code, answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("query", "status", "expected"),
    [
        ("", 200, "There is no glossary yet."),
        ("?part=table&table=cars", 200, 'name="c0-en"'),
        ("?part=table&table=CARS", 200, 'name="c0-en"'),
        ("?part=measures", 200, 'name="m0-key"'),
        ("?part=yaml", 200, "# Draft, made from the catalog"),
        ("?part=versions", 200, "There is no earlier version yet."),
        ("?part=table&table=nowhere", 404, "not_found.glossary_part"),
        ("?part=table", 404, "not_found.glossary_part"),
        ("?part=nothing", 404, "not_found.glossary_part"),
        ("?part=versions&version=../secret_key", 404, "not_found.version"),
    ],
)
def test_parts(client: FlaskClient, query: str, status: int, expected: str) -> None:
    answer = client.get(HERE + query)
    assert answer.status_code == status
    assert expected in answer.get_data(as_text=True)


def test_it_is_reached_from_the_data(client: FlaskClient) -> None:
    page = client.get("/c/vega/schema").get_data(as_text=True)
    assert f'href="{HERE}"' in page
    assert 'href="/c/vega/schema"' in client.get(HERE).get_data(as_text=True)


def test_a_connection_that_is_not_there(client: FlaskClient) -> None:
    assert client.get("/c/nowhere/glossary").status_code == 404


SAVES: list[tuple[str, dict[str, str], str, str]] = [
    ("?part=yaml", {"text": "currency: USD\r\n"}, TEXT, "currency: USD\n"),
    ("?part=table&table=cars", {"en": "car, auto"}, "{en: [car]", "{en: [car, auto]"),
    (
        "?part=table&table=cars",
        {"c1-hidden": "1"},
        "[汽车]}\n",
        "[汽车]}\n    columns:\n      origin_id: {hidden: true}\n",
    ),
    ("?part=measures", {"m0-unit": "hp"}, "AVG(cars.id)}", "AVG(cars.id), unit: hp}"),
    ("", {"fiscal_year_start": "7"}, "AVG(cars.id)}\n", "AVG(cars.id)}\nfiscal_year_start: 7\n"),
    ("", {}, "", ""),
]


@pytest.mark.parametrize(("query", "typed", "before", "after"), SAVES)
def test_saving(
    client: FlaskClient, edited: GlossaryFile, query: str, typed: dict[str, str], before: str, after: str
) -> None:
    answer = client.post(HERE, data=fields(client, query) | typed)
    assert answer.status_code == 303
    assert edited.read().text == (TEXT.replace(before, after) if before else TEXT)
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert "Saved. Questions use it from now on." in page
    assert answer.headers["Location"].startswith(HERE)


def test_saving_a_draft_takes_it_whole(client: FlaskClient, file: GlossaryFile) -> None:
    assert post(client, fields(client, "?part=table&table=cars") | {"zh": "汽车"})[0] == 303
    text = file.read().text
    assert text.startswith("# Draft") and "names: {en: [car], zh: [汽车]}" in text and "  origins:" in text
    assert "There is no glossary yet" not in client.get(HERE).get_data(as_text=True)


REFUSED: list[tuple[str, dict[str, str], str]] = [
    ("?part=yaml", {"text": "tables: [\nmine & <b>typed</b>"}, "Line 2"),
    ("?part=yaml", {"text": "# mine\n\ntables: {lorries: {}}"}, "lorries"),
    ("?part=measures", {"m0-expression": "AVG(cars.weight) -- mine"}, 'id="m0-expression-problem"'),
    ("?part=measures", {"m1-key": "mine"}, 'id="m1-expression-problem"'),
    ("?part=table&table=cars", {"default_date": "mine"}, 'id="default_date-problem"'),
    ("?part=table&table=cars", {"c0-aggregation": "total", "c0-en": "mine"}, 'id="c0-aggregation-problem"'),
    ("?part=table&table=cars", {"c0-v1-en": "mine"}, 'id="c0-v0-value-problem"'),
    ("", {"fiscal_year_start": "13", "about_en": "mine"}, 'id="fiscal_year_start-problem"'),
]


@pytest.mark.parametrize(("query", "typed", "expected"), REFUSED)
def test_what_does_not_fit_is_said_where_it_is_and_kept(
    client: FlaskClient, edited: GlossaryFile, query: str, typed: dict[str, str], expected: str
) -> None:
    before = fields(client, query)
    status, page = post(client, before | typed)
    assert (status, edited.read().text) == (422, TEXT)
    assert expected in page
    again = Fields(page).sent
    kept = set(again.values())
    assert [value for value in typed.values() if "mine" in value and value.rstrip("\n") not in kept] == []
    assert again["version"] == before["version"]
    if 'aria-invalid="true"' in page:
        assert re.findall(r'aria-describedby="([\w-]+)"', page) == re.findall(r'field-problem" id="([\w-]+)"', page)


CONFLICTS = ["?part=yaml", "?part=table&table=cars", "?part=measures", ""]


@pytest.mark.parametrize("query", CONFLICTS)
def test_a_conflict_is_told_and_not_overwritten(client: FlaskClient, edited: GlossaryFile, query: str) -> None:
    sent = fields(client, query)
    theirs = "currency: CHF\n" + TEXT.replace("[car]", "[vehicle]").replace("AVG", "MAX")
    edited.save(theirs, seen=edited.read().version, now=NOW)
    mine = {"text": "# mine\n"} if "text" in sent else {"m0-en": "mine"} if "m0-key" in sent else {"about_en": "mine"}
    status, page = post(client, sent | mine)
    assert (status, edited.read().text) == (409, theirs)
    assert "in the meantime" in page
    again = Fields(page).sent
    assert [again[key] for key in mine] == list(mine.values())
    # Who was told may put theirs over it, and that is kept too.
    assert post(client, again)[0] == 303
    assert edited.read().text != theirs
    assert theirs in [edited.version_text(version.id) for version in edited.versions()]


def test_edits_of_different_parts_do_not_disturb_each_other(client: FlaskClient, edited: GlossaryFile) -> None:
    cars, origins, measures = (
        fields(client, q) for q in ("?part=table&table=cars", "?part=table&table=origins", "?part=measures")
    )
    assert post(client, origins | {"en": "country"})[0] == 303
    assert post(client, cars | {"en": "auto"})[0] == 303
    assert post(client, measures | {"m0-en": "horsepower"})[0] == 303
    text = edited.read().text
    assert "[auto]" in text and "[country]" in text and "[horsepower]" in text


def test_a_wrong_text_is_not_checked_in_over_another(client: FlaskClient, edited: GlossaryFile) -> None:
    """A refusal for its content must not make a stale page look like a fresh one."""
    sent = fields(client, "?part=yaml")
    edited.save("currency: CHF\n", seen=edited.read().version, now=NOW)
    status, page = post(client, sent | {"text": "tables: ["})
    assert status == 422
    assert post(client, Fields(page).sent | {"text": "currency: USD\n"})[0] == 409
    assert edited.read().text == "currency: CHF\n"


def test_a_page_that_is_out_of_date_loses_nothing(client: FlaskClient, edited: GlossaryFile) -> None:
    sent = fields(client, "?part=table&table=cars") | {"csrf_token": "wrong", "en": "mine", "c0-en": "mine too"}
    status, page = post(client, sent)
    assert (status, edited.read().text) == (400, TEXT)
    again = Fields(page).sent
    assert (again["en"], again["c0-en"], "request.form_token" in page) == ("mine", "mine too", True)
    assert post(client, again)[0] == 303


def test_restoring(client: FlaskClient, edited: GlossaryFile) -> None:
    edited.save("currency: CHF\n", seen=edited.read().version, now=NOW)
    [version] = edited.versions()
    page = client.get(f"{HERE}?part=versions&version={version.id}").get_data(as_text=True)
    assert '<span class="put">+measures:' in page and '<span class="gone">-currency: CHF' in page
    sent = Fields(page).sent
    assert post(client, sent)[0] == 303
    assert edited.read().text == TEXT
    assert len(edited.versions()) == 2
    # The page from before knows another version.
    assert post(client, sent)[0] == 409


def test_what_no_longer_fits_is_not_restored(client: FlaskClient, edited: GlossaryFile) -> None:
    edited.save("tables: {gone: {}}\n", seen=edited.read().version, now=NOW)
    edited.save(TEXT, seen=edited.read().version, now=datetime(2026, 5, 5, tzinfo=UTC))
    id = edited.versions()[0].id
    status, page = post(client, Fields(client.get(f"{HERE}?part=versions&version={id}").get_data(as_text=True)).sent)
    assert (status, edited.read().text) == (422, TEXT)
    assert "gone" in page and "Line 1" in page


def test_a_saved_text_that_no_longer_fits(client: FlaskClient, edited: GlossaryFile) -> None:
    edited.save(TEXT + "questions: {en: [why]}\ntabels: {}\n", seen=edited.read().version, now=NOW)
    # It has no shape: the forms cannot show it, the text can.
    answer = client.get(HERE)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{HERE}?part=yaml")
    assert "“tabels” has no meaning here." in client.get(f"{HERE}?part=yaml").get_data(as_text=True)
    edited.save(TEXT.replace("cars:", "lorries: {}\n  cars:"), seen=edited.read().version, now=NOW)
    page = client.get(f"{HERE}?part=table&table=cars").get_data(as_text=True)
    assert "lorries" in page and "Correct it in the text" in page
    status, _page = post(client, fields(client, "?part=table&table=cars") | {"en": "auto"})
    assert status == 422


EVIL = '"><img src=x onerror="alert(1)"></textarea><script>alert(1)</script>'
MARKUP = [
    ("?part=yaml", {"text": f"{TEXT}# {EVIL}\n"}, 303),
    ("?part=yaml", {"text": f"{EVIL}: ["}, 422),
    ("?part=table&table=cars", {"en": EVIL, "about_zh": EVIL, "c2-v0-value": EVIL, "c2-v0-en": EVIL}, 303),
    ("?part=table&table=cars", {"default_date": EVIL, "c2-aggregation": EVIL}, 422),
    ("?part=measures", {"m0-en": EVIL, "m0-unit": EVIL}, 303),
    ("?part=measures", {"m0-key": EVIL, "m0-expression": EVIL}, 422),
    ("", {"about_en": EVIL, "currency": EVIL, "questions_en": EVIL}, 303),
    ("", {"fiscal_year_start": EVIL}, 422),
]


@pytest.mark.parametrize(("query", "typed", "expected"), MARKUP)
def test_markup_stays_text(
    client: FlaskClient, edited: GlossaryFile, query: str, typed: dict[str, str], expected: int
) -> None:
    status, page = post(client, fields(client, query) | typed)
    version = f"?part=versions&version={edited.versions()[0].id}" if edited.versions() else "?part=versions"
    seen = [page, *(client.get(HERE + q).get_data(as_text=True) for q in (*CONFLICTS, version))]
    assert status == expected
    assert [text for text in seen if "<img src=x" in text or "<script>alert" in text] == []
    assert any("&lt;img src=x" in text for text in seen)


def test_a_large_text_is_taken_and_a_huge_one_refused(client: FlaskClient, edited: GlossaryFile) -> None:
    sent = fields(client, "?part=yaml")
    assert post(client, sent | {"text": "# long\n" * 100_000})[0] == 303
    assert post(client, fields(client, "?part=yaml") | {"text": "x" * 5_000_000})[0] == 413


def test_chinese_page(client: FlaskClient, edited: GlossaryFile) -> None:
    client.set_cookie("lang", "zh")
    page = client.get(HERE).get_data(as_text=True)
    assert "术语表" in page and "七月" in page
    status, page = post(client, fields(client, "?part=measures") | {"m0-expression": "AVG(cars.weight)"})
    assert status == 422 and "数据库中没有它" in page


def _sentences(path: str, wanted: Callable[[str], bool]) -> set[str]:
    nodes = ast.walk(ast.parse(Path(path).read_text("utf-8")))
    documentation = {
        node.value.value
        for node in ast.walk(ast.parse(Path(path).read_text("utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts - documentation if wanted(text)}


SAYING = (load, fits, measures, problems, sql_measures, check, forms)


@pytest.mark.parametrize("path", [one.__file__ for one in SAYING], ids=[one.__name__ for one in SAYING])
def test_every_problem_has_chinese(path: str) -> None:
    chinese = i18n.translations("zh")
    found = _sentences(path, lambda text: bool(re.match(r"(%\(\w+\)s|[A-Z“]).* .*[.:)s”]$", text)) and "`" not in text)
    assert found
    assert [text for text in sorted(found) if chinese.gettext(text) == text] == []
