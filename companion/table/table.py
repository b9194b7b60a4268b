"""The table: one thread that owns the running game, its journal and its inbox.

Observations come in from the senses' threads, commands from the phones'. Both are put in the order in which
things happened, turned into events, judged, written down, and only then announced. Deadlines that run out
become events too, once every sense has passed them.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

import msgspec

from companion.announce.announcer import Announcement, Announcer
from companion.announce.phrases import Phrases
from companion.clock import Clock
from companion.errors import CompanionError, Unavailable
from companion.observations import (
    Command,
    Landing,
    Listened,
    Observation,
    Press,
    SourceChanged,
    Utterance,
    Watched,
)
from companion.rules import rulebook
from companion.store.journal import GameRow, Journal
from companion.table import commands, snapshot
from companion.table.doubts import Doubts
from companion.table.game import Judged, RunningGame
from companion.table.gameclock import GameClock
from companion.table.inbox import EARS, EYES, HOLD_S, Inbox, moment_of, sense_of
from companion.table.night import Finished, night
from companion.table.record import CORRECTIONS
from companion.table.spotters import spotter
from companion.table.spotters.base import Expectation, Fact, Observed, Question, Sureness
from companion.table.spotters.generic import REFEREE_BUTTON

logger = logging.getLogger(__name__)

Json = dict[str, Any]
Message = tuple[int, Json]

ANSWER_S = 15.0
"""A phone's command is judged within this time, or something is badly wrong."""
WAITING_S, IDLE_S = 0.02, 0.25
"""How often the thread looks at the clock while something is due, and while nothing is."""
JUST_AFTER_S = 0.001
"""An expired deadline becomes an event this much later: exactly at the limit is in time."""
UNSEEN = 100
"""So many changes wait for a phone that does not read; then it gets the latest state only."""


class Asked(msgspec.Struct, frozen=True):
    """A command with the place where its answer goes."""

    command: Command
    answer: Future[Json]


