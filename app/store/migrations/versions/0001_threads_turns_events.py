"""Threads, turns, events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "threads",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("connection", sa.String(200), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("active_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_threads"),
    )
    op.create_index("ix_threads_owner_connection_active_at", "threads", ["owner", "connection", "active_at"])
    op.create_table(
        "turns",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("thread_id", sa.String(32), nullable=False),
        sa.Column("connection", sa.String(200), nullable=False),
        sa.Column("workspace", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("beat_at", sa.DateTime, nullable=False),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("ms", sa.Float),
        sa.Column("rows", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name="fk_turns_thread_id", ondelete="CASCADE"),
    )
    op.create_index("ix_turns_thread_id_asked_at", "turns", ["thread_id", "asked_at"])
    op.create_index("ix_turns_workspace_asked_at", "turns", ["workspace", "asked_at"])
    op.create_index("ix_turns_status", "turns", ["status"])
    op.create_table(
        "events",
        sa.Column("turn_id", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("turn_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_events_turn_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("events")
    op.drop_table("turns")
    op.drop_table("threads")
