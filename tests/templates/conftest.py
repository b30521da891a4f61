"""The gallery of page states, shared by the template tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from flask import Flask

# Test folders are not packages: the gallery lies next door, and its samples are imported from there by name.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

import gallery as gallery_script


@pytest.fixture(scope="session")
def gallery() -> Flask:
    app: Flask = gallery_script.make_gallery()
    return app


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "shown" in metafunc.fixturenames:
        metafunc.parametrize("shown", list(gallery_script.samples.STATES))
