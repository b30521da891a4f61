"""What each page and partial gets to see: typed template contexts, so that a template's needs are written down once.

Every page template receives exactly one object called ``page``; every partial receives the names in its own comment.

All templates also see ``ui_lang``, ``here`` (this address, for forms that come back to it), ``theme_choice``,
``table_page(artifact)``, ``highlight_sql``, ``mention_spans``, ``state_label``, ``ms`` and ``ago``. Addresses of static
files carry their content's hash by themselves.

Socket: while a turn runs, the page opens ``/ws?workspace=ID&turn=TURN``. It is first sent a snapshot of the turn, then
its news, each as fragments that are swapped by id, and is closed with 1000 behind the end of the turn. 1012 means that
the server restarts, 1013 that too many sockets are open here. Then ``workspace.fragments?after=SEQ`` gives the same
fragments: 204 when there is no news, else a snapshot with the header ``X-Starchart-Seq`` as the next ``after``, and
``X-Starchart-Done: 1`` when nothing will follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from agents.artifacts import Artifact, Evidence, ProblemArtifact, TextArtifact
from app.glossaries.forms import GeneralForm, MeasuresForm, TableForm

TurnStatus = Literal["running", "answered", "clarify", "declined", "error", "stopped"]


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """One connection in the switcher. ``engine`` is ``SQLite``, ``access`` is ``read-only``."""

    name: str
    engine: str
    access: str
    about: str
    url: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class HealthView:
    """The small status mark in the bar: ``label`` such as "rules only"; ``notes`` say what is degraded and why."""

    ok: bool
    label: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shell:
    """What the frame around every page needs. ``active`` is the navigation entry: ``ask`` or ``schema``."""

    lang: Literal["en", "zh"]
    active: str
    connection: ConnectionView | None
    connections: tuple[ConnectionView, ...]
    health: HealthView


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A question in the thread on the left."""

    id: str
    question: str
    status: TurnStatus
    rows: int | None
    ms: float | None
    asked_at: datetime
    url: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """An earlier thread, named by its first question."""

    id: str
    title: str
    asked_at: datetime
    url: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """One question and all that it produced so far.

    :ivar state: the state the turn is in while ``status`` is ``running``.
    :ivar artifacts: in canvas order, the text left out.
    :ivar text: the text, complete or as far as it has streamed.
    :ivar seq: number of the last event included; a socket goes on from there.
    """

    id: str
    thread_id: str
    connection: str
    question: str
    lang: Literal["en", "zh"]
    status: TurnStatus
    state: str
    artifacts: tuple[Artifact, ...]
    text: TextArtifact | None
    evidence: Evidence | None
    rows: int | None
    ms: float | None
    asked_at: datetime
    seq: int = 0


@dataclass(frozen=True, slots=True)
class WorkspacePage:
    """The workspace: thread on the left, canvas in the middle, evidence on the right.

    :ivar workspace_id: names this open tab; its socket and its posts carry it, so that two tabs do not mix.
    :ivar starters: good first questions about this data, in the reader's language.
    :ivar typed: text to keep in the box, after a form that could not be used.
    :ivar problem: why it could not be used, shown above the box.
    """

    shell: Shell
    workspace_id: str
    thread_id: str | None
    turns: tuple[TurnSummary, ...]
    earlier: tuple[ThreadSummary, ...]
    turn: TurnView | None
    starters: tuple[str, ...] = ()
    typed: str = ""
    problem: ProblemArtifact | None = None


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    name: str
    type: str
    kind: str
    key: str  # "", "primary", "foreign", "unique"
    nullable: bool
    references: str  # "customers.id" or ""
    inferred: bool  # whether the reference was found and not declared
    names: tuple[str, ...]
    description: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SchemaTable:
    name: str
    kind: str
    rows: int | None
    names: tuple[str, ...]
    description: str
    columns: tuple[SchemaColumn, ...]
    referenced_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingView:
    """When tables and values were last read, what was new then in sentences, and why the last attempt failed."""

    read_at: datetime
    changes: tuple[str, ...] = ()
    busy: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SchemaPage:
    """The schema browser; ``query`` filters tables and columns by name. What the glossary hides is not in it."""

    shell: Shell
    query: str
    tables: tuple[SchemaTable, ...]
    measures: tuple[tuple[str, str, str], ...] = ()  # name, description, expression
    hides: bool = False  # whether the glossary hides tables or columns
    reading: ReadingView | None = None


