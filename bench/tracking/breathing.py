"""Minutes of a table on which nothing lands while the camera's focus changes: every landing reported is
false.

Cards lie there; at times a hand reaches in (bench/tracking/focus_search.py draws the searches). Pictures are
640 x 360, ten a second.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench.tracking.focus_search import breathed, searches
from bench.tracking.quiet import FPS, ZONES
from bench.tracking.scenes import SEATS, Picture, Rng
from companion import art
from companion.art.scene import Placed, Scene, View, play, random_conditions
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.tracking.landing import LandingWatcher

TABLE_S = 120.0
"""Seconds at one table."""


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
