"""Counts the cards of columns: the column network looks at each column both ways round, and all lie the way
that is likelier for all together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from companion.vision.display.column_events import (
    ColumnCards,
    ColumnEvent,
    cards_of,
    peaks,
)
from companion.vision.display.column_network import CARD_WIDTH, ColumnEvents, column_picture, seen_events
from companion.vision.display.columns import find_columns, left_over, wrong_area
from companion.vision.display.regions import LeftoverPlace
from companion.vision.display.straight import CardPart, CardShape, StraightColumn
from companion.vision.display.table_view import MeasuredCards, TableMaps, TableView
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image, shrunk_by

FINER = 1.5
"""How much finer the picture is from which pictures of another view are taken than these."""
FIRST_SIDES, GOOD_TOTAL = (448, 224, 640), 7.0
"""Longer sides of the picture in which columns are looked for, one after the other, until the log-odds are as
good as this for each card. Of 120 displays of development decks 45 had 7.2 or less at the first side; the
likeliest columns of all three sides have the right numbers of cards in 37 of these, those of the first side
in 33."""
MORE_LOOKS = 2
"""How often the table is looked at from straight above, each time by what was measured the time before."""
WRONG_AREA_COST = 10.0
"""Log-odds that it costs if as much as a card looks like cards and is in no column, or is in one and does
not."""
OVERLAP = 0.25
"""Share of the smaller of two columns within the other from which both cannot be there."""
SURE = 0.98
"""Probability of the number of cards of a column from which one look is enough."""
CLEAR_WAY = 12.0
"""Log-odds by which one way round must be likelier for the other columns not to be asked."""
BESIDE_END = (0.03, 0.2)
"""From where to where, in card lengths, a card is looked for beyond the covered end."""
USUAL_STEP = 0.3
"""Step from card to card, in card lengths, where no column shows one."""


@dataclass(frozen=True)
class ColumnView:
    """How a column is shown to the network: how broad, against what was found; moved to the side, and turned
    (in widths, its ends apart by twice that); and whether mirrored."""

    wider: float = 1.0
    aside: float = 0.0
    turned: float = 0.0
    is_mirrored: bool = False

    def of(self, quad: Floats) -> Floats:
        """The quad (4, 2) that is shown instead of a column's."""
        shown = quad[[1, 0, 3, 2]] if self.is_mirrored else quad
        across = shown - shown[[1, 0, 3, 2]]
        beside = np.array([[1], [1], [-1], [-1]], np.float32) * self.turned + self.aside
        return np.asarray(
            shown + across * (self.wider - 1.0) / 2 + (shown[1] - shown[0]) * beside, np.float32
        )


FIRST_VIEW = (ColumnView(),)
MORE_VIEWS = (
    ColumnView(is_mirrored=True),
    ColumnView(wider=0.93),
    ColumnView(wider=1.07, is_mirrored=True),
    ColumnView(aside=0.04),
    ColumnView(aside=-0.04, is_mirrored=True),
    ColumnView(turned=0.03),
    ColumnView(turned=0.03, is_mirrored=True),
)
"""The views whose mean, with the first, counts where that is not enough."""


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

    @property
    def seen_beyond(self) -> float:
        """The mean probability that a card is seen just beyond the covered end."""
        start = self.cards.starts[0].at
        return self.column.card_seen(start - BESIDE_END[1], start - BESIDE_END[0])

    def seen_at(self, event: ColumnEvent) -> float:
        """The mean probability that a card is seen where the part lies that would begin at an event."""
        below = min([self.cards.end, *(one.at for one in self.cards.starts if one.at > event.at)])
        return self.column.card_seen(event.at, min(event.at + self.step, below))

    @property
    def further(self) -> CardPart:
        """The part of another card beyond the covered end, a step before the first one."""
        back = geometry.UNIT - np.array([0.0, self.step], np.float32)
        onto = geometry.homography(geometry.UNIT, self.parts[0].quad)
        return CardPart(geometry.transform(np.asarray(back, np.float32), onto), self.step)

    def revised(self, starts: Sequence[ColumnEvent]) -> CountedColumn:
        """The column if its cards begin with other log-odds."""
        cards = cards_of(starts, self.ends) or self.cards
        return CountedColumn.of(self.column, cards, self.ends, self.step)


