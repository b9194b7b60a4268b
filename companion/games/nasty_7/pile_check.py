"""Compares the pile that the camera sees with the record: who takes it, and whether it was taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.events import Event
from companion.games.spotter import (
    NONE_OF_THESE,
    Finding,
    GameView,
    Option,
    Question,
    Remark,
    Resolved,
    right_words,
)

TAKEN = 2
"""So many cards of a larger pile must have gone before it counts as picked up: one alone may be turned over
or pushed aside."""
LATE_CARD_S = 3.0
"""A card that falls within so many seconds after its time had run out is the card that was too late, if the
pile still lies there: nobody takes a pile and begins a round in less."""


class PileCheck:
    """What has become of the pile since the round began."""

    def __init__(self) -> None:
        self._gone = 0
        self._asked: Question | None = None
        self._sees_removals = False
        self._left_by: tuple[str, int] | None = None
        self._ran_out: float | None = None

    def is_late_card(self, t: float) -> bool:
        """Whether a card that came down at the game's time `t` belongs to the pile that is to be taken."""
        ran_out = self._ran_out
        return self._left_by is not None and ran_out is not None and 0 <= t - ran_out < LATE_CARD_S

    def landed(self) -> list[Question | Remark | Resolved]:
        """A card came down on the pile. If the pile of the round before was not taken, it lies below."""
        lying, self._left_by, self._gone = self._left_by, None, 0
        if lying is None or not self._sees_removals:
            return []
        return [Remark("pile_not_taken", {"player": lying[0], "count": lying[1]})]

    def removed(self, game: GameView, evidence: str) -> list[Question | Remark | Resolved]:
        """A card of the pile is gone."""
        self._sees_removals = True
        self._gone += 1
        if self._left_by is not None:
            self._left_by = None
            self._gone = 0
            return []
        if not game.view["pile"] or self._gone < min(TAKEN, game.view["pile"]):
            return []
        self._asked = who_takes_it(game, evidence)
        return [self._asked]

    def asked_again(self, game: GameView, evidence: str, mistakes: Mapping[str, Event]) -> list[Finding]:
        """The question who takes the pile, if a player who does has made a mistake that is not on the record:
        the event of each of `mistakes` puts it there."""
        self._asked = who_takes_it(game, evidence, mistakes)
        return [self._asked]

    def followed(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> list[Question | Remark | Resolved]:
        """An event was accepted. With a new round the pile belongs to whoever made the mistake."""
        asked = self._asked
        if before.view["round"] == after.view["round"]:
            if asked is None:
                return []
            self._asked = who_takes_it(after, asked.evidence)
            return [self._asked]
        taken_already = self._gone > 0
        self._asked, self._gone = None, 0
        stacks = before.view["stack"]
        more = {player: cards - stacks[player] for player, cards in after.view["stack"].items()}
        takers = [player for player, cards in more.items() if cards > 0]
        self._left_by = None if taken_already or len(takers) != 1 else (takers[0], more[takers[0]])
        card_was_due = event["event"] == "time_passed" and not right_words(before)
        self._ran_out = float(event["t"]) if card_was_due else None
        return [] if asked is None else [Resolved(asked.about)]

    def corrected(self) -> None:
        """Earlier events were changed: what was asked is out of date."""
        self._asked, self._left_by, self._gone, self._ran_out = None, None, 0, None


def who_takes_it(game: GameView, evidence: str, mistakes: Mapping[str, Event] | None = None) -> Question:
    """Asks who takes the pile that somebody picked up without a known mistake. `mistakes`: the events that
    say what some of the players have done if they take it."""

    def taken(player: str) -> Event:
        return {"event": "position", "state": taken_by(player, game.view, game.settings)}

    known = {**{player: taken(player) for player in game.players}, **(mistakes or {})}
    options = tuple(Option(player, (known[player],), words=(player,)) for player in game.players)
    return Question(
        "who_takes_pile",
        {},
        (*options, NONE_OF_THESE),
        "camera",
        about=f"pile of round {game.view['round']}",
        stays=True,
        pauses=True,
        evidence=evidence,
    )


def taken_by(player: str, view: Mapping[str, Any], settings: Any) -> dict[str, Any]:
    """The position after a player took the pile: that player starts the next round (N7-17)."""
    stack = dict(view["stack"])
    stack[player] += view["pile"]
    return {
        "round": view["round"] + 1,
        "turn": player,
        "skipped": None,
        "count": 0,
        "next_number": 1,
        "sound": None if settings.nasty_rules else list(settings.sound),
        "stack": stack,
        "pile": 0,
        "call": None,
    }
