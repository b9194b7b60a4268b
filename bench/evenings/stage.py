"""The table as its camera sees it: a performance that grows beat by beat, in the light of an evening.

Once the light falls at sunset, and once the camera is bumped. While nothing moves the table is drawn twice
only, each time with other noise: the tracker compares pictures, it must not get the same one for ever.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bench.evenings.script import Rng, Script
from companion.art.draw.raster import Pixels
from companion.art.scene import Placed, Scene, View, random_conditions
from companion.art.scene.moves import Knock, LightChange, Move
from companion.art.scene.play import ENTER, HOVER, LEAVE, Performance

SIZE = (1280, 720)
BUSY_S, CALM_S, QUIET_S = 1 / 15, 1 / 10, 1 / 3
"""Seconds between two pictures: while something moves, within a second after it, and later."""
AFTER_S = 1.2
"""Seconds after a movement in which the table may still be settling."""
SHADES = 24
"""Steps in which the light falls."""


@dataclass(frozen=True)
class Trouble:
    """What happens to light and camera: seconds of the evening, None: not on this one."""

    sunset: tuple[float, float] | None
    bump: float | None
    hardness: float


def drawn(rng: Rng, seconds: float) -> Trouble:
    """The trouble of one evening of about this length."""
    sunset = (float(rng.uniform(0.2, 0.5)) * seconds, float(rng.uniform(0.55, 0.9)))
    return Trouble(
        sunset=sunset if rng.random() < 0.4 else None,
        bump=float(rng.uniform(0.3, 0.9)) * seconds if rng.random() < 0.25 else None,
        hardness=float(rng.uniform(0.15, 0.6)),
    )


class Stage:
    """What the camera sees at any moment; `add` moves, then ask for pictures of later moments."""

    def __init__(self, script: Script, trouble: Trouble, rng: Rng, scene: type[Scene] = Scene) -> None:
        view = View(
            *SIZE,
            span=script.span,
            tilt=float(rng.uniform(0, script.tilt)),
            bend=float(rng.uniform(-0.02, 0)),
        )
        light = random_conditions(rng, trouble.hardness)
        self._trouble = trouble
        self._performance = Performance(scene(script.game, view, light, rng), (), rng, script.start)
        self._warm = np.array([1 - 0.25 * k / SHADES for k in range(SHADES + 1)])
        self._bumped = _slide(rng)
        self._still: dict[tuple[object, ...], Pixels] = {}
        self._count = 0

    def add(self, moves: Sequence[Move], start: float) -> None:
        """Moves whose times are seconds since `start`."""
        shifted = (replace(move, t=move.t + start) for move in moves)
        known = self._performance.moves
        self._performance.moves = tuple(sorted((*known, *shifted), key=lambda move: move.t))

    def cards(self, t: float) -> tuple[Placed, ...]:
        """What lies on the table."""
        return self._performance.cards(t)

    def wait_s(self, t: float) -> float:
        """Seconds until the next picture is worth taking."""
        since = min((_since(move, t) for move in self._performance.moves), default=math.inf)
        return BUSY_S if since <= 0 else CALM_S if since < AFTER_S else QUIET_S

    def picture(self, t: float) -> Pixels:
        """The picture of the moment `t`."""
        if any(_since(move, t) <= 0 for move in self._performance.moves):
            return self._seen(self._performance.frame(t).image, t)
        self._count += 1
        key = (
            self._performance.cards(t),
            self._count % 2,
            self._shade(t),
            self._is_bumped(t),
            _gains(self._performance, t),
        )
        if key not in self._still:
            if len(self._still) > 8:
                self._still.clear()
            self._still[key] = self._seen(self._performance.frame(t).image, t)
        return self._still[key]

    def _seen(self, image: Pixels, t: float) -> Pixels:
        """The picture in the light, and from the place of the camera, of this moment."""
        shade = self._shade(t)
        if shade and self._trouble.sunset is not None:
            dark = 1 - (1 - self._trouble.sunset[1]) * shade / SHADES
            gains = np.array([dark * self._warm[shade], dark * (0.5 + 0.5 * self._warm[shade]), dark])
            levels = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
            image = np.asarray(cv2.LUT(image, levels.reshape(1, 256, 3)), np.uint8)
        if self._is_bumped(t):
            image = np.asarray(
                cv2.warpAffine(image, self._bumped, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        return image

    def _shade(self, t: float) -> int:
        """How far the sun has set, 0 to SHADES; it takes a minute."""
        if self._trouble.sunset is None:
            return 0
        return int(np.clip((t - self._trouble.sunset[0]) / 60.0, 0, 1) * SHADES)

    def _is_bumped(self, t: float) -> bool:
        return self._trouble.bump is not None and t >= self._trouble.bump


def _slide(rng: Rng) -> np.ndarray:
    """The camera after the bump: some pixels aside and a little turned."""
    turn, slide = float(rng.normal(0, 0.4)), rng.uniform(-14, 14, 2)
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    matrix[:, 2] += slide
    return np.asarray(matrix)


def _since(move: Move, t: float) -> float:
    """Seconds since the move was over; 0 or less while it goes on, infinite before."""
    if isinstance(move, LightChange):
        return math.inf if t < move.t else t - move.t
    rest = getattr(move, "rest", 0.2)
    if t < move.t - ENTER - HOVER:
        return math.inf
    return t - (move.t + (0.3 if isinstance(move, Knock) else rest + LEAVE))


def _gains(performance: Performance, t: float) -> int:
    return sum(isinstance(move, LightChange) and move.t <= t for move in performance.moves)
