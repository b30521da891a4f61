"""The command line. Modules are loaded by the command that needs them, so that ``starchart --help`` is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from app.terminal.commands import EXITS, Commands

if TYPE_CHECKING:
    from rich.console import RenderableType

    from app.services import Services, Target
    from app.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

DATABASE = "An SQLite file, as a path or sqlite:///path; opened read-only. Without it the demo databases are asked."
TERMINAL_ROWS = 20


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="starchart", message="%(prog)s %(version)s")
def main() -> None:
    """Ask a database in plain English or Chinese; get SQL, rows, and a text whose every number comes from the rows.

    Settings are environment variables (STARCHART_…); starchart doctor lists them.
    """


data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for everything that is kept (STARCHART_DATA).",
)
db_option = click.option("--db", metavar="URL", help=DATABASE)
connection_option = click.option(
    "--connection", metavar="NAME", help="Which demo database: shop (the default) or vega."
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language of the answer; else the question's own."
)
now_option = click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"]),
    help="What “last month” counts from; else the clock.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")


def _asking(command: F) -> F:
    """The options of every command that puts a question."""
    for option in (data_option, json_option, lang_option, now_option, connection_option, db_option):
        command = option(command)
    return click.argument("question")(command)


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all networks.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 for any free one.")
@click.option("--db", "urls", metavar="URL", multiple=True, help=f"{DATABASE} May be given several times.")
@data_option
def serve(host: str, port: int, urls: tuple[str, ...], data: Path | None) -> None:
    """Serve the workspace; prints its address. Ctrl-C ends it."""
    from app.factory import create_app
    from app.serve import loopback_hosts
    from app.serve import serve as serve_app
    from app.services import Services

    settings = _settings(data, one_shot=False)
    targets = _targets(settings, urls)
    for target in targets if urls else ():
        # What was named and cannot be opened is said now; its catalog is kept for the workers.
        Services(settings, targets).database(target.name).close()

    def make_app() -> Any:
        import atexit
        import threading

        services = Services(settings, targets)
        app = create_app(settings, services, trusted_hosts=settings.hosts or loopback_hosts(host))
        threading.Thread(target=services.prepare, name="starchart-prepare", daemon=True).start()
        # A thread that is still inside the model's runtime would make the interpreter's own end abort.
        atexit.register(_leave)
        return app

    serve_app(make_app, settings, host=host, port=port)


@main.command()
@_asking
@click.option("--limit", type=click.IntRange(0), help=f"Rows at most; default {TERMINAL_ROWS}, with --json 100.")
@click.option("--after", multiple=True, help="A question asked before this one; may be given several times, in order.")
def ask(
    question: str,
    db: str | None,
    connection: str | None,
    now: datetime | None,
    lang: Any,
    as_json: bool,
    limit: int | None,
    after: tuple[str, ...],
    data: Path | None,
) -> None:
    """Answer QUESTION in the terminal.

    Exit status: 0 answered, 1 error, 2 usage, 3 declined (the data cannot answer it), 4 the question has several
    readings and asks back.
    """
    from agents.errors import StarchartError
    from app.terminal import asking
    from app.turns.answer import DEFAULT_ROWS

    rows = limit if limit is not None else DEFAULT_ROWS if as_json else TERMINAL_ROWS
    try:
        settings = _settings(data)
        services, name = _open(settings, db, connection, ready=True)
        asked = asking.ask(
            services, name, question, lang=lang, now=now, earlier=after, rows=rows, seconds=settings.turn_seconds
        )
        answer = asked.answer
    except StarchartError as error:
        if not as_json:
            raise
        answer = asking.refused(question, error)
    if as_json:
        click.echo(answer.model_dump_json(indent=2))
    else:
        from app.terminal.answer import render

        _print(render(answer))
        others = [other for other in services.names if other != name]
        if answer.status == "declined" and others and connection is None:
            click.echo(f"This asked {name}; there is also {', '.join(others)}: --connection {others[0]}", err=True)
    raise click.exceptions.Exit(EXITS[answer.status])


@main.command()
@_asking
def explain(
    question: str,
    db: str | None,
    connection: str | None,
    now: datetime | None,
    lang: Any,
    as_json: bool,
    data: Path | None,
) -> None:
    """Print every stage between QUESTION and its SQL; nothing is run."""
    from app.clock import SystemClock
    from app.terminal import explain as stages

    services, name = _open(_settings(data), db, connection, ready=True)
    explanation = stages.explain(services.open(name), question, lang=lang, now=now or SystemClock().now())
    if as_json:
        click.echo(explanation.model_dump_json(indent=2))
    else:
        from app.terminal.stages import render

        _print(render(explanation))


@main.command()
def graph() -> None:
    """Print the transition table and a Mermaid drawing of it."""
    from agents.table import as_mermaid, as_text

    click.echo(as_text())
    click.echo()
    click.echo("```mermaid")
    click.echo(as_mermaid())
    click.echo("```")


@main.command()
@click.option("--db", "urls", metavar="URL", multiple=True, help="Look at this database instead of the demos.")
@json_option
@data_option
def doctor(urls: tuple[str, ...], as_json: bool, data: Path | None) -> None:
    """Say which parts are real, degraded or missing, and why; list all settings. Exit status 1 when one is missing."""
    from app.doctor import examine
    from app.services import Services

    settings = _settings(data)
    diagnosis = examine(settings, Services(settings, _targets(settings, urls)), os.environ)
    if as_json:
        click.echo(diagnosis.model_dump_json(indent=2))
    else:
        from app.terminal.diagnosis import render

        _print(render(diagnosis))
    raise click.exceptions.Exit(diagnosis.status == "missing")


@main.command()
@click.option("--connection", metavar="NAME", help="Only the cases of this database.")
@json_option
@data_option
def golden(connection: str | None, as_json: bool, data: Path | None) -> None:
    """Put the golden cases to the engine and judge its answers by result. Exit status 1 when a case fails."""
    from app.judging import judge
    from golden import as_json as report_json
    from golden import load_cases, render

    cases = [case for case in load_cases() if connection in (None, case.connection)]
    if not cases:
        raise click.BadParameter(f"No golden case asks {connection!r}.", param_hint="--connection")
    report = judge(_settings(data), cases)
    if as_json:
        click.echo(report_json(report))
    else:
        _print(render(report))
    raise click.exceptions.Exit(bool(report.failed))


@main.command()
@click.option("--dialect", metavar="NAME", help="sqlglot's name of the SQL dialect; else the database's own.")
@connection_option
@db_option
@data_option
def guard(dialect: str | None, db: str | None, connection: str | None, data: Path | None) -> None:
    """Read SQL on standard input and print the guard's verdict as JSON. Exit status 3 when it is refused."""
    import json

    from agents.sql.guard import verdict

    sql = sys.stdin.buffer.read().decode("utf-8", "replace")
    services, name = _open(_settings(data), db, connection)
    found = verdict(sql, services.catalog(name), dialect=dialect)
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    raise click.exceptions.Exit(0 if found["verdict"] == "allow" else EXITS["declined"])


