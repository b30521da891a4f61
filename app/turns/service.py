"""Starts, watches and stops turns. The store is the truth; this process only adds speed (threads and wake-ups)."""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from agents.artifacts import Evidence, ProblemArtifact
from agents.errors import NotFound, StarchartError
from agents.events import ArtifactReady, Event, TurnDone
from agents.ports import CancelToken, Clock
from app.clock import utc_now
from app.i18n import translations
from app.store import Store, Turn
from app.store.store import RUNNING, Progress
from app.turns.fold import decode, encode, fold
from app.turns.ports import AskService, Lang
from app.turns.question import clean_question
from app.turns.recorder import Recorder, Recording
from app.turns.signals import Signals
from app.views.contexts import TurnView

_log = structlog.get_logger()

WATCH_SECONDS = 0.2  # how soon a stop pressed at another worker is seen
BEAT_SECONDS = 3.0
SILENT_SECONDS = 20.0  # a worker unheard of for so long is taken to be gone
PURGE_SECONDS = 3600.0
MEMORY_TURNS, MEMORY_DAYS = 20, 7  # what a follow-up can go on from


class TurnError(StarchartError):
    """A turn that cannot be started: ``turn.busy``."""


class TurnService:
    """All turns of this process, over a store shared with the others.

    :param turns: how many may run here at once.
    :param queue: how many more may wait for a place.
    :param queue_seconds: how long each of them waits at most.
    """

    def __init__(
        self,
        store: Store,
        services: AskService,
        clock: Clock,
        *,
        turns: int,
        turn_seconds: float,
        queue: int = 0,
        queue_seconds: float = 0.0,
        keep_days: int,
        thread_turns: int,
    ) -> None:
        self.store = store
        self.services = services
        self.signals = Signals()
        self._clock = clock
        self._turn_seconds = turn_seconds
        self._keep_days = keep_days
        self._thread_turns = thread_turns
        self._queue_seconds = queue_seconds
        self._free = threading.BoundedSemaphore(turns)
        self._waiting = threading.BoundedSemaphore(queue) if queue else None
        self._pool = ThreadPoolExecutor(turns, thread_name_prefix="starchart-turn")
        self._recorder = Recorder(store, self.signals.wake)
        self._running: dict[str, CancelToken] = {}
        self._lock = threading.Lock()
        self._watching = False
        self._closed = False
        self._purged_at = -PURGE_SECONDS

    def start(
        self,
        connection: str,
        question: str,
        *,
        owner: str,
        thread_id: str | None,
        workspace: str,
        lang: Lang,
        answer_lang: Lang | None = None,
        now: datetime | None = None,
    ) -> Turn:
        """Begin to answer a question in the background; when all places are taken, wait for one for a short while.

        :param lang: language of the page that asks; ``answer_lang`` forces the answer's, else it is the question's own.
        :raises QuestionError: for a text that cannot be asked.
        :raises NotFound: ``not_found.connection``, ``not_found.thread``.
        :raises TurnError: ``turn.busy`` when as many questions as allowed are running and no place comes free in time.
        """
        question = clean_question(question)
        if all(info.name != connection for info in self.services.connections()):
            raise NotFound("not_found.connection", "There is no connection of that name.", "Choose one from the list.")
        if thread_id is not None and self.store.thread(thread_id).connection != connection:
            raise NotFound("not_found.thread", "This thread is no longer kept.", "Start a new one.")
        if not self._takes_place():
            raise TurnError(
                "turn.busy",
                "Too many questions are being answered right now.",
                "Ask again in a moment; the text is still in the box.",
            )
        try:
            asked_at = utc_now()
            turn = Turn(
                id=secrets.token_hex(16),
                thread_id=thread_id or secrets.token_hex(16),
                connection=connection,
                workspace=workspace,
                question=question,
                lang=lang,
                status=RUNNING,
                state="start",
                seq=0,
                asked_at=asked_at,
                beat_at=asked_at,
            )
            self.store.begin(turn, owner)
            token = CancelToken(self._clock, self._turn_seconds)
            recording = self._recorder.open(turn.id, token.cancel)
            with self._lock:
                self._running[turn.id] = token
                if not self._watching:
                    self._watching = True
                    threading.Thread(target=self._watch, name="starchart-watcher", daemon=True).start()
            self._pool.submit(self._run, turn, token, recording, answer_lang, now)
        except BaseException:
            self._free.release()
            raise
        return turn

    def _takes_place(self) -> bool:
        """Take a place among the running, at once or from the queue; whoever got one gives it back."""
        if self._closed:
            return False
        if self._free.acquire(blocking=False):
            return True
        if self._waiting is None or not self._waiting.acquire(blocking=False):
            return False
        try:
            end = time.monotonic() + self._queue_seconds
            # In short waits, so that those in the queue are told soon when the process is closing.
            while not self._closed and (left := end - time.monotonic()) > 0:
                if self._free.acquire(timeout=min(left, WATCH_SECONDS)):
                    if not self._closed:
                        return True
                    self._free.release()
            return False
        finally:
            self._waiting.release()

    def stop(self, turn_id: str) -> None:
        """Ask a turn to stop, wherever it runs; one that has ended stays as it is."""
        if self.store.request_cancel(turn_id):
            with self._lock:
                token = self._running.get(turn_id)
            if token is not None:
                token.cancel()

    def view(self, turn_id: str) -> TurnView:
        """The turn as it is now. :raises NotFound: ``not_found.turn``."""
        turn = self._alive(self.store.turn(turn_id))
        pairs = self.store.events(turn_id)
        return fold(_at(turn, pairs[-1][0] if pairs else 0), (decode(text) for _, text in pairs))

    def events(self, turn_id: str, after: int) -> tuple[tuple[int, Event], ...]:
        """Events behind ``after``, with their numbers."""
        return tuple((seq, decode(text)) for seq, text in self.store.events(turn_id, after))

    def settle(self, turn_id: str) -> None:
        """End the turn as failed if its worker has gone. :raises NotFound: ``not_found.turn``."""
        self._alive(self.store.turn(turn_id))

    def is_here(self, turn_id: str) -> bool:
        """Whether the turn runs in this process, so that wake-ups come by themselves."""
        with self._lock:
            return turn_id in self._running

    def wait(self, turn_id: str, seconds: float | None = None) -> TurnView:
        """The turn when it has ended, or as it is after ``seconds`` (default: the turn's own limit and a little)."""
        deadline = time.monotonic() + (self._turn_seconds + SILENT_SECONDS if seconds is None else seconds)
        news = threading.Event()
        leave = self.signals.watch(turn_id, news.set)
        try:
            while self._alive(self.store.turn(turn_id)).status == RUNNING and time.monotonic() < deadline:
                news.wait(min(1.0 if self.is_here(turn_id) else WATCH_SECONDS, max(0.0, deadline - time.monotonic())))
                news.clear()
        finally:
            leave()
        return self.view(turn_id)

    def cancel_all(self) -> None:
        """Stop what runs here, and start nothing more. Takes no lock: it may be called by a signal handler."""
        self._closed = True
        for token in tuple(self._running.values()):
            token.cancel()

    def close(self) -> None:
        """Stop what runs here and wait until it has been recorded."""
        self.cancel_all()
        self._pool.shutdown(wait=True)

    def _run(
        self,
        turn: Turn,
        token: CancelToken,
        recording: Recording,
        lang: Lang | None,
        now: datetime | None,
    ) -> None:
        started = self._clock.monotonic()
        place = ExitStack()
        place.callback(self._free.release)

        def listener(event: Event) -> None:
            if isinstance(event, TurnDone):
                # Given back before anybody can see that the turn has ended: whoever asks then finds it free.
                place.close()
            self._recorder.add(recording, event)

        try:
            self.services.ask(
                turn.connection,
                turn.question,
                lang=lang,
                now=now,
                earlier=self._earlier(turn),
                turn_id=turn.id,
                listener=listener,
                cancel=token,
            )
            problem = ProblemArtifact(
                id="problem",
                code="turn.unfinished",
                message="The question ended without an answer.",
                hint="Ask it again.",
            )
        except StarchartError as error:
            problem = _problem(turn, error.code, error.message, error.hint)
        except Exception:  # whatever it is, the person must see an end
            _log.exception("turn.failed", turn=turn.id)
            problem = _problem(
                turn,
                "turn.failed",
                "Something went wrong inside while answering.",
                "Ask it again or in other words; the log says more.",
            )
        if not recording.ended:
            listener(ArtifactReady(artifact=problem))
            spent = (self._clock.monotonic() - started) * 1000
            listener(TurnDone(status="error", ms=spent, evidence=Evidence()))
        try:
            self._recorder.close(recording)
        finally:
            with self._lock:
                del self._running[turn.id]
            place.close()
            self.signals.wake([turn.id])

    def _earlier(self, turn: Turn) -> tuple[str, ...]:
        """The thread's questions before this one that a follow-up may go on from: at most 20, of the last 7 days."""
        since = turn.asked_at - timedelta(days=MEMORY_DAYS)
        found = self.store.turns_of(turn.thread_id, MEMORY_TURNS + 1)
        return tuple(one.question for one in found if one.id != turn.id and since <= one.asked_at <= turn.asked_at)

    def _watch(self) -> None:
        """While turns run here: see stop flags, show that this worker lives, end what dead workers left behind."""
        beaten = time.monotonic()
        pause = threading.Event()
        while True:
            pause.wait(WATCH_SECONDS)
            with self._lock:
                running = dict(self._running)
                if not running:
                    self._watching = False
                    return
            try:
                for turn_id in self.store.cancelled_among(running):
                    running[turn_id].cancel()
                if time.monotonic() - beaten >= BEAT_SECONDS:
                    beaten = time.monotonic()
                    self.store.beat(running, utc_now())
            except SQLAlchemyError as error:
                _log.error("turn.watch_failed", error=str(error))

    def tidy(self) -> None:
        """End turns whose worker is gone, and forget what is too old; cheap enough to call at every start of a page."""
        now = utc_now()
        for turn in self.store.silent_since(now - timedelta(seconds=SILENT_SECONDS)):
            self._alive(turn)
        if time.monotonic() - self._purged_at >= PURGE_SECONDS:
            self._purged_at = time.monotonic()
            self.store.purge(now, days=self._keep_days, turns_per_thread=self._thread_turns)

    def _alive(self, turn: Turn) -> Turn:
        """The turn; first ended as failed when its worker has been silent for too long."""
        silent = utc_now() - turn.beat_at
        if turn.status != RUNNING or silent < timedelta(seconds=SILENT_SECONDS) or self.is_here(turn.id):
            return turn
        problem = _problem(
            turn,
            "turn.lost",
            "The server process that was answering has ended.",
            "The question is kept: ask it again.",
        )
        ms = (turn.beat_at - turn.asked_at).total_seconds() * 1000
        done = TurnDone(status="error", ms=ms, evidence=Evidence())
        ending = (encode(ArtifactReady(artifact=problem)), encode(done))
        self.store.append([Progress(turn.id, turn.seq, ending, status="error", ms=ms)])
        self.signals.wake([turn.id])
        return self.store.turn(turn.id)


def _problem(turn: Turn, code: str, message: str, hint: str) -> ProblemArtifact:
    """An end that the engine did not tell of, in the language of the page that asked."""
    said = translations(turn.lang).gettext
    return ProblemArtifact(
        id="problem",
        code=code,
        message=said(message),
        hint=said(hint) if hint else "",
        tone="stopped" if code == "turn.cancelled" else "failed",
    )


def _at(turn: Turn, seq: int) -> Turn:
    """The row may be older or newer than the events read next to it; the events' own number counts."""
    return turn if turn.seq == seq else replace(turn, seq=seq)