class Table:
    """One table. Every public method may be called from any thread, except `open`, `step` and `close`."""

    def __init__(
        self,
        open_journal: Callable[[], Journal],
        clock: Clock,
        *,
        announcer: Announcer | None = None,
        phrases: Phrases | None = None,
        sureness: Sureness | None = None,
        hold_s: float = HOLD_S,
        labels: Callable[[str], tuple[str, ...]] = lambda game: (),
    ) -> None:
        """
        Args:
            open_journal: opens the journal, called on the table's thread.
            labels: the cards of the deck that a game is played with.
            hold_s: see Inbox.
        """
        self.clock = clock
        self.phrases = phrases or Phrases()
        self.game: RunningGame | None = None
        self.journal: Journal
        self.doubts = Doubts()
        self.on_game: Callable[[GameRow | None], None] = lambda row: None
        self.on_expectation: Callable[[Expectation], None] = lambda expectation: None
        self.on_finding: Callable[[int, float], None] = lambda n, t: None
        self.beat = clock()
        self._open_journal = open_journal
        self._announcer = announcer or Announcer(clock)
        self._sureness = sureness or Sureness()
        self._hold_s = hold_s
        self._labels = labels
        self._queue: queue.SimpleQueue[Observation | Asked | None] = queue.SimpleQueue()
        self._inbox: Inbox[Observed | Asked] = Inbox(hold_s)
        self._sources: dict[str, snapshot.Source] = {}
        self._earlier: list[Finished] = []
        self._news: list[Announcement] = []
        self._replies: list[tuple[Future[Json], Json]] = []
        self._changed = False
        self._latest: Announcement | None = None
        self._run_out: tuple[int, float] | None = None
        self._seq = 0
        self._expected: Expectation | None = None
        self._published: tuple[Json, float | None] = ({}, None)
        self._subscribers: list[queue.Queue[Message | None]] = []
        self._lock = threading.Lock()
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
        """Ends the thread after what it is doing, closes the journal and tells every subscriber."""
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

    def ask(self, command: Command) -> Future[Json]:
        """Takes a command; the answer comes when it has been judged and written down."""
        answer: Future[Json] = Future()
        self._queue.put(Asked(command, answer))
        return answer

    def command(self, name: str, data: Json, role: str) -> Json:
        """Takes a command and waits for its answer: {"ok": True, ...} or {"ok": False, "code", "text"}.

        Raises:
            Unavailable: the table does not answer.
        """
        answer = self.ask(Command(self.clock(), name, data, role))
        try:
            return answer.result(ANSWER_S)
        except FutureTimeout as error:
            raise Unavailable("the table does not answer: start the companion again") from error

    def snapshot(self) -> Json:
        """Everything that is known now."""
        published, due = self._published
        return self._with_deadline(published, due)

    def subscribe(self) -> queue.Queue[Message | None]:
        """A queue that gets every change from now on, (sequence, {"kind", "snapshot", "announcements"})."""
        subscriber: queue.Queue[Message | None] = queue.Queue(UNSEEN)
        with self._lock:
            self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: queue.Queue[Message | None]) -> None:
        """Ends a subscription; harmless if it has ended."""
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

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
                self.step(self._patience())
        finally:
            self.close()

    def open(self) -> None:
        """Opens the journal and takes up the game that was on the table (the thread does this)."""
        self.journal = self._open_journal()
        self._seq = self.journal.seq()
        latest = self.journal.latest_night()
        if latest is not None:
            self._earlier = [_ended(row) for row in self.journal.games(latest) if row.ended is not None]
        row = self.journal.open_game()
        if row is not None:
            self._take_up(row)
        self._publish()

    def close(self) -> None:
        """Closes the journal and ends every subscription (the thread does this)."""
        self.journal.close()
        with self._lock:
            for subscriber in self._subscribers:
                _put(subscriber, None)
            self._subscribers.clear()

    def step(self, timeout: float = 0.0) -> None:
        """One turn: takes what has come (waiting at most `timeout` seconds for it), judges what is due and
        tells the subscribers (the thread does this)."""
        try:
            self._take(self._queue.get(timeout=timeout) if timeout > 0 else self._queue.get_nowait())
            while True:
                self._take(self._queue.get_nowait())
        except queue.Empty:
            pass
        now = self.clock()
        self.beat = now
        for what in self._inbox.ready(now):
            self._guarded(what)
        self._guarded(None)
        if self._changed:
            self._publish()
        replies, self._replies = self._replies, []
        for answer, reply in replies:
            answer.set_result(reply)

    def _patience(self) -> float:
        due = self.game is not None and self.game.book.deadline(self.game.record.state) is not None
        return WAITING_S if due or len(self._inbox) else IDLE_S

    def _guarded(self, what: Observed | Asked | None) -> None:
        """Judges one thing (None: deadlines). An error in it must not end the evening."""
        try:
            if what is None:
                self._time()
            elif isinstance(what, Asked):
                self._replies.append((what.answer, self._obey(what.command)))
            else:
                self._happened(what)
            self._look_again()
        except Exception as error:  # a fault of the program's own; the journal holds what is true
            logger.exception("judging %r failed", what)
            text = str(error) if isinstance(error, CompanionError) else type(error).__name__
            self.announce(Announcement("not_written", {"why": text}))
            if isinstance(what, Asked):
                self._replies.append((what.answer, commands.refused(self, "not_written", {"why": text})))
            if not isinstance(error, CompanionError) and self.game is not None:
                self._take_up(self.game.row)

    def _take(self, item: Observation | Asked | None) -> None:
        """Sorts one thing that has come: watermarks and sources at once, the rest into the inbox."""
        now = self.clock()
        match item:
            case Watched() | Listened():
                if self._uses(sense_of(item)):
                    self._inbox.mark(sense_of(item), item.t)
            case SourceChanged():
                self._source(item)
            case Command():
                self._take(Asked(item, Future()))
            case Asked():
                # What corrects the past is about what is on the screens now; it does not wait.
                waits = item.command.name == "event"
                self._inbox.put(item, item.command.t if waits else float("-inf"), now)
            case Landing() | Utterance() | Press():
                self._inbox.put(item, moment_of(item), now)
            case None:
                pass

    # --- sources ------------------------------------------------------------------------------------------

    def _source(self, change: SourceChanged) -> None:
        was = self._sources.get(change.source)
        self._sources[change.source] = snapshot.Source(change.up, change.why)
        self._changed = True
        if self._uses(change.source):
            self._inbox.live(change.source, change.up)
        if was is not None and was.up and not change.up:
            self.announce(Announcement("source_down", {"source": change.source, "why": change.why}))
        elif was is not None and not was.up and change.up:
            self.announce(Announcement("source_up", {"source": change.source}))
        if change.source == EARS and self.game is not None and (change.up or (was is not None and was.up)):
            self._ears(self.game, change)

    def _ears(self, game: RunningGame, change: SourceChanged) -> None:
        """Without ears no call can be judged, so no time may run out."""
        game.spotter.ears(change.up)
        if change.up:
            game.clock.go_on(change.t, EARS)
        elif game.spotter.listens:
            game.clock.pause(change.t, EARS)

    def _uses(self, source: str) -> bool:
        if self.game is None:
            return False
        return (source == EYES and self.game.spotter.watches) or (
            source == EARS and self.game.spotter.listens
        )

    # --- what happens -------------------------------------------------------------------------------------

    def _happened(self, observed: Observed) -> None:
        """An observation, in its turn."""
        if self.game is None:
            return
        if self.doubts.block:
            self.doubts.defer(observed)
            self.game.clock.ask(self.clock())
            return
        if isinstance(observed, Landing):
            self._settle_unanswered(self.game, observed.t)
        self.game.clock.go_on(moment_of(observed), "resumed")
        findings = self.game.spotter.observe(observed, self.game.seen())
        if not findings and isinstance(observed, Press) and observed.button == REFEREE_BUTTON:
            self.judge({"event": "undone"}, "buttons")
        for finding in findings:
            if isinstance(finding, Question):
                self._ask(finding, observed)
            else:
                self._fact(finding)

    def _fact(self, fact: Fact) -> None:
        judged = self.judge(fact.event, fact.source)
        if fact.notice and judged.entry.code is None and self.game is not None:
            self.announce(Announcement(fact.notice, {"player": fact.player}))

    def _ask(self, question: Question, observed: Observed) -> None:
        assert self.game is not None
        self.announce(self.doubts.ask(question, observed))
        self.game.clock.ask(self.clock())

    def _settle_unanswered(self, game: RunningGame, t: float) -> None:
        """The table plays on without answering: the reading that hurts nobody holds."""
        for doubt in self.doubts:
            option = doubt.option(doubt.question.unanswered or "")
            self.doubts.close(doubt)
            for event in option.events if option is not None else ():
                self.judge(event, doubt.question.source)
                self.announce(Announcement("taken_as_right", {"player": doubt.question.player}))
        if self.doubts.settled:
            game.clock.answered(t)

    def _look_again(self) -> None:
        """Judges what waited for an answer as far as nothing blocks any more; then the time runs again."""
        while (observed := self.doubts.next_deferred()) is not None:
            self._happened(observed)
        if self.game is not None and self.doubts.settled:
            self.game.clock.answered(self.clock())

    def judge(self, event: Mapping[str, Any], source: str) -> Judged:
        """Judges an event of the running game, writes it down and collects what is to be announced.

        Raises:
            JournalFailed: it could not be written and therefore did not happen.
        """
        assert self.game is not None
        judged = self.game.judge(event, source, self.game.clock.time(self.clock()), self.journal)
        self._seq = judged.seq
        self._changed = True
        if judged.entry.verdicts:
            self.on_finding(judged.entry.n, self.clock())
        for announcement in judged.announcements:
            self.announce(announcement)
        if judged.entry.code is None:
            if event["event"] in CORRECTIONS:
                self.doubts.clear()
                self._announcer.forget()
            else:
                self.doubts.overtaken(event, self.game.seen().view["phase"])
        return judged

    def _time(self) -> None:
        """Turns a deadline that has run out into an event."""
        game = self.game
        if game is None or game.clock.paused is not None:
            return
        deadline = game.book.deadline(game.record.state)
        if deadline is None or self._run_out == (len(game.record.entries), deadline):
            return
        due, now = game.clock.moment(deadline), self.clock()
        if now > due + JUST_AFTER_S and (game.spotter.hurried(game.seen()) or self._inbox.settled(due, now)):
            self.judge({"event": "time_passed", "t": round(deadline + JUST_AFTER_S, 3)}, "clock")
            self._run_out = (len(game.record.entries), deadline)
            self._time()

    # --- games --------------------------------------------------------------------------------------------

    def begin(self, game: str, players: list[str], settings: Json) -> None:
        """Puts a new game on the table; the one before leaves it.

        Raises:
            BadHeader: it cannot be played so.
            JournalFailed: it could not be written; the game before is still there.
        """
        rulebook(game).header(players, settings)
        self.put_away()
        self._seat(self.journal.begin_game(game, players, settings), GameClock(self.clock()))
        assert self.game is not None
        turn = self.game.seen().turn
        code = "game_started_together" if turn is None else "game_started"
        self.announce(Announcement(code, {"title": self.game.book.title, "turn": turn}))

    def put_away(self) -> None:
        """The game leaves the table with its result as it stands.

        Raises:
            JournalFailed: it could not be written; the game is still there.
        """
        if self.game is None:
            return
        done = self.game.finished(ended=True)
        self.journal.end_game(self.game.row.id, done.scores, done.winner)
        self._earlier.append(done)
        self.game = None
        self.doubts.clear()
        self._inbox = Inbox(self._hold_s)
        self._changed = True
        self.on_game(None)

    def _take_up(self, row: GameRow) -> None:
        """Puts a game of the journal on the table as it was left; its time waits for the next move."""
        lines = self.journal.lines(row.id)
        now = self.clock()
        clock = GameClock(now, max((line.t for line in lines), default=0.0))
        clock.pause(now, "resumed")
        self._seat(row, clock)
        assert self.game is not None
        self.game.restore(lines)
        self.announce(Announcement("game_resumed"))

    def _seat(self, row: GameRow, clock: GameClock) -> None:
        book = rulebook(row.name)
        self.game = RunningGame(row, book, spotter(row.name, self._sureness), clock, self._labels(row.name))
        self.doubts.clear()
        self._announcer.forget()
        self._run_out = None
        self._inbox = Inbox(self._hold_s)
        for name, source in self._sources.items():
            if self._uses(name):
                self._inbox.live(name, source.up)
        self._changed = True
        self.on_game(row)

    # --- telling ------------------------------------------------------------------------------------------

    def announce(self, announcement: Announcement) -> None:
        """Says it with the next publication."""
        self._news.append(announcement)
        self._changed = True

    def changed(self) -> None:
        """Something that the pages show has changed."""
        self._changed = True

    def _publish(self) -> None:
        """Builds the snapshot, announces the news and tells every subscriber."""
        self._changed = False
        news, self._news = self._news, []
        said = self._announcer.announce(news)
        if said:
            self._latest = said[0]
        games = [*self._earlier] if self.game is None else [*self._earlier, self.game.finished(ended=False)]
        published = snapshot.whole(
            self._seq, self.game, self.doubts, self._sources, self._latest, night(games), self.phrases
        )
        due = self._due()
        self._published = (published, due)
        self._tell_expectation()
        message: Json = {
            "kind": "change",
            "snapshot": self._with_deadline(published, due),
            "announcements": [one.as_json(self.phrases) for one in said],
        }
        with self._lock:
            for subscriber in self._subscribers:
                _put(subscriber, (self._seq, message))

    def _due(self) -> float | None:
        if self.game is None or self.game.clock.paused is not None:
            return None
        deadline = self.game.book.deadline(self.game.record.state)
        return None if deadline is None else self.game.clock.moment(deadline)

    def _with_deadline(self, published: Json, due: float | None) -> Json:
        if due is None:
            return published
        left = round(max(0.0, due - self.clock()), 3)
        return {**published, "deadline": {"in": left, "player": published["turn"]}}

    def _tell_expectation(self) -> None:
        expected = Expectation()
        if self.game is not None:
            expected = self.game.spotter.expectation(self.game.seen())
        if expected != self._expected:
            self._expected = expected
            self.on_expectation(expected)

    def _obey(self, command: Command) -> Json:
        return commands.obey(self, command)


def _put(subscriber: queue.Queue[Message | None], message: Message | None) -> None:
    """Never blocks: who does not read loses the changes in between, not the latest state."""
    while True:
        try:
            subscriber.put_nowait(message)
            return
        except queue.Full:
            try:
                subscriber.get_nowait()
            except queue.Empty:
                continue


def _ended(row: GameRow) -> Finished:
    return Finished(row.id, row.name, tuple(row.players), tuple(row.winner or ()), row.scores or {}, True)
