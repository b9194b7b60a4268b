"""The spotter of games that are played with phones, buttons and calls, without a camera."""

from __future__ import annotations

from typing import Any

from companion.core.observations import Press, Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall
from companion.games.spotter import (
    Expectation,
    Fact,
    Finding,
    GameView,
    Observed,
    Postponed,
    Spotter,
    right_words,
    seat_of,
)

REFEREE_BUTTON = "referee"
"""The button that belongs to no seat."""


class GenericSpotter(Spotter):
    """Every utterance becomes `heard`. A seat button becomes the only offered event that needs no field
    except that player (and a time); it is ignored if there is none, or more than one.
    """

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        match observed:
            case Utterance():
                return self._heard(observed, game)
            case Press():
                return self._pressed(observed, game)
            case _:
                return []

    def _heard(self, utterance: Utterance, game: GameView) -> list[Finding]:
        if not game.offered("heard"):
            return []
        weighed = game.weigh(utterance, CallDue())
        if weighed is None:
            return [Postponed()]
        if not weighed.words or weighed.right + weighed.wrong < EVEN:
            return []
        return [Fact(heard(utterance, weighed, game), "microphone")]

    def _pressed(self, press: Press, game: GameView) -> list[Finding]:
        player = seat_of(press.button, game.players)
        t = game.time(press.t)
        candidates = []
        for offer in game.offers:
            required = {name for name in offer.fields if name not in offer.optional}
            event: dict[str, object] = {"event": offer.event}
            if "player" in required and player is not None:
                event["player"] = player
            if "t" in offer.fields or required <= {"player"}:
                event["t"] = t
            if required <= set(event) and offer.matches(event) and offer.event != "time_passed":
                candidates.append(event)
        by_seat = [event for event in candidates if ("player" in event) == (player is not None)]
        if player is None and press.button != REFEREE_BUTTON:
            return []
        return [Fact(dict(by_seat[0]), "buttons")] if len(by_seat) == 1 else []

    def immediate(self, game: GameView) -> bool:
        """The companion's own countdown (Bugs & Co) expires without waiting for observations."""
        return game.view.get("phase") == "countdown" and not right_words(game)

    def expectation(self, game: GameView) -> Expectation:
        return Expectation(cards=frozenset())


def heard(utterance: Utterance, weighed: WeighedCall, game: GameView) -> dict[str, Any]:
    """The event `heard` of an utterance, in the time of the game."""
    words = weighed.words
    start, end = (words[0].start, words[-1].end) if words else (utterance.start, utterance.end)
    return {
        "event": "heard",
        "words": list(weighed.said),
        "start": game.time(start),
        "end": game.time(max(start, end)),
    }
