"""Plays a script with the calls of a recording, as the table judges them.

Cards, utterances and deadlines go through the spotter of the game in the order of their times, with the
thresholds of the table. Questions are answered at once, by a list of the true calls or by believing.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.core.errors import Rejected
from companion.core.events import Event, MutableEvent
from companion.core.observations import Landing, Sighting, Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.games.contract.event_times import event_time
from companion.games.contract.fields import TIME_TOLERANCE
from companion.games.spotter import Fact, Finding, GameView, Question, Spotter, right_words
from companion.table.record import Record
from companion.table.timeline import CORRECTIONS, Entry

MAX_ANSWER_S = 3.0
"""A true call answers a question about a sound that began at most so many seconds before or after it."""
NOWHERE = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
"""Corners of a card that no camera has seen."""


class HeardSound(Protocol):
    """A recording that is listened to: companion.speech.recognition.recorded_calls.RecordedCalls."""

    def until(self, t: float) -> list[Utterance]:
        """The utterances that were not returned yet, in order, among them all that begin before `t` (s)."""

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was."""


class AskedCall(msgspec.Struct, frozen=True):
    """A question that the table would have asked."""

    t: float
    """When the sound began, in seconds."""
    player: str | None
    heard: tuple[str, ...]
    """What was made out; empty: nothing."""
    right: tuple[str, ...]
    """What would have been right; empty: silence."""


Answer = Callable[[AskedCall], "tuple[str, ...] | None"]
"""The words that were said, or None: nothing was said."""


def believed(asked: AskedCall) -> tuple[str, ...] | None:
    """The table plays on: the call counts as right, and on a gun nothing was said."""
    return asked.right or None


def by_truth(calls: Iterable[Event]) -> Answer:
    """Answers by the `heard` event nearest in time, if one is within MAX_ANSWER_S."""
    known = sorted((float(one["start"]), tuple(map(str, one["words"]))) for one in calls)
    times = [start for start, _ in known]

    def answer(asked: AskedCall) -> tuple[str, ...] | None:
        place = bisect.bisect(times, asked.t)
        near = [known[i] for i in (place - 1, place) if 0 <= i < len(known)]
        distance, words = min(((abs(start - asked.t), said) for start, said in near), default=(math.inf, ()))
        return words if distance <= MAX_ANSWER_S else None

    return answer


class HeardReplay:
    """One game.

    Args:
        record: of the script's header; it gets the events.
        spotter: of the game, with the thresholds of the table.
        sound: the recording; its second 0 is t = 0 of the script.
        answer: to the questions.
    """

    def __init__(self, record: Record[Any], spotter: Spotter, sound: HeardSound, answer: Answer) -> None:
        self._record, self._spotter, self._sound, self._answer = record, spotter, sound, answer
        self._waiting: list[Utterance] = []
        self.asked: list[AskedCall] = []
        """The questions, in order."""

    def play(self, events: Sequence[MutableEvent | str]) -> None:
        """Plays the script's events; its own `heard` events are left out."""
        others = [one for one in events if isinstance(one, str) or one.get("event") != "heard"]
        landings = [t for one in others if _is_card(one) and (t := _time(one)) is not None]
        for event in others:
            t = _time(event)
            if t is not None:
                self._listen(t, landings)
                self._expire(t)
            if isinstance(event, dict) and t is not None and self._is_landing(event):
                self._land(event, t)
            else:
                self._push(event)
        self._listen(math.inf, landings)

    # --- inside -------------------------------------------------------------------------------------------

    def _listen(self, t: float, landings: Sequence[float]) -> None:
        """Handles the utterances that begin before `t`."""
        self._waiting += self._sound.until(t)
        while self._waiting and self._waiting[0].start < t:
            utterance = self._waiting.pop(0)
            after = bisect.bisect(landings, utterance.start)
            landing = landings[after] if after < len(landings) else None
            self._expire(utterance.start - self._spotter.dating_s)
            self._apply(
                self._spotter.observe(msgspec.structs.replace(utterance, landing=landing), self._view())
            )

    def _expire(self, t: float) -> None:
        """Deadlines before `t`: asks first, if something was said in time that may have been the call."""
        while (deadline := self._record.book.deadline(self._record.state)) is not None:
            if t <= deadline + TIME_TOLERANCE:
                return
            found = self._spotter.before_deadline(self._view())
            if isinstance(found, Fact):
                self._push(_rounded(found.event))
            elif not isinstance(found, Question) or found.source != "microphone" or not self._ask(found):
                return  # the rules count it with the event that comes next; no card is missing in a script

    def _land(self, event: MutableEvent, t: float) -> None:
        """A card, as the camera reports it."""
        seen = Sighting(str(event["card"]), 1.0, NOWHERE)
        landing = Landing(t, f"pile:{event['player']}", seen)
        for finding in self._spotter.observe(landing, self._view()):
            if not isinstance(finding, Fact) or finding.event["event"] != "card_played":
                self._apply([finding])
        self._push(event)

    def _is_landing(self, event: Event) -> bool:
        """Whether a camera could report a card so; any other event is judged as it is written."""
        if not _is_card(event):
            return False
        players = self._record.setup.players
        known = event.get("player") in players and isinstance(event.get("card"), str)
        played = self._record.book.kind_of(event) is not None
        return known and played and self._view().view["phase"] == "play"

    def _apply(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if isinstance(finding, Fact):
                self._push(_rounded(finding.event))
            elif isinstance(finding, Question) and finding.source == "microphone":
                self._ask(finding)

    def _ask(self, question: Question) -> bool:
        """Answers a question; returns whether an event followed."""
        event = question.options[0].events[0]
        right = right_words(self._view())
        heard = tuple(question.params.get("guess", ()))
        asked = AskedCall(round(float(event["start"]), 3), question.player, heard, right[0] if right else ())
        self.asked.append(asked)
        words = self._answer(asked)
        if words is None:
            return False
        self._push(_rounded({**event, "words": list(words)}))
        return True

    def _push(self, event: Event | str) -> Entry:
        before = self._view()
        entry = self._record.push(event)
        if entry.code is None:
            if entry.event["event"] in CORRECTIONS or entry.event["event"] == "position":
                self._spotter.reset()
            else:
                self._apply(self._spotter.follow(before, entry.event, self._view()))
        return entry

    def _view(self) -> GameView:
        record = self._record
        return GameView(
            players=record.setup.players,
            settings=record.setup.settings,
            view=record.book.view(record.state),
            offers=tuple(record.book.expects(record.state)),
            time=float,
            past=tuple(record.effective()),
            numbers=tuple(record.effective_numbers()),
            weigh=self._sound.weigh,
        )


def _is_card(event: Event | str) -> bool:
    return not isinstance(event, str) and event.get("event") == "card_played"


def _time(event: Event | str) -> float | None:
    """When the event happened; None without a time, or with an impossible one (the replay rejects it)."""
    if isinstance(event, str):
        return None
    try:
        return event_time(event) if isinstance(event.get("event"), str) else None
    except Rejected:
        return None


def _rounded(event: Mapping[str, Any]) -> MutableEvent:
    """The event with its times in thousandths of a second."""
    times = {name: round(event[name], 3) for name in ("t", "start", "end") if name in event}
    return {**event, **times}
