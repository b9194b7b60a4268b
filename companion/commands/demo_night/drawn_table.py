"""What the camera sees of a programme's games: each has its own table, light and hands.

While nothing moves two pictures alternate that differ in their noise only: drawing one takes longer than
looking at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import cos, radians, sin

import numpy as np

from companion import art
from companion.art.dice import STYLES, DiceCamera, draw_die
from companion.art.draw.raster import Pixels
from companion.art.scene import Conditions, Placed, Scene, View, display, fitted, scattered
from companion.art.scene.camera import FOCAL
from companion.art.scene.lattice import triangle
from companion.art.scene.play import ENTER, HOVER, LEAVE, LayMove, Move, Performance, Push, Reach, Take
from companion.commands.demo_night.programme import (
    Clear,
    Photograph,
    PhotographTiles,
    Place,
    PlaceCard,
    TakeAway,
    ThrowDice,
    TurnOver,
)
from companion.commands.demo_night.stage import BETWEEN_S, SEATS, Scheduled

WOOD = Conditions(
    "wood",
    0.95,
    (0.93, 1.0, 1.06),
    0.25,
    shadow=0.2,
    shadow_edge=5,
    blur=0.5,
    noise=2.5,
    jpeg=92,
    worn=0.5,
)
"""A warm lamp over wood."""
CLOTH = Conditions(
    "cloth",
    1.05,
    (1.05, 1.0, 0.96),
    0.35,
    shadow=0.15,
    shadow_edge=6,
    blur=0.6,
    noise=3.0,
    jpeg=92,
    worn=0.5,
)
"""A cooler one over cloth."""
PHONE_LIGHT = Conditions("wood", 1.0, (0.95, 1.0, 1.04), 0.2, blur=0.5, noise=2.0, jpeg=92, worn=0.5)
NEAR = View(width=1280, height=720, span=620.0, tilt=14.0, bend=-0.02)
WIDE = View(width=1280, height=720, span=820.0, tilt=6.0, bend=-0.01)
FIELD = View(width=1600, height=900, x=105.0, span=980.0, tilt=8.0)
"""The field of 13 Monsters fills the picture's height; the dice lie to its right."""
LOOKS: dict[str, tuple[View, Conditions]] = {
    "seven_merry_monsters": (WIDE, WOOD),
    "nasty_7": (NEAR, CLOTH),
    "trio_monsters": (NEAR, CLOTH),
    "thirteen_monsters": (FIELD, WOOD),
    "bugs_and_co": (NEAR, WOOD),
}
PITCH = (48.0, 60.0)
"""Millimetres from one card of the field to the next, across and down."""
DICE_AT = ((445.0, -150.0), (520.0, -90.0), (450.0, -10.0), (530.0, 50.0), (460.0, 120.0))
"""Where the dice come to rest, mm."""
DIE_MM = 16.0
DIE = replace(STYLES["white"], gloss=0.0)
"""A die in which no lamp is mirrored."""
TURN_S = 0.5
"""Seconds in which a card of the field is turned over."""
THROW_S = 0.6
"""Seconds that a hand is over the dice before they lie."""
CALM_S = 0.5
"""Seconds after a movement after which two pictures alternate."""
SET_OUT_S = 2.0
"""The cards of a game are on the table so long before it is started, so that the table is at rest then."""
SEED = 11


