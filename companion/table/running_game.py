"""One running game: its record, its spotter, its clock, and the announcements that follow from an event.

It has no thread, no queue and no file: the table owns it and passes the time as a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.announce.announcement import Announcement, finding
from companion.announce.outputs import Cue
from companion.core.events import Event, StateView
from companion.core.weighing import Weigh, by_confidence
from companion.games.contract.event_times import run_out
from companion.games.contract.fields import Setup
from companion.games.contract.rulebook import Rulebook, Verdict
from companion.games.spotter import Finding, GameView, Spotter
from companion.store.journal import Journal, JournalFailed
from companion.store.rows import GameRow, Line
from companion.table.entry_sentences import EntrySentences
from companion.table.game_clock import GameClock
from companion.table.night import Finished
from companion.table.record import Record
from companion.table.timeline import CORRECTIONS, Entry, is_correction

MOST_CUES = 12
"""The most cues that are planned: a whole countdown."""


class JudgedEvent(msgspec.Struct, frozen=True):
    """The result of an event: its entry in the record and its announcements."""

    entry: Entry
    seq: int
    announcements: tuple[Announcement, ...]
    findings: tuple[Finding, ...] = ()
    """What the spotter found it to show."""


class RunningGame:
    """The game on the table."""

    def __init__(
        self,
        row: GameRow,
        book: Rulebook[Any],
        spotter: Spotter,
        clock: GameClock,
        labels: tuple[str, ...] = (),
        weigh: Weigh = by_confidence,
    ) -> None:
        self.row = row
        self.book = book
        self.spotter = spotter
        self.clock = clock
        self.labels = labels
        self._weigh = weigh
        self.setup: Setup = book.header(row.players, row.settings)
        self.record: Record[Any] = Record(book, self.setup)
        self.sources: dict[int, str] = {}
        self.times: dict[int, float] = {}
        self.sentences = EntrySentences()
        """What each entry meant."""
        self.turns: dict[int, str | None] = {}
        """Who was to act when an entry was judged."""
        self.parts: dict[int, tuple[int | None, int | None]] = {}
        """Round and trick of entries that changed nothing, and of corrections."""
        self._script: list[Event] = []
        self._seen: GameView | None = None

    def restore(self, lines: Sequence[Line]) -> None:
        """Plays the journal's lines; afterwards the state is the one before the interruption."""
        for line in lines:
            before = self.record.state
            self.turns[line.n] = self.book.view(before).get("turn")
            entry = self.record.push(line.event)
            self._note_part(entry, before)
            self.sentences.note(self.record, entry, before)
            self._note_dropped(entry)
            self._script.append(line.event)
            self.sources[line.n], self.times[line.n] = line.source, line.t
        self._seen = None

    def judge(self, event: Event, source: str, t: float, journal: Journal) -> JudgedEvent:
        """Judges an event and writes it to the journal; announces nothing.

        Raises:
            JournalFailed: it could not be written; nothing has changed.
        """
        before, gone, state = self.seen(), self.record.undone(), self.record.state
        # Encoded as in the journal, so that a resumed game judges exactly what was judged now.
        written = msgspec.json.decode(msgspec.json.encode(event), type=dict)
        entry = self.record.push(written)
        try:
            seq = journal.append(self.row.id, entry.n, t, written, source=source, code=entry.code)
        except JournalFailed:
            self._forget_latest()
            raise
        self._script.append(written)
        self.sources[entry.n], self.times[entry.n], self.turns[entry.n] = source, t, before.turn
        self._note_part(entry, state)
        self.sentences.note(self.record, entry, state)
        self._note_dropped(entry)
        self._seen = None
        after = self.seen()
        findings: Sequence[Finding] = ()
        if entry.code is None and event["event"] in CORRECTIONS:
            self.spotter.reset()
            taken_back = sorted(self.record.undone() - gone)
            said = [self._correction(event, taken_back)]
        else:
            if entry.code is None and event["event"] == "position":
                self.spotter.reset()
            elif entry.code is None:
                findings = self.spotter.follow(before, event, after)
            said = consequences(self, entry, source, before, after)
        return JudgedEvent(entry, seq, tuple(said), tuple(findings))

    def _correction(self, event: Event, taken_back: Sequence[int]) -> Announcement:
        """What is announced of a correction: of an undo, what was taken back."""
        what: dict[str, Any] = {}
        if taken_back:
            told = self.sentences.of(taken_back[-1])
            what = dict(self.record.entries[taken_back[-1] - 1].event)
            if told:
                what = {"game": self.book.name, "sentence": told[0].code, "params": dict(told[0].params)}
        return Announcement(str(event["event"]), {"n": event.get("n"), "what": what})

    def _note_part(self, entry: Entry, before: Any) -> None:
        """Stores the round and the trick of an entry: of a correction, those that it led to."""
        state = self.record.state if is_correction(entry.event) else before
        self.parts[entry.n] = getattr(state, "round", None), getattr(state, "trick", None)

    def _note_dropped(self, entry: Entry) -> None:
        """Stores whose turn it was for events that a correction rejected: they were judged again."""
        for dropped in entry.dropped:
            self.turns[dropped.n] = self.record.turn_at(dropped.n)

    def _forget_latest(self) -> None:
        """Removes the latest entry from the record: it could not be written."""
        self.record = Record(self.book, self.setup)
        for event in self._script:
            self.record.push(event)
        self._seen = None

    def seen(self) -> GameView:
        """The game as spotters and pages see it."""
        if self._seen is None:
            state = self.record.state
            self._seen = GameView(
                players=self.setup.players,
                settings=self.setup.settings,
                view=self.book.view(state),
                offers=tuple(self.book.expects(state)),
                time=self.clock.time,
                past=tuple(self.record.effective()),
                numbers=tuple(self.record.effective_numbers()),
                labels=self.labels,
                moment=self.clock.moment,
                weigh=self._weigh,
            )
        return self._seen

    @property
    def limit(self) -> float | None:
        """The time limit of the game, where it has one, in seconds."""
        limit: float | None = getattr(self.setup.settings, "hesitation_s", None)
        return limit

    def planned_cues(self) -> tuple[Cue, ...]:
        """The cues that follow from the clock alone: the rest of the companion's own countdown. None where a
        deadline waits for reports of the senses."""
        if self.clock.paused is not None or not self.spotter.immediate(self.seen()):
            return ()
        state = self.record.state
        cues: list[Cue] = []
        before = self.book.view(state)
        while len(cues) < MOST_CUES and (deadline := self.book.deadline(state)) is not None:
            state = self.book.play(state, run_out(deadline)).state
            after = self.book.view(state)
            at = self.clock.moment(deadline)
            cues += [Cue(at, announcement) for announcement in counted(before, after)]
            before = after
        return tuple(cues)

    def ticked(self, n: int) -> bool:
        """Whether an entry was made by the clock alone and only counted a number of the countdown."""
        entry = self.record.entries[n - 1]
        passed = entry.event.get("event") == "time_passed" and self.sources.get(n) == "clock"
        return passed and not entry.findings and not self.over

    def latest_move(self) -> int | None:
        """The number of the entry that an undo takes back: the latest one that counts and is not a tick."""
        moves = [step.n for step in self.record.steps if not self.ticked(step.n)]
        return moves[-1] if moves else None

    def known_until(self) -> float:
        """The game's time when the latest event that still counts was judged; 0 before the first."""
        gone = self.record.undone()
        counting = [e.n for e in self.record.entries if e.code is None and e.n not in gone]
        events = [n for n in counting if self.record.entries[n - 1].event.get("event") not in CORRECTIONS]
        return self.times[events[-1]] if events else 0.0

    @property
    def over(self) -> bool:
        """Whether the game has been decided."""
        return bool(self.record.winner())

    def finished(self, ended: bool) -> Finished:
        """The game in the night's list."""
        return Finished(
            self.row.id,
            self.row.name,
            self.setup.players,
            tuple(self.record.winner()),
            self.record.scores(),
            ended,
        )


