"""A table on which dice lie as well, and the deck that 13 Monsters is played with here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paths import ROOT
from companion import art
from companion.art.dice import STYLES, DiceCamera, draw_die
from companion.art.draw.raster import Pixels
from companion.art.scene import Placed, Scene, Truth
from companion.art.scene.camera import FOCAL, Points, project
from companion.vision.deck.enrol import enrol_pictures

GAME = "thirteen_monsters"
EDGE = 16.0
"""Millimetres."""
KEPT = ROOT / "build" / "evenings" / "decks" / GAME
DRAWN = 440
"""Pixels of a drawn card's height at enrolment."""


def die(value: int, x: float, y: float, yaw: float) -> Placed:
    """A die on the table; `yaw` in degrees."""
    return Placed(f"die {value}", x, y, yaw, size=(EDGE, EDGE))


def is_die(thing: Placed) -> bool:
    """Whether it is a die and no card."""
    return thing.label.startswith("die ")


class DiceScene(Scene):
    """Draws dice on top of the cards, in the light of their place."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._style = STYLES[
            str(np.random.default_rng(self._seed).choice(["white", "black", "red", "ivory"]))
        ]

    def lit(self, cards: Sequence[Placed]) -> Pixels:
        """See Scene."""
        picture = super().lit([card for card in cards if not is_die(card)])
        for thing in cards:
            if is_die(thing):
                self._draw(picture, thing)
        return picture

    def truth(self, cards: Sequence[Placed], hidden: NDArray[np.uint8] | None = None) -> tuple[Truth, ...]:
        """See Scene; dice are left out."""
        return super().truth([card for card in cards if not is_die(card)], hidden)

    def patch(self, card: Placed, quad: Points, lift: float = 0.0) -> Any:
        """See Scene; a die in a hand is not seen."""
        return None if is_die(card) else super().patch(card, quad, lift)

    def _draw(self, picture: Pixels, thing: Placed) -> None:
        view = self.view
        x, y = project(view, np.array([[thing.x, thing.y]]))[0]
        distance = FOCAL * view.width / view.scale / EDGE
        camera = DiceCamera.at(distance, math.radians(view.tilt), 0.0, (view.height, view.width), FOCAL)
        light = self.gain[min(round(y), view.height - 1), min(round(x), view.width - 1)]
        body, pips = (np.multiply(colour, light) for colour in (self._style.body, self._style.pips))
        style = replace(self._style, body=tuple(map(float, body)), pips=tuple(map(float, pips)))
        place = (thing.x / EDGE, -thing.y / EDGE)
        draw_die(picture, camera, style, int(thing.label.split()[1]), place, math.radians(thing.degrees))


def deck() -> str:
    """The folder of the deck, which is enrolled when it is first needed."""
    if not KEPT.is_dir():
        labels = art.card_labels(GAME)
        pictures = [art.draw_card(GAME, label, DRAWN) for label in labels]
        enrol_pictures(GAME, labels, pictures).deck.save(KEPT)
    return str(KEPT)
