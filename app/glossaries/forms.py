"""The parts of a glossary as forms: texts that people type, made from entries and turned back into data.

Every form knows three ways: ``shown`` from the glossary, ``sent`` from a posted form, and ``data`` to what is written.
Names of fields are those of the page: ``c3-unit`` is the unit of the table's fourth column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from agents.catalog import Table
from agents.glossary import ColumnEntry, Glossary, MeasureEntry, TableEntry, Texts, Words
from agents.glossary.text import entry_data
from app.glossaries.names import join_lines, join_names, split_lines, split_names

Sent: TypeAlias = Mapping[str, str]
Path: TypeAlias = tuple[str, ...]

FREE_ROWS = 3
"""Empty rows behind the value aliases of a column: enough for one sitting, and saving brings new ones."""

_FIELDS = {"names": "en", "description": "about_en"}


def _even(sent: Sent, key: str) -> str:
    return " ".join(sent.get(key, "").split())


def _text(sent: Sent, key: str) -> str:
    """As typed, with one kind of line end."""
    return sent.get(key, "").replace("\r\n", "\n")


def _words(en: str, zh: str) -> dict[str, Any]:
    return _said({"en": split_names(en), "zh": split_names(zh)})


def _said(data: dict[str, Any]) -> dict[str, Any]:
    """Without what says nothing."""
    return {key: value for key, value in data.items() if value not in ("", None, False, [], {}, ())}


@dataclass(frozen=True, slots=True)
class Said:
    """Names and descriptions in both languages."""

    en: str = ""
    zh: str = ""
    about_en: str = ""
    about_zh: str = ""

    @classmethod
    def shown(cls, names: Words, description: Texts) -> Said:
        return cls(join_names(names.en), join_names(names.zh), description.en, description.zh)

    @classmethod
    def sent(cls, sent: Sent, prefix: str) -> Said:
        return cls(*(_text(sent, prefix + key) for key in ("en", "zh", "about_en", "about_zh")))

    def data(self) -> dict[str, Any]:
        about = {"en": self.about_en.strip(), "zh": self.about_zh.strip()}
        return _said({"names": _words(self.en, self.zh), "description": _said(about)})


@dataclass(frozen=True, slots=True)
class AliasForm:
    value: str = ""
    en: str = ""
    zh: str = ""


@dataclass(frozen=True, slots=True)
class ColumnForm:
    """``known`` is whether the database has the column; ``kind`` and ``samples`` are for the reader."""

    name: str
    said: Said
    unit: str = ""
    aggregation: str = ""
    hidden: bool = False
    indexed: str = ""
    aliases: tuple[AliasForm, ...] = ()
    kind: str = ""
    samples: tuple[str, ...] = ()
    known: bool = True

    @classmethod
    def shown(cls, name: str, entry: ColumnEntry) -> ColumnForm:
        aliases = tuple(AliasForm(value, join_names(w.en), join_names(w.zh)) for value, w in entry.values.items())
        said = Said.shown(entry.names, entry.description)
        indexed = "" if entry.indexed is None else "true" if entry.indexed else "false"
        return cls(name, said, entry.unit or "", entry.aggregation or "", entry.hidden, indexed, aliases)

    @classmethod
    def sent(cls, sent: Sent, prefix: str) -> ColumnForm:
        rows: list[AliasForm] = []
        while f"{prefix}v{len(rows)}-value" in sent:
            row = f"{prefix}v{len(rows)}-"
            rows.append(AliasForm(sent[f"{row}value"], sent.get(f"{row}en", ""), sent.get(f"{row}zh", "")))
        return cls(
            sent[f"{prefix}name"],
            Said.sent(sent, prefix),
            _even(sent, f"{prefix}unit"),
            sent.get(f"{prefix}aggregation", ""),
            f"{prefix}hidden" in sent,
            sent.get(f"{prefix}indexed", ""),
            tuple(row for row in rows if row != AliasForm()),
        )

    @property
    def rows(self) -> tuple[AliasForm, ...]:
        """The aliases, and room for more."""
        return (*self.aliases, *(AliasForm() for _ in range(FREE_ROWS)))

    def data(self) -> dict[str, Any]:
        values = {row.value: _words(row.en, row.zh) for row in self.aliases if row.value}
        scalars = {"unit": self.unit, "aggregation": self.aggregation, "hidden": self.hidden}
        indexed = {"true": {"indexed": True}, "false": {"indexed": False}}.get(self.indexed, {})
        return self.said.data() | _said({**scalars, "values": values}) | indexed


@dataclass(frozen=True, slots=True)
class TableForm:
    name: str
    said: Said
    default_date: str = ""
    label: str = ""
    hidden: bool = False
    columns: tuple[ColumnForm, ...] = ()

    @classmethod
    def shown(cls, table: Table, entry: TableEntry) -> TableForm:
        """Every column of the table, and those of the entry that the table does not have."""
        known = {name.lower(): own for name, own in entry.columns.items()}
        spelled = {name.lower(): name for name in entry.columns}
        columns = [
            ColumnForm.shown(spelled.get(c.name.lower(), c.name), known.pop(c.name.lower(), ColumnEntry()))
            for c in table.columns
        ]
        columns += [ColumnForm.shown(spelled[name], own) for name, own in known.items()]
        said = Said.shown(entry.names, entry.description)
        return cls(
            table.name, said, entry.default_date or "", entry.label or "", entry.hidden, tuple(columns)
        )._described(table)

    @classmethod
    def sent(cls, table: Table, sent: Sent) -> TableForm:
        columns: list[ColumnForm] = []
        while f"c{len(columns)}-name" in sent:
            columns.append(ColumnForm.sent(sent, f"c{len(columns)}-"))
        said = Said.sent(sent, "")
        default_date, label = sent.get("default_date", ""), sent.get("label", "")
        return cls(table.name, said, default_date, label, "hidden" in sent, tuple(columns))._described(table)

    def _described(self, table: Table) -> TableForm:
        """With what the catalog knows about the columns."""
        described = []
        for form in self.columns:
            known = form.name in table
            column = table.column(form.name) if known else None
            kind = column.kind.value if column else ""
            samples = tuple(str(sample)[:60] for sample in column.samples) if column else ()
            described.append(replace(form, kind=kind, samples=samples, known=known))
        return TableForm(self.name, self.said, self.default_date, self.label, self.hidden, tuple(described))

    def data(self) -> dict[str, Any]:
        columns = {form.name: data for form in self.columns if (data := form.data())}
        scalars = {"default_date": self.default_date, "label": self.label, "hidden": self.hidden}
        return self.said.data() | _said({**scalars, "columns": columns})

    def faults(self) -> dict[str, str]:
        """What a form can have wrong that its data cannot say."""
        faults: dict[str, str] = {}
        for place, column in enumerate(self.columns):
            values = [row.value for row in column.aliases]
            for number, value in enumerate(values):
                if not value:
                    faults[f"c{place}-v{number}-value"] = "These names need the stored value that they mean."
                elif value in values[:number]:
                    faults[f"c{place}-v{number}-value"] = "This value stands here twice."
        return faults

    def field(self, path: Path) -> str | None:
        """The field that shows the place of a problem, if it is one of this table's."""
        if path[:2] != ("tables", self.name):
            return None
        if len(path) < 3 or path[2] != "columns":
            return _FIELDS.get(path[2], path[2]) if len(path) > 2 else "en"
        place = next((n for n, form in enumerate(self.columns) if len(path) > 3 and form.name == path[3]), None)
        if place is None:
            return "en"
        key = path[4] if len(path) > 4 else "name"
        return f"c{place}-{_FIELDS.get(key, key)}"


