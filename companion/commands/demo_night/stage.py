"""When the steps of a programme happen, and its sound at the microphone.

The pictures are made by companion.commands.demo_night.drawn_table; the voices are recordings (models/demo).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.commands.demo_night.programme import GamePlan, Say, Step

RATE = 16000
"""Samples a second of voices and track."""
BETWEEN_S = 5.0
"""Pause between two games."""
SEATS = (90.0, 210.0, 330.0)
"""Direction of each seat, in degrees clockwise from the right of the picture; 90 is its lower side."""
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
