"""A column turned upright: where in the picture it lies, and where its parts do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.vision.display.column_network import CARD_WIDTH, SIDE
from companion.vision.display.limits import column_limits
from companion.vision.display.regions import CardSize
from companion.vision.display.table_view import MeasuredCards, TableMaps
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats

SAMPLED = (8, 24)
"""Points across and along a part at which the map of cards is read."""
SECTIONS = 4
"""Places a card length at which the width of a column is measured."""
SIDE_MARGIN = SIDE / CARD_WIDTH
"""Card widths beside a column that belong to its upright picture, as in that which the network sees."""


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


@dataclass(frozen=True)
class CardShape:
    """The width and the length of a card in pixels of the maps, and by how much it slopes in its column."""

    width: float
    length: float
    slope: float


@dataclass(frozen=True, eq=False)
class StraightColumn:
    """A column that is looked at as if it stood upright: its corners (4, 2), clockwise from its beginning,
    and its length in pixels of the maps, and the size of the cards."""

    maps: TableMaps
    corners: Floats
    length: float
    size: CardSize

    @cached_property
    def onto(self) -> Floats:
        """The matrix (3, 3) that turns places in the column (0 to 1 across, and along from its beginning)
        into pixels of the maps."""
        return geometry.homography(geometry.UNIT, self.corners)

    @cached_property
    def width(self) -> float:
        """Its width in pixels of the maps."""
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))

    @cached_property
    def card(self) -> Floats:
        """Where cards are seen in it and SIDE_MARGIN beside it (rows, columns), twice as fine as the maps."""
        beside = SIDE_MARGIN * self.size.width
        margin = beside / self.width
        wide = geometry.transform(geometry.rectangle(-margin, 0, 1 + margin, 1), self.onto)
        size = (round(2 * (self.width + 2 * beside)), max(4, round(2 * self.length)))
        return geometry.rectified(self.maps.card, wide, size)

    @property
    def lengths(self) -> float:
        """Its length in card lengths. Places along the column are given in card lengths from its beginning,
        and may lie beyond it."""
        return self.length / self.size.length

    @property
    def quad(self) -> Floats:
        """Its corners (4, 2) in pixels of the picture."""
        return self.maps.view.to_picture(self.corners)

    def turned(self) -> StraightColumn:
        """The column with its other end first."""
        return replace(self, corners=geometry.rotated_half_turn(self.corners))

    def between(self, start: float, end: float) -> StraightColumn:
        """The part of the column between two places along it."""
        low, high = start / self.lengths, end / self.lengths
        corners = geometry.transform(geometry.rectangle(0, low, 1, high), self.onto)
        return replace(self, corners=corners, length=self.length * (high - low))

    def card_seen(self, start: float, end: float) -> float:
        """The mean probability that a card is seen between two places along the column."""
        part = geometry.rectangle(0.1, start / self.lengths, 0.9, end / self.lengths)
        return float(geometry.rectified(self.maps.card, geometry.transform(part, self.onto), SAMPLED).mean())

    def measured(self, start: float, end: float, likely: float) -> MeasuredCards:
        """The widths of the column at several places along it, and the length of its open card, which lies
        from `start` to `end` along it with the probability `likely`."""
        count = max(3, round(SECTIONS * self.lengths))
        reach = self.length / count / 2
        places = [(2 * at + 1) * reach for at in range(count)]
        across = [[(side, at) for side in self._sides(at, reach)] for at in places]
        along = [[(self.width / 2, at * self.size.length) for at in (start, end)]]
        weights = np.full(count, max(1.0, self.lengths) / count)
        lines = self._to_picture(np.array(across)), self._to_picture(np.array(along))
        return MeasuredCards(*lines, weights, np.array([likely]))

    def shape(self, start: float, end: float) -> CardShape:
        """The shape of the card that lies between these places: how wide it is, whatever lies beside it, and
        by how much the middle of what is seen moves across the column for each pixel along it: a card may be
        turned a little, and cards may lie each a little beside the one before."""
        limits = column_limits().shapes
        start, end = start * self.size.length, end * self.size.length
        length = end - start
        widths = []
        for share in (0.3, 0.5, 0.7, 0.9):
            left, right = self._sides(start + share * length, 0.1 * length)
            widths.append(right - left)
        usual = self.size.width
        width = float(np.clip(min(widths), limits.narrowest * usual, limits.broadest * usual))
        first, last = (self._middle(start + share * length, length / 4) for share in (0.25, 0.75))
        slope = float(np.clip((last - first) / (length / 2), -limits.slope, limits.slope))
        return CardShape(width, length, slope)

    def part(self, start: float, end: float, shape: CardShape) -> CardPart:
        """The part of a card of that shape that is seen between these places."""
        start, end = start * self.size.length, end * self.size.length
        quarter, centre = (end - start) / 4, (start + end) / 2
        middle = np.mean([self._middle(at, quarter) for at in (start + quarter, end - quarter)])
        along = np.array([shape.slope, 1.0]) / np.hypot(shape.slope, 1.0)
        across = np.array([along[1], -along[0]])
        top = np.array([float(middle), centre]) - along * (centre - start)
        half, down = across * shape.width / 2, along * shape.length
        corners = np.array([top - half, top + half, top + half + down, top - half + down])
        return CardPart(self._to_picture(corners), min(1.0, (end - start) / shape.length))

    def _to_picture(self, points: Array) -> Floats:
        """Points (..., 2) of the upright column, in pixels of the maps, in pixels of the picture."""
        flat = points.reshape(-1, 2) / (self.width, self.length)
        onto = geometry.transform(flat.astype(np.float32), self.onto)
        return self.maps.view.to_picture(onto).reshape(points.shape)

    def _middle(self, at: float, reach: float) -> float:
        """The middle of what is seen across the column near `at`, in pixels of the maps from its left."""
        return sum(self._sides(at, reach)) / 2

    def _sides(self, at: float, reach: float) -> tuple[float, float]:
        """Where what is seen across the column round a place along it begins and ends, in pixels of the maps
        from the column's left side."""
        low, high = (round(2 * float(np.clip(at + way * reach, 0, self.length))) for way in (-1, 1))
        low = min(low, len(self.card) - 1)
        seen = self.card[low : max(high, low + 1)].mean(axis=0)
        least = column_limits().regions.card
        cards = np.flatnonzero(seen > least)
        inside = max(np.split(cards, np.flatnonzero(np.diff(cards) > 1) + 1), key=len)
        if len(inside) < self.size.width:
            return 0.0, self.width
        # The edge lies between the last pixel that is likelier table and the first that is likelier card.
        ends = []
        for first, way in ((inside[0], -1), (inside[-1], 1)):
            beside = float(seen[first + way]) if 0 <= first + way < len(seen) else 0.0
            share = (float(seen[first]) - least) / max(float(seen[first]) - beside, 1e-3)
            ends.append((first + way * share + 0.5) / 2 - SIDE_MARGIN * self.size.width)
        return ends[0], ends[1]
