"""``python -m app.bench`` measures what people wait for: stages of a question, passes of the language layer, start and
stop of the server, the weight of the page.

Every pass opens its own services, so that no question is answered out of a memory that an earlier pass filled. The
machine's own noise is measured beside it: differences below it mean nothing.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urljoin
from urllib.request import Request, urlopen

from rich import box
from rich.console import Console
from rich.table import Table

from agents.language.lexicon import load_lexicon
from agents.language.numbers import find_numbers
from agents.language.text import Language, tokenize
from agents.language.times import find_times
from app.logs import log_to_stderr
from app.services import DEMO_FOLDER, Services, demo_targets, shared_embedder
from app.settings import Settings, load_settings
from app.terminal.asking import ask
from golden import Case, load_cases

PASSES = 5
CONNECTION = "shop"
OVERHEAD_MS = 50.0
START_SECONDS = 5.0
STOP_SECONDS = 4.0
PAGE_BYTES = 120_000
LANGUAGE_MS = 5.0
LANGUAGE_PASSES = 50
LANGUAGE_NOW = datetime(2024, 3, 15, 10, 0)
LANGUAGE_SENTENCES: dict[Language, str] = {
    "en": "What is the monthly revenue of the departments ranked between 10 and 15 from 1 March to 31 March 2024?",
    "zh": "2023年销售额超过三百万的前十名客户，订单数不少于12，按金额从高到低排列",
}
QUESTION_SECONDS = 60.0

_ASSET = re.compile(r"""(?:href|src)="([^"]+\.(?:css|js|svg|woff2)[^"]*)\"""")
_CSS_URL = re.compile(r"""url\(["']?([^"')]+)["']?\)""")


@dataclass(frozen=True, slots=True)
class Timing:
    """One question in one pass, in ms: each state, question to rows, and the bare statement alone."""

    question: str
    states: dict[str, float]
    rows_ms: float
    bare_ms: float

    @property
    def overhead(self) -> float:
        return self.rows_ms - self.bare_ms


def questions() -> tuple[Case, ...]:
    """The golden questions over the shop that have rows."""
    return tuple(case for case in load_cases() if case.connection == CONNECTION and case.answerable)


def measure(settings: Settings, cases: Sequence[Case], passes: int = PASSES) -> list[list[Timing]]:
    """Every question once in each pass; questions that are not answered are left out."""
    found: list[list[Timing]] = []
    for _ in range(passes):
        shared_embedder.cache_clear()
        services = Services(settings, demo_targets(settings))
        services.prepare()
        found.append([timing for case in cases if (timing := _timed(settings, services, case)) is not None])
    return found


def _timed(settings: Settings, services: Services, case: Case) -> Timing | None:
    asked = ask(services, CONNECTION, case.question, now=case.now, seconds=QUESTION_SECONDS)
    answer = asked.answer
    if answer.status != "answered" or answer.sql is None or answer.evidence is None:
        return None
    trace = {step.state: step for step in answer.evidence.trace}
    execute = trace["execute"]
    return Timing(
        question=case.question,
        states={state: step.ms for state, step in trace.items()},
        rows_ms=execute.start_ms + execute.ms,
        bare_ms=bare_ms(settings.data / DEMO_FOLDER / f"{CONNECTION}.sqlite", answer.sql, settings.rows),
    )


def bare_ms(database: Path, sql: str, rows: int) -> float:
    """The statement alone, on an open connection, warm: the best of three."""
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        times: list[float] = []
        for _ in range(3):
            began = time.perf_counter()
            connection.execute(sql).fetchmany(rows)
            times.append((time.perf_counter() - began) * 1000)
    return min(times)


def language_stages() -> dict[str, Callable[[], object]]:
    """The language layer's single passes over sentences that keep each of them busy, lexicons loaded."""
    stages: dict[str, Callable[[], object]] = {}
    for lang, text in LANGUAGE_SENTENCES.items():
        tokens, lexicon = tokenize(text, lang), load_lexicon(lang)
        stages |= {
            f"tokens, {lang}": partial(tokenize, text, lang),
            f"phrases, {lang}": partial(lexicon.match, tokens, text),
            f"numbers, {lang}": partial(find_numbers, text, tokens, lang),
            f"times, {lang}": partial(find_times, text, tokens, lang, LANGUAGE_NOW),
        }
    return stages


def measure_language(stages: dict[str, Callable[[], object]], passes: int = LANGUAGE_PASSES) -> dict[str, list[float]]:
    """Milliseconds of each pass by stage, the first pass, which fills memories, left out."""
    found: dict[str, list[float]] = {name: [] for name in stages}
    for name, stage in stages.items():
        stage()
        for _ in range(passes):
            began = time.perf_counter()
            stage()
            found[name].append((time.perf_counter() - began) * 1000)
    return found


