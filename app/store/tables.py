"""The tables, in SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

# Alembic can only drop or change a constraint that has a name.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """Moments in UTC, kept without a zone (SQLite has none) and given back with it."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


threads = Table(
    "threads",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("connection", String(200), nullable=False),
    Column("owner", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("active_at", UtcDateTime, nullable=False),
    Index("ix_threads_owner_connection_active_at", "owner", "connection", "active_at"),
)

turns = Table(
    "turns",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("thread_id", String(32), ForeignKey("threads.id", ondelete="CASCADE"), nullable=False),
    Column("connection", String(200), nullable=False),
    Column("workspace", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("lang", String(2), nullable=False),
    Column("status", String(16), nullable=False),
    Column("state", String(32), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
    Column("cancel_requested", Boolean, nullable=False),
    Column("ms", Float),
    Column("rows", Integer),
    Index("ix_turns_thread_id_asked_at", "thread_id", "asked_at"),
    Index("ix_turns_workspace_asked_at", "workspace", "asked_at"),
    Index("ix_turns_status", "status"),
)

events = Table(
    "events",
    metadata,
    Column("turn_id", String(32), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("event", Text, nullable=False),
)
