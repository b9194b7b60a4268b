"""A player says the own name once: from where it came is the player's seat."""

from __future__ import annotations

import math

import numpy as np

from companion.speech.audio.levels import FRAME_S, frame_levels
from companion.speech.audio.onset import RISE_DB, OnsetDetector
from companion.speech.direction.arrival import ArrivalFinder, Sound
from companion.speech.direction.seats import SeatDirection, seat_of

PART_S = 0.2
"""A name is divided into parts of this length, which overlap by half: how far their directions differ is the
spread of the seat."""
SOFT_DB = 15.0
"""Parts that are softer than the loudest one by more are left out."""
LOUD_DB = 25.0
"""A name reaches from its first to its last frame that is at most so far below its loudest one."""
SILENCE_AFTER_S = 0.45
"""A name is over after so many seconds without a loud frame."""
SHORTEST_S, LONGEST_S = 0.15, 3.0
"""Shorter is a knock, longer is talk."""
WITHOUT_NAME_S = 8.0
"""Sound without the end of a name is dropped after so many seconds."""


def seat_in(finder: ArrivalFinder, sound: Sound, rate: int) -> SeatDirection | None:
    """The seat from which a name was said; None if its parts come from different directions."""
    size = min(len(sound), round(PART_S * rate))
    parts = [sound[at : at + size] for at in range(0, len(sound) - size + 1, max(1, size // 2))]
    powers = [float((part.astype(np.float64) ** 2).mean()) for part in parts]
    least = max(powers, default=0.0) * 10 ** (-SOFT_DB / 10)
    found = [finder.find(part) for part, power in zip(parts, powers, strict=True) if power >= least]
    return seat_of([one.degrees for one in found if one is not None])


class NameLesson:
    """Listens until a name was said.

    Args:
        player: who says it.
    """

    def __init__(self, player: str) -> None:
        self.player = player
        self.seat: SeatDirection | None = None
        """Where the player sits, when the name was said."""
        self.finding = ""
        """Of the latest sound: `again` (too short or too long), `noisy` (from several directions)."""
        self._rate = 0
        self._sound: list[Sound] = []

    def hear(self, sound: Sound, radius_m: float, rate: int) -> None:
        """Takes the next block.

        Args:
            sound: samples x microphones, in their order round the circle.
            radius_m: of the circle.
            rate: samples a second.
        """
        if rate != self._rate or (self._sound and self._sound[0].shape[1] != sound.shape[1]):
            self._rate = rate
            self._drop()
        self._onset.feed(sound[:, 0])
        self._sound.append(sound)
        if SILENCE_AFTER_S <= self._onset.quiet_for() < math.inf:
            self._said(radius_m)
            self._drop()
        elif self._onset.now > WITHOUT_NAME_S:
            self._drop()

    def _said(self, radius_m: float) -> None:
        sound = np.concatenate(self._sound)
        levels = frame_levels(np.ascontiguousarray(sound[:, 0]), self._rate)
        threshold = max(self._onset.floor + RISE_DB, float(levels.max()) - LOUD_DB)
        loud = np.flatnonzero(levels >= threshold)
        begin, end = (loud[0] * FRAME_S, (loud[-1] + 1) * FRAME_S) if loud.size else (0.0, 0.0)
        if not SHORTEST_S <= end - begin <= LONGEST_S:
            self.finding = "again"
            return
        name = sound[round(begin * self._rate) : round(end * self._rate)]
        self.seat = seat_in(ArrivalFinder(name.shape[1], radius_m, self._rate), name, self._rate)
        self.finding = "noisy" if self.seat is None else ""

    def _drop(self) -> None:
        self._onset = OnsetDetector(self._rate)
        self._sound = []