@dataclass(frozen=True, slots=True)
class MeasureForm:
    """``old`` is the key under which the glossary has the measure; empty for a new one."""

    old: str = ""
    key: str = ""
    said: Said = Said()
    expression: str = ""
    unit: str = ""
    date: str = ""
    remove: bool = False

    @classmethod
    def shown(cls, key: str, entry: MeasureEntry) -> MeasureForm:
        said = Said.shown(entry.names, entry.description)
        return cls(key, key, said, entry.expression, entry.unit or "", entry.date or "")

    @classmethod
    def sent(cls, sent: Sent, prefix: str) -> MeasureForm:
        return cls(
            sent[f"{prefix}old"],
            _even(sent, f"{prefix}key"),
            Said.sent(sent, prefix),
            _text(sent, f"{prefix}expression"),
            _even(sent, f"{prefix}unit"),
            _even(sent, f"{prefix}date"),
            f"{prefix}remove" in sent,
        )

    @property
    def blank(self) -> bool:
        return self == MeasureForm()

    def data(self) -> dict[str, Any]:
        return self.said.data() | _said({"expression": self.expression.strip(), "unit": self.unit, "date": self.date})


@dataclass(frozen=True, slots=True)
class MeasuresForm:
    """All measures, and an empty one to fill in."""

    measures: tuple[MeasureForm, ...]

    @classmethod
    def shown(cls, glossary: Glossary) -> MeasuresForm:
        return cls((*(MeasureForm.shown(key, entry) for key, entry in glossary.measures.items()), MeasureForm()))

    @classmethod
    def sent(cls, sent: Sent) -> MeasuresForm:
        found: list[MeasureForm] = []
        while f"m{len(found)}-old" in sent:
            found.append(MeasureForm.sent(sent, f"m{len(found)}-"))
        return cls((*found, *([] if found and found[-1].blank else [MeasureForm()])))

    def kept(self) -> list[tuple[int, MeasureForm]]:
        return [(place, form) for place, form in enumerate(self.measures) if not form.blank and not form.remove]

    def data(self) -> dict[str, Any]:
        return {form.key: form.data() for _place, form in self.kept() if form.key}

    def faults(self) -> dict[str, str]:
        faults: dict[str, str] = {}
        seen: set[str] = set()
        for place, form in self.kept():
            if not form.key:
                faults[f"m{place}-key"] = "A measure needs a short name."
            elif form.key in seen:
                faults[f"m{place}-key"] = "Another measure has this short name."
            if not form.expression.strip():
                faults[f"m{place}-expression"] = "A measure needs an expression, such as SUM(table.column)."
            seen.add(form.key)
        return faults

    def field(self, path: Path) -> str | None:
        if path[:1] != ("measures",) or len(path) < 2:
            return None
        place = next((place for place, form in self.kept() if form.key == path[1]), None)
        if place is None:
            return None
        key = path[2] if len(path) > 2 else "key"
        return f"m{place}-{_FIELDS.get(key, key)}"


