"""The one value that ``execute`` takes. Only the guard can make it, so skipping the guard is a type error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class _Seal:
    """Possession of the module's single instance proves that the guard made the value."""


_SEAL: Final = _Seal()


@dataclass(frozen=True, slots=True)
class AllowedSql:
    """A read statement that passed every rule.

    :ivar text: SQL regenerated from the checked tree, without comments; the only text that is ever sent.
    :ivar dialect: sqlglot's dialect name.
    :ivar tables: catalog names of the tables it reads.
    """

    text: str
    dialect: str
    tables: tuple[str, ...]
    _seal: _Seal

    def __post_init__(self) -> None:
        if self._seal is not _SEAL:
            raise TypeError("AllowedSql is made by agents.sql.guard only")


def seal(text: str, dialect: str, tables: tuple[str, ...]) -> AllowedSql:
    """Make the value. An import contract lets only :mod:`agents.sql.guard` import this function."""
    return AllowedSql(text, dialect, tables, _SEAL)