def consequences(
    game: RunningGame, entry: Entry, source: str, before: GameView, after: GameView
) -> list[Announcement]:
    """What is announced after an entry: findings, a refusal, a scored round, the end."""
    event = entry.event
    said = [finding_of(game, entry, verdict) for verdict in entry.findings]
    if entry.code is not None:
        # A refused command is answered to its phone; a refused observation is announced at the table.
        if source != "phone":
            said.append(Announcement(entry.code, {"player": event.get("player"), "turn": before.turn}))
        return said
    said += counted(before.view, after.view)
    rounds, earlier = after.view.get("round_scores") or [], before.view.get("round_scores") or []
    if len(rounds) > len(earlier):
        points = [f"{player} {score}" for player, score in rounds[-1].items()]
        said.append(Announcement("round_scored", {"round": len(rounds), "points": points}))
    winner = game.record.winner()
    if winner and before.view["phase"] != "over":
        said.append(Announcement("winner" if len(winner) == 1 else "winners", {"winner": winner}))
    return said


def counted(before: StateView, after: StateView) -> list[Announcement]:
    """The announcements of a countdown that went on from the view `before` to the view `after`."""
    if before["phase"] == "countdown" and after["phase"] != "countdown":
        return [Announcement("countdown_over")]
    number = after.get("countdown")
    if number is None or number == before.get("countdown"):
        return []
    return [Announcement("counted", {"number": number})]


def finding_of(game: RunningGame, entry: Entry, verdict: Verdict) -> Announcement:
    """The announcement of a verdict about an entry."""
    return finding(verdict.verdict, verdict.player, verdict.details, called(game, entry), game.limit)


def called(game: RunningGame, entry: Entry) -> Event:
    """The event that an entry's verdicts are about: for an accusation, the call that was doubted."""
    if entry.event.get("event") != "accused":
        return entry.event
    earlier = reversed(game.record.entries[: entry.n - 1])
    return next((past.event for past in earlier if past.event.get("event") == "heard"), entry.event)
