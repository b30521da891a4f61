"""What each page and partial gets to see: typed template contexts, so that a template's needs are written down once.

Every page template receives exactly one object called ``page``. Partials receive:

============================ ==========================================================================================
``_partials/turn.html``      ``turn``: :class:`TurnView` (the whole canvas part of one turn, with every slot)
``_partials/thread.html``    ``page``: :class:`WorkspacePage`
``_partials/evidence.html``  ``turn``
``_partials/artifact.html``  ``turn``, ``artifact`` (any but the text; the slot of its kind)
``_partials/narrative.html`` ``turn``, ``text``: :class:`~agents.artifacts.TextArtifact` (the slot of the text)
``_partials/delta.html``     ``turn``, ``sentence`` (number from 0), ``segment``
``_partials/state.html``     ``turn``, ``state``
``_partials/done.html``      ``turn``, ``entry``: :class:`TurnSummary` (its line in the thread)
``_partials/problem.html``   ``code``, ``message``, ``hint`` (a form that was refused)
``_partials/table_page.html`` ``table``: :class:`TablePage`
============================ ==========================================================================================

All partials also see ``oob`` (true when they are pushed out of band) and ``ui_lang``. End points with their arguments, for
``url_for``: ``workspace.new(connection)``, ``workspace.thread(connection, thread_id)``, ``workspace.turn(connection,
thread_id, turn_id)``, ``workspace.ask(connection)``, ``workspace.stop(connection, turn_id)``,
``workspace.evidence(connection, turn_id)``, ``frames.page(connection, frame_id)``, ``frames.csv(connection, frame_id)``,
``charts.data(connection, turn_id, artifact_id)``, ``charts.svg(connection, turn_id, artifact_id)``,
``schema.browse(connection)``, ``preferences.language()`` (form: ``lang``, ``next``), ``preferences.theme()`` (form:
``theme`` light, dark or auto, ``next``), ``stream.socket(workspace, turn)``, ``stream.fragments(connection, turn_id,
after)``. ``static_url(name)`` gives a static file's address with its content hash.

Socket: the page opens ``/ws?workspace=ID&turn=TURN``. After it has put a new turn's skeleton into the page it sends
``{"watch": "TURN"}`` (also after each reconnect, with the turn on show): the answer is a snapshot of that turn, then its
news. A fragment that came before the skeleton would be lost, so nothing of a turn is sent before it is watched. Close code
1013 means "too many sockets here": ask ``stream.fragments`` once a second instead. It answers with the same fragments, the
header ``X-Starchart-Seq`` is the next ``after``, and ``X-Starchart-Done: 1`` says that nothing will follow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from agents.artifacts import Artifact, Evidence, ProblemArtifact, TextArtifact

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
class SchemaPage:
    """The schema browser; ``query`` filters tables and columns by name."""

    shell: Shell
    query: str
    tables: tuple[SchemaTable, ...]
    measures: tuple[tuple[str, str, str], ...] = ()  # name, description, expression


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
class ProblemPage:
    """A whole page for an error: HTTP status, code, message, hint."""

    shell: Shell
    status: int
    code: str
    message: str
    hint: str
    links: tuple[tuple[str, str], ...] = field(default=())
