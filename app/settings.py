"""Settings: one row each, read from ``STARCHART_*`` environment variables, documented by the rows themselves."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import URL

from agents.errors import StarchartError
from agents.ports import Limits

PREFIX = "STARCHART_"


class SettingsError(StarchartError):
    """A setting has a value that cannot be used; ``code`` is ``settings.invalid`` or ``settings.data``."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: environment name without prefix, field, parser, default (as text), what it is for.

    :ivar kind: what a good value is, in words; shown when a value is refused.
    """

    name: str
    field: str
    kind: str
    parse: Callable[[str], Any]
    default: str
    help: str


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return parse


def _seconds(least: float, most: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = float(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return parse


def _choice(*options: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in options:
            raise ValueError(text)
        return text.lower()

    return parse


def _flag(text: str) -> bool:
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    try:
        return known[text.lower()]
    except KeyError:
        raise ValueError(text) from None


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute() if text else user_data_path("starchart")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


SETTINGS: tuple[Setting, ...] = (
    Setting("DATA", "data", "a folder", _folder, "",
            "Folder for everything that is kept: the store, result sets, caches, the secret key. "
            "Empty means the user's data folder."),
    Setting("STORE", "store_url", "a database URL", str, "",
            "Where threads and turns are kept. Empty means a SQLite file in the data folder; "
            "postgresql://… works too."),
    Setting("SECRET_KEY", "secret_key", "a text of at least 16 characters", str, "",
            "Signs cookies and form tokens. Empty means: made once, kept in the data folder for its owner alone."),
    Setting("HOSTS", "hosts", "host names, comma-separated", _names, "",
            "Host names that requests may carry. Empty means: loopback names when serving on loopback, else any."),
    Setting("HTTPS", "https", "on or off", _flag, "off",
            "Whether people reach the server by HTTPS (behind a proxy); cookies are then marked Secure."),
    Setting("ROWS", "rows", "a whole number from 1 to 1000000", _whole(1, 1_000_000), "10000",
            "Rows kept of a result; beyond it the table says that it is cut."),
    Setting("STATEMENT_SECONDS", "statement_seconds", "seconds from 0.1 to 3600", _seconds(0.1, 3600), "20",
            "Longest time that one SQL statement may run."),
    Setting("TURN_SECONDS", "turn_seconds", "seconds from 0.1 to 3600", _seconds(0.1, 3600), "60",
            "Longest time that one question may take."),
    Setting("TURNS", "turns", "a whole number from 1 to 256", _whole(1, 256), "8",
            "Questions that one worker answers at the same time."),
    Setting("QUEUE", "queue", "a whole number from 0 to 256", _whole(0, 256), "16",
            "Further questions that may wait for a free place in one worker; each holds a thread while it waits."),
    Setting("QUEUE_SECONDS", "queue_seconds", "seconds from 0 to 60", _seconds(0, 60), "5",
            "Longest time that a question waits for a free place before the person is asked to try again."),
    Setting("KEEP_DAYS", "keep_days", "a whole number from 1 to 3650", _whole(1, 3650), "7",
            "Days that threads are kept."),
    Setting("THREAD_TURNS", "thread_turns", "a whole number from 1 to 500", _whole(1, 500), "20",
            "Questions of a thread that are shown and remembered."),
    Setting("FRAME_BUDGET_MB", "frame_budget_mb", "a whole number from 1 to 1000000", _whole(1, 1_000_000), "512",
            "Megabytes of result sets kept on disk; the oldest go first."),
    Setting("FRAME_DAYS", "frame_days", "a whole number from 1 to 3650", _whole(1, 3650), "7",
            "Days that result sets are kept."),
    Setting("WORKERS", "workers", "a whole number from 1 to 64", _whole(1, 64), "1",
            "Server processes."),
    Setting("THREADS", "threads", "a whole number from 8 to 512", _whole(8, 512), "32",
            "Threads of each server process."),
    Setting("SOCKETS", "sockets", "a whole number from 0 to 500", _whole(0, 500), "20",
            "Open live connections of each server process; further pages ask for news instead. Stays below THREADS."),
    Setting("WEEK_START", "week_start", "monday or sunday", _choice("monday", "sunday"), "monday",
            "First day of a week, for questions about weeks."),
    Setting("REFRESH_MINUTES", "refresh_minutes", "a whole number from 0 to 100000", _whole(0, 100_000), "60",
            "Minutes after which a database whose file has changed is read again by itself; 0 leaves it to people."),
    Setting("LOG_LEVEL", "log_level", "debug, info, warning or error", _choice("debug", "info", "warning", "error"),
            "info", "How much is logged."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, parsed and checked; see :data:`SETTINGS` for what each is for."""

    data: Path
    store_url: str
    secret_key: str
    hosts: tuple[str, ...]
    https: bool
    rows: int
    statement_seconds: float
    turn_seconds: float
    turns: int
    queue: int
    queue_seconds: float
    keep_days: int
    thread_turns: int
    frame_budget_mb: int
    frame_days: int
    workers: int
    threads: int
    sockets: int
    week_start: str
    refresh_minutes: int
    log_level: str

    @property
    def limits(self) -> Limits:
        return Limits(rows=self.rows, statement_seconds=self.statement_seconds, turn_seconds=self.turn_seconds)

    @property
    def frames_folder(self) -> Path:
        return self.data / "frames"

    @property
    def cache_folder(self) -> Path:
        return self.data / "cache"

    @property
    def glossaries_folder(self) -> Path:
        return self.data / "glossaries"


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read and check all settings, make the data folder, and the secret key when there is none yet.

    :raises SettingsError: ``settings.invalid`` for a value that does not fit its row or the other rows,
        ``settings.data`` when the data folder cannot be made or written.
    """
    environment = os.environ if environment is None else environment
    values = {row.field: _parsed(row, environment.get(PREFIX + row.name, "").strip()) for row in SETTINGS}
    if values["sockets"] >= values["threads"]:
        raise SettingsError(
            "settings.invalid",
            f"STARCHART_SOCKETS is {values['sockets']}, which is not below STARCHART_THREADS ({values['threads']}).",
            "Every open socket holds a thread: raise STARCHART_THREADS or lower STARCHART_SOCKETS.",
        )
    if values["secret_key"] and len(values["secret_key"]) < 16:
        raise SettingsError(
            "settings.invalid", "STARCHART_SECRET_KEY is too short.", "Use at least 16 random characters."
        )
    try:
        values["data"].mkdir(parents=True, exist_ok=True, mode=0o700)
        if not values["secret_key"]:
            values["secret_key"] = _kept_secret(values["data"] / "secret_key")
    except OSError as error:
        raise SettingsError(
            "settings.data",
            f"The data folder {values['data']} cannot be used: {error.strerror or error}.",
            "Set STARCHART_DATA to a folder that you may write to.",
        ) from error
    if not values["store_url"]:
        file = str(values["data"] / "starchart.sqlite")
        values["store_url"] = URL.create("sqlite", database=file).render_as_string()
    return Settings(**values)


def unknown_settings(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names that look like settings but are none (a typing error that would otherwise pass unseen)."""
    known = {PREFIX + row.name for row in SETTINGS}
    return tuple(sorted(name for name in environment if name.startswith(PREFIX) and name not in known))


def _parsed(row: Setting, text: str) -> Any:
    try:
        return row.parse(text or row.default)
    except ValueError as error:
        raise SettingsError(
            "settings.invalid",
            f"{PREFIX}{row.name} is {text!r}, which is not {row.kind}.",
            f"{row.help} Default: {row.default}.",
        ) from error


def _kept_secret(path: Path) -> str:
    """The key in ``path``; two processes that make it at once end up with the same one (the first link wins)."""
    try:
        return path.read_text("ascii")
    except FileNotFoundError:
        pass
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text("ascii")
