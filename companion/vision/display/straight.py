"""A column turned upright: where in the picture it lies, and where its parts do."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.display.regions import CARD, CardSize
from companion.vision.display.table_view import MeasuredCards, TableMaps
from companion.vision.image import geometry
from companion.vision.image.picture import Floats

WIDTHS = (0.85, 1.05)
"""Widths of a card against the usual width of columns, in which cards lie beside each other a little."""
BEYOND = (24, 8)
"""Pixels in which what is seen beside a place is averaged."""
MOST_SLOPE = 0.15
"""Largest slope of a card in its column."""
SECTIONS = 4
"""Places a card length at which the width of a column is measured."""
SIDE_MARGIN = 0.2
"""Card widths beside a column that belong to its upright picture."""


@dataclass(frozen=True, eq=False)
class CardPart:
    """The visible part of a card: the quad of the whole card (4, 2) in pixels of the picture, the visible end
    first, and the share of its length that is seen."""

    quad: Floats
    seen: float

    @property
    def visible(self) -> Floats:
        """The corners (4, 2) of what is seen."""
        end = geometry.rectangle(0, 0, 1, self.seen)
        return geometry.transform(end, geometry.homography(geometry.UNIT, self.quad))

    def shows(self, point: Floats) -> bool:
        """Whether a point (2,) of the picture lies in what is seen."""
        return geometry.contains(self.visible, point)


@dataclass(frozen=True)
class CardShape:
    """Width and length of a card in pixels of the maps, and by how much it slopes in its column."""

    width: float
    length: float
    slope: float


@dataclass(frozen=True, eq=False)
class StraightColumn:
    """A column turned upright: where cards are seen (rows, columns), two pixels for one of the maps, with
    SIDE_MARGIN beside it; its corners in the maps, its length and width there, and the size of the cards."""

    maps: TableMaps
    card: Floats
    onto: Floats
    length: float
    width: float
    size: CardSize

    @staticmethod
    def of(maps: TableMaps, corners: Floats, length: float, size: CardSize) -> StraightColumn:
        """The column in these corners."""
        onto = geometry.homography(geometry.UNIT, corners)
        width = float(np.linalg.norm(corners[1] - corners[0]))
        margin = SIDE_MARGIN * size.width / width
        wide = geometry.transform(geometry.rectangle(-margin, 0, 1 + margin, 1), onto)
        shape = (round(2 * (width + 2 * SIDE_MARGIN * size.width)), max(4, round(2 * length)))
        frame = geometry.whole(*shape)
        card = cv2.warpPerspective(maps.card, geometry.homography(wide, frame), shape, flags=cv2.INTER_LINEAR)
        return StraightColumn(maps, np.asarray(card, np.float32), onto, length, width, size)

    def turned(self) -> StraightColumn:
        """The column with its other end first."""
        corners = geometry.rotated_half_turn(geometry.transform(geometry.UNIT, self.onto))
        return StraightColumn.of(self.maps, corners, self.length, self.size)

    def card_seen(self, start: float, end: float) -> float:
        """The mean probability that a card is seen from `start` to `end`, in card lengths from where the
        column begins, which may lie beyond it."""
        low, high = start / self.lengths, end / self.lengths
        corners = geometry.rectangle(0.1, low, 0.9, high)
        frame = geometry.whole(*BEYOND)
        matrix = geometry.homography(geometry.transform(corners, self.onto), frame)
        return float(cv2.warpPerspective(self.maps.card, matrix, BEYOND, flags=cv2.INTER_LINEAR).mean())

    def measured(self, start: float, end: float, likely: float) -> MeasuredCards:
        """The widths along the column, and the length of its open card, which begins and ends there (in card
        lengths from where the column begins) with that probability."""
        count = max(3, round(SECTIONS * self.lengths))
        reach = self.length / count / 2
        places = [(2 * at + 1) * reach for at in range(count)]
        sides = [self._sides(place, reach) for place in places]
        across = np.array([[(side, at) for side in both] for at, both in zip(places, sides, strict=True)])
        middle, card = self.width / 2, self.size.width * self.size.aspect
        along = np.array([[(middle, start * card), (middle, end * card)]])
        size = np.array([self.width, self.length])
        onto = [
            geometry.transform((lines.reshape(-1, 2) / size).astype(np.float32), self.onto)
            for lines in (across, along)
        ]
        lines = [self.maps.to_picture(points).reshape(-1, 2, 2) for points in onto]
        weights = np.full(count, max(1.0, self.lengths) / count)
        return MeasuredCards(lines[0], lines[1], weights, np.array([likely]))

    def between(self, start: float, end: float) -> StraightColumn:
        """The column from `start` to `end`, in card lengths from where it begins now."""
        low, high = start / self.lengths, end / self.lengths
        quad = geometry.transform(geometry.rectangle(0, low, 1, high), self.onto)
        return StraightColumn.of(self.maps, quad, self.length * (high - low), self.size)

    @property
    def lengths(self) -> float:
        """Its length in card lengths."""
        return self.length / (self.size.width * self.size.aspect)

    @property
    def quad(self) -> Floats:
        """Its corners (4, 2) in pixels of the picture, clockwise from the top left."""
        return self.maps.to_picture(geometry.transform(geometry.UNIT, self.onto))

    def slope(self, start: float, end: float) -> float:
        """By how much the middle of what is seen from `start` to `end` moves across the column for each pixel
        along it: a card may be turned a little, and cards may lie each a little beside the one before."""
        middles = [self._middle(start + share * (end - start), (end - start) / 4) for share in (0.25, 0.75)]
        return float(np.clip((middles[1] - middles[0]) / ((end - start) / 2), -MOST_SLOPE, MOST_SLOPE))

    def card_width(self, start: float, end: float) -> float:
        """The width of a card that is seen from `start` to `end`, whatever lies beside it in places."""
        places = (start + share * (end - start) for share in (0.3, 0.5, 0.7, 0.9))
        seen = min(right - left for left, right in (self._sides(at, 0.1 * (end - start)) for at in places))
        return float(np.clip(seen, WIDTHS[0] * self.size.width, WIDTHS[1] * self.size.width))

    def part(self, start: float, end: float, card: CardShape) -> CardPart:
        """The part from `start` to `end` of a card of that shape."""
        quarter, centre = (end - start) / 4, (start + end) / 2
        middle = np.mean([self._middle(at, quarter) for at in (start + quarter, end - quarter)])
        along = np.array([card.slope, 1.0]) / np.hypot(card.slope, 1.0)
        across = np.array([along[1], -along[0]])
        top = np.array([float(middle), centre]) - along * (centre - start)
        half, down = across * card.width / 2, along * card.length
        flat = np.array([top - half, top + half, top + half + down, top - half + down])
        quad = geometry.transform((flat / (self.width, self.length)).astype(np.float32), self.onto)
        return CardPart(self.maps.to_picture(quad), min(1.0, (end - start) / card.length))

    def _middle(self, at: float, reach: float) -> float:
        """The middle of what is seen across the column round a place along it, in pixels of the maps from the
        column's left side."""
        return sum(self._sides(at, reach)) / 2

    def _sides(self, at: float, reach: float) -> tuple[float, float]:
        """Where what is seen across the column round a place along it begins and ends, in pixels of the maps
        from the column's left side."""
        low, high = (round(2 * float(np.clip(at + way * reach, 0, self.length))) for way in (-1, 1))
        low = min(low, len(self.card) - 1)
        seen = self.card[low : max(high, low + 1)].mean(axis=0)
        cards = np.flatnonzero(seen > CARD)
        inside = max(np.split(cards, np.flatnonzero(np.diff(cards) > 1) + 1), key=len)
        if len(inside) < self.size.width:
            return 0.0, self.width
        # The edge lies between the last pixel that is likelier table and the first that is likelier card.
        ends = []
        for first, way in ((inside[0], -1), (inside[-1], 1)):
            beside = float(seen[first + way]) if 0 <= first + way < len(seen) else 0.0
            share = (float(seen[first]) - CARD) / max(float(seen[first]) - beside, 1e-3)
            ends.append((first + way * share + 0.5) / 2 - SIDE_MARGIN * self.size.width)
        return ends[0], ends[1]
