"""Opening the store: engine, pragmas, migrations under a lock."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from agents.errors import StarchartError
from app.store.store import Store

# Any fixed number will do: it names the one PostgreSQL advisory lock that migrations take.
_LOCK = 7_261_994


class StoreError(StarchartError):
    """The store cannot be opened or used; ``store.url``, ``store.open``."""


def open_store(url: str) -> Store:
    """Connect, bring the tables up to date, and give back the store.

    Several processes may call this at once on the same database: one migrates, the others wait for it.

    :raises StoreError: ``store.url`` for an address that names no usable database, ``store.open`` when it cannot be
        reached or migrated.
    """
    try:
        engine = _engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreError(
            "store.url", "STARCHART_STORE is not the address of a database.", "Write sqlite:///file or postgresql://…"
        ) from error
    try:
        with _migration_lock(engine) as connection:
            config = Config()
            config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
    except (SQLAlchemyError, OSError) as error:
        engine.dispose()
        shown = engine.url.render_as_string(hide_password=True)
        raise StoreError(
            "store.open",
            f"The store {shown} cannot be opened: {getattr(error, 'orig', None) or error}.",
            "Check that the address is right, and that the file or the server may be written to.",
        ) from error
    return Store(engine)


def _engine(url: str) -> Engine:
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address, pool_pre_ping=True, pool_size=5, max_overflow=40)
    engine = create_engine(address, connect_args={"timeout": 15})

    @event.listens_for(engine, "connect")
    def pragmas(connection: Any, _record: object) -> None:
        # WAL lets readers go on while one writes; NORMAL may lose the last instants on power loss, never consistency.
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


@contextmanager
def _migration_lock(engine: Engine) -> Iterator[Connection]:
    """A connection held by at most one process at a time while it migrates."""
    if engine.url.get_backend_name() == "sqlite" and engine.url.database:
        path = Path(engine.url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.with_name(f"{path.name}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with engine.connect() as connection:
                yield connection
        return
    with engine.connect() as connection:
        locked = engine.dialect.name == "postgresql"
        if locked:
            # Held by the transaction, so that it also goes when this process dies.
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        yield connection
