"""The table: one thread that owns the referee, its journal and its inbox.

Observations come from the senses' threads, commands from the phones'. Both are sorted by the time at which
they happened, judged, written to the journal, and then announced.

>>> import tempfile
>>> from pathlib import Path
>>> from companion.api.commands import Caller, EnterEvent, NewGame
>>> from companion.core.clock import monotonic
>>> from companion.store.journal import Journal
>>> from companion.table.table import Table
>>> with tempfile.TemporaryDirectory() as folder:
...     table = Table(lambda: Journal(Path(folder) / "journal.sqlite"), monotonic)
...     table.start()
...     started = table.command(NewGame("nasty_7", ("Ida", "Jo")), Caller("referee"))
...     played = EnterEvent({"event": "card_played", "player": "Jo", "card": "gun"})
...     refused = table.command(played, Caller("referee"))
...     print(started.ok, refused.code, table.snapshot().turn)
...     table.stop()
True not_your_turn Ida
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from typing import NamedTuple, TypeVar

from companion.announce.announcement import Announcement
from companion.announce.announcer import Announcer
from companion.api.commands import Caller, Command, EnterEvent, Reply, Request
from companion.api.snapshot import Snapshot
from companion.core.clock import Clock
from companion.core.errors import CompanionError, Unavailable
from companion.core.observations import (
    Landing,
    LatticeSeen,
    Listened,
    Observation,
    Press,
    Removal,
    SoundWeighed,
    SourceChanged,
    Utterance,
    Watched,
)
from companion.core.weighing import Weigh, by_confidence
from companion.games.spotter import Expectation, GameView, Observed, Thresholds
from companion.store.journal import Journal
from companion.table import commands, deadlines, observing
from companion.table.idempotency import execute_once
from companion.table.inbox import HOLD_S, known_from, moment_of
from companion.table.listener import NoListener, TableListener, active_game
from companion.table.pending_command import PendingCommand
from companion.table.publisher import Publisher, Subscription
from companion.table.referee import Referee
from companion.table.table_task import Observations, TableTask
from companion.table.timeline import CORRECTIONS

logger = logging.getLogger(__name__)

ANSWER_S = 15.0
"""Seconds within which a phone's command must be judged; after that the table counts as not answering."""
WAITING_S, IDLE_S = 0.02, 0.25
"""Seconds between two looks at the clock while something is due, and while nothing is."""


T = TypeVar("T")
OnCommand = Callable[[Command, Future[Reply]], None]
"""Gets every command when it arrives, with the future of its reply."""


class CurrentGame(NamedTuple):
    """The game on the table: its name, and how spotters see it."""

    game: str
    view: GameView