@dataclass(frozen=True, eq=False)
class CountedDisplay:
    """The columns of a picture with their cards, and the places that look like cards and are in no column.
    `total`: how much likelier all of it is than an empty table, as log-odds."""

    columns: tuple[CountedColumn, ...]
    leftover: tuple[LeftoverPlace, ...]
    total: float

    @property
    def cards(self) -> int:
        """How many there are in all columns."""
        return sum(len(column.cards.starts) for column in self.columns)


def counted_display(image: Image, aspect: float) -> CountedDisplay | None:
    """The display in a picture, None if no card is seen; `aspect` is the deck's, length by width."""
    pictures = _ShrunkPictures(image)
    best: CountedDisplay | None = None
    for side in FIRST_SIDES:
        view = TableView.of_camera(image.shape, side / max(image.shape[:2]))
        columns = likeliest_columns(pictures, view, aspect)
        if columns is None:
            continue
        from_above: list[_ColumnSet] = []
        for _ in range(MORE_LOOKS):
            view, before = columns.from_above, view
            again = None if view.is_like(before) else likeliest_columns(pictures, view, aspect)
            if again is None:
                break
            columns = again
            from_above.append(again)
        display = _counted(max(from_above, default=columns, key=_worth))
        if display is not None and (best is None or display.total > best.total):
            best = display
        if best is not None and best.total > GOOD_TOTAL * best.cards and not best.leftover:
            break
    return best


def likeliest_columns(pictures: _ShrunkPictures, view: TableView, aspect: float) -> _ColumnSet | None:
    """The likeliest columns that do not overlap, as the finder sees them in that view; None if there is
    none."""
    image, factor = pictures.resized(FINER * view.scale)
    found = find_columns(TableMaps.of(image, view, factor), aspect)
    looks = [_ColumnLook(pictures, column) for column in found]
    likeliest = _likeliest(pictures, looks)
    return likeliest if likeliest.looks else None


def _counted(columns: _ColumnSet) -> CountedDisplay | None:
    """The columns with their cards; None if they have none."""
    best = [look.again(columns.way) for look in columns.looks]
    counts = [one.cards for one in best if one.cards is not None]
    if not counts:
        return None
    step = usual_step(counts)
    made = [CountedColumn.of(one.column, one.cards, one.ends, step) for one in best if one.cards]
    leftover = left_over([one.column for one in best])
    total = sum(map(_total, best)) - WRONG_AREA_COST * wrong_area([one.column for one in best])
    return CountedDisplay(tuple(made), tuple(leftover), total)


class _ShrunkPictures:
    """A picture in the sizes from which upright pictures of columns are taken, each made once."""

    def __init__(self, image: Image) -> None:
        self.shape = image.shape
        self._whole = image
        self._made: dict[float, Image] = {1.0: image}

    def resized(self, scale: float) -> tuple[Image, float]:
        """The picture about FINER times as fine as that scale, and by what it was shrunk."""
        factor = min(1.0, 2.0 ** (round(2 * math.log2(FINER * scale)) / 2))
        if factor not in self._made:
            self._made[factor] = shrunk_by(self._whole, factor)
        return self._made[factor], factor


@dataclass(frozen=True, eq=False)
class _ColumnSet:
    """Columns that do not overlap, and which way round they lie."""

    looks: tuple[_ColumnLook, ...]
    way: int
    shape: tuple[int, ...]

    @property
    def from_above(self) -> TableView:
        """The view from straight above the table, by what is measured of these columns."""
        seen = [one for look in self.looks if (one := look.cards(self.way)).cards is not None]
        cards = MeasuredCards.together([one.measured for one in seen])
        return TableView.from_above(self.shape, cards, seen[0].column.size.aspect)