@main.command()
@connection_option
@db_option
@data_option
def refresh(db: str | None, connection: str | None, data: Path | None) -> None:
    """Read a database's tables and values again, and say which text columns questions cannot find values in."""
    from rich.console import Console

    from app.terminal.progress import watched
    from app.terminal.refreshing import refreshed

    services, name = _named(_settings(data), db, connection)
    with watched(Console(stderr=True)) as step:
        opened = services.refresh(name, step)
    _print(refreshed(opened))


@main.group()
def glossary() -> None:
    """What people call things in a database: a first draft, a check, the text that is used."""


@glossary.command("draft")
@connection_option
@db_option
@data_option
def glossary_draft(db: str | None, connection: str | None, data: Path | None) -> None:
    """Print a first glossary, made from the names, types and comments of the database alone."""
    from agents.glossary.draft import draft_glossary

    services, name = _open(_settings(data), db, connection)
    click.echo(draft_glossary(services.catalog(name)), nl=False)


@glossary.command("check")
@click.argument("file", required=False, type=click.File(encoding="utf-8"))
@connection_option
@db_option
@data_option
def glossary_check(file: TextIO | None, db: str | None, connection: str | None, data: Path | None) -> None:
    """Say what in FILE (- for standard input, nothing for the glossary in use) does not fit the database.

    Exit status 1 when something does not.
    """
    from app.terminal.characters import inert

    services, name = _open(_settings(data), db, connection)
    text = services.glossary_file(name).read().text if file is None else file.read()
    _glossary, problems = services.check_glossary(name, text)
    for problem in problems:
        place = f"line {problem.line}: " if problem.line else ""
        click.echo(inert(f"{place}{problem.message} {problem.advice} [{problem.code}]"))
    if not problems:
        click.echo("Everything fits.")
    raise click.exceptions.Exit(bool(problems))


@glossary.command("show")
@connection_option
@db_option
@data_option
def glossary_show(db: str | None, connection: str | None, data: Path | None) -> None:
    """Print the glossary in use, as it was saved."""
    services, name = _open(_settings(data), db, connection)
    found = services.glossary_file(name).read()
    if found.origin == "none":
        click.echo(f"{name} has no glossary yet; starchart glossary draft makes a first one.", err=True)
    click.echo(found.text, nl=False)


