"""Counts the cards of columns: the column network looks at each column both ways round, and all lie the way
that is likelier for all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from companion.vision.display.column_events import (
    ColumnCards,
    ColumnEvent,
    cards_of,
    peaks,
)
from companion.vision.display.column_network import CARD_WIDTH, column_network, column_picture
from companion.vision.display.columns import find_columns, left_over
from companion.vision.display.finder import card_finder
from companion.vision.display.straight import CardPart, CardShape, StraightColumn
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image

FINER = 1.5
"""How much finer than the upright pictures the picture is that they are taken from."""
FIRST_SIDES, GOOD_TOTAL = (448, 224, 800), 8.0
"""Longer sides of the picture in which columns are looked for, one after the other, until their mean log-odds
are as good as this."""
FINDER_WIDTH, NEAR_WIDTH = 38.0, 0.2
"""Width in pixels of the cards in the picture that the finder reads, and the share by which it may differ."""
LEFTOVER_COST = 5.0
"""Log-odds that places outside of all columns which look like cards take from a display, for each area of a
card."""
OVERLAP = 0.25
"""Share of the smaller of two columns within the other from which both cannot be there."""
CLEAR_WAY = 12.0
"""Log-odds by which one way round must be likelier for the other columns not to be asked."""
USUAL_STEP = 0.3
"""Step from card to card, in card lengths, where no column shows one."""


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A column with its cards: the parts of them, the open card last, and the parts of cards that may begin
    there as well (`doubts[i]` at `cards.unused[i]`). `ends`: where the open card may end; `step`: the usual
    one from card to card in the display, in card lengths."""

    column: StraightColumn
    cards: ColumnCards
    ends: tuple[ColumnEvent, ...]
    step: float
    parts: tuple[CardPart, ...]
    doubts: tuple[CardPart, ...]

    @staticmethod
    def of(
        column: StraightColumn, cards: ColumnCards, ends: Sequence[ColumnEvent], step: float
    ) -> CountedColumn:
        """The column with the parts of its cards."""
        card = column.size.width * column.size.aspect
        places, end = [one.at * card for one in cards.starts], cards.end * card
        width, slope = column.card_width(places[-1], end), column.slope(places[-1], end)
        covered, shown = CardShape(width, card, slope), CardShape(width, end - places[-1], slope)
        parts = [column.part(start, below, covered) for start, below in pairwise(places)]
        parts.append(column.part(places[-1], end, shown))
        below = [min([cards.end, *(b.at for b in cards.starts if b.at > one.at)]) for one in cards.unused]
        doubts = [
            column.part(one.at * card, min(one.at + step, last) * card, covered)
            for one, last in zip(cards.unused, below, strict=True)
        ]
        return CountedColumn(column, cards, tuple(ends), step, tuple(parts), tuple(doubts))

    def revised(self, starts: Sequence[ColumnEvent]) -> CountedColumn:
        """The column if its cards begin with other log-odds."""
        cards = cards_of(starts, self.ends) or self.cards
        return CountedColumn.of(self.column, cards, self.ends, self.step)


@dataclass(frozen=True, eq=False)
class CountedDisplay:
    """The columns of a picture with their cards, and the places (4, 2) that look like cards and are in no
    column. `total`: how much likelier all of it is than an empty table, as log-odds."""

    columns: tuple[CountedColumn, ...]
    leftover: tuple[Floats, ...]
    total: float


def counted_display(image: Image, aspect: float) -> CountedDisplay | None:
    """The display in a picture, None if no card is seen; `aspect` is the deck's, length by width."""
    finder, longest = card_finder(), max(image.shape[:2])
    best: CountedDisplay | None = None
    for side in FIRST_SIDES:
        found = find_columns(finder.maps(image, side / longest), aspect)
        wanted = FINDER_WIDTH / _card_width(found) if found else 0.0
        if found and abs(wanted * longest / side - 1.0) > NEAR_WIDTH:
            found = find_columns(finder.maps(image, wanted), aspect) or found
        display = counted(image, found) if found else None
        if display is not None and (best is None or display.total > best.total):
            best = display
        if best is not None and best.total > GOOD_TOTAL * len(best.columns) and not best.leftover:
            break
    return best


