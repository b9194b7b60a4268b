"""Makes a programme's pictures and sound for camera and microphone.

Every game has its own table, light and hands; the voices are recordings (see models/speech/demo).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from companion.art.draw.raster import Pixels
from companion.art.scene import Conditions, Placed, Scene, View, display, fitted
from companion.art.scene.play import LayMove, Move, Performance, Take
from companion.commands.demo_night.programme import Clear, GamePlan, Photograph, PlaceCard, Say, Step
from companion.games import games

RATE = 16000
"""Samples a second of voices and track."""
BETWEEN_S = 5.0
"""Pause between two games."""
SEATS = (90.0, 210.0, 330.0)
"""Direction of each seat, in degrees clockwise from the right of the picture; 90 is its lower side."""
VIEW = View(width=1280, height=720, span=620.0, tilt=14.0, bend=-0.02)
LIGHTS = {
    "seven_merry_monsters": Conditions(
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
    ),
    "nasty_7": Conditions(
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
    ),
}
"""A warm lamp over wood, then a cooler one over cloth."""
Samples = NDArray[np.int16]


@dataclass(frozen=True)
class Scheduled:
    """One game of the evening with the times of its steps, in seconds of the evening."""

    plan: GamePlan
    start: float
    steps: tuple[tuple[float, Step], ...]

    @property
    def end(self) -> float:
        """Time of its last step, in seconds of the evening."""
        return self.steps[-1][0]


def schedule(plans: list[GamePlan], start: float = 1.0) -> list[Scheduled]:
    """Puts the games one after the other."""
    scheduled: list[Scheduled] = []
    for plan in plans:
        steps = tuple((start + t, step) for t, step in plan.timed())
        scheduled.append(Scheduled(plan, start, steps))
        start = scheduled[-1].end + BETWEEN_S
    return scheduled


@dataclass
class DrawnTable:
    """One game's table as the camera sees it."""

    game: Scheduled
    rng: np.random.Generator
    performance: Performance = field(init=False)

    def __post_init__(self) -> None:
        plan = self.game.plan
        scene = Scene(plan.game, VIEW, LIGHTS[plan.game], self.rng)
        self.performance = Performance(scene, list(self._moves()), self.rng)

    def _moves(self) -> Iterator[Move]:
        lying: list[Placed] = []
        copies: dict[str, int] = {}
        for t, step in self.game.steps:
            if isinstance(step, PlaceCard):
                copies[step.label] = copies.get(step.label, -1) + 1
                card = self._card(step, copies[step.label])
                lying.append(card)
                yield LayMove(t, card, self._seat(step.player))
            elif isinstance(step, Clear):
                yield Take(t, tuple(lying), self._seat(step.player))
                lying.clear()

    def _card(self, step: PlaceCard, copy: int) -> Placed:
        """The card on the table: in a trick every player has a place, a pile has one place."""
        seat = self._seat(step.player)
        reach = self.game.plan.reach_mm
        x, y = cos(radians(seat)) * reach, sin(radians(seat)) * reach
        off = self.rng.normal(0, 4.0, 3)
        return Placed(step.label, x + off[0], y + off[1], seat - 90.0 + off[2], copy)

    def _seat(self, player: str) -> float:
        return SEATS[self.game.plan.players.index(player)]


def pictures(tables: list[DrawnTable], fps: float) -> Iterator[tuple[float, Pixels]]:
    """(seconds of the evening, picture of the camera), until the last game has ended."""
    end = tables[-1].game.end + BETWEEN_S
    for number in range(int(end * fps)):
        t = number / fps
        table = next((one for one in reversed(tables) if one.game.start <= t), tables[0])
        yield t, table.performance.frame(t).image


def photograph(step: Photograph, rng: np.random.Generator) -> Pixels:
    """A phone's picture of a display, of the first game that has displays."""
    game = next(one.name for one in games() if one.photographed == "display")
    cards = display(step.columns, rng)
    view = fitted(cards, View(width=1600, height=1200, tilt=12.0))
    light = Conditions("wood", 1.0, (0.95, 1.0, 1.04), 0.2, blur=0.5, noise=2.0, jpeg=92, worn=0.5)
    return Scene(game, view, light, rng).render(cards).image


def sound_track(
    scheduled: list[Scheduled], voice: Callable[[str, str], Samples], rng: np.random.Generator
) -> Samples:
    """The sound of the evening at the microphone: quiet room noise and the calls at their times.

    `voice(player, call)` gives a recording at 16 kHz.
    """
    seconds = scheduled[-1].end + BETWEEN_S
    track = rng.normal(0.0, 12.0, int(seconds * RATE))
    for game in scheduled:
        for t, step in game.steps:
            if isinstance(step, Say):
                said = voice(step.player, step.call)
                at = int(t * RATE)
                track[at : at + said.size] += said[: max(0, track.size - at)]
    return np.clip(track, -32768, 32767).astype(np.int16)


def blocks(track: Samples, size: int = 640) -> Iterator[Samples]:
    """The track in blocks of `size` samples."""
    for at in range(0, track.size, size):
        yield track[at : at + size]
