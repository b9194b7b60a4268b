"""Finds symbols printed on light tiles, at any turn and size.

A symbol is what differs from the local light colour of its tile, so no outline of the tile is needed: tiles
that touch and tiles under hands are read as well. Each place that may be a symbol is laid out in polar
coordinates round the middle of its hull (polar.py), and named by its features (features.py).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Floats, Image, shrunk
from companion.vision.symbols.discs import TileCircle, find_tile_circles
from companion.vision.symbols.features import SymbolAlbum
from companion.vision.symbols.learn import coloured_tile
from companion.vision.symbols.limits import CircleLimits, SymbolLimits, SymbolPlaceLimits, symbol_limits
from companion.vision.symbols.polar import SymbolMatch, SymbolPatch, SymbolPlace, overlap
from companion.vision.symbols.regions import find_regions, ink_of, paper_share_round
from companion.vision.symbols.slant import estimate_slant, remove_slant

LONGEST = 1280
RIMS = (1.0, 0.93)
"""The coloured field of a tile, as shares of the circle found: a tile may have a white rim."""


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


def prepare_picture(image: Image, looks: Floats, limits: SymbolLimits) -> SymbolPicture:
    """What is to be read in a picture; looks (n, CHANNELS, RADII, ANGLES) of the deck show its slant."""
    return with_tiles(upright_picture(image, looks, limits), limits.circles)


def upright_picture(image: Image, looks: Floats, limits: SymbolLimits) -> SymbolPicture:
    """A picture and its places, but for what the outlines of tiles tell."""
    small, scale = shrunk(image, LONGEST)
    places = _places(small, limits.places)
    back = np.array([[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5]])
    lying = estimate_slant(looks, places, limits.slant)
    if lying is not None:
        small, matrix = remove_slant(small, *lying)
        places = _places(small, limits.places)
        back = back[:, :2] @ matrix + np.column_stack([np.zeros((2, 2)), back[:, 2]])
    return SymbolPicture(small, np.asarray(back, np.float32), tuple(places), (), ())


def with_tiles(picture: SymbolPicture, limits: CircleLimits) -> SymbolPicture:
    """An upright picture with the outlines of tiles, and the places on their coloured fields as its last."""
    whole, parts = find_tile_circles(picture.picture, limits)
    places = (*picture.places, *_on_tiles(picture.picture, whole))
    return dataclasses.replace(picture, places=places, whole=tuple(whole), parts=tuple(parts))


def _places(image: Image, limits: SymbolPlaceLimits) -> list[SymbolPlace]:
    """The places with paper round them."""
    ink = ink_of(image)
    return [
        SymbolPlace(spot.centre, spot.radius, SymbolPatch.of(ink, spot))
        for spot in find_regions(ink, limits)
        if paper_share_round(ink, spot, limits) >= limits.clear_paper
    ]


def _on_tiles(image: Image, discs: Sequence[TileCircle]) -> Iterator[SymbolPlace]:
    """What is on each round tile of one colour; a disc that has none gives nothing."""
    for disc in discs:
        for radius in (rim * disc.radius for rim in RIMS):
            field = coloured_tile(image, disc.centre, radius)
            if field is not None:
                yield SymbolPlace(disc.centre, radius, SymbolPatch.of(*field))


def find_symbols(image: Image, labels: Sequence[str], looks: Floats) -> list[SymbolMatch]:
    """The symbols in a picture whose enrolled looks are (n, CHANNELS, RADII, ANGLES), one label each."""
    limits = symbol_limits()
    ready = prepare_picture(image, looks, limits)
    found = named_symbols(SymbolAlbum(labels, looks).matches(ready.places), limits.names.named)
    return [ready.original_match(one) for one in found]


def named_symbols(found: Sequence[SymbolMatch], least: float) -> list[SymbolMatch]:
    """The matches more probable than `least`, one a place. `found`: most probable first."""
    chosen: list[SymbolMatch] = []
    for one in found:
        if one.probability > least and not any(overlap(one, other) for other in chosen):
            chosen.append(one)
    return chosen
