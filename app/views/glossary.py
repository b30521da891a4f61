"""The glossary's editor: forms for its parts, the text as it is, and its earlier versions. Works without JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from agents.errors import NotFound, StarchartError
from agents.glossary import Glossary, GlossaryProblem
from agents.glossary.draft import draft_glossary
from app.glossaries import GlossaryNotSaved, edit
from app.glossaries.forms import GeneralForm, MeasuresForm, TableForm
from app.i18n import gettext as _
from app.security import RequestRefused, check_form
from app.views.glossary_page import Editing, glossary_page, versions_page
from app.views.pages import connection_info
from app.web import web

blueprint = Blueprint("glossary", __name__)
LARGEST_TEXT = 4 * 1024 * 1024
PARTS = ("general", "table", "measures", "yaml", "versions")


@blueprint.get("/c/<conn>/glossary")
def edit_page(conn: str) -> str | Response:
    editing = _editing(conn)
    part = request.args.get("part", "general")
    if part == "versions":
        return _versions(editing, request.args.get("version"))
    if part != "yaml" and editing.glossary is None:
        return redirect(_address(conn, "yaml", ""), 303)
    if part == "yaml":
        return _page(editing, part)
    return _page(editing, part, form=_shown(editing, part, request.args.get("table", "")))


@blueprint.post("/c/<conn>/glossary")
def save(conn: str) -> tuple[str, int] | Response:
    request.max_content_length = request.max_form_memory_size = LARGEST_TEXT
    editing = _editing(conn)
    part = request.form.get("part", "")
    if part not in PARTS:
        check_form()
        raise _nothing()
    try:
        check_form()
        if part == "versions":
            return _restore(editing)
        if part == "yaml":
            return _save_text(editing)
        return _save_part(editing, part)
    except (GlossaryNotSaved, RequestRefused) as error:
        status = 409 if error.code == "glossary.conflict" else 400 if isinstance(error, RequestRefused) else 503
        return _kept(_editing(conn), part, error=error), status


# -- one kind of save each


def _save_text(editing: Editing) -> tuple[str, int] | Response:
    text = _typed_text()
    _glossary, problems = _read(editing.conn, text)
    if problems:
        return _kept(editing, "yaml", problems=problems), 422
    return _done(editing, text, "yaml", seen=request.form.get("version", ""))


def _save_part(editing: Editing, part: str) -> tuple[str, int] | Response:
    glossary = editing.glossary
    if glossary is None:
        raise _conflict()
    form = _sent(editing, part)
    if request.form.get("version") != editing.part_version(part, form):
        raise _conflict()
    faults = {} if isinstance(form, GeneralForm) else form.faults()
    if isinstance(form, GeneralForm):
        text = edit.with_general(editing.text, glossary, form.data(glossary))
    elif isinstance(form, MeasuresForm):
        renamed = {one.old: one.key for _place, one in form.kept() if one.old and one.key}
        text = edit.with_measures(editing.text, glossary, form.data(), renamed)
    else:
        text = edit.with_table(editing.text, glossary, form.name, form.data())
    _checked, problems = _read(editing.conn, text)
    if faults or problems:
        return _kept(editing, part, problems=problems, faults=faults, text=text), 422
    table = form.name if isinstance(form, TableForm) else ""
    return _done(editing, text, part, seen=editing.current.version, table=table)


def _restore(editing: Editing) -> tuple[str, int] | Response:
    id = request.form.get("id", "")
    text = editing.file.version_text(id)
    _glossary, problems = _read(editing.conn, text)
    if problems:
        return _versions(editing, id, problems=problems), 422
    return _done(editing, text, "versions", seen=request.form.get("version", ""))


def _done(editing: Editing, text: str, part: str, *, seen: str, table: str = "") -> Response:
    editing.file.save(text, seen=seen, now=datetime.now(UTC))
    return redirect(_address(editing.conn, part, table, saved=True), 303)


# -- pages


def _page(
    editing: Editing,
    part: str,
    *,
    form: GeneralForm | MeasuresForm | TableForm | None = None,
    saved: bool | None = None,
) -> str:
    page = glossary_page(editing, part, form=form, saved="saved" in request.args if saved is None else saved)
    return render_template("pages/glossary.html", page=page)


def _kept(
    editing: Editing,
    part: str,
    *,
    error: StarchartError | None = None,
    problems: tuple[GlossaryProblem, ...] = (),
    faults: Mapping[str, str] | None = None,
    text: str | None = None,
) -> str:
    """The page with what was typed, and why it was not saved."""
    if part == "versions":
        return _versions(editing, request.form.get("id"), error=error)
    form = None if part == "yaml" else _sent(editing, part)
    page = glossary_page(
        editing,
        part,
        form=form,
        typed=_typed_text() if part == "yaml" else None,
        checked=text,
        problems=problems,
        faults=faults or {},
        error=error,
        # Who has been told of another version may put this one over it; nobody else.
        version=None if error is not None and error.code == "glossary.conflict" else request.form.get("version", ""),
    )
    return render_template("pages/glossary.html", page=page)


def _versions(
    editing: Editing,
    id: str | None,
    *,
    error: StarchartError | None = None,
    problems: tuple[GlossaryProblem, ...] = (),
) -> str:
    page = versions_page(editing, id, error=error, problems=problems, saved="saved" in request.args)
    return render_template("pages/glossary.html", page=page)


# -- what is asked for


# A thousand tables take seconds to draft; whoever goes from page to page reads the same text.
_drafted = lru_cache(maxsize=4)(draft_glossary)


def _read(conn: str, text: str) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
    return web().services.check_glossary(conn, text)


def _editing(conn: str) -> Editing:
    """What is edited: the text that counts, or a draft where there is none yet."""
    connection_info(conn)
    services = web().services
    file, catalog = services.glossary_file(conn), services.catalog(conn)
    current = file.read()
    text = _drafted(catalog) if current.origin == "none" else current.text
    glossary, problems = _read(conn, text)
    return Editing(conn, file, catalog, current, text, glossary, problems)


def _shown(editing: Editing, part: str, table: str) -> GeneralForm | MeasuresForm | TableForm:
    glossary: Glossary = editing.glossary or Glossary()
    if part == "general":
        return GeneralForm.shown(glossary)
    if part == "measures":
        return MeasuresForm.shown(glossary)
    if part == "table" and table in editing.catalog:
        found = editing.catalog.table(table)
        return TableForm.shown(found, glossary.table(found.name))
    raise _nothing()


def _sent(editing: Editing, part: str) -> GeneralForm | MeasuresForm | TableForm:
    glossary: Glossary = editing.glossary or Glossary()
    table = request.form.get("table", "")
    if part == "general":
        return GeneralForm.sent(glossary, request.form)
    if part == "measures":
        return MeasuresForm.sent(request.form)
    if part == "table" and table in editing.catalog:
        return TableForm.sent(editing.catalog.table(table), request.form)
    raise _nothing()


def _typed_text() -> str:
    return request.form.get("text", "").replace("\r\n", "\n")


def _address(conn: str, part: str, table: str, *, saved: bool = False) -> str:
    return url_for(
        "glossary.edit_page",
        conn=conn,
        part=None if part == "general" else part,
        table=table or None,
        saved=1 if saved else None,
    )


def _conflict() -> GlossaryNotSaved:
    return GlossaryNotSaved(
        "glossary.conflict",
        "Somebody else has saved this part in the meantime.",
        "Look at the other version; yours is kept below.",
    )


def _nothing() -> NotFound:
    return NotFound(
        "not_found.glossary_part", _("The glossary has no such part."), _("Choose a part from the list on the left.")
    )
