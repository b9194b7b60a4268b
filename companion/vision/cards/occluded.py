"""The cards that lie under those found, column by column.

Each card found is asked what sticks out from under it, at its top and at its bottom; what is found there is
asked in turn. Whoever can afford it has the ends of columns looked at once more, by edges alone: what has the
edges of a card and cannot be named is counted, so that nothing is overlooked in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from companion.vision.cards import edges
from companion.vision.cards.column_ends import Ends, Found
from companion.vision.cards.hypothesis import Judge
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.score import Judged, believed
from companion.vision.match.suppression import Explained, same_place

MOST_CARDS = 60
"""Cards (a deck's worth) after which no further covered ones are looked for."""
SIDES = (-1, 1)
"""A card's top and bottom."""
COVERED = 0.6
"""Share of the strip beyond a card that lies on another card for the column to go on there."""
JUMP = 1.6
"""How many times the usual step from card to card lets one suspect that a card between them is missing."""
FEWEST_STEPS = 3

STRIP_ONLY, BESIDE = 0.6, 0.2
"""Share of a covered card that must be seen for its blocks to tell which it is, and widths that it may lie
to the side of its cover to be read as a strip. With 0.45, five of 28 halves of cards that were not enrolled
were named as their likes by their blocks, with 0.6 one; of 40 that were enrolled none was lost."""

SMALLER, WITHIN = 0.66, 0.8
"""Size of what may be a part of a card, against that card's, and its share that must lie on it."""

_GRID = np.stack(np.meshgrid(np.linspace(0.1, 0.9, 7), np.linspace(0.1, 0.9, 4)), 2).reshape(-1, 2)


def with_covered(
    shape: tuple[int, ...], deck: Deck, judge: Judge, open_ones: Sequence[Judged], *, thorough: bool = False
) -> tuple[list[Judged], int]:
    """The cards found in a picture of that shape and those under them, and how many more seem to lie there
    that cannot be told. `thorough`: those are also sought by their edges, which costs more."""
    explained = Explained(shape)
    covers = {id(judged): cover for judged in open_ones if (cover := _cover(judged, open_ones)) is not None}
    clear = [judged for judged in open_ones if id(judged) not in covers]
    for judged in clear:
        if float(judged.seen.mean()) > 0.75:
            explained.add_whole(judged)
        else:
            explained.add(judged)
    under = Under(Ends(judge, deck, explained, thorough=thorough), explained, clear)
    under.follow(clear, under.at_first)
    under.follow(under.kept([judged for judged in open_ones if id(judged) in covers], covers), under.at_first)
    under.cards = without_parts(under.cards)
    if not thorough:
        return under.cards, len(under.doubts)
    usual = edges.usual_contrast(judge.scene, [judged.quad for judged in open_ones])
    under.follow(list(under.cards), lambda card, side: under.closely(card, side, usual))
    hidden = sum(not under.goes_on(card, side) for card, side in under.doubts)
    return under.cards, hidden + jumps([card.quad for card in under.cards])


class Under:
    """The search under the cards of one picture."""

    def __init__(self, ends: Ends, explained: Explained, open_ones: Sequence[Judged]) -> None:
        self.ends = ends
        self.cards = list(open_ones)
        self.doubts: list[tuple[Judged, int]] = []
        """Where something lies that cannot be told."""
        self._asked: set[int] = set()
        self._explained = explained

    def follow(self, cards: Sequence[Judged], look: Callable[[Judged, int], Found]) -> None:
        """Look under these cards, and under what is found there."""
        waiting = list(cards)
        while waiting and len(self.cards) < MOST_CARDS:
            card = waiting.pop(0)
            for side in SIDES:
                seen = look(card, side)
                if seen.judged is None:
                    if seen.suspicious:
                        self.doubts.append((card, side))
                elif not any(same_place(seen.judged.quad, other.quad) for other in self.cards):
                    self._explained.add(seen.judged)
                    self.cards.append(seen.judged)
                    waiting.append(seen.judged)

    def kept(self, cards: Sequence[Judged], covers: Mapping[int, tuple[Judged, int]]) -> list[Judged]:
        """Those of the cards under one of `covers` whose strip nobody contested, which are kept."""
        kept: list[Judged] = []
        for card in cards:
            cover, side = covers[id(card)]
            doubted = any(other is cover and side == where for other, where in self.doubts)
            if not doubted and not any(_read_as_strip(card, other) for other in self.cards):
                kept.append(card)
                self.cards.append(card)
                self._explained.add(card)
        return kept

    def at_first(self, card: Judged, side: int) -> Found:
        """What lies there by the drawings of the deck."""
        self._asked.add(id(card))
        return self.ends.beside(card, side)

    def closely(self, card: Judged, side: int, usual: float) -> Found:
        """What lies there by its edges, unless the column is known to go on there. What looked like an end
        at first is settled by this. `usual` is the contrast of the edges of known cards."""
        suspicious = any(card is other and side == where for other, where in self.doubts)
        self.doubts = [(other, where) for other, where in self.doubts if card is not other or side != where]
        if self.goes_on(card, side):
            return Found(None, False)
        fresh = Found(None, suspicious) if id(card) in self._asked else self.ends.beside(card, side)
        if fresh.judged is not None:
            return fresh
        return self.ends.by_edges(card, side, usual, fresh.suspicious)

    def goes_on(self, card: Judged, side: int) -> bool:
        """True if what is beyond a card on that side is another card that is known."""
        beyond = edges.beyond(card.quad if side < 0 else geometry.turned(card.quad))
        points = geometry.moved(_GRID, geometry.homography(geometry.UNIT, beyond))
        on = [
            any(
                geometry.contains(other.quad, (float(x), float(y)))
                for other in self.cards
                if other is not card
            )
            for x, y in points
        ]
        return float(np.mean(on)) > COVERED


def _cover(card: Judged, others: Sequence[Judged]) -> tuple[Judged, int] | None:
    """The card, wholly seen, from under which this one sticks out along their length, and on which side; None
    if it does not, if more of it is seen or features of no other card tell which it is. Its strip tells that
    better than its blocks: those fit a like that lies a little further out as well."""
    if card.distinct or float(card.seen.mean()) > STRIP_ONLY:
        return None
    for other in others:
        frame = geometry.homography(other.quad, geometry.UNIT)
        x, y = geometry.moved(geometry.centre(card.quad)[None], frame)[0] - 0.5
        whole = other is not card and float(other.seen.mean()) > 0.75
        if whole and abs(x) < BESIDE and abs(y) < 1:
            return other, -1 if y < 0 else 1
    return None


def _read_as_strip(card: Judged, strip: Judged) -> bool:
    """True if the other card is the strip that was read where this one lies."""
    return strip.is_strip and same_place(card.quad, strip.quad, 0.4)


def without_parts(cards: Sequence[Judged]) -> list[Judged]:
    """The cards without those that lie within the strip of a covered card, well told, and are smaller: its
    outline, taken for a card."""
    strips = [card for card in cards if card.is_strip and card.is_contested and believed(card)]

    def is_part(card: Judged) -> bool:
        size = abs(geometry.area(card.quad))
        return any(
            abs(geometry.area(strip.quad)) * SMALLER > size
            and cv2.intersectConvexConvex(card.quad, strip.quad)[0] > WITHIN * size
            for strip in strips
            if strip is not card
        )

    return [card for card in cards if not is_part(card)]


def jumps(quads: Sequence[Floats]) -> int:
    """How many steps from a card to the next one of its column are so long that a card may lie between."""
    steps = []
    for quad in quads:
        frame = geometry.homography(quad, geometry.UNIT)
        away = [
            geometry.moved(geometry.centre(other)[None], frame)[0] - 0.5
            for other in quads
            if other is not quad
        ]
        ahead = [float(-y) for x, y in away if abs(x) < 0.35 and -1.0 < y < -0.05]
        if ahead:
            steps.append(min(ahead))
    if len(steps) < FEWEST_STEPS:
        return 0
    return sum(step > JUMP * float(np.median(steps)) for step in steps)
