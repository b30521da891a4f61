"""A glossary against its database: names, keys, the guard, and whether each measure runs."""

from __future__ import annotations

from functools import lru_cache

from agents.catalog import Catalog
from agents.errors import ExecutionError
from agents.glossary import Glossary, GlossaryProblem, check_glossary, usable_glossary
from agents.ports import Database
from agents.sql.measures import MeasureCheck, trial

SECONDS = 2.0
"""For one measure over no rows."""

_FAULTS = frozenset({"execute.failed", "execute.denied"})
"""What is the expression's fault; that the database is locked or gone is not."""


class TrialRun:
    """Implements :data:`agents.glossary.fits.MeasureCheck`: what guard and keys say, then a run over no rows."""

    def __init__(self, catalog: Catalog, database: Database) -> None:
        self._catalog = catalog
        self._database = database
        self._check = MeasureCheck(catalog)

    def __call__(self, name: str, expression: str) -> GlossaryProblem | None:
        problem = self._check(name, expression)
        if problem is not None:
            return problem
        try:
            self._database.execute(trial(expression, self._catalog), limit=1, seconds=SECONDS)
        except ExecutionError as error:
            if error.code in _FAULTS:
                return GlossaryProblem(
                    "glossary.measure",
                    "The database cannot compute measure %(name)s: %(problem)s",
                    {"name": repr(name), "problem": error.message},
                    "Compare the functions and how many values each of them takes.",
                    ("measures", name, "expression"),
                )
        return None


@lru_cache(maxsize=8)
def checked(text: str, catalog: Catalog, database: Database) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
    """See :func:`agents.glossary.check_glossary`. Of a thousand tables it takes seconds, so it is kept: whoever goes
    from page to page reads the same text."""
    return check_glossary(text, catalog, TrialRun(catalog, database))


@lru_cache(maxsize=8)
def usable(text: str, catalog: Catalog) -> tuple[Glossary, tuple[GlossaryProblem, ...]]:
    """See :func:`agents.glossary.usable_glossary`; asked more than once while a connection is opened."""
    return usable_glossary(text, catalog, MeasureCheck(catalog))
