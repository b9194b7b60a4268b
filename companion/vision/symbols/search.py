"""Finds symbols printed on light tiles, at any turn and size.

A symbol is what differs from the local light colour of its tile, so no outline of the tile is needed: tiles
that touch and tiles under hands are read as well. Each place that may be a symbol is laid out in polar
coordinates round the middle of its hull (polar.py), and named by its features (features.py).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Floats, Image, shrunk
from companion.vision.symbols.discs import TileCircle, find_tile_circles
from companion.vision.symbols.features import SymbolAlbum, symbol_limits
from companion.vision.symbols.learn import coloured_tile, patch_of
from companion.vision.symbols.polar import SymbolPlace
from companion.vision.symbols.regions import find_regions, ink_of, paper_share_round
from companion.vision.symbols.slant import estimate_slant, remove_slant

LONGEST = 1280
RIMS = (1.0, 0.96, 0.92)
"""The coloured field of a tile, as shares of the circle found: a tile may have a white rim."""
LARGEST_TILE = 72.0
"""Radius in pixels to which larger tiles are shrunk."""
CLEAR_PAPER = 0.4
"""Share of paper close round a place that is looked at: the squares of a checked cloth have less."""


@dataclass(frozen=True)
class SymbolMatch:
    """A place of a picture and the symbol that it shows most likely, with its probability: middle and radius
    of its hull in pixels, its turn in degrees."""

    label: str
    probability: float
    centre: tuple[float, float]
    radius: float
    degrees: float


@dataclass(frozen=True)
class SymbolPicture:
    """A picture ready for reading: `picture`, shrunk and without the slant of its tiles; the matrix (2, 3)
    that brings points of it `back` to the picture as given; the places that may be symbols, those on the
    coloured fields of round tiles among them; and the outlines of whole tiles and of parts of tiles."""

    picture: Image
    back: Floats
    places: tuple[SymbolPlace, ...]
    whole: tuple[TileCircle, ...]
    parts: tuple[TileCircle, ...]

    def to_original(self, centre: tuple[float, float], radius: float) -> tuple[tuple[float, float], float]:
        """The middle and the radius of a circle in the picture as given."""
        x, y = self.back[:, :2] @ np.array(centre) + self.back[:, 2]
        return (float(x), float(y)), radius * float(np.sqrt(abs(np.linalg.det(self.back[:, :2]))))

    def original_match(self, one: SymbolMatch) -> SymbolMatch:
        """A reading of this picture as one of the picture as given."""
        centre, radius = self.to_original(one.centre, one.radius)
        turn = np.radians(one.degrees)
        right, down = self.back[:, :2] @ np.array([np.cos(turn), np.sin(turn)])
        degrees = float(np.degrees(np.arctan2(down, right))) % 360.0
        return dataclasses.replace(one, centre=centre, radius=radius, degrees=degrees)

    def original_circle(self, one: TileCircle) -> TileCircle:
        """An outline in this picture as one in the picture as given."""
        return TileCircle(*self.to_original(one.centre, one.radius), one.seen)


def prepare_picture(image: Image, looks: Floats) -> SymbolPicture:
    """What is to be read in a picture; looks (n, CHANNELS, RADII, ANGLES) of the deck show its slant."""
    small, scale = shrunk(image, LONGEST)
    places = _places(small)
    back = np.array([[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5]])
    lying = estimate_slant(looks, places)
    if lying is not None:
        small, matrix = remove_slant(small, *lying)
        places = _places(small)
        back = back[:, :2] @ matrix + np.column_stack([np.zeros((2, 2)), back[:, 2]])
    whole, parts = find_tile_circles(small)
    places += _on_tiles(small, whole)
    return SymbolPicture(small, np.asarray(back, np.float32), tuple(places), tuple(whole), tuple(parts))


def _places(image: Image) -> list[SymbolPlace]:
    """The places with paper round them."""
    lack = ink_of(image)
    return [
        SymbolPlace(spot.centre, spot.radius, patch_of(lack, spot))
        for spot in find_regions(lack)
        if paper_share_round(lack, spot) >= CLEAR_PAPER
    ]


def _on_tiles(image: Image, discs: Sequence[TileCircle]) -> Iterator[SymbolPlace]:
    """What is on each round tile of one colour; a disc that has none gives nothing."""
    for disc in discs:
        for radius in (rim * disc.radius for rim in RIMS):
            field = coloured_tile(*_cut_round(image, disc.centre, radius))
            if field is not None:
                yield SymbolPlace(disc.centre, radius, patch_of(*field))


def _cut_round(
    image: Image, centre: tuple[float, float], radius: float
) -> tuple[Image, tuple[float, float], float]:
    """What of a picture lies round a circle, no larger than LARGEST_TILE in radius, and the circle in it."""
    left, top = (max(0, int(v - 1.1 * radius)) for v in centre)
    cut = image[top : int(centre[1] + 1.1 * radius) + 2, left : int(centre[0] + 1.1 * radius) + 2]
    share = min(1.0, LARGEST_TILE / radius)
    if share < 1.0 and min(cut.shape[:2]) > radius:
        cut = np.asarray(cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = (share * (at - low + 0.5) - 0.5 for at, low in zip(centre, (left, top), strict=True))
    return cut, (x, y), share * radius


def find_symbols(image: Image, labels: Sequence[str], looks: Floats) -> list[SymbolMatch]:
    """The symbols in a picture whose enrolled looks are (n, CHANNELS, RADII, ANGLES), one label each."""
    ready = prepare_picture(image, looks)
    found = named_symbols(match_places(ready, SymbolAlbum(labels, looks)), symbol_limits().named)
    return [ready.original_match(one) for one in found]


def match_places(ready: SymbolPicture, album: SymbolAlbum) -> list[SymbolMatch]:
    """Every place with the symbol of the album that it shows most likely, in `ready.picture`, most probable
    first. Places overlap."""
    names = album.names([place.patch for place in ready.places])
    found = [
        SymbolMatch(name.label, name.probability, place.centre, place.radius, name.degrees)
        for name, place in zip(names, ready.places, strict=True)
    ]
    return sorted(found, key=lambda one: -one.probability)


def named_symbols(found: Sequence[SymbolMatch], least: float) -> list[SymbolMatch]:
    """Those more probable than `least`, one a place; `found` most probable first."""
    chosen: list[SymbolMatch] = []
    for one in found:
        if one.probability > least and not any(overlap(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def overlap(one: SymbolMatch, other: SymbolMatch) -> bool:
    """Whether two places are so near each other that only one of them can be right."""
    return math.dist(one.centre, other.centre) <= 0.6 * max(one.radius, other.radius)
