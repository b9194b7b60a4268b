"""Habits of the players: how fast, how carelessly and how wrongly they play, drawn from a seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bench.evenings.script import Rng
from companion.art.scene import Placed
from companion.art.scene.moves import LayMove, Move, Push, Reach

Manner = Literal["put", "slid", "dropped"]
MANNERS: tuple[tuple[Manner, float], ...] = (("put", 0.78), ("slid", 0.1), ("dropped", 0.12))
CROOKED = 22.0
"""Standard deviation in degrees of a card laid crooked; otherwise it is 5."""


@dataclass(frozen=True)
class Habits:
    """Chances (0 to 1) that a player does something when there is an opportunity.

    `pace`: the player's times are multiplied by it.
    """

    pace: float
    hesitates: float
    shouts_early: float
    crooked: float
    pushes: float
    takes_back: float
    reaches: float
    lets_lie: float
    """The hand stays on the card."""
    errs: float
    early_s: float = 0.25
    """Who shouts early begins at most so many seconds before the card is down."""


def drawn(rng: Rng) -> Habits:
    """The habits of one player."""
    return Habits(
        pace=float(rng.uniform(0.85, 1.3)),
        hesitates=float(rng.uniform(0.02, 0.15)),
        shouts_early=float(rng.uniform(0.0, 0.15)),
        crooked=float(rng.uniform(0.02, 0.25)),
        pushes=float(rng.uniform(0.0, 0.08)),
        takes_back=float(rng.uniform(0.0, 0.04)),
        reaches=float(rng.uniform(0.0, 0.1)),
        lets_lie=float(rng.uniform(0.02, 0.12)),
        errs=float(rng.uniform(0.01, 0.08)),
    )


@dataclass(frozen=True)
class Laying:
    """A card that is laid: the move, and its circumstances in words."""

    move: LayMove
    moment: str


def lay(
    rng: Rng, habits: Habits, card: Placed, t: float, seat: float, careless: tuple[float, float] = (4.0, 5.0)
) -> Laying:
    """The move that lays a card near its place, as this player does it.

    Args:
        card: where it is meant to lie.
        seat: the direction from which the hand comes, degrees.
        careless: standard deviations of its place (mm) and its turn (degrees).
    """
    crooked = rng.random() < habits.crooked
    turn = CROOKED if crooked else careless[1]
    off = rng.normal(0, (careless[0], careless[0], turn))
    names, chances = zip(*MANNERS, strict=True)
    manner: Manner = names[int(rng.choice(len(names), p=chances))]
    stays = rng.random() < habits.lets_lie
    rest = float(rng.uniform(0.9, 1.6) if stays else rng.uniform(0.08, 0.35))
    laid = Placed(
        card.label,
        card.x + float(off[0]),
        card.y + float(off[1]),
        card.degrees + float(off[2]),
        card.copy,
        card.shown,
        card.size,
    )
    moment = "laid crooked" if crooked else "hand stays on it" if stays else f"card {manner}"
    return Laying(LayMove(t, laid, seat, rest, manner), moment)


def fidgets(rng: Rng, habits: Habits, cards: list[Placed], t: float, seat: float) -> list[Move]:
    """Moves that mean nothing from `t` on: a hand that reaches across, a card that is pushed (it is moved in
    `cards` as well)."""
    moves: list[Move] = []
    if rng.random() < habits.reaches:
        x, y = float(rng.uniform(-120, 120)), float(rng.uniform(-60, 60))
        moves.append(Reach(t, x, y, seat, float(rng.uniform(0.2, 0.8))))
    elif cards and rng.random() < habits.pushes:
        card = cards[-1]
        turn = float(rng.uniform(0, 2 * math.pi))
        far = float(rng.uniform(5, 22))
        to = Placed(
            card.label,
            card.x + far * math.cos(turn),
            card.y + far * math.sin(turn),
            card.degrees + float(rng.normal(0, 8)),
            card.copy,
            card.shown,
            card.size,
        )
        moves.append(Push(t, card, to, seat, float(rng.uniform(0.3, 0.6))))
        cards[-1] = to
    return moves


def seats(count: int) -> tuple[float, ...]:
    """The directions of so many seats, degrees clockwise from the right of the picture; the first is its
    lower side."""
    return tuple((90.0 + 360.0 * i / count) % 360.0 for i in range(count))