def _likeliest(pictures: _ShrunkPictures, looks: Sequence[_ColumnLook]) -> _ColumnSet:
    """The likeliest columns that do not overlap."""
    way = likelier_way(looks)
    totals = {id(look): _total(look.cards(way)) for look in looks}
    chosen: list[_ColumnLook] = []
    for one in sorted(looks, key=lambda look: -totals[id(look)]):
        covered = (geometry.shared_part(one.column.quad, other.column.quad) > OVERLAP for other in chosen)
        if totals[id(one)] > 0 and not any(covered):
            chosen.append(one)
    return _ColumnSet(tuple(chosen), way, pictures.shape)


def _worth(columns: _ColumnSet) -> float:
    """How much likelier these columns are than an empty table, as log-odds."""
    total = sum(_total(look.cards(columns.way)) for look in columns.looks)
    return total - WRONG_AREA_COST * wrong_area([look.column for look in columns.looks])


@dataclass(frozen=True, eq=False)
class SeenColumn:
    """A column one way round with its likeliest cards, if it has any, and where its open card may end."""

    column: StraightColumn
    cards: ColumnCards | None
    ends: tuple[ColumnEvent, ...]

    @staticmethod
    def of(column: StraightColumn, events: Sequence[ColumnEvents]) -> SeenColumn:
        """The column by the mean of what is seen in some views."""
        starts = peaks(np.mean([one.starts for one in events], axis=0))
        ends = peaks(np.mean([one.ends for one in events], axis=0))
        return SeenColumn(column, cards_of(starts, ends), tuple(ends))

    @property
    def measured(self) -> MeasuredCards:
        """What is measured of its cards."""
        assert self.cards is not None
        likely = 1.0 / (1.0 + math.exp(-self.cards.total))
        return self.column.measured(self.cards.starts[-1].at, self.cards.end, likely)


class _ColumnLook:
    """A column both ways round as the network sees it, each way when first asked for."""

    def __init__(self, pictures: _ShrunkPictures, column: StraightColumn) -> None:
        self.column = column
        width = geometry.width_of(column.quad) * column.size.width / column.width
        self._image, self._factor = pictures.resized(CARD_WIDTH / width)
        self._seen: dict[int, SeenColumn] = {}

    def cards(self, way: int) -> SeenColumn:
        """The column that way round, by one look."""
        if way not in self._seen:
            column = self.column.turned() if way else self.column
            self._seen[way] = SeenColumn.of(column, self._events(column, FIRST_VIEW))
        return self._seen[way]

    def again(self, way: int) -> SeenColumn:
        """The column from where its cards begin to where they end, by several looks if one is not enough."""
        first = self.cards(way)
        if first.cards is None:
            return first
        column = first.column.between(first.cards.starts[0].at, first.cards.end)
        events = self._events(column, FIRST_VIEW)
        seen = SeenColumn.of(column, events)
        if seen.cards is None or seen.cards.certainty < SURE:
            seen = SeenColumn.of(column, [*events, *self._events(column, MORE_VIEWS)])
        return seen if seen.cards is not None else first

    def _events(self, column: StraightColumn, views: Sequence[ColumnView]) -> list[ColumnEvents]:
        """What the network sees of the column in each of these views."""
        quad = geometry.to_resized(column.quad, self._factor)
        pictures = (column_picture(self._image, view.of(quad), column.lengths) for view in views)
        return [seen_events(picture) for picture in pictures]


def likelier_way(looks: Sequence[_ColumnLook]) -> int:
    """The way round that is likelier for all columns together, by the longest of them until that is clear."""
    ahead = 0.0
    for look in sorted(looks, key=lambda look: -look.column.lengths):
        ahead += _total(look.cards(1)) - _total(look.cards(0))
        if abs(ahead) > CLEAR_WAY:
            break
    return int(ahead > 0)


def _total(seen: SeenColumn) -> float:
    return 0.0 if seen.cards is None else seen.cards.total


def usual_step(columns: Sequence[ColumnCards]) -> float:
    """The median step from card to card, in card lengths."""
    steps = [b.at - a.at for one in columns for a, b in pairwise(one.starts)]
    return float(np.median(steps)) if steps else USUAL_STEP
