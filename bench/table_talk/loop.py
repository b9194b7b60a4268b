"""Plays a scripted game through listener, inbox, spotter and rules; compares each turn with the script."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.evenings.script import Beat, ButtonPress, Json, Rng, Script, TrueEvent
from bench.table_talk.microphone import TableSound
from companion.api.commands import Answer, Caller, EnterEvent, NewGame, Undo
from companion.core.config import Config
from companion.core.observations import Landing, Press, Sighting, Watched
from companion.runtime.stepped import SteppedApp
from companion.speech.audio.wav import RATE
from companion.speech.direction.seats import SeatDirection, Seats
from companion.store.folder import DataFolder
from companion.table.record import Entry, opened

BLOCK_S = 0.06
SEEN_S = 0.15
"""The camera's watermark is so far behind."""
ANSWER_S = 1.5
"""A question is answered after so many seconds, truthfully, if the table has not played on."""
AFTERWARDS_S = 4.0
"""After a wrong accusation nobody plays for so many seconds; then the record is put right."""
STARTED_S = 4.0
"""Costs count from here on: the speech model is loaded before."""
SETTLED_S = 1.5
"""So long after a call the listener is at rest again, if it is quiet."""
LATE_CARD_S = 2.5
"""A card that is too late comes so many seconds after the deadline at most."""
JITTER_S = 0.2
"""The table knows the moment of a card to within so many seconds."""
CLOCK_STEP_S = 0.002
"""Times of the game are in milliseconds."""
CORNERS = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
CARD_BETWEEN = "card_between"
"""The question whether a card was missed before the latest one."""
CALL_QUESTIONS = (
    "unsure_call",
    "not_made_out",
    "doubted_call",
    "missed_card_of",
    "missed_card_not_made_out",
    "call_on_gun",
    CARD_BETWEEN,
)
CARD_QUESTIONS = ("missed_card_of", "missed_card_not_made_out")
NO_CARD = "none"
"""The card of a turn result about a mistake without a card: too late, or a wrong accusation."""
REFEREE = Caller("referee")
NO_SEATS: Mapping[str, SeatDirection] = {}


@dataclass
class TurnResult:
    """What the table made of one card. `truth` is `correct` or the kind of the mistake, `moment` the
    circumstances as the script names them. `unseen`: its landing was never reported, or that of a card
    before it since the record agreed with the game; `lost`: its own was not."""

    card: str
    player: str
    truth: str
    moment: str
    unseen: bool
    at: float
    said: tuple[str, ...]
    verdicts: list[str] = field(default_factory=list)
    asked: int = 0
    lost: bool = False

    @property
    def outcome(self) -> str:
        """`right`, `asked`, `accused` or `unnoticed` of what was right; `caught`, `asked` or `missed` of a
        mistake."""
        wrong = any(one != "correct" for one in self.verdicts)
        if self.truth != "correct":
            return "caught" if wrong else "asked" if self.asked else "missed"
        if wrong:
            return "accused"
        return "asked" if self.asked else "right" if self.verdicts else "unnoticed"

    @property
    def late_unasked(self) -> bool:
        """Whether the player counts as too late although something was said in time, and nobody was asked."""
        said_in_time = bool(self.said) and self.truth != "too_late"
        return said_in_time and "too_late" in self.verdicts and not self.asked


@dataclass(frozen=True)
class LateCamera:
    """How late landings are reported, as measured in evenings: median 0.46 s, up to 2.8 s."""

    missed: float = 0.02
    """Share of cards that are never reported."""

    def delay_s(self, rng: Rng) -> float:
        """Seconds from the landing to its report; infinite: none comes."""
        if rng.random() < self.missed:
            return math.inf
        if rng.random() < 0.04:
            return float(rng.uniform(1.0, 2.8))
        return float(min(2.8, 0.3 + rng.exponential(0.23)))


