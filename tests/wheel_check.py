"""Installs the wheel into a fresh environment, away from the checkout, and uses it there.

    python tests/wheel_check.py

It is no test of pytest's because it needs the package index; ``make wheel-check`` runs it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("agents", "app", "golden", "seed", "static", "templates")
NOT_SHIPPED = {"__pycache__"}


def shipped() -> set[str]:
    """Every file of the packages, the templates and the static folder, as the wheel should name it."""
    found: set[str] = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not NOT_SHIPPED & set(path.parts) and path.suffix != ".pyc":
                name = path.relative_to(ROOT).as_posix()
                found.add(f"app/{name}" if folder in ("static", "templates") else name)
    return found


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    print("$", *(Path(part).name if isinstance(part, Path) else part for part in command), flush=True)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, env=os.environ | environment
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nexit status {done.returncode}")
    return done.stdout


def check_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    missing = sorted(shipped() - inside)
    extra = sorted(name for name in inside - shipped() if ".dist-info/" not in name)
    if missing or extra:
        sys.exit(f"missing in the wheel: {missing}\nnot expected in the wheel: {extra}")
    print(f"{wheel.name}: {len(inside)} files, {wheel.stat().st_size / 1e6:.1f} MB, nothing missing")


def check_server(program: Path, elsewhere: Path) -> None:
    server = subprocess.Popen(
        [program, "serve", "--port", "0", "--data", elsewhere / "data"],
        cwd=elsewhere,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = re.search(r"http://\S+", line)
        if address is None:
            sys.exit(f"the server did not start: {line}")
        with urlopen(address.group(), timeout=60) as response:
            page = response.read().decode()
        assets = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        if not assets:
            sys.exit("the page names no styles and no scripts")
        for asset in assets:
            with urlopen(urljoin(address.group(), asset), timeout=60) as response:
                assert response.status == 200 and response.read()
        with urlopen(urljoin(address.group(), "/api/health"), timeout=60) as response:
            health = json.load(response)
        if health["status"] != "ok":
            sys.exit(f"health: {health}")
        print(f"served: the page with {len(assets)} assets, health ok")
    finally:
        server.terminate()
        server.wait(20)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="starchart-wheel-") as folder:
        elsewhere = Path(folder)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", elsewhere, ROOT, cwd=elsewhere)
        (wheel,) = elsewhere.glob("starchart-*.whl")
        check_files(wheel)
        environment = elsewhere / "environment"
        run(sys.executable, "-m", "venv", environment, cwd=elsewhere)
        run(environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=elsewhere)
        run(environment / "bin" / "pip", "check", cwd=elsewhere)
        program = environment / "bin" / "starchart"
        data = ("--data", elsewhere / "data")
        run(program, "doctor", *data, cwd=elsewhere)
        asked = run(program, "ask", "各产地的平均马力", "--connection", "vega", "--json", *data, cwd=elsewhere)
        print(json.loads(asked)["narrative"])
        check_server(program, elsewhere)


if __name__ == "__main__":
    main()
