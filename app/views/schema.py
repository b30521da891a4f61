"""The schema browser: every table and column with its meaning."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from agents.catalog import Catalog, Column, Table
from agents.glossary import Glossary, Words
from app.databases.changes import listed
from app.i18n import Lang, current_lang
from app.i18n import gettext as _
from app.security import check_form
from app.views.contexts import ReadingView, SchemaColumn, SchemaPage, SchemaTable
from app.views.pages import connection_info, shell
from app.web import web

blueprint = Blueprint("schema", __name__)

PAGE_WAITS = 5.0
"""Seconds that the page waits for a database to be read again."""


@blueprint.get("/c/<conn>/schema")
def browse(conn: str) -> str:
    connection_info(conn)
    query = request.args.get("q", "").strip()[:100]
    lang = current_lang()
    catalog, glossary = web().services.catalog(conn), web().services.glossary(conn)
    page = SchemaPage(
        shell=shell("schema", conn),
        query=query,
        tables=schema_tables(catalog, glossary, lang, query),
        measures=schema_measures(glossary, lang, query),
        reading=_reading(conn),
        hides=any(glossary.is_hidden(table.name, column.name) for table, column in catalog.columns()),
    )
    return render_template("pages/schema.html", page=page)


@blueprint.post("/c/<conn>/refresh")
def refresh(conn: str) -> Response:
    """Read tables and values again. A large database is still being read when the page comes back, and says so."""
    connection_info(conn)
    check_form()
    web().services.refresh_soon(conn, PAGE_WAITS)
    return redirect(url_for("schema.browse", conn=conn), 303)


def _reading(conn: str) -> ReadingView:
    reading = web().services.reading(conn)
    more = _("%(names)s and %(count)s more")
    changes = tuple(_(template) % {"names": listed(names, more)} for template, names in reading.changes.templates())
    return ReadingView(reading.read_at, changes, reading.busy, _(reading.problem) if reading.problem else "")


def schema_tables(catalog: Catalog, glossary: Glossary, lang: Lang, query: str = "") -> tuple[SchemaTable, ...]:
    """Tables whose name or one of whose columns contains ``query``; a table found only by columns shows only those.

    What the glossary hides is in none of them, not even as what a key refers to.
    """
    found = []
    shown = tuple(table for table in catalog.tables if not glossary.is_hidden(table.name))
    for table in shown:
        entry = glossary.table(table.name)
        open_columns = (column for column in table.columns if not glossary.is_hidden(table.name, column.name))
        columns = tuple(_column(table, column, glossary, lang) for column in open_columns)
        names = _names(entry.names, lang)
        if not _contains(query, table.name, *names):
            columns = tuple(column for column in columns if _contains(query, column.name, *column.names))
            if not columns:
                continue
        found.append(
            SchemaTable(
                name=table.name,
                kind=table.kind,
                rows=table.rows,
                names=names,
                description=entry.description.get(lang) or table.comment,
                columns=columns,
                referenced_by=tuple(
                    other.name
                    for other in shown
                    if any(
                        key.ref_table.lower() == table.name.lower()
                        and not any(glossary.is_hidden(other.name, column) for column in key.columns)
                        for key in other.foreign_keys
                    )
                ),
            )
        )
    return tuple(found)


def schema_measures(glossary: Glossary, lang: Lang, query: str = "") -> tuple[tuple[str, str, str], ...]:
    """Name, description and expression of each measure that ``query`` fits."""
    return tuple(
        (measure.names.first(lang) or name, measure.description.get(lang), measure.expression)
        for name, measure in glossary.measures.items()
        if _contains(query, name, *measure.names.all())
    )


def _column(table: Table, column: Column, glossary: Glossary, lang: Lang) -> SchemaColumn:
    entry = glossary.column(table.name, column.name)
    references, key, inferred = "", "", False
    for foreign in table.foreign_keys:
        for own, other in zip(foreign.columns, foreign.ref_columns, strict=True):
            if own.lower() == column.name.lower() and not glossary.is_hidden(foreign.ref_table, other):
                references, key, inferred = f"{foreign.ref_table}.{other}", "foreign", foreign.inferred
    if column.name.lower() in (name.lower() for name in table.primary_key):
        key = "primary"
    elif not key and column.unique:
        key = "unique"
    return SchemaColumn(
        name=column.name,
        type=column.type,
        kind=column.kind.value,
        key=key,
        nullable=column.nullable,
        references=references,
        inferred=inferred,
        names=_names(entry.names, lang),
        description=entry.description.get(lang) or column.comment,
        samples=tuple(str(sample) for sample in column.samples),
    )


def _names(words: Words, lang: Lang) -> tuple[str, ...]:
    return words.zh if lang == "zh" else words.en


def _contains(query: str, *texts: str) -> bool:
    return any(query.lower() in text.lower() for text in texts)