class TableLoop:
    """One game: the world and the service, moved forward together."""

    def __init__(self, script: Script, app: SteppedApp, sound: TableSound, rng: Rng) -> None:
        self._script, self._app, self._sound, self._rng = script, app, sound, rng
        self._camera = LateCamera()
        self._truth = opened(script.header())
        self._next_block = 0.0
        self._coming: list[tuple[float, Landing]] = []
        self._asked: dict[str, tuple[float, str, tuple[str, ...], TurnResult]] = {}
        self._said: tuple[str, ...] = ()
        self._missed = False
        self._found: list[tuple[str, float, str]] = []
        self._known = 0
        self._answered: list[str] = []
        self.turns: list[TurnResult] = []
        self._settled = 0
        """So many turns were played when the record was last put right."""
        self.questions = 0
        self._calls: list[tuple[float, float]] = []
        self.busy: list[tuple[bool, float]] = []
        """Of each block: whether nobody called in it or in the SETTLED_S before, and the processor time (s)
        of a second of sound."""

    def play(self) -> None:
        """Plays the whole script."""
        self._run_until(2.0)
        reply = self._app.command(
            NewGame(self._script.game, self._script.players, self._script.settings), REFEREE
        )
        assert reply.ok, reply
        self._app.source_changed("camera", True)
        for beat in self._script.beats:
            self._play(beat)
            if self.turns and self.turns[-1].truth != "correct":
                self._excuse_waiting(beat)
            if self._disagrees():
                self._wait_for_verdicts(beat)
                self._put_right()
        self._run_until(self._app.clock() + AFTERWARDS_S)
        self._read_verdicts()
        self._share_out()

    def _wait_for_verdicts(self, beat: Beat) -> None:
        """Nobody plays while the mistake is talked about."""
        self._run_until(self._app.clock() + AFTERWARDS_S)
        self._read_verdicts()
        self._excuse_waiting(beat, AFTERWARDS_S)
        self._share_out()

    def _excuse_waiting(self, beat: Beat, waited_s: float = 0.0) -> None:
        """Nobody is too late while a mistake is talked about: whoever is to play next waits as well, and the
        table finds that only because it knows of no mistake. `waited_s`: since the end of the beat."""
        over = max((call.at for call in beat.calls), default=0.0)
        since = self._app.clock() - waited_s - beat.seconds + over
        blamed = {turn.player for turn in self.turns[-1:]}
        blamed |= {next((turn.player for turn in reversed(self.turns) if turn.card != NO_CARD), "")}
        self._found = [
            one for one in self._found if one[0] in blamed or one[2] != "too_late" or one[1] < since
        ]

    # --- the world ----------------------------------------------------------------------------------------

    def _play(self, beat: Beat) -> None:
        start = self._app.clock()
        things: list[tuple[float, TrueEvent | ButtonPress]] = [(event.at, event) for event in beat.truth]
        things += [(press.at, press) for press in beat.presses]
        over = [self._sound.add(start + call.at, call.player, call.words) for call in beat.calls]
        self._calls += [(start + call.at, end) for call, end in zip(beat.calls, over, strict=True)]
        self._said = next((call.words for call in beat.calls), ())
        for at, what in sorted(things, key=lambda one: one[0]):
            self._run_until(start + at)
            if isinstance(what, TrueEvent):
                self._happen(what)
            else:
                self._app.press(Press(self._app.clock(), what.button))
        self._run_until(max([start + beat.seconds, *over]))

    def _happen(self, true: TrueEvent) -> None:
        """A true event: a card lands, or what the rules found is kept."""
        now = self._app.clock()
        before = len(self._truth.verdicts)
        self._truth.push(true.event)
        found = self._truth.verdicts[before:]
        if true.event["event"] == "card_played":
            delay = self._camera.delay_s(self._rng)
            card, player, missed = true.event["card"], true.event["player"], math.isinf(delay)
            unseen = self._missed = missed or self._missed
            turn = TurnResult(card, player, "correct", true.moment, unseen, now, self._said, lost=missed)
            self.turns.append(turn)
            if not math.isinf(delay):
                seen = now + float(self._rng.normal(0, 0.03))
                skips = any(one["verdict"] == "should_have_skipped" for one in found)
                zone = f"pile:{player}" if skips else "pile"  # else nobody could know who laid it
                landing = Landing(seen, zone, Sighting(card, 0.95, CORNERS))
                self._coming.append((now + delay, landing))
        elif self.turns and not any(one["player"] != self.turns[-1].player for one in found):
            self.turns[-1].moment = true.moment
        for one in found if self.turns else ():
            if one["verdict"] == "correct":
                continue
            if one["player"] != self.turns[-1].player:  # no card came in time
                late = TurnResult(NO_CARD, one["player"], "correct", true.moment, self._missed, now, ())
                self.turns.append(late)
            self.turns[-1].truth = str(one["verdict"])

    def _run_until(self, t: float) -> None:
        while self._next_block + BLOCK_S <= t:
            count = round(BLOCK_S * RATE)
            self._calls = [one for one in self._calls if one[1] + SETTLED_S > self._next_block]
            quiet = all(begin > self._next_block + BLOCK_S for begin, _ in self._calls)
            block = self._sound.heard(self._next_block, count)
            began = time.process_time()
            self._app.block(block)
            self._see()
            if self._next_block > STARTED_S:
                self.busy.append((quiet, (time.process_time() - began) / BLOCK_S))
            self._next_block = round(self._next_block + BLOCK_S, 6)
            self._read_verdicts()
            self._notice_questions()
        self._app.advance(max(t, self._app.clock()))

    def _see(self) -> None:
        """Gives the table what the camera reports now."""
        now = self._app.clock()
        due = [one for one in self._coming if one[0] <= now]
        self._coming = [one for one in self._coming if one[0] > now]
        table = self._app.app.table
        for _, landing in sorted(due, key=lambda one: one[1].t):
            table.submit(landing)
        table.submit(Watched(min([now - SEEN_S, *(landing.t - 0.001 for _, landing in self._coming)])))
        self._app.advance(now)

    # --- the table ----------------------------------------------------------------------------------------

    def _read_verdicts(self) -> None:
        """Gives the new verdicts to their turns."""
        entries = self._entries()
        for entry in entries[self._known :]:
            for one in entry.findings:
                # a card is the latest one of its player, whatever time the game's clock stood still
                own = entry.event["event"] == "card_played" and entry.event["player"] == one.player
                at = self._app.clock() if own else self._moment(entry.event)
                self._found.append((one.player, at, one.verdict))
        self._known = len(entries)

    def _entries(self) -> list[Entry]:
        game = self._app.app.table.referee.game
        return [] if game is None else game.record.entries

    def _moment(self, event: Json) -> float:
        """The moment that an event is about; if the game's clock stood still then, when it went on."""
        game = self._app.app.table.referee.game
        at = event.get("t", event.get("start"))
        return (
            self._app.clock() if game is None or at is None else game.clock.moment(float(at) + CLOCK_STEP_S)
        )

    def _share_out(self) -> None:
        """Gives the verdicts found so far to their turns: the latest card of the player that was down then,
        or came a little too late."""
        for player, moment, verdict in self._found:
            until = moment + (LATE_CARD_S if verdict == "too_late" else JITTER_S)
            mine = [one for one in self.turns if one.player == player and one.at <= until]
            turn = (mine or self.turns or [None])[-1]
            if self._missed and turn is not None and turn.verdicts and not turn.unseen:
                turn = self.turns[-1]  # the table believes in another turn since it missed a card
            if turn is not None:
                turn.verdicts.append(verdict)
        self._found = []

    def _notice_questions(self) -> None:
        now = self._app.clock()
        open_now = {one.id: one for one in self._app.snapshot().questions}
        cards = [turn for turn in self.turns if turn.card != NO_CARD]
        for name, one in open_now.items():
            if name not in self._asked and one.code in CALL_QUESTIONS and cards:
                self.questions += 1
                cards[-1].asked += 1
                about = _turn_of(one.code, one.params.get("player"), cards)
                self._asked[name] = (now, one.code, tuple(option.id for option in one.options), about)
        for name, (since, code, options, turn) in list(self._asked.items()):
            if name in open_now and name not in self._answered and now - since >= ANSWER_S:
                self._answered.append(name)
                self._app.ask(Answer(name, _true_option(code, options, turn)), REFEREE)

    def _disagrees(self) -> bool:
        """Whether the table has found a mistake that nobody made, or the round is another one."""
        self._share_out()
        true = self._truth.book.view(self._truth.state)
        shown = self._app.snapshot().state
        if all(shown.get(name) == true[name] for name in ("round", "turn", "pile", "next_number")):
            self._missed = False  # the table was asked about the missed card
        accused = _is_accused(self.turns, self._settled)
        wrong_end = bool(self.turns) and self.turns[-1].truth != "correct"
        return accused or wrong_end or shown.get("round") != true["round"]

    def _put_right(self) -> None:
        """Sets the table's record to the true position. If it took a mistake for the last right call, the
        game is over there, and that is undone first."""
        true = self._truth.book.view(self._truth.state)
        if self._truth.winner():
            return
        if self._app.snapshot().state.get("phase") == "over":
            self._app.command(Undo(), REFEREE)
        self._app.command(EnterEvent({"event": "position", "state": true}), REFEREE)
        self._missed = False
        self._known = len(self._entries())
        self._settled = len(self.turns)


