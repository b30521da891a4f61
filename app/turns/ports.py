"""What the web side asks of the engine. ``app/services.py`` implements it; tests pass a small scripted one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from agents.artifacts import ChartArtifact
from agents.catalog import Catalog
from agents.glossary import Glossary, GlossaryProblem, Texts
from agents.ports import CancelToken, Listener
from app.frames import ArrowFrames
from app.freshness import Reading
from app.glossaries import GlossaryFile

Lang = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class ConnectionInfo:
    """One connection that people can ask.

    :ivar engine: the database's name as people write it, ``SQLite``.
    :ivar access: ``read-only``.
    :ivar problem: why it cannot be used right now; empty when it can.
    """

    name: str
    engine: str
    access: str
    about: Texts = field(default_factory=Texts)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part of the house: ``part`` is ``embedding``, ``active`` what stands behind it (a model file, a library),
    ``note`` why it is degraded or missing."""

    part: str
    state: Literal["ok", "degraded", "missing"]
    active: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """``mode`` is how SQL is made: ``rules``."""

    mode: str
    parts: tuple[PartHealth, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"{part.part}: {part.note}" for part in self.parts if part.state != "ok")


class AskService(Protocol):
    """The engine with its connections. Every method may be called from several threads at once."""

    @property
    def frames(self) -> ArrowFrames: ...

    def connections(self) -> tuple[ConnectionInfo, ...]:
        """All connections, the default one first; never empty."""
        ...

    def ask(
        self,
        connection: str,
        question: str,
        *,
        lang: Lang | None = None,
        now: datetime | None = None,
        earlier: tuple[str, ...] = (),
        turn_id: str,
        listener: Listener,
        cancel: CancelToken,
    ) -> object:
        """Answer one question; blocks. What happens is told through ``listener``, which ends with ``TurnDone``.

        :param lang: language of the answer; ``None`` means the question's own.
        :param earlier: the session's questions before this one, oldest first, which a fragment may go on from.
        """
        ...

    def catalog(self, connection: str) -> Catalog:
        """:raises NotFound: ``not_found.connection``."""
        ...

    def glossary(self, connection: str) -> Glossary:
        """The glossary in use: the parts of the saved text that fit the catalog."""
        ...

    def glossary_file(self, connection: str) -> GlossaryFile:
        """Where the glossary is kept.

        :raises NotFound: ``not_found.connection``.
        """
        ...

    def check_glossary(self, connection: str, text: str) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
        """The glossary in a text, and everything that is wrong with it for this connection.

        :raises NotFound: ``not_found.connection``.
        """
        ...

    def reading(self, connection: str) -> Reading:
        """When the connection's tables and values were last read.

        :raises NotFound: ``not_found.connection``.
        """
        ...

    def refresh_soon(self, connection: str, seconds: float) -> bool:
        """Begin to read them again; whether that was done in so many seconds.

        :raises NotFound: ``not_found.connection``.
        """
        ...

    def starters(self, connection: str, lang: Lang) -> tuple[str, ...]:
        """Up to four good first questions about this data, each of which has an answer."""
        ...

    def chart(self, artifact: ChartArtifact, kind: str) -> ChartArtifact:
        """The same rows as another kind of chart, one of the artifact's alternatives.

        :raises NotFound: ``not_found.chart`` for a kind that does not fit these rows.
        """
        ...

    def health(self) -> Health: ...
