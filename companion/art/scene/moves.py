"""What happens on a table in a performance: cards laid, taken and pushed, hands, knocks, lamps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.art.scene.layouts import Placed

REST = 0.18
"""Seconds that a hand is at rest on a card."""
ROLL = 0.35
"""Seconds that thrown dice roll."""


@dataclass(frozen=True)
class LayMove:
    """At `t` the card touches the table, laid by the player at `seat`.

    Seats are degrees clockwise from the right of the picture: 90 = the reader's side. `rest`: seconds that
    the hand stays on the card. `manner`: `put` comes down as it arrives, `slid` lies flat on the table all
    the way, `dropped` falls from a hand that stops above the place.
    """

    t: float
    card: Placed
    seat: float = 90.0
    rest: float = REST
    manner: Literal["put", "slid", "dropped"] = "put"


@dataclass(frozen=True)
class Take:
    """At `t` the player at `seat` grips these cards and takes them away."""

    t: float
    cards: tuple[Placed, ...]
    seat: float = 90.0


@dataclass(frozen=True)
class Throw:
    """At `t` the player at `seat` lets dice go above the table; after `ROLL` seconds they lie there."""

    t: float
    cards: tuple[Placed, ...]
    seat: float = 90.0


@dataclass(frozen=True)
class Reach:
    """A hand comes to (x, y), rests there for `rest` seconds from `t` and leaves; nothing is laid."""

    t: float
    x: float
    y: float
    seat: float = 90.0
    rest: float = 0.4


@dataclass(frozen=True)
class Push:
    """From `t` on, for `seconds`, the player at `seat` pushes a card that lies there to where `to` lies."""

    t: float
    card: Placed
    to: Placed
    seat: float = 90.0
    seconds: float = 0.5

    @property
    def rest(self) -> float:
        """The hand leaves when the push is over."""
        return self.seconds

    def at(self, t: float) -> Placed:
        """The card on its way."""
        part = min(1.0, max(0.0, (t - self.t) / self.seconds))
        one, other = self.card, self.to
        x, y = one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part
        return replace(other, x=x, y=y, degrees=one.degrees + (other.degrees - one.degrees) * part)


@dataclass(frozen=True)
class Wave:
    """A hand comes to (x, y) at `t` and waves there, above the table, for `rest` seconds; it goes `swing` mm
    to either side."""

    t: float
    x: float
    y: float
    seat: float = 90.0
    rest: float = 2.0
    swing: float = 90.0


@dataclass(frozen=True)
class Knock:
    """Somebody knocks the table at `t`: the picture shakes by up to `size` pixels."""

    t: float
    size: float = 4.0


@dataclass(frozen=True)
class LightChange:
    """From `t` on the light is multiplied by `gain`."""

    t: float
    gain: float


Move = LayMove | Take | Throw | Reach | Push | Wave | Knock | LightChange
