"""Databases a person connects to: opening them read-only, their catalog, their stored values, running statements."""

from app.databases.open import open_database

__all__ = ["open_database"]
