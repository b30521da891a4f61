"""Builds the context of the glossary's editor."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from babel.dates import get_month_names
from flask import url_for

from agents.artifacts import ProblemArtifact
from agents.catalog import Catalog, Kind
from agents.errors import StarchartError
from agents.glossary import Glossary, GlossaryProblem
from agents.plan.labels import date_columns
from app.glossaries import GlossaryFile, GlossaryText, edit
from app.glossaries.forms import GeneralForm, MeasuresForm, TableForm
from app.i18n import current_lang
from app.i18n import gettext as _
from app.views.contexts import GlossaryLink, GlossaryPage, GlossaryProblemLine, GlossaryVersion
from app.views.pages import shell

Form = GeneralForm | MeasuresForm | TableForm
Part = Literal["general", "table", "measures", "yaml", "versions"]

UNITS = ("money", "%", "kg", "g", "km", "m", "m²", "l", "days", "hours", "minutes", "EUR", "USD", "CNY", "元")


@dataclass(frozen=True, slots=True)
class Editing:
    """What is edited: the saved text (or a draft where there is none), read against the catalog.

    :ivar glossary: ``None`` when the text has not the shape of a glossary; then only the text can be edited.
    """

    conn: str
    file: GlossaryFile
    catalog: Catalog
    current: GlossaryText
    text: str
    glossary: Glossary | None
    problems: tuple[GlossaryProblem, ...]

    def part_version(self, part: str, form: Form | None) -> str:
        """What a form of this part must have been made from to be saved."""
        if self.glossary is None or form is None:
            return self.current.version
        if isinstance(form, TableForm):
            return edit.part_version(edit.table_part(form.name)(self.glossary))
        parts = {"general": edit.general_part, "measures": edit.measures_part}
        return edit.part_version(parts[part](self.glossary))


def glossary_page(
    editing: Editing,
    part: str,
    *,
    form: Form | None,
    typed: str | None = None,
    checked: str | None = None,
    problems: tuple[GlossaryProblem, ...] = (),
    faults: Mapping[str, str] | None = None,
    error: StarchartError | None = None,
    saved: bool = False,
    version: str | None = None,
) -> GlossaryPage:
    """The editor at one part.

    :param typed: the text that was sent; default the saved one.
    :param checked: the text in which ``problems`` were found, when it is neither.
    :param faults: what is wrong in the form, by field.
    :param version: what the form was made from, when that is not what counts now.
    """
    text = editing.text if typed is None else typed
    sent = bool(problems or faults or error)
    errors = {field: _(message) for field, message in (faults or {}).items()}
    elsewhere: list[GlossaryProblem] = []
    for problem in problems if sent else editing.problems:
        field = form.field(problem.path) if form is not None else None
        if field is None:
            elsewhere.append(problem)
        else:
            errors.setdefault(field, f"{in_words(problem)} {_filled(problem, problem.hint)}".strip())
    lines = (checked or text).splitlines()
    title = form.name if isinstance(form, TableForm) else ""
    return GlossaryPage(
        shell=shell("schema", editing.conn),
        part=cast(Part, part),
        title=title,
        links=_links(editing, title),
        measures=len(editing.glossary.measures) if editing.glossary else 0,
        origin=editing.current.origin,
        version=editing.part_version(part, form) if version is None else version,
        form=form,
        text=text,
        errors=errors,
        problems=_problem_lines(elsewhere, lines),
        notice=_notice(error, errors),
        saved=saved and not sent,
        choices=_choices(editing.catalog, form),
        months=tuple(get_month_names("wide", "stand-alone", current_lang()).values()),
    )


def versions_page(
    editing: Editing,
    id: str | None,
    *,
    error: StarchartError | None = None,
    problems: tuple[GlossaryProblem, ...] = (),
    saved: bool = False,
) -> GlossaryPage:
    """The earlier versions, and how one of them differs from what counts now.

    :raises NotFound: ``not_found.version``.
    """
    text = editing.file.version_text(id) if id else ""
    versions = tuple(
        GlossaryVersion(
            version.id,
            version.until,
            url_for("glossary.edit_page", conn=editing.conn, part="versions", version=version.id),
            version.id == id,
        )
        for version in editing.file.versions()
    )
    differences: tuple[str, ...] = ()
    if id:
        compared = difflib.unified_diff(editing.current.text.splitlines(), text.splitlines(), lineterm="", n=2)
        differences = tuple(line for line in compared if not line.startswith(("---", "+++")))
    return GlossaryPage(
        shell=shell("schema", editing.conn),
        part="versions",
        title="",
        links=_links(editing, ""),
        measures=len(editing.glossary.measures) if editing.glossary else 0,
        origin=editing.current.origin,
        version=editing.current.version,
        text=text,
        problems=_problem_lines(problems, text.splitlines()),
        notice=_notice(error, {}),
        saved=saved and not problems and error is None,
        versions=versions,
        chosen=next((version for version in versions if version.current), None),
        differences=differences,
    )


def in_words(problem: GlossaryProblem) -> str:
    """The problem in the reader's language."""
    return _filled(problem, problem.template)


def _filled(problem: GlossaryProblem, template: str) -> str:
    """A sentence of the problem in the reader's language, with its parts."""
    translated = _(template)
    return translated % problem.values if problem.values else translated


def _problem_lines(
    problems: list[GlossaryProblem] | tuple[GlossaryProblem, ...], lines: list[str]
) -> tuple[GlossaryProblemLine, ...]:
    found = []
    for problem in problems[:20]:
        known = problem.line is not None and 0 < problem.line <= len(lines)
        text = lines[problem.line - 1].strip()[:160] if known and problem.line else ""
        found.append(GlossaryProblemLine(problem.line, text, in_words(problem), _filled(problem, problem.hint)))
    return tuple(found)


def _notice(error: StarchartError | None, errors: Mapping[str, str]) -> ProblemArtifact | None:
    if error is not None:
        return ProblemArtifact(id="glossary", code=error.code, message=_(error.message), hint=_(error.hint))
    if errors:
        return ProblemArtifact(
            id="glossary",
            code="glossary.fields",
            message=_("Not saved yet: something does not fit."),
            hint=_("See the marked fields."),
        )
    return None


def _links(editing: Editing, current: str) -> tuple[GlossaryLink, ...]:
    glossary, lang = editing.glossary or Glossary(), current_lang()
    return tuple(
        GlossaryLink(
            table.name,
            glossary.table(table.name).names.first(lang) or "",
            url_for("glossary.edit_page", conn=editing.conn, part="table", table=table.name),
            table.name == current,
            glossary.is_hidden(table.name),
        )
        for table in editing.catalog.tables
    )


def _choices(catalog: Catalog, form: Form | None) -> dict[str, tuple[str, ...]]:
    choices: dict[str, tuple[str, ...]] = {"units": UNITS}
    if isinstance(form, TableForm):
        table = catalog.table(form.name)
        dates = [c.name for c in date_columns(table, Glossary())]
        labels = [c.name for c in table.columns if c.kind is Kind.TEXT]
        # What is chosen stays on offer, even where it would not be offered.
        choices["dates"] = tuple(dict.fromkeys([*dates, *filter(None, [form.default_date])]))
        choices["labels"] = tuple(dict.fromkeys([*labels, *filter(None, [form.label])]))
    if isinstance(form, MeasuresForm):
        choices["measure_dates"] = tuple(f"{t.name}.{c.name}" for t, c in catalog.columns() if c.kind.is_time)
    return choices
