"""Minutes of a table on which nothing lands while the camera's focus changes: every landing reported is
false.

An autofocus that searches blurs the picture, and the lens shows a larger or smaller part while it moves
(breathing). Cards lie there; at times a hand reaches in. Pictures are 640 x 360, ten a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from bench.tracking.quiet import FPS, ZONES
from bench.tracking.scenes import SEATS, Picture, Rng
from companion import art
from companion.art.scene import Placed, Scene, View, play, random_conditions
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.tracking.landing import LandingWatcher

TABLE_S = 120.0
"""Seconds at one table."""
PAUSE_S = (2.0, 9.0)
"""Between two searches of the focus."""
SEARCH_S = (0.4, 2.5)
"""How long one takes."""
MOST_BLUR, MOST_ZOOM, MOST_REST = 5.0, 0.03, 0.6
"""Gaussian radius in pixels and share by which the picture grows at the worst of a search; share of both that
may stay after it."""


@dataclass(frozen=True)
class FocusSearch:
    """One search: from `begin`, for `length` seconds, to `blur` pixels and a picture `1 + zoom` times as
    large at its worst; `rest` of that stays afterwards."""

    begin: float
    length: float
    blur: float
    zoom: float
    rest: float

    def share(self, t: float) -> float:
        """How far the focus is off at `t`, 0 to 1 of the worst."""
        done = (t - self.begin) / self.length
        if done <= 0:
            return 0.0
        if done >= 1:
            return self.rest
        there = np.sin(np.pi * done)
        return float(max(there, self.rest * done))


def searches(rng: Rng, seconds: float) -> list[FocusSearch]:
    """The searches of some seconds."""
    found, t = [], 4.0
    while t < seconds:
        length = float(rng.uniform(*SEARCH_S))
        rest = float(rng.uniform(0, MOST_REST)) if rng.random() < 0.4 else 0.0
        zoom = float(rng.uniform(-MOST_ZOOM, MOST_ZOOM))
        found.append(FocusSearch(t, length, float(rng.uniform(1.0, MOST_BLUR)), zoom, rest))
        t += length + float(rng.uniform(*PAUSE_S))
    return found


def breathed(image: Picture, t: float, found: list[FocusSearch]) -> Picture:
    """The picture as the lens shows it at `t`."""
    begun = [search for search in found if search.begin <= t]
    if not begun:
        return image
    latest = begun[-1]
    share = latest.share(t)
    blur, zoom = share * latest.blur, 1.0 + share * latest.zoom
    height, width = image.shape[:2]
    centre = np.array([width / 2, height / 2])
    matrix = np.array([[zoom, 0, (1 - zoom) * centre[0]], [0, zoom, (1 - zoom) * centre[1]]], np.float32)
    image = np.asarray(
        cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8) if blur > 0.2 else image


def breathing_pictures(rng: Rng, seconds: float = TABLE_S) -> Iterator[tuple[float, Picture]]:
    """The pictures of one table with their times."""
    view = View(640, 360, span=float(rng.uniform(480, 620)), tilt=float(rng.uniform(0, 25)))
    scene = Scene("seven_merry_monsters", view, random_conditions(rng, 0.4), rng)
    labels = [str(label) for label in rng.permutation(art.card_labels("seven_merry_monsters"))]
    cards = [
        Placed(labels[i], (i % 3 - 1) * 100 + off[0], (i // 3 - 0.5) * 110 + off[1], off[2], i)
        for i, off in enumerate(rng.normal(0, 7.0, (int(rng.integers(2, 7)), 3)))
    ]
    reaches = [
        play.Reach(
            at, *rng.uniform((-180, -90), (180, 90)), float(rng.choice(SEATS)), float(rng.uniform(0.1, 2))
        )
        for at in np.arange(12.0, seconds - 8.0, 25.0)
    ]
    shown, found = play.Performance(scene, reaches, rng, cards), searches(rng, seconds)
    for index in range(int(seconds * FPS)):
        t = index / FPS
        yield t, breathed(np.asarray(shown.frame(t).image, np.uint8), t, found)


def breathing(deck: Deck, minutes: float, seed: int, first: int = 0) -> tuple[str, int, float]:
    """Watches so many minutes: the printed table, the number of landings reported (all false), the hours."""
    reported: list[str] = []
    count = 0
    for number in range(first, first + max(1, round(minutes * 60 / TABLE_S))):
        watcher = LandingWatcher(deck, ZONES)
        for t, image in breathing_pictures(np.random.default_rng([seed, 78, number])):
            count += 1
            for one in watcher.feed(image, t):
                if isinstance(one, Landing):
                    label = one.sighting.label if one.sighting else None
                    reported.append(f"table {number} at {t:.1f} s: {label}, for {one.t:.1f}")
    hours = count / FPS / 3600
    rows = [
        "| nothing lands, the focus changes | |",
        "|---|---|",
        f"| watched | {hours * 60:.0f} min at {FPS:.0f} pictures a second |",
        f"| false | {len(reported)} ({len(reported) / hours:.1f} an hour) |",
    ]
    return "\n".join([*rows, *reported]), len(reported), hours
