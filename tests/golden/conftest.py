from __future__ import annotations

from pathlib import Path

import pytest

from seed import build


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both demo databases, built once for all tests of this folder."""
    return build(tmp_path_factory.mktemp("demo"))