def noise() -> tuple[float, float]:
    """A fixed piece of work, twenty times: its median in ms, and its spread (p95 over p5, 1 is a quiet machine)."""
    times: list[float] = []
    for _ in range(20):
        began = time.perf_counter()
        sum(number * number for number in range(200_000))
        times.append((time.perf_counter() - began) * 1000)
    cuts = quantiles(times, n=20)
    return median(times), cuts[-1] / cuts[0]


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """p50 and p95."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (0.0, 0.0)
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[94]


class Server:
    """``starchart serve`` on a free port; seconds until it printed its address, and until it ended when told to."""

    def __init__(self, data: Path) -> None:
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.seconds = time.perf_counter() - began
        found = re.search(r"http://\S+", line)
        if found is None:
            self.stop()
            raise RuntimeError("the server did not start")
        self.url = found.group()

    def stop(self) -> None:
        began = time.perf_counter()
        self._process.terminate()
        self._process.wait(20)
        self.stop_seconds = time.perf_counter() - began
        assert self._process.stdout is not None
        self._process.stdout.close()


def fetch(url: str) -> tuple[bytes, int]:
    """The body in plain, and how many bytes of it travelled (gzip, which every browser takes)."""
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip"}), timeout=30) as response:
        body = response.read()
        plain = gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body
    return plain, len(body)


def page_weight(url: str, get: Callable[[str], tuple[bytes, int]] = fetch) -> dict[str, int]:
    """Bytes that travel for the first look at a page: itself, its styles and scripts, and the fonts the styles name."""
    page, size = get(url)
    weights = {"page": size}
    wanted = [urljoin(url, path) for path in _ASSET.findall(page.decode())]
    for asset in dict.fromkeys(wanted):
        content, size = get(asset)
        weights[_name(asset)] = size
        if ".css" in asset:
            for path in dict.fromkeys(_CSS_URL.findall(content.decode())):
                if not path.startswith("data:"):
                    font = urljoin(asset, path)
                    weights[_name(font)] = get(font)[1]
    return weights


def _name(url: str) -> str:
    return url.split("?")[0].rsplit("/", 1)[-1]


def report(passes: list[list[Timing]], asked: int, console: Console) -> bool:
    """The stages and the overhead; whether the overhead is within its bound."""
    timings = [timing for one in passes for timing in one]
    table = Table(
        box=box.SIMPLE_HEAD, title=f"{CONNECTION}: {len(passes[0])} of {asked} questions, {len(passes)} passes"
    )
    table.add_column("stage")
    for head in ("p50 ms", "p95 ms"):
        table.add_column(head, justify="right")
    states = dict.fromkeys(state for timing in timings for state in timing.states)
    rows = {
        **{state: [t.states[state] for t in timings if state in t.states] for state in states},
        "question to rows": [t.rows_ms for t in timings],
        "bare SQL": [t.bare_ms for t in timings],
        "overhead": [t.overhead for t in timings],
    }
    for name, values in rows.items():
        middle, high = percentiles(values)
        if name == "question to rows":
            table.add_section()
        table.add_row(name, f"{middle:.1f}", f"{high:.1f}")
    console.print(table)
    medians = [median(t.overhead for t in one) for one in passes]
    overhead = median(rows["overhead"])
    console.print(
        f"Overhead at the median {overhead:.1f} ms (bound {OVERHEAD_MS:.0f}); pass by pass "
        f"{', '.join(f'{value:.1f}' for value in medians)}"
    )
    slowest = sorted(timings, key=lambda t: -t.overhead)[:3]
    console.print("Slowest: " + "; ".join(f"{t.question} ({t.overhead:.0f} ms)" for t in slowest), style="dim")
    return overhead <= OVERHEAD_MS


def report_language(timings: dict[str, list[float]], console: Console) -> bool:
    """The passes of the language layer; whether each is within its bound at the median."""
    table = Table(box=box.SIMPLE_HEAD, title="language, each pass alone")
    table.add_column("pass")
    for head in ("p50 ms", "p95 ms"):
        table.add_column(head, justify="right")
    slowest = 0.0
    for name, values in timings.items():
        middle, high = percentiles(values)
        slowest = max(slowest, middle)
        table.add_row(name, f"{middle:.2f}", f"{high:.2f}")
    console.print(table)
    console.print(f"Slowest language pass at the median {slowest:.2f} ms (bound {LANGUAGE_MS:.0f})")
    return slowest <= LANGUAGE_MS


def report_start(data: Path, console: Console) -> bool:
    """Times to start and to stop, and the page's weight; whether all are within their bounds."""
    seconds: list[float] = []
    stops: list[float] = []
    weights: dict[str, int] = {}
    for _ in range(3):
        server = Server(data)
        try:
            seconds.append(server.seconds)
            weights = page_weight(server.url)
        finally:
            server.stop()
        stops.append(server.stop_seconds)
    console.print(
        f"Start until the address is printed: {', '.join(f'{s:.2f}' for s in seconds)} s (bound {START_SECONDS:.0f})"
    )
    console.print(
        f"Told to stop until it has ended: {', '.join(f'{s:.2f}' for s in stops)} s (bound {STOP_SECONDS:.0f})"
    )
    total = sum(weights.values())
    parts = ", ".join(f"{name} {size / 1000:.1f}" for name, size in sorted(weights.items(), key=lambda item: -item[1]))
    console.print(
        f"Page before the first chart: {total / 1000:.1f} kB compressed (bound {PAGE_BYTES / 1000:.0f}): {parts}"
    )
    return median(seconds) <= START_SECONDS and median(stops) <= STOP_SECONDS and total <= PAGE_BYTES


def main(arguments: Iterable[str] = ()) -> int:
    """Print all figures; 1 when a bound is not kept."""
    log_to_stderr("error")
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    given = next(iter(arguments), "")
    data = Path(given) if given else Path(tempfile.mkdtemp(prefix="starchart-bench-"))
    try:
        settings = load_settings({**os.environ, "STARCHART_DATA": str(data)})
        before = noise()
        cases = questions()
        kept = report(measure(settings, cases), len(cases), console)
        kept &= report_language(measure_language(language_stages()), console)
        kept &= report_start(data, console)
        for name, (middle, spread) in (("before", before), ("after", noise())):
            console.print(f"Noise {name}: the same work took {middle:.1f} ms, p95/p5 {spread:.2f}", style="dim")
    finally:
        if not given:
            shutil.rmtree(data, ignore_errors=True)
    console.print("Every bound is kept." if kept else "A bound is NOT kept.")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
