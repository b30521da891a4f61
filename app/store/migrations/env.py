"""Alembic's entry: runs the migrations over the connection that :mod:`app.store.open` hands in."""

from __future__ import annotations

from alembic import context

from app.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a column; alembic then copies the table
)
with context.begin_transaction():
    context.run_migrations()
