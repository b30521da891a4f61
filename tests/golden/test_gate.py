"""The engine itself before the golden cases: what held once must keep holding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.judging import judge
from golden import as_text, load_cases

if TYPE_CHECKING:
    from app.services import Services
    from app.settings import Settings

OPEN: frozenset[str] = frozenset()
"""Ids of cases that do not hold yet. One that begins to hold is taken out here, so that it goes on holding."""


def test_every_golden_case_holds(demo_settings: Settings, services: Services) -> None:
    report = judge(demo_settings, load_cases(), services)
    assert {verdict.case.id for verdict in report.failed} == OPEN, as_text(report)
    assert all(len(v.outcome.rows) < demo_settings.rows for v in report.verdicts), (
        "a result was cut before it was judged"
    )
