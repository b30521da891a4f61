"""What the browser loads: vendored files as listed, a page within its budget, colours that can be read."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from flask import Flask

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
VENDOR = STATIC / "vendor"
BUDGET = 120_000
CSS = (STATIC / "app.css").read_text("utf-8")


def manifest() -> dict[str, str]:
    """File to SHA-256, from the table in VERSIONS.md."""
    rows = re.findall(r"^\|.*\| (\S+) \| ([0-9a-f]{64}) \|$", (VENDOR / "VERSIONS.md").read_text("utf-8"), re.MULTILINE)
    return dict(rows)


def test_manifest_lists_exactly_the_vendored_files() -> None:
    found = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.suffix in (".js", ".woff2", ".css")}
    assert set(manifest()) == found


@pytest.mark.parametrize(("name", "digest"), sorted(manifest().items()))
def test_vendored_file_is_the_published_one(name: str, digest: str) -> None:
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert (VENDOR / name).with_name("LICENSE").stat().st_size > 500


def test_page_before_the_first_chart_is_within_its_budget(gallery: Flask) -> None:
    client = gallery.test_client()
    page = client.get("/gallery/first").data
    urls = re.findall(rb'(?:src|href)="(/static/[^"]+)"', page)
    total = len(gzip.compress(page))
    for url in sorted(set(urls)):
        body = client.get(url.decode()).data
        total += len(body) if url.endswith(b".woff2") else len(gzip.compress(body))
    assert b"vega" not in b" ".join(urls)
    assert total <= BUDGET


def test_own_script_is_small() -> None:
    assert len((STATIC / "app.js").read_bytes()) < 12_500


def test_own_scripts_need_no_eval() -> None:
    for name in ("app.js", "charts.js"):
        text = (STATIC / name).read_text("utf-8")
        assert not re.search(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", text)


def test_style_sheet_loads_nothing_from_elsewhere() -> None:
    assert set(re.findall(r"url\(([^)]*)\)", CSS)) == {'"vendor/plex-sans/plex-sans.woff2"'}
    assert "@import" not in CSS
    assert "gradient" not in CSS


# contrast, by the formula of WCAG 2.2 (relative luminance of sRGB)


def tokens(selector: str) -> dict[str, str]:
    block = re.search(re.escape(selector) + r" \{(.*?)\}", CSS, re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block.group(1)))


DAY = tokens(":root")
NIGHT = tokens(':root[data-theme="dark"]')


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT = ("ink", "soft", "accent-ink", "measure", "filter", "dimension", "time", "order", "good", "warn", "bad", "plot-1")
SHAPES = ("accent", "edge", "plot-1", "plot-2", "plot-3", "plot-4", "plot-5", "plot-6", "plot-7")


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
@pytest.mark.parametrize("name", TEXT)
def test_text_can_be_read(theme: dict[str, str], name: str) -> None:
    for ground in ("ground", "sheet"):
        assert contrast(theme[name], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
def test_text_on_colour_can_be_read(theme: dict[str, str]) -> None:
    assert contrast(theme["on-accent"], theme["accent"]) >= 4.5
    assert contrast(theme["on-accent"], theme["accent-ink"]) >= 4.5
    assert contrast(theme["ink"], theme["wash"]) >= 4.5


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_can_be_seen(theme: dict[str, str], name: str) -> None:
    assert contrast(theme[name], theme["ground"]) >= 3


def test_both_ways_into_the_night_are_the_same() -> None:
    assert tokens(':root:not([data-theme="light"])') == NIGHT
    assert set(DAY) == set(NIGHT)
