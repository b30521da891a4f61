"""``python -m seed DIR`` builds the demo databases in a directory and prints their paths."""

from __future__ import annotations

import sys
from pathlib import Path

from seed.build import build


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m seed DIR", file=sys.stderr)
        return 2
    for name, path in build(Path(arguments[0])).items():
        print(f"{name}\t{path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