@dataclass
class DrawnTable:
    """One game's table as the camera sees it."""

    game: Scheduled
    rng: np.random.Generator
    performance: Performance = field(init=False)

    def __post_init__(self) -> None:
        plan = self.game.plan
        self.view, light = LOOKS[plan.game]
        self._size = art.card_size(plan.game)
        self._lying: dict[Place, Placed] = {
            **{at: triangle(card, at, self.rng) for at, card in plan.lattice.items()},
            **{at: self._covered(at) for at in plan.covered},
        }
        scene = Scene(plan.game, self.view, light, self.rng)
        start = tuple(self._lying.values())
        self.performance = Performance(scene, list(self._moves()), self.rng, start)
        self._throws = [(t, step.values) for t, step in self.game.steps if isinstance(step, ThrowDice)]
        self._still: dict[tuple[object, ...], Pixels] = {}
        self._count = 0

    def picture(self, t: float) -> Pixels:
        """The camera's picture at a moment of the evening."""
        if self._moves_at(t):
            return self._drawn(t)
        self._count += 1
        key = (self.performance.cards(t), self._dice(t), self._count % 2)
        if key not in self._still:
            self._still = {known: image for known, image in self._still.items() if known[:2] == key[:2]}
            self._still[key] = self._drawn(t)
        return self._still[key]

    def _drawn(self, t: float) -> Pixels:
        image = self.performance.frame(t).image
        dice = self._dice(t)
        if not dice:
            return image
        canvas = image.copy()
        edges = FOCAL * self.view.width / self.view.scale / DIE_MM
        size = (self.view.height, self.view.width)
        camera = DiceCamera.at(edges, radians(self.view.tilt), 0.0, size, FOCAL)
        for number, (value, (x, y)) in enumerate(zip(dice, DICE_AT, strict=True)):
            place = ((x - self.view.x) / DIE_MM, -(y - self.view.y) / DIE_MM)
            draw_die(canvas, camera, DIE, value, place, 0.6 * number + 0.1 * sum(dice))
        return canvas

    def _dice(self, t: float) -> tuple[int, ...]:
        """The dice on the table: none before the first throw and while they are in a hand."""
        lying: tuple[int, ...] = ()
        for thrown, values in self._throws:
            if t >= thrown - THROW_S:
                lying = values if t >= thrown else ()
        return lying

    def _moves_at(self, t: float) -> bool:
        """Whether something moves, or has moved just now."""
        return any(
            move.t - ENTER - HOVER < t < move.t + getattr(move, "rest", 0.2) + LEAVE + CALM_S
            for move in self.performance.moves
        )

    # --- moves --------------------------------------------------------------------------------------------

    def _moves(self) -> Iterator[Move]:
        middle: list[Placed] = []
        copies: dict[str, int] = {}
        for t, step in self.game.steps:
            match step:
                case PlaceCard():
                    copies[step.label] = copies.get(step.label, -1) + 1
                    card = self._card(step, copies[step.label])
                    if step.at is None:
                        middle.append(card)
                    else:
                        self._lying[step.at] = card
                    yield LayMove(t, card, self._seat(step.player))
                case Clear():
                    yield Take(t, tuple(middle), self._seat(step.player))
                    middle.clear()
                case TakeAway():
                    cards = tuple(self._lying.pop(at) for at in step.places)
                    yield Take(t, cards, self._seat(step.player))
                case TurnOver():
                    before = self._lying[step.at]
                    face = Placed(step.label, before.x, before.y, before.degrees, size=before.size)
                    self._lying[step.at] = face
                    yield Push(t - TURN_S, before, face, self._seat(step.player), TURN_S)
                case ThrowDice():
                    x, y = np.mean(DICE_AT, axis=0)
                    yield Reach(t - THROW_S, float(x), float(y), 0.0, THROW_S / 2)
                case _:
                    pass

    def _card(self, step: PlaceCard, copy: int) -> Placed:
        """The card on the table: in a trick every player has a place, a pile has one place."""
        if step.at is not None and self.game.plan.lattice:
            return triangle(step.label, step.at, self.rng, copy=copy + 1)
        seat = self._seat(step.player)
        off = self.rng.normal(0, 4.0, 3)
        if step.at is not None:
            turn = 0.0 if seat == SEATS[0] else 180.0
            return Placed(step.label, *step.at, turn + off[2] / 2, copy, size=self._size)
        reach = self.game.plan.reach_mm
        x, y = cos(radians(seat)) * reach, sin(radians(seat)) * reach
        return Placed(step.label, x + off[0], y + off[1], seat - 90.0 + off[2], copy, size=self._size)

    def _covered(self, at: Place) -> Placed:
        """A card of the field, face down; each is a print of its own."""
        off = self.rng.normal(0, 1.0, 3)
        x, y = (at[1] - 4) * PITCH[0] + off[0], (at[0] - 4) * PITCH[1] + off[1]
        label = art.card_labels(self.game.plan.game)[0]
        return Placed(label, x, y, off[2], at[0] * 9 + at[1], shown=False, size=self._size)

    def _seat(self, player: str) -> float:
        return SEATS[self.game.plan.players.index(player)]


def pictures(tables: list[DrawnTable], fps: float) -> Iterator[tuple[float, Pixels]]:
    """(seconds of the evening, picture of the camera), until the last game has ended."""
    end = tables[-1].game.end + BETWEEN_S
    for number in range(int(end * fps)):
        t = number / fps
        table = next((one for one in reversed(tables) if one.game.start - SET_OUT_S <= t), tables[0])
        yield t, table.picture(t)


def photograph(step: Photograph | PhotographTiles, game: str) -> Pixels:
    """A phone's picture of a player's display or tiles."""
    rng = np.random.default_rng([SEED, *step.player.encode()])
    if isinstance(step, Photograph):
        cards = display(step.columns, rng)
        view = fitted(cards, View(width=1600, height=1200, tilt=12.0))
    else:
        labels = [label for label, count in step.tiles.items() for _ in range(count)]
        size = art.card_size(game)
        cards = scattered(labels, rng, across=260.0, down=190.0, size=size)
        view = fitted(cards, View(width=1600, height=1200, tilt=6.0), margin=0.1)
    return Scene(game, view, PHONE_LIGHT, rng).render(cards).image