@dataclass(frozen=True, slots=True)
class RememberedForm:
    phrase: str
    means: str
    forget: bool = False


@dataclass(frozen=True, slots=True)
class GeneralForm:
    """What is said about the whole, and the phrases that were settled."""

    about_en: str = ""
    about_zh: str = ""
    currency: str = ""
    fiscal_year_start: str = "1"
    questions_en: str = ""
    questions_zh: str = ""
    remembered: tuple[RememberedForm, ...] = ()

    @classmethod
    def shown(cls, glossary: Glossary) -> GeneralForm:
        return cls(
            glossary.about.en,
            glossary.about.zh,
            glossary.currency or "",
            str(glossary.fiscal_year_start),
            join_lines(glossary.questions.en),
            join_lines(glossary.questions.zh),
            tuple(RememberedForm(entry.phrase, str(entry.means)) for entry in glossary.remembered),
        )

    @classmethod
    def sent(cls, glossary: Glossary, sent: Sent) -> GeneralForm:
        return cls(
            _text(sent, "about_en"),
            _text(sent, "about_zh"),
            _even(sent, "currency"),
            _even(sent, "fiscal_year_start"),
            _text(sent, "questions_en"),
            _text(sent, "questions_zh"),
            tuple(
                RememberedForm(entry.phrase, str(entry.means), f"forget-{place}" in sent)
                for place, entry in enumerate(glossary.remembered)
            ),
        )

    def data(self, glossary: Glossary) -> dict[str, Any]:
        about = {"en": self.about_en.strip(), "zh": self.about_zh.strip()}
        start = self.fiscal_year_start
        questions = {"en": split_lines(self.questions_en), "zh": split_lines(self.questions_zh)}
        kept = [
            entry_data(entry)
            for entry, form in zip(glossary.remembered, self.remembered, strict=True)
            if not form.forget
        ]
        return _said(
            {
                "about": _said(about),
                "currency": self.currency,
                "fiscal_year_start": "" if start == "1" else int(start) if start.isdecimal() else start,
                "questions": _said(questions),
                "remembered": kept,
            }
        )

    def field(self, path: Path) -> str | None:
        names = {"about": "about_en", "questions": "questions_en"}
        known = ("about", "currency", "fiscal_year_start", "questions")
        return names.get(path[0], path[0]) if path and path[0] in known else None
