"""Finds the columns of a display in the maps of the card finder.

A column is a region of cards as wide as a card and at least as long. Which cards it has is another question
(`counting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.display.limits import column_limits
from companion.vision.display.regions import CardSize, Region, card_size, grouped, separations
from companion.vision.display.straight import StraightColumn
from companion.vision.display.table_view import TableMaps
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Floats


def find_columns(maps: TableMaps, aspect: float) -> list[StraightColumn]:
    """All that may be columns in the maps, in every way in which the regions of cards can be separated, so
    they overlap. `aspect` is the deck's, length by width.

    Each way has its own size of card, unless that is far off the one on which all ways agree: two neighbours
    that are found as one region would make every card of it broader and longer.
    """
    separated = list(separations(maps))
    usual = card_size([region for regions in separated for region in regions], aspect)
    if usual is None:
        return []
    found: list[StraightColumn] = []
    for regions in separated:
        own = card_size(regions, aspect)
        size = own if own is not None and own.is_like(usual) else usual
        for group in grouped(regions, size):
            one = _upright(group, maps, size)
            if one is not None and not any(_is_same(one, other) for other in found):
                found.append(one)
    return found


def wrong_area(columns: Sequence[StraightColumn]) -> float:
    """How much of the display these columns explain wrongly, in areas of a card: what lies in one of them
    and does not look like a card, and what looks like a card and lies in none."""
    maps, size = columns[0].maps, columns[0].size
    covered = masks.drawn((column.corners for column in columns), maps.card.shape)
    return float(((maps.card > column_limits().regions.card) != covered).sum()) / (size.width * size.length)


@dataclass(frozen=True, eq=False)
class LeftoverPlace:
    """A place that looks like a card, or a part of one, and is none that was found: the rectangle (4, 2)
    round it in pixels of the picture, and its area, by that of a card."""

    quad: Floats
    area: float


def left_over(maps: TableMaps, found: Sequence[Floats], card_area: float) -> list[LeftoverPlace]:
    """The places of the maps that look like cards outside of those that were `found` (4, 2), in pixels of the
    picture. `card_area`: that of a card, in pixels of the maps."""
    covered = masks.drawn((maps.view.from_picture(quad) for quad in found), maps.card.shape)
    places = []
    for pixels in masks.parts((maps.card > column_limits().regions.card) & ~masks.grown(covered, 2)):
        corners = cv2.boxPoints(cv2.minAreaRect(pixels)).astype(np.float32)
        places.append(LeftoverPlace(maps.view.to_picture(corners), len(pixels) / card_area))
    return places


def _is_same(one: StraightColumn, other: StraightColumn) -> bool:
    most = column_limits().regions.same_place * one.size.width
    return float(np.abs(one.corners - other.corners).max()) < most


def _upright(group: Sequence[Region], maps: TableMaps, size: CardSize) -> StraightColumn | None:
    """The column that these regions make along the direction of the cards; None if its size is wrong."""
    whole = Region.of(np.concatenate([region.points for region in group]))
    limits = column_limits().regions
    if whole.short > limits.widest * size.width or whole.long < limits.shortest * size.length:
        return None
    corners = whole.corners
    if float((corners[3] - corners[0]) @ size.axis) < 0:
        corners = geometry.rotated_half_turn(corners)
    return StraightColumn(maps, corners, whole.long, size)
