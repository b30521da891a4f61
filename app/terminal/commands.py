"""A group of commands whose modules are loaded when they are run, and whose typed errors end as plain lines."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from agents.errors import StarchartError
from app.terminal.characters import inert

EXIT_ERROR = 1
EXITS = {"answered": 0, "error": EXIT_ERROR, "declined": 3, "clarify": 4}
"""Exit status by the answer's status; 2 is a command line that could not be read."""


class Commands(click.Group):
    """Typed errors become a line and a hint on standard error; others a line with their type, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except StarchartError as error:
            complain(error)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except BrokenPipeError:
            # Whoever read the output has seen enough; what is still buffered must not be written at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except Exception as error:
            if os.environ.get("STARCHART_LOG_LEVEL", "").lower() == "debug":
                raise
            click.echo(inert(f"Something went wrong inside Starchart ({type(error).__name__}: {error})."), err=True)
            click.echo("Run the command again with STARCHART_LOG_LEVEL=debug to see where.", err=True)
        raise click.exceptions.Exit(EXIT_ERROR)


def complain(error: StarchartError) -> None:
    """What happened and what to do next, on standard error."""
    click.echo(inert(f"{error.message} [{error.code}]"), err=True)
    if error.hint:
        click.echo(inert(error.hint), err=True)
