"""Result sets: pages, sorting, filtering, CSV."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def frame(page: Any, find: Any) -> str:
    answer = page.client.get(page.ask("many").headers["Location"]).get_data(as_text=True)
    return find(r'data-frame="([A-Za-z0-9_-]+)"', answer)


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("", ["c0", "c24"], ["c25"]),
        ("offset=50", ["c50", "c59"], ["c49"]),
        ("offset=-5", ["c0"], ["c25"]),
        ("offset=9999", [], ["c59"]),
        ("offset=abc", ["c0"], []),
        ("sort=mpg", ["c59", "c35"], ["c34"]),
        ("sort=mpg&desc=1", ["c0"], ["c59"]),
        ("filter=C1", ["c1", "c19"], ["c20"]),
        ("filter=%25_", [], ["c0"]),
    ],
)
def test_pages(page: Any, frame: str, query: str, shown: list[str], hidden: list[str]) -> None:
    response = page.client.get(f"/c/vega/frames/{frame}?{query}", headers={"HX-Request": "true"})
    text = response.get_data(as_text=True)
    assert response.status_code == 200 and "<html" not in text
    assert all(f">{name}<" in text for name in shown)
    assert not any(f">{name}<" in text for name in hidden)


def test_without_htmx_it_is_a_whole_page_with_links(page: Any, frame: str) -> None:
    text = page.client.get(f"/c/vega/frames/{frame}?offset=25&sort=mpg&desc=1&filter=c").get_data(as_text=True)
    assert "<html" in text and 'aria-sort="descending"' in text and 'value="c"' in text
    for link in ("offset=50&amp;sort=mpg&amp;filter=c&amp;desc=1", f"{frame}.csv?sort=mpg&amp;filter=c&amp;desc=1"):
        assert link in text


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("frames/" + "A" * 24, 410, "frame.gone"),
        ("frames/" + "A" * 24 + ".csv", 410, "frame.gone"),
        ("frames/{frame}?sort=nothing", 404, "frame.no_column"),
        ("frames/{frame}.csv?sort=nothing", 404, "frame.no_column"),
        ("frames/short", 404, "http.404"),
    ],
)
def test_what_is_gone(page: Any, frame: str, path: str, status: int, code: str) -> None:
    response = page.client.get(f"/c/vega/{path.format(frame=frame)}")
    assert response.status_code == status and code in response.get_data(as_text=True)


def test_csv_has_all_rows_as_filtered(page: Any, frame: str) -> None:
    response = page.client.get(f"/c/vega/frames/{frame}.csv?filter=c5&sort=mpg")
    assert response.mimetype == "text/csv" and "attachment" in response.headers["Content-Disposition"]
    lines = response.get_data().decode("utf-8-sig").split("\r\n")
    assert lines[0] == "Origin,Miles" and lines[1].startswith("c59,-28.5") and len(lines) == 13