@main.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--db-root",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with DB/DB.sqlite or DB.sqlite for each db_id.",
)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Where predictions go.")
@click.option(
    "--variants",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the same databases with other rows: right means right there too. May be given several times.",
)
@click.option("--limit", type=click.IntRange(1), help="Only so many questions, spread evenly over the file.")
@click.option("--seed", type=int, help="Draw the --limit questions by chance, the same ones for the same seed.")
@click.option("--jobs", type=click.IntRange(1, 2), default=1, show_default=True, help="Processes.")
@click.option("--fresh", is_flag=True, help="Ask everything anew, whatever --out holds already.")
@click.option(
    "--timeout", type=click.FloatRange(0.1, 600), default=10, show_default=True, help="Seconds per statement."
)
@click.option(
    "--examples", type=click.IntRange(0), default=2, show_default=True, help="Examples of each failure class."
)
@click.option("--lexical-only", "--no-embedding", "lexical_only", is_flag=True, help="Search by words alone.")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(("sketch", "roles", "ranker", "encoder")),
    help="Leave a learned part out, to see what it is worth (into an --out of its own). May be given several times.",
)
@lang_option
@json_option
@data_option
def benchmark(
    questions: Path,
    db_root: Path,
    out: Path,
    variants: tuple[Path, ...],
    limit: int | None,
    seed: int | None,
    jobs: int,
    fresh: bool,
    timeout: float,
    examples: int,
    lexical_only: bool,
    without: tuple[str, ...],
    lang: Any,
    as_json: bool,
    data: Path | None,
) -> None:
    """Put QUESTIONS to the engine, write its SQL beside each, and say how good it is and what goes wrong.

    QUESTIONS are lines of JSON with db_id and question, mostly with gold (its SQL) and hardness. What --out holds from
    an earlier run is kept.
    """
    import json

    from app.benchmark.command import Plan, run
    from app.benchmark.predict import Options

    plan = Plan(questions, db_root, out, variants, limit, seed, jobs, fresh, timeout, examples)
    report, kept = run(Options(_settings(data), lang, meaning=not lexical_only, without=without), plan)
    if kept:
        click.echo(f"{kept} predictions were in {out.name} already; --fresh asks them again.", err=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        from app.benchmark.render import render

        _print(render(report))


def _settings(data: Path | None, *, one_shot: bool = True) -> Settings:
    """The settings, with logging set up for them: a command that answers once logs only what was asked for."""
    from app.logs import log_to_stderr
    from app.settings import PREFIX, load_settings, unknown_settings

    environment = dict(os.environ)
    if data is not None:
        environment[f"{PREFIX}DATA"] = str(data)
    settings = load_settings(environment)
    quiet = one_shot and not environment.get(f"{PREFIX}LOG_LEVEL")
    log_to_stderr("critical" if quiet else settings.log_level)
    for name in unknown_settings(environment):
        click.echo(f"There is no setting {name}; it is ignored.", err=True)
    return settings


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _targets(settings: Settings, urls: tuple[str, ...]) -> tuple[Target, ...]:
    """The databases that were named, else the demos; two files of one name get a number."""
    from dataclasses import replace

    from app.services import DEMO_FOLDER, demo_targets, target_for
    from seed.build import DEMOS, is_current

    if not urls:
        if not all(is_current(settings.data / DEMO_FOLDER / f"{demo.name}.sqlite") for demo in DEMOS):
            click.echo("Building the demo databases; this happens once.", err=True)
        return demo_targets(settings)
    targets: list[Target] = []
    for url in urls:
        target = target_for(url)
        alike = sum(other.name.rsplit("-", 1)[0] == target.name or other.name == target.name for other in targets)
        targets.append(replace(target, name=f"{target.name}-{alike + 1}") if alike else target)
    return tuple(targets)


def _open(settings: Settings, db: str | None, connection: str | None, *, ready: bool = False) -> tuple[Services, str]:
    """The services over what was named, and the connection to ask; it is open, so that what is wrong is said now.

    :param ready: with everything that a question needs, vectors included.
    """
    from rich.console import Console

    from app.terminal.progress import watched

    services, name = _named(settings, db, connection)
    with watched(Console(stderr=True)) as step:
        if ready:
            services.make_ready(name, step)
        else:
            services.open(name, step=step)
    return services, name


def _named(settings: Settings, db: str | None, connection: str | None) -> tuple[Services, str]:
    """The services over what was named, and the connection to ask."""
    from app.services import Services

    if db is not None and connection is not None:
        raise click.UsageError("--connection chooses a demo database; with --db there is only that one.")
    services = Services(settings, _targets(settings, (db,) if db is not None else ()))
    return services, connection or services.names[0]


def _print(rendered: RenderableType) -> None:
    from rich.console import Console

    from app.terminal.inert import Inert

    console = Console(highlight=False)
    if not console.is_terminal:
        # A pipe has no width of its own; a table that is broken into eighty columns helps nobody.
        console = Console(highlight=False, width=int(os.environ.get("COLUMNS") or 120))
    console.print(Inert(rendered))


if __name__ == "__main__":
    main()
