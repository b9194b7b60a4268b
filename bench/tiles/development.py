"""The photographs of tiles on which limits are fitted: of decks that the symbol network has not learned from,
and of the drawn tiles of Bugs & Co, of which one is partly hidden. Seeds are others than those of the figures
that are reported."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from bench.tiles.scenes import TilePhoto, covered, from_aside, laid
from companion import art
from companion.art.scene.tables import TABLES
from companion.core.errors import Unreadable
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.symbols.features import SymbolAlbum
from companion.vision.symbols.learn import learn_symbols, unpack_looks
from models.vision.namer.sources import stamps, symbol_faces
from models.vision.symbols.scenes import deck, photograph, printed, scanned

FIRST, FIRST_LAID = 1000, 7000
"""Numbers of the first photograph of each kind; those of the training of the network are other ones."""
TILES, RADIUS = 9, 100
"""Tiles of a laid picture, and their radius in pixels."""
TILTS = (0, 35, 0, 50)
"""Degrees by which the camera is tilted in each first, second, third and fourth photograph of a deck."""
LEAST_SHOWN = 0.85
"""Share of a symbol that must be visible for it to be missed."""
GAME = "bugs_and_co"


@dataclass(frozen=True, eq=False)
class TilesPicture:
    """A photograph with the looks (n, CHANNELS, RADII, ANGLES) and labels of its deck; the circles (m, 3:
    middle and radius) that are to be read, the label of each, and which of them must not be missed in
    silence."""

    image: Image
    labels: tuple[str, ...]
    looks: Floats
    circles: Floats
    symbols: tuple[str, ...]
    to_find: Array

    @cached_property
    def album(self) -> SymbolAlbum:
        """The symbols of the deck."""
        return SymbolAlbum(self.labels, self.looks)

    def under(self, centre: tuple[float, float]) -> Array:
        """Which circles a point lies in: (n,)."""
        return np.asarray(np.hypot(*(self.circles[:, :2] - centre).T) < self.circles[:, 2])


def deck_pictures(work: Path, count: int) -> Iterator[TilesPicture]:
    """Photographs of decks of pictograms and clip art that the symbol network has not learned from. `work`:
    see models.vision.symbols.samples."""
    faces, things = symbol_faces(work), stamps(work)
    for number in range(FIRST, FIRST + count):
        rng = np.random.default_rng([number, 1])
        symbols = deck(faces, things, rng, left_out=True)
        try:
            looks = unpack_looks(learn_symbols([scanned(one, rng) for one in symbols]))
        except Unreadable:
            continue  # a pictogram without ink
        scene = photograph([printed(one, rng) for one in symbols], rng)
        labels = tuple(str(n) for n in range(len(looks)))
        shown = tuple(labels[int(n)] for n in scene.symbols)
        picture = TilesPicture(scene.image, labels, looks, scene.circles, shown, scene.shown > LEAST_SHOWN)
        tilt = TILTS[number % len(TILTS)]
        yield tilted(picture, tilt) if tilt else picture


def tilted(picture: TilesPicture, degrees: float) -> TilesPicture:
    """The photograph as if the camera had been tilted. What is a circle then looks like an ellipse, of which
    the circle of equal area is kept."""
    turns = np.arange(16) * (np.pi / 8)
    round_it = np.column_stack([np.cos(turns), np.sin(turns)])
    outlines = [np.asarray((x, y) + radius * round_it, np.float32) for x, y, radius in picture.circles]
    seen = from_aside(TilePhoto(picture.image, tuple(("", one) for one in outlines)), degrees)
    circles = [
        (*one.mean(axis=0).tolist(), math.sqrt(cv2.contourArea(one) / math.pi)) for _, one in seen.truth
    ]
    return replace(picture, image=seen.image, circles=np.array(circles, np.float32).reshape(-1, 3))


def laid_pictures(count: int) -> Iterator[TilesPicture]:
    """The drawn tiles of Bugs & Co on each kind of table; of one a part is under a card or a hand or outside
    of the picture, in each sixth picture of none."""
    names = art.card_labels(GAME)
    known = enrol_pictures(GAME, names, [art.draw_card(GAME, name, 300) for name in names]).deck
    assert known.symbols is not None
    looks = unpack_looks(known.symbols)
    for number in range(count):
        rng = np.random.default_rng(FIRST_LAID + number)
        lying = tuple(str(one) for one in rng.choice(names, TILES))
        picture = laid(lying, list(TABLES)[number % len(TABLES)], FIRST_LAID + number)
        middles = [(127 + 235 * (at % 5), 142 + 250 * (at // 5)) for at in range(TILES)]
        circles = np.column_stack([middles, np.full(TILES, RADIUS)]).astype(np.float32)
        to_find = np.ones(TILES, bool)
        if number % 6:
            hidden, share = int(rng.choice((4, 8))), float(rng.uniform(0.25, 0.75))
            by = ("card", "hand", "edge")[number % 3] if hidden == 4 else ("card", "hand")[number % 2]
            picture = covered(picture, hidden, share, by)
        yield TilesPicture(picture, tuple(known.labels), looks, circles, lying, to_find)
