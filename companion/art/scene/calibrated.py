"""Light and cameras as they were measured on real photographs, to be drawn at random.

Every number was measured by `python -m bench.vision.calibration` on cards in other people's photographs
against the pictures they were enrolled from, or (where it says so) set until the recogniser's figures on
rendered pictures equalled those on the photographs; docs/lab/vision/rendered-and-real.md compares both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.art.scene.light import Conditions


@dataclass(frozen=True)
class Habit:
    """How somebody photographs a table: pairs are mean and standard deviation.

    `exposure` and `casts` (blue, red) are natural logarithms of what a white card's levels are multiplied by,
    `gamma` is the exponent of the curve, `blur` in pixels of sigma for a card 320 px wide; `worn`,
    `gradient`, `noise` and `jpeg` are as in Conditions, their pairs lowest and highest value.
    """

    tables: tuple[str, ...]
    exposure: tuple[float, float]
    casts: tuple[tuple[float, float], tuple[float, float]]
    gamma: tuple[float, float]
    blur: tuple[float, float]
    worn: tuple[float, float]
    gradient: tuple[float, float]
    noise: tuple[float, float]
    jpeg: tuple[int, int]
    shadows: float = 0.0
    """Share of the pictures with a hard shadow across."""

    def conditions(self, rng: np.random.Generator) -> Conditions:
        """The light and the camera of one photograph."""
        blue, red = (float(np.exp(rng.normal(*cast))) for cast in self.casts)
        return Conditions(
            table=self.tables[int(rng.integers(len(self.tables)))],
            exposure=float(np.exp(rng.normal(*self.exposure))),
            balance=(blue, 1.0, red),
            gamma=float(np.clip(rng.normal(*self.gamma), 0.6, 1.4)),
            gradient=float(rng.uniform(*self.gradient)),
            shadow=float(rng.uniform(0.15, 0.5)) if rng.random() < self.shadows else 0.0,
            shadow_edge=float(rng.uniform(1, 8)),
            blur=float(max(0.2, rng.normal(*self.blur))),
            noise=float(rng.uniform(*self.noise)),
            jpeg=int(rng.integers(self.jpeg[0], self.jpeg[1] + 1)),
            worn=float(rng.uniform(*self.worn)),
        )


POKER24 = Habit(
    tables=("cloth", "wood"),
    exposure=(-0.10, 0.07),
    casts=((0.018, 0.038), (-0.016, 0.027)),
    gamma=(0.94, 0.09),
    blur=(0.55, 0.2),
    worn=(0.2, 0.6),
    gradient=(0.05, 0.25),
    noise=(1.5, 4.0),
    jpeg=(85, 92),
    shadows=0.05,
)
"""A telephone over green cloth and wood, five cards in it (poker24). Exposure, casts and gamma as measured on
48 cards; blur so that the sharpness of their edges, worn so that the cost of a card is that of the photos."""

UNO = Habit(
    tables=("white", "checked", "wood"),
    exposure=(-0.01, 0.08),
    casts=((0.019, 0.040), (-0.024, 0.045)),
    gamma=(0.94, 0.08),
    blur=(0.35, 0.15),
    worn=(1.1, 2.2),
    gradient=(0.02, 0.12),
    noise=(1.0, 3.0),
    jpeg=(85, 92),
)
"""A telephone over white, checked and wooden tables, one card enrolled in the dark (uno). Measured on 50
cards; worn exceeds 1 because the references were taken in so little light that their colours differ,
and because such prints are paler the curve of the camera is less bent than what was measured, 0.84."""