@dataclass(frozen=True, slots=True)
class TableCell:
    """A formatted cell. ``kind``: ``number``, ``text``, ``date``, ``null``, ``boolean``, ``bytes``."""

    text: str
    kind: str
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class TableHead:
    name: str
    label: str
    numeric: bool
    sort: Literal["none", "ascending", "descending"]
    sort_url: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """One page of a frame, as the ``_partials/table_page.html`` partial shows it (HTMX swaps it by ``dom_id``).

    :ivar first: 1-based number of the first row shown; ``count`` is the number of rows after filtering.
    """

    dom_id: str
    frame_id: str
    title: str
    heads: tuple[TableHead, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    row_numbers: tuple[int, ...]  # 0-based row of each shown row in the unsorted frame, for cell links
    first: int
    count: int
    kept: int
    total: int | None
    truncated: bool
    filter: str
    filter_url: str
    previous_url: str | None
    next_url: str | None
    csv_url: str


@dataclass(frozen=True, slots=True)
class FramePage:
    """A result set on a page of its own (sorting, filtering and paging without JavaScript)."""

    shell: Shell
    table: TablePage


@dataclass(frozen=True, slots=True)
class GlossaryLink:
    """A table in the glossary's index. ``note`` is its first name in the reader's language."""

    name: str
    note: str
    url: str
    current: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class GlossaryProblemLine:
    """What is wrong in the text: the line's number and text, in words, and what to do."""

    line: int | None
    text: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class GlossaryVersion:
    """An earlier text; ``until`` is when it was replaced, ``None`` for the one that came with the connection."""

    id: str
    until: datetime | None
    url: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """The glossary's editor, at one of its parts: ``general``, ``table``, ``measures``, ``yaml`` or ``versions``.

    :ivar origin: ``edited``, ``packaged`` (as it came), or ``none`` (a draft is shown, nothing of it is used).
    :ivar version: what the form was made from; comes back with it.
    :ivar form: the form of the part, with what was typed.
    :ivar errors: what is wrong, by the name of the field.
    :ivar problems: what is wrong elsewhere in the text.
    :ivar notice: what happened to the last save, when it was not done.
    :ivar choices: what fields offer: ``dates``, ``labels``, ``measure_dates``, ``units``.
    :ivar differences: lines of a comparison, each with ``+``, ``-``, ``@`` or a blank in front.
    """

    shell: Shell
    part: Literal["general", "table", "measures", "yaml", "versions"]
    title: str
    links: tuple[GlossaryLink, ...]
    measures: int
    origin: Literal["edited", "packaged", "none"]
    version: str
    form: GeneralForm | TableForm | MeasuresForm | None = None
    text: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[GlossaryProblemLine, ...] = ()
    notice: ProblemArtifact | None = None
    saved: bool = False
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    months: tuple[str, ...] = ()
    versions: tuple[GlossaryVersion, ...] = ()
    chosen: GlossaryVersion | None = None
    differences: tuple[str, ...] = ()

    def has_errors(self, prefix: str) -> bool:
        """Whether a field whose name begins like this has something wrong."""
        return any(name.startswith(prefix) for name in self.errors)


@dataclass(frozen=True, slots=True)
class ProblemPage:
    """A whole page for an error: HTTP status, code, message, hint."""

    shell: Shell
    status: int
    code: str
    message: str
    hint: str
    links: tuple[tuple[str, str], ...] = field(default=())
