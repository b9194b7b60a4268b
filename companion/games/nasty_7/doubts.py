"""Doubts by seat button: they accuse the latest call, at once or when it is known what was called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.observations import Press, Utterance
from companion.core.weighing import WeighedCall, fits
from companion.games.nasty_7.call_events import doubtful_event
from companion.games.nasty_7.call_listening import CallListening
from companion.games.nasty_7.top_card import caller, calls_made
from companion.games.spotter import (
    Fact,
    Finding,
    GameView,
    Option,
    Postponed,
    Question,
    Remark,
    right_words,
    seat_of,
    yes,
)

OTHER_CALL = "[unk]"
"""What a call is written down as of which only is known that it was not the right one."""


class Doubt(msgspec.Struct, frozen=True):
    """Some players doubt a call that is not judged yet. `t`: when they pressed, in s of the game; of a call
    whose card is asked for, when it was over."""

    by: tuple[str, ...]
    t: float


class CallDoubts:
    """Turns presses into accusations.

    A press while it is not known what was called asks the table whether the call was right, in place of the
    question that may be open already. The accusation follows the answer: false if the call was right (N7-25).
    Of a call that was not said to its end the rest is waited for first.
    A press behind a call without a card doubts that call: the table is asked for its card, at the press or
    before, and the doubt is kept until the card is known and its call was judged. If there was no such card,
    the press doubts the call of the top card.
    """

    def __init__(self) -> None:
        self._kept: Doubt | None = None

    def reset(self) -> None:
        """Earlier events were changed, or the time ran out: no call is doubted."""
        self._kept = None

    def next_card(self, t: float) -> None:
        """A card was played at `t` (s of the game): it lies on the call that was doubted before."""
        if self._kept is not None and self._kept.t < t:
            self._kept = None

    def pressed(self, press: Press, game: GameView, calls: CallListening) -> list[Finding]:
        """What follows from a press and those that came with it (N7-26).

        Args:
            press: of a seat button.
            game: when it was pressed.
            calls: what was heard until then.
        """
        missed = calls.missed_before(press.t, game)
        if isinstance(missed, Postponed):
            return [missed]
        doubt = _doubt(press, game, caller(game))
        before = [] if doubt is None or not game.offered("accused") else [_accusation(doubt, doubt.t)]
        sound = calls.without_card
        if sound is not None and sound.start <= press.t:
            self._kept = self._kept or _doubt(press, game, game.turn, sound)
            return [] if missed is None else [missed.question(tuple(one.event for one in before))]
        if doubt is None or before:
            return [*before]
        unjudged = calls.unjudged
        if unjudged is None or game.time(unjudged[0].start) > doubt.t:
            return [Remark("nothing_to_accuse", {})]
        if not right_words(game):
            return []  # a gun: the open question decides whether anything was said
        self._kept = doubt
        if [list(one["words"]) for one in calls_made(game)][-1:] == [list(unjudged[1].said)]:
            return []  # what was heard is the beginning of the call
        return [_question(doubt, *unjudged, game)]

    def before_deadline(
        self, found: Fact | Question | Postponed | None, game: GameView, calls: CallListening
    ) -> Fact | Question | Postponed | None:
        """What is done before the time for a call runs out: one that was doubted is never just accepted.

        Args:
            found: what would be done without the doubt.
            game: when the time runs out.
            calls: what was heard until then.
        """
        unjudged = calls.unjudged
        judged = not isinstance(found, Fact | Question) or not right_words(game)
        if self._kept is None or judged or unjudged is None:
            return found
        return _question(self._kept, *unjudged, game)

    def heard(self, event: Mapping[str, Any], after: GameView) -> list[Finding]:
        """The accusation that was kept until the call was judged; none if that settled it already, or if the
        call began after the press."""
        kept = self._kept
        if kept is None or right_words(after):
            return []
        self._kept = None
        began = min(float(one["start"]) for one in (*calls_made(after), event))
        if not after.offered("accused") or kept.t < began:
            return []
        return [_accusation(kept, max(kept.t, float(event["end"])))]


def _doubt(press: Press, game: GameView, of: str | None, sound: Utterance | None = None) -> Doubt | None:
    """The doubt of a call of one player; None if nobody else pressed. `sound`: the call, if its card is asked
    for, while the time stands still."""
    by: dict[str, float] = {}
    for one in (press, *press.beside):
        player = seat_of(one.button, game.players)
        if player is not None and player != of:
            by.setdefault(player, one.t)
    if not by:
        return None
    return Doubt(tuple(by), game.time(min(by.values()) if sound is None else sound.end))


def _accusation(doubt: Doubt, t: float) -> Fact:
    return Fact({"event": "accused", "by": list(doubt.by), "t": t}, "buttons")


def _question(doubt: Doubt, utterance: Utterance, weighed: WeighedCall, game: GameView) -> Question:
    """Asks whether the call was right. The game waits for the answer: the pile is at stake."""
    event, right = doubtful_event(utterance, weighed, game), right_words(game)
    said = [word for one in calls_made(game) for word in one["words"]]
    misfit = bool(weighed.words) and not fits(weighed.said, right)
    other = list(weighed.said) if misfit else [OTHER_CALL]
    return Question(
        "doubted_call",
        {"by": list(doubt.by), "player": caller(game), "words": [*said, *right[0]]},
        (yes({**event, "words": list(right[0])}), Option("no", ({**event, "words": other},), words=("no",))),
        "microphone",
        caller(game),
        evidence=utterance.evidence,
        instead=True,
    )
