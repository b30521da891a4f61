"""Glossaries as people edit them: kept in the data folder with earlier versions, shown as forms, checked when saved."""

from app.glossaries.store import (
    GlossaryFile,
    GlossaryNotSaved,
    GlossaryText,
    Stamp,
    Version,
    version_of,
)

__all__ = ["GlossaryFile", "GlossaryNotSaved", "GlossaryText", "Stamp", "Version", "version_of"]
