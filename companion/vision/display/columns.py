"""Finds the columns of a display, and the visible part of each card, in the maps of the card finder.

A column is a region of cards as wide as a card. Turned upright, it is cut where an edge runs across its whole
width. Its open card is as long as a card; what lies beyond are the ends of covered cards. All columns of a
display have their open cards at the same end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.display.arrangement import (
    Arrangement,
    arrange,
    backward,
    missing_cuts,
    usual_step,
)
from companion.vision.display.finder import PartMaps
from companion.vision.display.regions import (
    CARD,
    COLUMN_WIDTH,
    CardSize,
    Region,
    card_size,
    grouped,
    leftover_places,
    separations,
)
from companion.vision.display.straight import SHORTEST_PART, CardPart, CardShape, StraightColumn, cuts_of
from companion.vision.image.picture import Bytes, Floats

SHORTEST_COLUMN = 0.8
"""Length of the shortest column, in card lengths."""
NO_OPEN_CARD = 2.0
"""What it costs in the choice of a direction that a column has no open card at that end."""
ARRANGED_COST, WRONG_AREA, LEFTOVER_COST = 3.0, 20.0, 0.2
"""What the arrangement of the usual column counts; what it costs that an area as large as all cards together
is no card in a column, or a card in none; and each place that looks like a card and is in no column."""
USUAL_STEP = 0.3
"""Step from card to card, in card lengths, where no column shows one."""
DOUBT_LENGTH = 0.25
"""Length of the part of a card that may be there, in card lengths."""


@dataclass(frozen=True, eq=False)
class FoundColumn:
    """The parts of a column, the open card last, and the parts of cards that may begin there as well.
    `divided`: an edge may run across what was taken for the open card."""

    parts: tuple[CardPart, ...]
    doubts: tuple[CardPart, ...]
    divided: bool


@dataclass(frozen=True, eq=False)
class FoundColumns:
    """The columns of a picture, the width of a card (pixels of the picture), the usual step from card to card
    (card lengths), and the places (4, 2) that look like cards and are in no column. `cost`: how badly it all
    fits."""

    columns: tuple[FoundColumn, ...]
    width: float
    step: float
    leftover: tuple[Floats, ...]
    cost: float


def find_columns(maps: PartMaps, aspect: float) -> FoundColumns | None:
    """The columns in the maps, None if nothing is seen that looks like a whole card; `aspect` is the deck's,
    length by width."""
    seen = max(1.0, float((maps.card > CARD).sum()))
    best: tuple[float, FoundColumns] | None = None
    for regions in separations(maps):
        size = card_size(regions, aspect)
        if size is None:
            continue
        upright = [
            one for group in grouped(regions, size) if (one := _upright(group, maps, size)) is not None
        ]
        if not upright:
            continue
        columns, cost, step = _arranged(upright, size)
        covered = _covered(columns, maps)
        left = leftover_places(maps, covered, size)
        wrong = float(((maps.card > CARD) != (covered > 0)).sum()) / seen
        cost = ARRANGED_COST * cost / len(upright) + WRONG_AREA * wrong + LEFTOVER_COST * len(left)
        if best is None or cost < best[0]:
            best = (
                cost,
                FoundColumns(
                    tuple(columns),
                    size.width / maps.scale,
                    step / (size.width * size.aspect),
                    tuple(left),
                    cost,
                ),
            )
    return None if best is None else best[1]


def _covered(columns: Sequence[FoundColumn], maps: PartMaps) -> Bytes:
    """Where the parts of the columns are seen in the maps, 0 or 1."""
    covered = np.zeros(maps.card.shape, np.uint8)
    for column in columns:
        for part in column.parts:
            quad = (part.visible + 0.5) * maps.scale - 0.5
            cv2.fillConvexPoly(covered, np.round(quad).astype(np.int32), 1)
    return covered


def _upright(group: Sequence[Region], maps: PartMaps, size: CardSize) -> StraightColumn | None:
    """The column that these regions make, along the direction of the cards; None if it has not the size of
    one."""
    whole = Region.of(np.concatenate([region.points for region in group]))
    if whole.short > COLUMN_WIDTH[1] * size.width or whole.long < SHORTEST_COLUMN * size.width * size.aspect:
        return None
    corners = whole.corners
    if float((corners[3] - corners[0]) @ size.axis) < 0:
        corners = corners[[2, 3, 0, 1]]
    return StraightColumn.of(maps, corners, whole.long, size)


def _arranged(columns: Sequence[StraightColumn], size: CardSize) -> tuple[list[FoundColumn], float, float]:
    """The columns with their parts, their open cards all at the end at which that fits best, and what that
    costs."""
    card = size.width * size.aspect
    cuts = [cuts_of(column.profile(), SHORTEST_PART * card) for column in columns]
    ways: list[list[Arrangement | None]] = [[], []]
    for column, own in zip(columns, cuts, strict=True):
        ways[0].append(arrange(own, column.length, card))
        ways[1].append(arrange(backward(own, column.length), column.length, card))
    costs = [sum(NO_OPEN_CARD if one is None else one.cost for one in way) for way in ways]
    reverse = costs[1] < costs[0]
    chosen = ways[int(reverse)]
    step = usual_step([one for one in chosen if one is not None])
    found = []
    for column, one in zip(columns, chosen, strict=True):
        if one is not None:
            more = missing_cuts(one, step) if step else []
            whole = replace(one, doubtful=(*one.doubtful, *more))
            found.append(_column(column.turned() if reverse else column, whole, card))
    return found, min(costs), step or USUAL_STEP * card


def _column(column: StraightColumn, arrangement: Arrangement, card: float) -> FoundColumn:
    starts, length = [0.0, *arrangement.sure], column.length
    opened = starts[-1]
    width, slope = column.card_width(opened, length), column.slope(opened, length)
    covered, shown = CardShape(width, card, slope), CardShape(width, length - opened, slope)
    bounds = zip(starts, [*arrangement.sure, length], strict=True)
    parts = [column.part(start, end, shown if end == length else covered) for start, end in bounds]
    doubts = [
        column.part(start, min(length, start + DOUBT_LENGTH * card), covered)
        for start in arrangement.doubtful
    ]
    return FoundColumn(tuple(parts), tuple(doubts), arrangement.divided)
