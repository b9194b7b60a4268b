"""Finds the columns of a display and counts their cards.

The finder's maps offer columns that may overlap (`columns`). The column network looks at each of them; all
columns lie the way round that is likelier for all together, and the likeliest that do not overlap are taken.
What is measured of their cards tells how to look at the table from straight above; the columns that are found
there count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.vision.display.column_events import ColumnCards, ColumnEvent, cards_of, peaks
from companion.vision.display.column_network import CARD_WIDTH, column_picture, seen_events
from companion.vision.display.columns import find_columns, left_over, wrong_area
from companion.vision.display.limits import column_limits
from companion.vision.display.straight import CardPart, StraightColumn
from companion.vision.display.table_view import MeasuredCards, TableMaps, TableView
from companion.vision.image import geometry
from companion.vision.image.picture import FINER, Floats, Image, shrunk_by

FIRST_SIDES = (448, 224, 640)
"""Longer sides of the picture in which columns are looked for, one after the other, until it is good."""
MORE_LOOKS = 2
"""How often the table is looked at from straight above at most, each time by what was measured before."""


@dataclass(frozen=True, eq=False)
class PossibleCard:
    """A card that begins, or may begin, at a place of a column: its visible part, the mean probability
    (`seen`) that the finder sees a card on that part, and whether it is counted."""

    start: ColumnEvent
    part: CardPart
    seen: float
    is_counted: bool


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A column as the column network sees it: its likeliest cards, which are counted, and where its open card
    may end. The properties below need at least one card."""

    column: StraightColumn
    cards: ColumnCards
    ends: tuple[ColumnEvent, ...]

    @staticmethod
    def of(column: StraightColumn, views: Sequence[Floats]) -> CountedColumn:
        """The column by the mean of what the network sees in some views (see `seen_events`)."""
        starts, ends = (peaks(likely) for likely in np.mean(views, axis=0))
        return CountedColumn(column, cards_of(starts, ends), tuple(ends))

    @cached_property
    def possible(self) -> tuple[PossibleCard, ...]:
        """All cards that may begin in it, from the covered end on."""
        column, cards = self.column, self.cards
        open_card = column.shape(cards.starts[-1].at, cards.end)
        covered = replace(open_card, length=column.size.length)
        found = []
        for start in sorted((*cards.starts, *cards.unused), key=lambda one: one.at):
            below = min([cards.end, *(one.at for one in cards.starts if one.at > start.at)])
            shape = open_card if start == cards.starts[-1] else covered
            part, seen = column.part(start.at, below, shape), column.card_seen(start.at, below)
            found.append(PossibleCard(start, part, seen, start in cards.starts))
        return tuple(found)

    @property
    def measured(self) -> MeasuredCards:
        """The measures of its cards, which tell the tilt of the camera."""
        likely = 1.0 / (1.0 + math.exp(-self.cards.total))
        return self.column.measured(self.cards.starts[-1].at, self.cards.end, likely)

    @property
    def quad(self) -> Floats:
        """The quad (4, 2) round its counted cards."""
        return self.column.between(self.cards.starts[0].at, self.cards.end).quad

    def before(self, card: PossibleCard) -> PossibleCard | None:
        """The counted card that another one, which begins after it, would cover; None if there is none."""
        counted = (one for one in self.possible if one.is_counted and one.start.at < card.start.at)
        return max(counted, key=lambda one: one.start.at, default=None)


@dataclass(frozen=True, eq=False)
class CountedDisplay:
    """The columns of a picture with their cards, and the finder's maps that they were found in. `total`: how
    much likelier all of it is than an empty table, as log-odds."""

    columns: tuple[CountedColumn, ...]
    maps: TableMaps
    total: float

    @property
    def card_area(self) -> float:
        """The area of a card, in pixels of the maps."""
        size = self.columns[0].column.size
        return size.width * size.length

    def is_good(self, leftover: float) -> bool:
        """Whether no better reading is to be expected. `leftover`: the area of a place that was not found, by
        that of a card, from which it is asked about."""
        total = column_limits().looks.good * sum(len(column.cards.starts) for column in self.columns)
        places = left_over(self.maps, [column.quad for column in self.columns], self.card_area)
        return self.total > total and all(place.area <= leftover for place in places)


def counted_display(image: Image, aspect: float, leftover: float) -> CountedDisplay | None:
    """The display in a picture, None without a card. `aspect`: length by width; `leftover`: see `is_good`."""
    pictures = _ShrunkPictures(image)
    best: CountedDisplay | None = None
    for side in FIRST_SIDES:
        display = _display_by(pictures, side, aspect)
        if display is not None and (best is None or display.total > best.total):
            best = display
        if best is not None and best.is_good(leftover):
            break
    return best