class Table:
    """One table. Every public method may be called from any thread, except `open`, `step` and
    `close` and what belongs to them: a caller that runs the table without its thread uses these.

    Args:
        open_journal: opens the journal, called on the table's thread.
        thresholds: lowest confidence at which reports of the senses are accepted.
        hold_s: see Inbox.
        labels: the cards of the deck that a game is played with.
        weigh: weighs the sound of an utterance, at once or in the background (see Weigh).
        listener: receives games, expectations and findings.
        observations: the queue that senses put their observations into; None: one of its own (see `submit`).
        on_command: gets every command when it arrives, on the thread that sends it.
    """

    def __init__(
        self,
        open_journal: Callable[[], Journal],
        clock: Clock,
        *,
        announcer: Announcer | None = None,
        thresholds: Thresholds | None = None,
        hold_s: float = HOLD_S,
        labels: Callable[[str], tuple[str, ...]] = lambda game: (),
        weigh: Weigh = by_confidence,
        listener: TableListener | None = None,
        observations: Observations | None = None,
        on_command: OnCommand = lambda command, answer: None,
    ) -> None:
        self.clock = clock
        self.heartbeat = clock()
        """When the thread last ran a step."""
        self._open_journal = open_journal
        self._announcer = announcer or Announcer(clock)
        self._thresholds = thresholds or Thresholds()
        self._hold_s = hold_s
        self._labels = labels
        self._weigh = weigh
        self._on_command = on_command
        self._publisher = Publisher(clock)
        self._listener: TableListener = listener or NoListener()
        self._queue: Observations = queue.SimpleQueue() if observations is None else observations
        self._answers: list[Callable[[], None]] = []
        """They are given once everything that they are about is published."""
        self._latest: Announcement | None = None
        self._latest_n = 0
        self._announced_game: int | None = None
        self._expected: Expectation | None = None
        self._referee: Referee
        self._opened: Future[None] = Future()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._live, name="table", daemon=True)

    # --- from any thread ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the thread; returns when the journal is open and an interrupted game is on the table again.

        Raises:
            CompanionError: the journal cannot be opened.
        """
        self._thread.start()
        self._opened.result()

    def stop(self, timeout: float = 2.0) -> None:
        """Ends the thread after its present step, closes the journal and ends every subscription."""
        self._stopping.set()
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def submit(self, observation: Observation) -> None:
        """Takes an observation; never blocks and never drops."""
        self._queue.put(observation)

    def ask(self, command: Command) -> Future[Reply]:
        """Takes a command; the future has its reply once it is judged and in the journal."""
        answer: Future[Reply] = Future()
        self._on_command(command, answer)
        self._queue.put(PendingCommand(command, answer))
        return answer

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        """Takes a command and waits for its reply, at most ANSWER_S. `key`: see Command.

        Raises:
            Unavailable: the table does not answer.
        """
        answer = self.ask(Command(self.clock(), request, caller, key))
        try:
            return answer.result(ANSWER_S)
        except FutureTimeout as error:
            raise Unavailable("table.silent") from error

    def snapshot(self) -> Snapshot:
        """Everything that is known now."""
        return self._publisher.snapshot()

    def game_view(self) -> CurrentGame | None:
        """The game on the table as spotters see it; None between two games.

        Raises:
            Unavailable: the table does not answer.
        """
        return self.call(current_game)

    def call(self, run: Callable[[Referee], T]) -> T:
        """Calls a function on the table's thread, between two events; returns what it returns.

        Raises:
            Unavailable: the table does not answer.
        """
        answer: Future[T] = Future()
        self._queue.put(TableTask(run, answer))
        try:
            return answer.result(ANSWER_S)
        except FutureTimeout as error:
            raise Unavailable("table.silent") from error

    def subscribe(self) -> Subscription:
        """A queue that gets every change from now on; see Publisher."""
        return self._publisher.subscribe()

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; harmless if it has ended."""
        self._publisher.unsubscribe(subscription)

    # --- the thread ---------------------------------------------------------------------------------------

    def _live(self) -> None:
        try:
            self.open()
        except Exception as error:  # whatever it is, `start` raises it
            self._opened.set_exception(error)
            return
        self._opened.set_result(None)
        try:
            while not self._stopping.is_set():
                self.step(WAITING_S if self.waits else IDLE_S)
        finally:
            self.close()

    def open(self) -> None:
        """Opens the journal and resumes the game that was on the table (the thread does this)."""
        journal = self._open_journal()
        self._referee = Referee(
            journal, self.clock, self._thresholds, self._hold_s, self._labels, self._weigh
        )
        self._publish()

    def close(self) -> None:
        """Closes the journal and ends every subscription (the thread does this)."""
        self._referee.journal.close()
        self._publisher.close()

    @property
    def referee(self) -> Referee:
        """What the thread owns; for tests that call `step` themselves."""
        return self._referee

    def step(self, timeout: float = 0.0) -> None:
        """One step: takes what has arrived (waits at most `timeout` seconds for it), judges what is due and
        publishes the changes (the thread does this)."""
        try:
            self._take(self._queue.get(timeout=timeout) if timeout > 0 else self._queue.get_nowait())
            while True:
                self._take(self._queue.get_nowait())
        except queue.Empty:
            pass
        self.heartbeat = self.clock()
        for what in self._referee.inbox.ready(self.heartbeat):
            self._guarded(what)
        self._guarded(None)
        if self._referee.changed:
            self._show()
        answers, self._answers = self._answers, []
        for answer in answers:
            answer()

    @property
    def waits(self) -> bool:
        """Whether something may happen by the passing of time alone (for callers of `step`)."""
        return deadlines.due(self._referee) is not None or len(self._referee.inbox) > 0

    @property
    def caught_up(self) -> bool:
        """Whether everything that was submitted has been taken (for callers of `step`)."""
        return self._queue.empty()

    def _take(self, item: Observation | PendingCommand | TableTask | None) -> None:
        """Takes one item: watermarks and sources are handled at once, the rest goes into the inbox."""
        now, inbox = self.clock(), self._referee.inbox
        match item:
            case Watched() | Listened():
                self._referee.mark(item)
            case SourceChanged():
                self._referee.source(item)
            case PendingCommand():
                # Commands without a time, and corrections of what the pages show now, are not held.
                request = item.command.request
                waits = isinstance(request, EnterEvent) and commands.times_of(
                    self._referee.game, request.event
                )
                inbox.put(item, item.command.t if waits else float("-inf"), now)
            case TableTask():
                self._answers.append(item.call(self._referee))
            case SoundWeighed():
                self._guarded(item)
            case Press():
                inbox.put(item, item.t, now, self._referee.chord_window_s(item))
            case Landing() | Removal() | LatticeSeen() | Utterance():
                inbox.put(item, moment_of(item), now, known=known_from(item))
            case None:
                pass

    def _guarded(self, what: Observed | PendingCommand | SoundWeighed | None) -> None:
        """Judges one item (None: expired deadlines). An error in it must not end the service."""
        referee = self._referee
        try:
            if what is None:
                deadlines.expire(referee)
            elif isinstance(what, SoundWeighed):
                observing.sound_weighed(referee)
            elif isinstance(what, PendingCommand):
                self._answers.append(partial(what.reply.set_result, execute_once(referee, what.command)))
            else:
                referee.handle(what)
            referee.process_deferred()
        except Exception as error:  # the game is restored from the journal
            self._failed(what, error)

    def _failed(self, what: Observed | PendingCommand | SoundWeighed | None, error: Exception) -> None:
        why = {"why": error.message if isinstance(error, CompanionError) else type(error).__name__}
        self._referee.announce(Announcement("not_written", why))
        if isinstance(what, PendingCommand):
            self._answers.append(partial(what.reply.set_result, commands.refused("not_written", why)))
        if isinstance(error, CompanionError):
            logger.warning("%s", error)
            return
        logger.error("judging %r failed", what, exc_info=error)
        if self._referee.game is not None:
            try:
                self._referee.resume(self._referee.game.row)
            except Exception:  # the same fault again: the game stays as it is until it is corrected
                logger.exception("the game could not be resumed")

    def _show(self) -> None:
        """Publishes; a fault in it must not end the service: phones keep the snapshot they have."""
        try:
            self._publish()
        except Exception:
            logger.exception("the change cannot be published")

    def _publish(self) -> None:
        """Announces, and publishes to subscribers and senses."""
        referee = self._referee
        referee.changed = False
        for n in referee.findings:
            _notify(self._listener.finding_made, n, self.clock())
        for row in referee.seated:
            _notify(self._listener.game_changed, None if row is None else active_game(row))
        self._announcer_follows()
        said = self._announcer.announce(referee.news, referee.ended)
        if said:
            self._latest = said[0]
            self._latest_n = 0 if referee.game is None else len(referee.game.record.entries)
        referee.findings, referee.seated, referee.news, referee.ended = [], [], [], []
        shown = referee.snapshot(self._latest, self._latest_n)
        self._publisher.publish(referee.seq, shown, deadlines.due(referee), said)
        self._announcer.plan(referee.planned_cues())
        expected = referee.expectation()
        if expected != self._expected:
            self._expected = expected
            _notify(self._listener.expectation_changed, expected)

    def _announcer_follows(self) -> None:
        """Another game, or a correction, makes earlier announcements out of date."""
        referee = self._referee
        games = {None if row is None else row.id for row in referee.seated}
        if games - {self._announced_game}:
            self._announcer.begin()
        elif referee.seated or any(one.code in CORRECTIONS for one in referee.news):
            self._announcer.correct()
        if games:
            self._announced_game = None if referee.game is None else referee.game.row.id


def current_game(referee: Referee) -> CurrentGame | None:
    """The game on the table as spotters see it; None between two games."""
    game = referee.game
    return None if game is None else CurrentGame(game.row.name, game.seen())


def _notify(listener: Callable[..., None], *what: object) -> None:
    """Calls a listener; its errors are logged."""
    try:
        listener(*what)
    except Exception:  # a listener must not end the service
        logger.exception("the listener %r failed", listener)
