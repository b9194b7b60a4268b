"""A simulated camera: a drawn table with the cards of a game, on which nothing moves.

With it (`--simulated`) table set-up, enrolment, zones and the live picture work without a camera.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from companion import art
from companion.art.draw.raster import Pixels
from companion.art.scene import Conditions, Placed, Scene, View, fitted

CARDS = (4, 2)
"""Columns and rows of cards."""
APART = 1.35
"""Distance from one card's centre to the next, in card lengths."""
VARIANTS = 4
"""Number of pictures of one table; they differ in their noise only."""
LIGHT = Conditions("wood", 1.0, (0.96, 1.0, 1.03), 0.2, blur=0.4, noise=2.0)


def pictures(game: str, width: int, height: int, fps: float, seed: int = 7) -> Iterator[tuple[float, Pixels]]:
    """Endless pictures with their times, `fps` a second, of a game's cards. A `game` of ""
    is the first one that has drawn cards.

    Raises:
        UsageError: there is no drawn deck for such a game.
    """
    table = drawn(game or art.drawn_games()[0], width, height, seed)
    for number in itertools.count():
        yield number / fps, table[number % VARIANTS]


def drawn(game: str, width: int, height: int, seed: int) -> list[Pixels]:
    """VARIANTS pictures of a game's table, BGR: the same cards, different noise."""
    rng = np.random.default_rng([seed, *game.encode()])
    labels, size = art.card_labels(game), art.card_size(game)
    columns, rows = CARDS
    chosen = rng.choice(len(labels), min(columns * rows, len(labels)), replace=False)
    cards = [
        Placed(
            labels[int(label)],
            (n % columns) * APART * max(size),
            (n // columns) * APART * max(size),
            float(rng.normal(0, 4.0)),
            size=size,
        )
        for n, label in enumerate(chosen)
    ]
    view = fitted(cards, View(width=width, height=height, tilt=12.0), margin=0.1)
    scene = Scene(game, view, LIGHT, rng)
    lit = scene.lit(cards)
    return [scene.develop(lit, np.random.default_rng([seed, n])) for n in range(VARIANTS)]
