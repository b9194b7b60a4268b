"""The referee: owns the game on the table, judges events and collects announcements.

It does the work of the table's thread but has no thread of its own: observations and the time are parameters.
An event is in the journal before it is announced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from companion.announce.announcement import Announcement
from companion.announce.outputs import Cue
from companion.api.snapshot import SeatingOffer, Snapshot
from companion.core.clock import Clock
from companion.core.events import Event, HouseRules
from companion.core.observations import Landing, Listened, Press, SourceChanged, Utterance, Watched
from companion.core.weighing import Weigh, by_confidence
from companion.games import game_named, rulebook
from companion.games.spotter import Expectation, Observed, Option, Thresholds
from companion.store.journal import Journal
from companion.store.rows import GameRow
from companion.table import deadlines, observing
from companion.table.game_clock import RESUMED, GameClock
from companion.table.inbox import EARS, EYES, Inbox, known_from, moment_of, sense_of
from companion.table.night import Finished, night
from companion.table.pending_command import PendingCommand
from companion.table.question_log import note
from companion.table.questions import OpenQuestion, OpenQuestions
from companion.table.running_game import JudgedEvent, RunningGame
from companion.table.snapshot import snapshot
from companion.table.timeline import CORRECTIONS


class Referee:
    """The state of one table; belongs to one thread.

    Args:
        journal: stores every judged event.
        labels: the cards of the deck that a game is played with.
        hold_s: see Inbox.
        weigh: weighs the sound of an utterance.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        thresholds: Thresholds,
        hold_s: float,
        labels: Callable[[str], tuple[str, ...]],
        weigh: Weigh = by_confidence,
    ) -> None:
        self.clock = clock
        self.game: RunningGame | None = None
        self.questions = OpenQuestions()
        self.inbox: Inbox[Observed | PendingCommand] = Inbox(hold_s)
        self.news: list[Announcement] = []
        """Announcements for the next publication."""
        self.ended: list[str] = []
        """What earlier announcements were about and is so no longer."""
        self.changed = True
        """Whether anything has changed since the last publication."""
        self.findings: list[int] = []
        """Numbers of the entries with verdicts since the last publication."""
        self.seated: list[GameRow | None] = []
        """Games that were put on the table since the last publication (None: the game was ended)."""
        self.seq = 0
        self.recording = False
        """Whether the evening is being recorded; shown on every page."""
        self.seating: SeatingOffer | None = None
        """The game that a tournament has planned (companion.table.seating)."""
        self._thresholds = thresholds
        self._hold_s, self._labels, self._weigh = hold_s, labels, weigh
        self._sources: dict[str, SourceChanged] = {}
        self.run_out: tuple[int, float] | None = None
        """The deadline that was judged last, and the number of the game's entries then."""
        self._moment: float | None = None
        self.take_journal(journal)

    # --- games --------------------------------------------------------------------------------------------

    def take_journal(self, journal: Journal) -> None:
        """Uses this journal from now on, and says if it was damaged."""
        self.journal = journal
        if journal.healed is not None:
            self.announce(Announcement("journal_healed", {"lost": journal.healed.lost}))
        self.reload()

    def reload(self) -> None:
        """Puts what the journal holds on the table: the games of the night, and the open one."""
        self.seq, latest, row = self.journal.seq(), self.journal.latest_night(), self.journal.open_game()
        games = [] if latest is None else self.journal.games(latest)
        self._earlier = [_ended(one) for one in games if one.ended is not None]
        self.game = None
        if row is not None:
            self.resume(row)

    def begin(
        self, game: str, players: list[str], settings: HouseRules, now: float, key: str | None = None
    ) -> RunningGame:
        """Puts a new game on the table, whose time begins at `now`, and ends the one before. `key`: see
        Journal.begin_game.

        Raises:
            BadHeader: game, players or settings are impossible.
            JournalFailed: it could not be written; the game before is still on the table.
        """
        rulebook(game).header(players, settings)
        self.close_game()
        row = self.journal.begin_game(game, players, settings, key)
        running = self._seat(row, GameClock(now))
        self._wait_for_ears(running, now)
        turn = running.seen().turn
        code = "game_started_together" if turn is None else "game_started"
        self.announce(Announcement(code, {"title": running.book.title, "turn": turn}))
        return running

    def close_game(self) -> None:
        """Ends the game with its present result.

        Raises:
            JournalFailed: it could not be written; the game is still on the table.
        """
        if self.game is None:
            return
        done = self.game.finished(ended=True)
        self.journal.end_game(self.game.row.id, done.scores, done.winner)
        self._earlier.append(done)
        self.game = None
        self.questions.begin()
        self.inbox = Inbox(self._hold_s)
        self.changed = True
        self.seated.append(None)

    def resume(self, row: GameRow) -> None:
        """Puts a game of the journal on the table again; its time is paused until the next move."""
        lines, now = self.journal.lines(row.id), self.clock()
        clock = GameClock(now, lines[-1].t if lines else 0.0)
        clock.pause(now, RESUMED)
        game = self._seat(row, clock)
        self._wait_for_ears(game, now)
        game.restore(lines)
        for asked in self.journal.questions(row.id):
            if asked.answer is not None:
                self.questions.settle(asked.about)
        if not game.over:
            self.announce(Announcement("game_resumed"))

    def _seat(self, row: GameRow, clock: GameClock) -> RunningGame:
        kind = game_named(row.name)
        spotter = kind.new_spotter(self._thresholds)
        game = RunningGame(row, kind.rulebook, spotter, clock, self._labels(row.name), self._weigh)
        self.game = game
        self.questions.begin()
        self.run_out = None
        self.inbox = Inbox(self._hold_s)
        for name, source in self._sources.items():
            if self._uses(name):
                self.inbox.live(name, source.up)
        self.changed = True
        self.seated.append(row)
        return game

    # --- sources ------------------------------------------------------------------------------------------

    def mark(self, mark: Watched | Listened) -> None:
        """A sense has reported everything before a moment."""
        if self._uses(sense_of(mark)):
            self.inbox.mark(sense_of(mark), mark.t)

    def source(self, change: SourceChanged) -> None:
        """A source came up or went down."""
        was = self._sources.get(change.source)
        self._sources[change.source] = change
        self.changed = True
        if self._uses(change.source):
            self.inbox.live(change.source, change.up)
        lost = was is not None and was.up and not change.up
        if lost:
            self.announce(Announcement("source_down", {"source": change.source, "why": change.why}))
        elif was is not None and not was.up and change.up:
            self.announce(Announcement("source_up", {"source": change.source}))
        elif change.up and change.why is not None and (was is None or was.why != change.why):
            self.announce(Announcement(change.why.code, change.why.params))
        if change.source == EARS and self.game is not None and (change.up or lost):
            self._ears(self.game, change)

    def _wait_for_ears(self, game: RunningGame, now: float) -> None:
        """Without ears no call is timed: the table says who was too slow."""
        ears, kind = self._sources.get(EARS), game_named(game.row.name)
        if kind.times_calls(game.row.settings) and not (ears and ears.up):
            self._ears(game, SourceChanged(now, EARS, False))

    def stop_timing(self, now: float) -> bool:
        """Pauses a game without ears until `go_on`; False if it has ears, or times nobody."""
        game = self.game
        if game is None or not game_named(game.row.name).times_calls(game.row.settings):
            return False
        self._wait_for_ears(game, now)
        self.changed = True
        return game.clock.paused is not None

    def _ears(self, game: RunningGame, change: SourceChanged) -> None:
        """Pauses the game when the ears fail, because no call can be judged."""
        game.spotter.microphone_changed(change.up)
        if change.up:
            game.clock.go_on(change.t, EARS)
        elif self._uses(EARS):
            game.clock.pause(change.t, EARS)

    def _uses(self, source: str) -> bool:
        if self.game is None:
            return False
        kind = game_named(self.game.row.name)
        return {EYES: kind.followed, EARS: kind.hears(self.game.row.settings)}.get(source, False)

    # --- what happens -------------------------------------------------------------------------------------

    def handle(self, observed: Observed) -> None:
        """Handles an observation in its order (companion.table.observing).

        Raises:
            JournalFailed: an event of it could not be written and was not made.
        """
        if isinstance(observed, Landing | Utterance) and deadlines.is_overdue(self, observed):
            deadlines.expire(self, moment_of(observed))
            if self.inbox.on_hold:  # a sound is being weighed that may have been in time
                self.inbox.postpone(observed, moment_of(observed), known_from(observed))
                return
        observing.handle(self, observed, moment_of(observed))

    def chord_window_s(self, press: Press) -> float:
        """Seconds for which a press is held for others that count as one press with it."""
        return observing.chord_window_s(self, press)

    @contextmanager
    def happened_at(self, moment: float | None) -> Iterator[None]:
        """What is announced in this block happened at a moment of the one clock; None: now."""
        before, self._moment = self._moment, moment
        try:
            yield
        finally:
            self._moment = before

    def process_deferred(self) -> None:
        """Judges deferred observations until a question blocks; without one the time runs again."""
        while (observed := self.questions.next_deferred()) is not None:
            observing.handle(self, observed, None)
        if self.game is not None and self.questions.settled:
            self.game.clock.answered(self.clock())

    def undo(self, source: str) -> JudgedEvent:
        """Undoes the latest move, and with it what the clock alone has counted since: an undo during a
        countdown is about the trophy that started it.

        Raises:
            JournalFailed: it could not be written; what has been undone by then stays undone.
        """
        game = self.game
        assert game is not None
        while game.latest_move() is not None and game.ticked(game.record.steps[-1].n):
            self.judge({"event": "undone"}, source, aloud=False)
        return self.judge({"event": "undone"}, source)

    def judge(self, event: Event, source: str, aloud: bool = True, waits: bool = True) -> JudgedEvent:
        """Judges an event of the running game, writes it to the journal and collects its announcements.

        Args:
            event: what happened.
            source: who reports it.
            aloud: whether its consequences are announced.
            waits: whether a correction stops the clock until the next move.

        Raises:
            JournalFailed: it could not be written; nothing has changed.
        """
        assert self.game is not None
        judged = self.game.judge(event, source, self.game.clock.time(self.clock()), self.journal)
        self.seq = judged.seq
        self.changed = True
        if judged.entry.verdicts:
            self.findings.append(judged.entry.n)
        for announcement in judged.announcements if aloud else ():
            self.announce(announcement)
        if judged.entry.code is None:
            if event["event"] in CORRECTIONS:
                self.withdraw(self.questions.clear())
                if waits:
                    self._wait_for_the_table()
            else:
                self.withdraw(self.questions.close_answered(event, self.game.seen().view["phase"]))
            observing.apply(self, self.game, judged.findings, None)
        return judged

    # --- questions ----------------------------------------------------------------------------------------

    def answer(self, asked: OpenQuestion, option: Option | None) -> list[JudgedEvent]:
        """Closes a question and judges the events of an option.

        Args:
            asked: an open question.
            option: the one that was chosen; None: the table plays on, so that `unanswered` counts.

        Raises:
            JournalFailed: an event could not be written and was not made.
        """
        taken = option or asked.option(asked.question.unanswered or "")
        self.questions.close(asked, answered=taken is not None)
        self.ended.append(f"question {asked.id}")
        self.changed = True
        events, source = taken.events if taken else (), asked.question.source
        judged = [self.judge(event, source, waits=option is not None) for event in events]
        if self.game is not None:
            if option is not None:  # a correction set the clock back, and more events followed it
                self.game.clock.skip_to(self.clock(), max(map(_over_t, events), default=0.0))
            answer = None if option is None else option.id
            note(self.journal, self.game, self.clock(), asked, answer, len(judged))
        return judged

    def resolve(self, about: str) -> None:
        """What questions and remarks were about is so no longer: they are withdrawn."""
        self.withdraw(self.questions.resolve(about))
        self.ended.append(about)
        self.changed = True

    def withdraw(self, questions: Iterable[OpenQuestion]) -> None:
        """Questions that are open no longer are not announced any more."""
        for one in questions:
            self.ended.append(f"question {one.id}")
            if self.game is not None:
                note(self.journal, self.game, self.clock(), one, None, 0)

    def _wait_for_the_table(self) -> None:
        """After a correction, sets the game's time back to its latest event and pauses it until the next
        move: the correction may have taken minutes, in which nobody could act."""
        assert self.game is not None
        self.game.clock.rewind(self.clock(), self.game.known_until(), RESUMED)

    # --- what is known ------------------------------------------------------------------------------------

    def announce(self, announcement: Announcement) -> None:
        """Announces it with the next publication."""
        if announcement.at is None and self._moment is not None:
            announcement = msgspec.structs.replace(announcement, at=self._moment)
        self.news.append(announcement)
        self.changed = True

    def planned_cues(self) -> tuple[Cue, ...]:
        """The cues that follow from the clock alone (see RunningGame.planned_cues)."""
        return () if self.game is None or not self.questions.settled else self.game.planned_cues()

    def expectation(self) -> Expectation:
        """What the senses may expect now."""
        return Expectation() if self.game is None else self.game.spotter.expectation(self.game.seen())

    def snapshot(self, announcement: Announcement | None, announced_at: int) -> Snapshot:
        """Everything that is known, with the latest announcement and the log's last entry then."""
        games = list(self._earlier)
        if self.game is not None:
            games.append(self.game.finished(ended=False))
        latest = (announcement, announced_at)
        shown = snapshot(self.seq, self.game, self.questions, self._sources, *latest, night(games))
        planned = self.seating if self.game is None or self.game.over else None
        return msgspec.structs.replace(shown, recording=self.recording, seating=planned)


def _ended(row: GameRow) -> Finished:
    return Finished(row.id, row.name, tuple(row.players), tuple(row.winner or ()), row.scores or {}, True)


def _over_t(event: Event) -> float:
    """When an event was over, in s of the game; 0 if it carries no time."""
    return float(event.get("end", event.get("t", 0.0)))
