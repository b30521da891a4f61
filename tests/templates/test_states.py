"""Every state of every page renders, says each id once, escapes what people typed, and has its headings in order."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from flask import Flask

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """Collects what the tests look at; elements that are never closed are reported by :attr:`open`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.headings: list[int] = []
        self.open: list[str] = []
        self.labelled_by: set[str] = set()
        self.landmarks: Counter[str] = Counter()
        self.unlabelled: list[str] = []
        self.labels: set[str] = set()
        self.fields: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids[str(given["id"])] += 1
        self.labelled_by |= set((given.get("aria-labelledby") or "").split())
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("main", "header"):
            self.landmarks[tag] += 1
        if tag == "label" and given.get("for"):
            self.labels.add(str(given["for"]))
        if tag == "textarea" or (tag == "input" and given.get("type") != "hidden"):
            named = given.get("aria-label") or given.get("aria-labelledby") or "label" in self.open
            self.fields |= set() if named else {str(given.get("id"))}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]} at {self.getpos()}"
        self.open.pop()


def render(gallery: Flask, name: str) -> str:
    answer = gallery.test_client().get(f"/gallery/{name}")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_page_is_well_formed(gallery: Flask, shown: str) -> None:
    page = Page(render(gallery, shown))
    assert page.open == []
    assert [name for name, times in page.ids.items() if times > 1] == []
    assert page.labelled_by <= set(page.ids)
    assert page.landmarks["main"] == 1
    assert page.fields <= page.labels
    assert page.headings.count(1) == 1
    # A label may not go deeper than one step below the heading before it.
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert [(before, after) for before, after in steps if after > before + 1] == []


def test_nothing_inline(gallery: Flask, shown: str) -> None:
    text = render(gallery, shown)
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|javascript:|<[^>]*\son[a-z]+=|\shx-on", text)


def test_typed_text_and_cells_are_escaped(gallery: Flask, shown: str) -> None:
    text = render(gallery, shown)
    assert "<script>alert" not in text
    assert "<b>" not in text


def test_languages_do_not_mix(gallery: Flask, shown: str) -> None:
    text = render(gallery, shown)
    chinese = shown.endswith("-zh")
    assert ('<html lang="zh-Hans"' in text) == chinese
    assert ("Skip to the content" in text) != chinese
