"""The pictures of the last seconds, for what can be understood only later.

All are kept small and grey, and a few whole. `onset` dates a card by the small ones. Whole ones are read for
a card that another one covers by now (`look_back`), and under a hand that rested (`lattice_watch`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion.vision.image.camera_motion import warped
from companion.vision.image.picture import Bytes, Floats, Image

KEPT_S = 4.0
"""Seconds for which small pictures, and arms, are kept: a landing is reported later than it happens."""

Shown = TypeVar("Shown")


@dataclass(frozen=True, eq=False)
class SmallPicture:
    """A small grey picture in the background's place, and the background's brightness then."""

    t: float
    grey: Bytes
    light: float


@dataclass(frozen=True, eq=False)
class WholePicture(Generic[Shown]):
    """A picture of the camera, and what its reader has to know of it."""

    t: float
    image: Image
    shown: Shown


class RecentPictures(Generic[Shown]):
    """Small pictures of KEPT_S, and the latest whole ones.

    Args:
        most: whole pictures that are kept; each takes some megabytes.
    """

    def __init__(self, most: int) -> None:
        self.small: deque[SmallPicture] = deque()
        self.whole: deque[WholePicture[Shown]] = deque(maxlen=most)

    def add(self, t: float, grey: Bytes, light: float) -> None:
        """Keeps a small picture and forgets those that are too old."""
        self.small.append(SmallPicture(t, grey, light))
        while self.small[0].t < t - KEPT_S:
            self.small.popleft()

    def keep(self, t: float, image: Image, shown: Shown, every_s: float = 0.0) -> None:
        """Keeps a whole picture if the latest one is so old; if there are too many, the oldest one goes."""
        if not self.whole or t - self.whole[-1].t >= every_s:
            self.whole.append(WholePicture(t, image.copy(), shown))

    def move(self, motion: Floats) -> None:
        """The background is elsewhere from now on, by `motion` (2 x 3, small pixels): so are the small
        pictures. The others are forgotten."""
        small = [replace(one, grey=warped(one.grey, motion)) for one in self.small]
        self.clear()
        self.small.extend(small)

    def clear(self) -> None:
        """Forgets everything."""
        self.small.clear()
        self.whole.clear()
