"""Where cards are in a whole picture: a small network looks at squares of it.

Every cell of a square says whether it shows a card and where the corners of that card are; cells that agree
are one card. Fingers over it and corners outside the picture do not matter much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import SMALLEST_SIDE, Array, Floats, Image
from companion.vision.models import shipped_network
from companion.vision.namer.network import GRID, LOCATOR, SIDE, as_input

LEAST_SHARE = 0.3
"""Likelihood from which a cell shows a card."""
AGREEING = 0.2
"""Distance between the corners of two cells' cards, in card sizes, up to which they are one card."""
FEWEST_CELLS = 2
MOST_PLACES = 3
SIZES = (1.0, 0.6)
"""Sides of the squares, by the shorter side of the picture: with the second, of 66 held cards that no match
names 42 instead of 31 are found within a fifth of their width."""
NEARLY, DENSITY = 1.1, 1.4
"""Up to how many sides of a square one is enough for the length of a picture; beyond, so many are taken for
each of its sides that fits in the length."""
ZOOM, NEAR = 1.7, 0.5
"""Side of the square in which a place is looked at again, and how far its middle may be off, by its
extent."""


@dataclass(frozen=True)
class LocatedCard:
    """`quad`: the corners in pixels of the picture, either end first. `weight`: how many cells agree, each by
    its likelihood."""

    quad: Floats
    weight: float


def locate_cards(image: Image) -> list[LocatedCard]:
    """The cards that stand out in a picture, most certain first; at most MOST_PLACES.

    Every place is looked at again in a square that it fills, where its corners come out more exactly."""
    first = [place for square in _squares(image) for place in square.cards()]
    first.sort(key=lambda place: -place.weight)
    again = [_second_look(image, place) for place in _distinct(first)[:MOST_PLACES]]
    return _distinct(sorted((place for place in again if place), key=lambda place: -place.weight))


def _distinct(places: list[LocatedCard]) -> list[LocatedCard]:
    """The places without those that are nearly the same as one before."""
    kept: list[LocatedCard] = []
    for place in places:
        if all(_distance(place.quad, other.quad[None])[0][0] > AGREEING for other in kept):
            kept.append(place)
    return kept


def _second_look(image: Image, place: LocatedCard) -> LocatedCard | None:
    """The place as a square round it shows it; None if nothing is seen there any more."""
    middle = place.quad.mean(axis=0)
    extent = float((place.quad.max(axis=0) - place.quad.min(axis=0)).max())
    side = min(int(ZOOM * extent), *image.shape[:2])
    if side < SMALLEST_SIDE:
        return None
    corner = np.clip(middle - side / 2, 0, [image.shape[1] - side, image.shape[0] - side]).astype(int)
    near = [
        found
        for found in _Square(image, int(corner[0]), int(corner[1]), side).cards()
        if float(np.linalg.norm(found.quad.mean(axis=0) - middle)) < NEAR * extent
    ]
    return max(near, key=lambda found: found.weight, default=None)


@dataclass(frozen=True)
class _Square:
    """A square of a picture, by its corner and side."""

    image: Image
    left: int
    top: int
    side: int

    def cards(self) -> list[LocatedCard]:
        """The cards in it, in pixels of the picture."""
        part = self.image[self.top : self.top + self.side, self.left : self.left + self.side]
        small = np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
        scale, offset = self.side / SIDE, np.array([self.left, self.top], np.float32)
        return [
            LocatedCard(geometry.to_resized(place.quad, scale) + offset, place.weight)
            for place in _cards(shipped_network(LOCATOR).forward(as_input(small[None]))[0])
        ]


def _squares(image: Image) -> Iterator[_Square]:
    """Squares of each size that overlap and cover the picture."""
    height, width = image.shape[:2]
    for size in SIZES:
        side = int(size * min(height, width))
        for top in _begins(height, side):
            for left in _begins(width, side):
                yield _Square(image, left, top, side)


def _begins(length: int, side: int) -> list[int]:
    """Where squares begin along a side of the picture."""
    count = 1 if length < NEARLY * side else round(DENSITY * length / side)
    return [int(at) for at in np.linspace(0, length - side, count)]


def _cards(answer: Floats) -> list[LocatedCard]:
    """The cards in one square, in its pixels; `answer` (9, GRID, GRID)."""
    likely = 1.0 / (1.0 + np.exp(-answer[0].ravel()))
    middles = np.asarray(geometry.cell_centres(GRID, GRID) * SIDE - 0.5, np.float32)
    quads = answer[1:].reshape(4, 2, -1).transpose(2, 0, 1) * SIDE + middles[:, None]
    left = likely * (likely > LEAST_SHARE)
    found: list[LocatedCard] = []
    while left.max() > 0.5 and len(found) < MOST_PLACES:
        first = quads[int(left.argmax())]
        away, turned = _distance(first, quads)
        same = (away < AGREEING) & (left > 0)
        aligned = np.where(turned[:, None, None], quads[:, [2, 3, 0, 1]], quads)
        quad = np.average(aligned[same], axis=0, weights=left[same])
        weight = float(left[same].sum())
        left = np.where(away < 2.5 * AGREEING, 0.0, left)
        if same.sum() >= FEWEST_CELLS and geometry.is_card_like(quad, 6.0, (0.9, 2.4)):
            found.append(LocatedCard(np.asarray(quad, np.float32), weight))
    return found


def _distance(quad: Floats, others: Floats) -> tuple[Floats, Array]:
    """Mean distance of the corners of other quads (n, 4, 2) from one, by its diagonal; and whether that is
    with their other end first."""
    size = max(1.0, float(np.linalg.norm(quad[0] - quad[2])))
    away = [
        np.linalg.norm(some - quad, axis=2).mean(axis=1) / size for some in (others, others[:, [2, 3, 0, 1]])
    ]
    return np.minimum(*away), away[1] < away[0]