def _is_accused(turns: Sequence[TurnResult], settled: int) -> bool:
    """Whether one of the two latest turns counts as wrong although it was right; for the first `settled` of
    all turns the record was put right already."""
    return any(turn.outcome == "accused" for turn in turns[max(settled, len(turns) - 2) :])


def _turn_of(code: str, player: str | None, cards: Sequence[TurnResult]) -> TurnResult:
    """What a question is about: the latest card, but for the one that was missed before it, and for the call
    of a player after whom a card was missed."""
    if code == CARD_BETWEEN and len(cards) > 1 and cards[-2].lost:
        return cards[-2]
    if code == "not_made_out":
        return next((card for card in reversed(cards) if card.player == player), cards[-1])
    return cards[-1]


def _true_option(code: str, options: tuple[str, ...], turn: TurnResult) -> str:
    """The answer that the players give: the card that was not seen, if that is offered, or what was said for
    it, or the rest of it; to somebody's doubt, whether it was right."""
    if turn.card in options and turn.lost:
        return turn.card
    if code in CARD_QUESTIONS:
        return "none"
    if "yes" in options:
        return "yes" if turn.truth == "correct" else "no"
    if code == CARD_BETWEEN:  # and there was none
        return "none" if turn.truth == "correct" else "no"
    if "no" in options:  # a card was asked for
        return "no" if turn.truth == "should_be_silent" else "none"
    readings = [" ".join(turn.said[place:]) for place in range(len(turn.said))]
    return next((one for one in readings if one in options), "none")


