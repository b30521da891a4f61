"""What all tests share: the demo databases, and the real services over them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import seed

# The services load the model's runtime: most tests need not wait for that.
if TYPE_CHECKING:
    from app.services import Services
    from app.settings import Settings

CHROMIUM = os.environ.get("STARCHART_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
NOTHING_LEFT_OUT = bool(os.environ.get("CI") or os.environ.get("TEST_ALL"))
HOW = "there is no Chromium. Get it with: apt-get install chromium"


def pytest_configure() -> None:
    if NOTHING_LEFT_OUT and not CHROMIUM:
        raise pytest.UsageError(f"No test may be left out here, but {HOW}")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without Chromium the tests that drive it are left out."""
    left_out = [item for item in items if not CHROMIUM and item.get_closest_marker("browser")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # Said here and not where tests are collected: with several processes, only this one has a terminal.
    if not CHROMIUM:
        terminalreporter.write_line(f"LEFT OUT: all browser tests, because {HOW}", red=True, bold=True)


@pytest.fixture(scope="session")
def demo_dir(pytestconfig: pytest.Config) -> Path:
    """A folder with both demo databases, built once for all workers, kept until the code that builds them changes."""
    assert seed.__file__ is not None
    digest = hashlib.sha256(version("vega-datasets").encode())
    for path in sorted(Path(seed.__file__).parent.glob("*")):
        if path.suffix in (".py", ".sql"):
            digest.update(path.read_bytes())
    cache = pytestconfig.cache
    assert cache is not None
    kept = cache.mkdir("demos")
    folder = kept / digest.hexdigest()[:16]
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for old in kept.iterdir():
            if old.is_dir() and old != folder:
                shutil.rmtree(old)
        seed.build(folder)
    return folder


@pytest.fixture(scope="session")
def demos(demo_dir: Path) -> dict[str, Path]:
    """The demo databases' files by name. They are shared: copy a file before changing it."""
    return {demo.name: demo_dir / f"{demo.name}.sqlite" for demo in seed.DEMOS}


@pytest.fixture(scope="session")
def with_demos(demo_dir: Path) -> Callable[[Path], Path]:
    """Puts the demo databases into a data folder, so that nothing is built there again."""

    def put(data: Path) -> Path:
        folder = data / "demo"
        folder.mkdir(parents=True, exist_ok=True)
        for path in demo_dir.iterdir():
            (folder / path.name).symlink_to(path)
        return data

    return put


@pytest.fixture(scope="session")
def demo_settings(tmp_path_factory: pytest.TempPathFactory, with_demos: Callable[[Path], Path]) -> Settings:
    """Settings over one data folder per worker, with the demo databases in it."""
    from app.settings import load_settings

    return load_settings({"STARCHART_DATA": str(with_demos(tmp_path_factory.mktemp("data")))})


@pytest.fixture(scope="session")
def services(demo_settings: Settings) -> Services:
    """The real services over the demo databases: one model, one index, for all tests of the worker."""
    from app.services import Services, demo_targets

    return Services(demo_settings, demo_targets(demo_settings))
