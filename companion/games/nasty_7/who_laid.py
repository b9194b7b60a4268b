"""Who laid a card: the player on turn, or the one who should have skipped (N7-20).

Both lay the same cards, but their arms come from different sides of the table. From where each player's arm
comes is learnt from the cards that the record says they laid; who is corrected there is learnt anew.

The density of a player's next direction is the mean of normal densities round the earlier ones and of a
uniform one, as in a Dirichlet process (D. Blackwell and J. MacQueen, 1973): of a player who has laid nothing
yet every direction is as probable.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.core.events import Event

SPREAD = 15.0
"""Degrees by which an arm comes from elsewhere when its player lays the next card."""
NEVER_SEEN = 0.2
"""Weight of the directions from which a player's arm never came, in cards laid."""
OUT_OF_TURN = 0.05
"""Share of the cards laid by a player who should have skipped, before the arm is looked at."""


class DoubtfulCard(msgspec.Struct, frozen=True):
    """A card that `skipped` may have laid, who should have skipped, and not the player on turn."""

    event: Event
    """The card as one of the player on turn."""
    moment: float
    """When it came down, in s of the clock."""
    skipped: str
    out_of_turn: float
    """The probability, by the arm that laid it."""

    @property
    def as_skipped(self) -> Event:
        """The card as one of the player who should have skipped."""
        return {**self.event, "player": self.skipped}


class WhoLaid:
    """The directions of the arms that laid the cards of a game."""

    def __init__(self) -> None:
        self._directions: dict[float, float] = {}

    def saw(self, t: float, direction: float | None) -> None:
        """The card of the event at `t` (s of the game) was laid by an arm from this direction, in degrees;
        None: it was not seen."""
        if direction is not None:
            self._directions[t] = direction

    def out_of_turn(
        self, direction: float | None, turn: str, skipped: str, past: Iterable[Mapping[str, Any]]
    ) -> float:
        """The probability that `skipped` laid a card, and not the player on `turn`.

        Args:
            direction: of the arm that laid it.
            turn: name of the player on turn.
            skipped: name of the player who should skip.
            past: the events that count until then.
        """
        if direction is None:
            return 0.0
        came: dict[str, list[float]] = {turn: [], skipped: []}
        for event in past:
            if event["event"] == "card_played" and event["player"] in came:
                known = self._directions.get(float(event.get("t", math.nan)))
                came[event["player"]] += [] if known is None else [known]
        wrong = OUT_OF_TURN * _density(direction, came[skipped])
        right = (1.0 - OUT_OF_TURN) * _density(direction, came[turn])
        return wrong / (wrong + right)


def _density(direction: float, earlier: list[float]) -> float:
    """How probable an arm's direction is for a player, for each degree, after the earlier ones."""
    never = NEVER_SEEN / 360.0
    peaks = sum(math.exp(-0.5 * (_apart(direction, one) / SPREAD) ** 2) for one in earlier)
    return (never + peaks / (SPREAD * math.sqrt(2.0 * math.pi))) / (NEVER_SEEN + len(earlier))


def _apart(one: float, other: float) -> float:
    """Degrees between two directions, 0 to 180."""
    return abs((one - other + 180.0) % 360.0 - 180.0)
