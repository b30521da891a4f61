"""Golden cases: questions with independently written SQL, and a judge that compares answers by result."""

from golden.case import Case, Status, load_cases
from golden.compare import Table, difference
from golden.report import as_json, as_text, render
from golden.runner import Answer, Outcome, Report, Verdict, run

__all__ = [
    "Answer",
    "Case",
    "Outcome",
    "Report",
    "Status",
    "Table",
    "Verdict",
    "as_json",
    "as_text",
    "difference",
    "load_cases",
    "render",
    "run",
]
