"""Minutes of a table on which nothing lands while the camera's focus changes: every landing reported is
false.

Cards lie there; at times a hand reaches in (bench/tracking/focus_search.py draws the searches). Pictures are
640 x 360, ten a second.
"""

from __future__ import annotations

import numpy as np

from bench.tracking.focus_search import breathed, searches
from bench.tracking.quiet import FPS, Shown, table_with_cards, watched
from bench.tracking.scenes import SEATS, Rng
from companion.art.scene import play
from companion.vision.deck.deck import Deck

TABLE_S = 120.0
"""Seconds at one table."""


def breathing_pictures(rng: Rng, seconds: float = TABLE_S) -> Shown:
    """The pictures of one table with their times."""
    scene, cards = table_with_cards(rng)
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
    """Watches so many minutes (bench.tracking.quiet.watched)."""
    numbers = range(first, first + max(1, round(minutes * 60 / TABLE_S)))
    tables = {number: breathing_pictures(np.random.default_rng([seed, 78, number])) for number in numbers}
    return watched(deck, "nothing lands, the focus changes", tables)