def _display_by(pictures: _ShrunkPictures, side: int, aspect: float) -> CountedDisplay | None:
    """The display as it is seen from straight above, by a first look at a picture with that longer side."""
    shape = pictures.shape
    view = TableView.of_camera(shape, side / max(shape[:2]))
    first = seen = _likeliest_columns(pictures, view, aspect)
    from_above: list[list[CountedColumn]] = []
    while seen and len(from_above) < MORE_LOOKS:
        measured = MeasuredCards.together([one.measured for one in seen])
        before, view = view, TableView.from_above(shape, measured, aspect)
        seen = [] if view.is_like(before) else _likeliest_columns(pictures, view, aspect)
        if seen:
            from_above.append(seen)
    if not first:
        return None
    closely = [_seen_closely(pictures, one) for one in max(from_above, default=first, key=_worth)]
    return CountedDisplay(tuple(closely), closely[0].column.maps, _worth(closely))


def _worth(columns: Sequence[CountedColumn]) -> float:
    """How much likelier these columns are than an empty table, as log-odds."""
    wrong = wrong_area([one.column for one in columns])
    return sum(one.cards.total for one in columns) - column_limits().looks.wrong_area * wrong


def _likeliest_columns(pictures: _ShrunkPictures, view: TableView, aspect: float) -> list[CountedColumn]:
    """The likeliest columns that do not overlap, as the finder sees them in that view."""
    image, factor = pictures.resized(FINER * view.scale)
    found = _one_way_round(pictures, find_columns(TableMaps.of(image, view, factor), aspect))
    likely = sorted((one for one in found if one.cards.total > 0), key=lambda one: -one.cards.total)
    most = column_limits().looks.overlap
    return [likely[at] for at in geometry.apart([one.column.quad for one in likely], most)]


def _one_way_round(pictures: _ShrunkPictures, columns: Sequence[StraightColumn]) -> list[CountedColumn]:
    """The columns as they are seen the way round that is likelier for all together, by the longest of them
    until that is clear."""
    ordered = sorted(columns, key=lambda column: -column.lengths)
    seen: tuple[list[CountedColumn], list[CountedColumn]] = ([], [])
    ahead = 0.0
    for column in ordered:
        for way, turned in enumerate((column, column.turned())):
            seen[way].append(CountedColumn.of(turned, [_view(pictures, turned, turned.quad)]))
        ahead += seen[1][-1].cards.total - seen[0][-1].cards.total
        if abs(ahead) > column_limits().looks.clear_way:
            break
    way = int(ahead > 0)
    rest = [column.turned() if way else column for column in ordered[len(seen[way]) :]]
    return seen[way] + [CountedColumn.of(column, [_view(pictures, column, column.quad)]) for column in rest]


def _seen_closely(pictures: _ShrunkPictures, first: CountedColumn) -> CountedColumn:
    """The column from where its cards begin to where they end, by several views if one is not enough."""
    column = first.column.between(first.cards.starts[0].at, first.cards.end)
    views = [_view(pictures, column, column.quad)]
    seen = CountedColumn.of(column, views)
    if seen.cards.certainty < column_limits().looks.sure:
        views += [_view(pictures, column, quad) for quad in _other_quads(column.quad)]
        seen = CountedColumn.of(column, views)
    return seen if seen.cards.starts else first


def _other_quads(quad: Floats) -> list[Floats]:
    """The quads (4, 2) that are shown instead of a column's where the number of its cards is not sure:
    mirrored, narrower, broader, moved aside either way, and turned, every second one mirrored."""
    limits = column_limits().looks
    mirrored, ends = quad[[1, 0, 3, 2]], np.array([[1], [1], [-1], [-1]], np.float32)
    return [
        mirrored,
        _moved(quad, wider=-limits.wider),
        _moved(mirrored, wider=limits.wider),
        _moved(quad, beside=limits.aside),
        _moved(mirrored, beside=-limits.aside),
        _moved(quad, beside=limits.turned * ends),
        _moved(mirrored, beside=limits.turned * ends),
    ]


def _moved(quad: Floats, wider: float = 0.0, beside: float | Floats = 0.0) -> Floats:
    """The quad (4, 2) made broader, and its corners (4, 1) moved across it, by shares of its width."""
    across = quad - quad[[1, 0, 3, 2]]
    return np.asarray(quad + across * wider / 2 + (quad[1] - quad[0]) * beside, np.float32)


def _view(pictures: _ShrunkPictures, column: StraightColumn, quad: Floats) -> Floats:
    """What the network sees of a column that is shown as if it lay in `quad` (4, 2)."""
    width = geometry.width_of(column.quad) * column.size.width / column.width
    image, factor = pictures.resized(CARD_WIDTH / width)
    return seen_events(column_picture(image, geometry.to_resized(quad, factor), column.lengths))


class _ShrunkPictures:
    """A picture in the sizes from which pictures of tables and columns are taken, each made once."""

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