def _card_width(columns: Sequence[StraightColumn]) -> float:
    """The width of a card in pixels of the picture, by the first way to separate the cards."""
    return columns[0].size.width / columns[0].maps.scale


def counted(image: Image, found: Sequence[StraightColumn]) -> CountedDisplay | None:
    """The likeliest of these columns that do not overlap, with their cards; None if there is none."""
    factor = min(1.0, FINER * CARD_WIDTH / _card_width(found))
    if factor < 1.0:
        size = tuple(max(1, round(side * factor)) for side in image.shape[1::-1])
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    looks = [_ColumnLook(image, column, factor) for column in found]
    best: list[SeenColumn] = []
    for column in found:
        chosen = _likeliest([look for look in looks if look.column.is_alike(column)])
        if sum(map(_total, chosen)) > sum(map(_total, best)):
            best = chosen
    if not best:
        return None
    step = usual_step([one.cards for one in best if one.cards])
    columns = [CountedColumn.of(one.column, one.cards, one.ends, step) for one in best if one.cards]
    leftover = left_over([one.column for one in best])
    card = _card_width(found) ** 2 * best[0].column.size.aspect
    areas = sum(abs(geometry.area(quad)) / card for quad in leftover)
    total = sum(map(_total, best)) - LEFTOVER_COST * areas
    return CountedDisplay(tuple(columns), tuple(leftover), total)


def _likeliest(looks: Sequence[_ColumnLook]) -> list[SeenColumn]:
    """The likeliest columns that do not overlap, all the same way round."""
    way = likelier_way(looks)
    chosen: list[SeenColumn] = []
    for one in sorted((look.cards(way) for look in looks), key=_total, reverse=True):
        if _total(one) > 0 and not any(_overlap(one.column, other.column) for other in chosen):
            chosen.append(one)
    return chosen


def _overlap(one: StraightColumn, other: StraightColumn) -> bool:
    """Whether a good part of one column lies in the other."""
    quads = [np.asarray(column.quad, np.float32) for column in (one, other)]
    common = float(cv2.intersectConvexConvex(*quads)[0])
    return common > OVERLAP * min(abs(geometry.area(quad)) for quad in quads)


@dataclass(frozen=True, eq=False)
class SeenColumn:
    """A column one way round with its likeliest cards, if it has any, and where its open card may end."""

    column: StraightColumn
    cards: ColumnCards | None
    ends: tuple[ColumnEvent, ...]


class _ColumnLook:
    """A column both ways round as the network sees it, each way when first asked for."""

    def __init__(self, image: Image, column: StraightColumn, factor: float) -> None:
        """`image` was shrunk by `factor`."""
        self._image, self.column, self._factor = image, column, factor
        self._seen: dict[int, SeenColumn] = {}

    def cards(self, way: int) -> SeenColumn:
        """The column that way round."""
        if way not in self._seen:
            column = self.column.turned() if way else self.column
            quad = np.asarray((column.quad + 0.5) * self._factor - 0.5, np.float32)
            events = column_network().events(column_picture(self._image, quad, column.lengths))
            starts, ends = peaks(events.starts), peaks(events.ends)
            self._seen[way] = SeenColumn(column, cards_of(starts, ends), tuple(ends))
        return self._seen[way]


def likelier_way(looks: Sequence[_ColumnLook]) -> int:
    """The way round that is likelier for all columns together, by the longest of them until that is clear."""
    ahead = 0.0
    for look in sorted(looks, key=_length, reverse=True):
        ahead += _total(look.cards(1)) - _total(look.cards(0))
        if abs(ahead) > CLEAR_WAY:
            break
    return int(ahead > 0)


def _total(seen: SeenColumn) -> float:
    return 0.0 if seen.cards is None else seen.cards.total


def _length(look: _ColumnLook) -> float:
    return look.column.lengths


def usual_step(columns: Sequence[ColumnCards]) -> float:
    """The median step from card to card, in card lengths."""
    steps = [b.at - a.at for one in columns for a, b in pairwise(one.starts)]
    return float(np.median(steps)) if steps else USUAL_STEP