@dataclass(frozen=True)
class GameResult:
    """One game in one kind of noise. `busy`: processor time (s) of a second of sound, block by block, over
    the whole game; `idle_busy`: of the blocks in which nobody called."""

    turns: list[TurnResult]
    questions: int
    idle_busy: tuple[float, ...]
    busy: tuple[float, ...]

    @property
    def is_fair(self) -> bool:
        """Whether nobody was accused of what was right, on cards that the camera saw."""
        return all(turn.outcome != "accused" for turn in self.turns if not turn.unseen)


def played(
    script: Script, sound: TableSound, rng: Rng, seats: Mapping[str, SeatDirection] = NO_SEATS
) -> GameResult:
    """Plays a script in a data folder of its own; `seats` are those that an array has learned."""
    with (
        tempfile.TemporaryDirectory() as folder,
        SteppedApp(Config(), DataFolder(Path(folder)), check_pictures=False) as app,
    ):
        for player, seat in seats.items():
            Seats(DataFolder(Path(folder)).voices).keep(player, seat)
        loop = TableLoop(script, app, sound, rng)
        loop.play()
    idle = tuple(cost for quiet, cost in loop.busy if quiet)
    busy = tuple(cost for _, cost in loop.busy)
    return GameResult(loop.turns, loop.questions, idle, busy)
