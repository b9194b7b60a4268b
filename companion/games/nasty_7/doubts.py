"""Doubts by seat button: they accuse the latest call, at once or when it is known what was called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.observations import Press, Utterance
from companion.core.weighing import WeighedCall, fits
from companion.games.nasty_7.call_listening import caller, doubtful_event
from companion.games.spotter import (
    Fact,
    Finding,
    GameView,
    Option,
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
    A press while the table is asked for which card a call was made doubts that call: it is kept until the
    card is known and its call was judged.
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

    def pressed(
        self,
        press: Press,
        game: GameView,
        unjudged: tuple[Utterance, WeighedCall] | None,
        without_card: Utterance | None,
    ) -> list[Finding]:
        """What follows from a press and those that came with it (N7-26).

        Args:
            press: of a seat button.
            game: when it was pressed.
            unjudged: the sound that may have been the call of the top card; None without one.
            without_card: the call of the next card, for which the table is asked; None without one.
        """
        missed = without_card is not None and without_card.start <= press.t
        doubted = game.turn if missed else caller(game)
        by: dict[str, float] = {}
        for one in (press, *press.beside):
            player = seat_of(one.button, game.players)
            if player is not None and player != doubted:
                by.setdefault(player, one.t)
        if not by:
            return []
        if missed and without_card is not None:  # the time has stood still since the table was asked
            self._kept = self._kept or Doubt(tuple(by), game.time(without_card.end))
            return []
        doubt = Doubt(tuple(by), game.time(min(by.values())))
        if game.offered("accused"):
            return [_accusation(doubt, doubt.t)]
        if unjudged is None or game.time(unjudged[0].start) > doubt.t:
            return [Remark("nothing_to_accuse", {})]
        if not right_words(game):
            return []  # a gun: the open question decides whether anything was said
        self._kept = doubt
        return [_question(doubt, *unjudged, game)]

    def heard(self, event: Mapping[str, Any], after: GameView) -> list[Finding]:
        """The accusation that was kept until the call was judged; none if that settled it already, or if the
        call began after the press."""
        kept = self._kept
        if kept is None or right_words(after):
            return []
        self._kept = None
        if not after.offered("accused") or kept.t < event["start"]:
            return []
        return [_accusation(kept, max(kept.t, float(event["end"])))]


def _accusation(doubt: Doubt, t: float) -> Fact:
    return Fact({"event": "accused", "by": list(doubt.by), "t": t}, "buttons")


def _question(doubt: Doubt, utterance: Utterance, weighed: WeighedCall, game: GameView) -> Question:
    """Asks whether the call was right. The game waits for the answer: the pile is at stake."""
    event, right = doubtful_event(utterance, weighed, game), right_words(game)
    misfit = bool(weighed.words) and not fits(weighed.said, right)
    other = list(weighed.said) if misfit else [OTHER_CALL]
    return Question(
        "doubted_call",
        {"by": list(doubt.by), "player": caller(game), "words": list(right[0])},
        (yes({**event, "words": list(right[0])}), Option("no", ({**event, "words": other},), words=("no",))),
        "microphone",
        caller(game),
        evidence=utterance.evidence,
        instead=True,
    )
