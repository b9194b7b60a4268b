"""Finds the cards under those found, column by column.

The strips beyond the top and the bottom of each card are searched, then those of each card found there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2

from companion.vision.cards.column_ends import EndFinder, EndMatch
from companion.vision.cards.evaluator import Evaluator
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.match.score import CardMatch, is_labelled
from companion.vision.match.suppression import ExplainedMap, same_place

MOST_CARDS = 60
"""Cards (a deck's worth) after which no further covered ones are looked for."""
SIDES = (-1, 1)
"""A card's top and bottom."""

STRIP_SHARE, SIDE_WIDTHS = 0.6, 0.2
"""Share of a covered card that must be seen for its blocks to tell which it is, and widths that it may be to
the side of its cover to be read as a strip. With 0.45, five of 28 halves of cards that were not enrolled were
named as similar cards by their blocks, with 0.6 one; of 40 that were enrolled none was lost."""

PART_SIZE, PART_INSIDE = 0.66, 0.8
"""Size of what may be a part of a card, against that card's, and its share that must be on it."""


def find_occluded(
    shape: tuple[int, ...],
    deck: Deck,
    evaluator: Evaluator,
    open_ones: Sequence[CardMatch],
) -> list[CardMatch]:
    """The cards found in a picture of that shape and those under them."""
    explained = ExplainedMap(shape)
    covers = {
        id(match): cover for match in open_ones if (cover := _covering_card(match, open_ones)) is not None
    }
    clear = [match for match in open_ones if id(match) not in covers]
    for match in clear:
        if float(match.seen.mean()) > 0.75:
            explained.add_whole(match)
        else:
            explained.add(match)
    under = OccludedSearch(EndFinder(evaluator, deck, explained), explained, clear)
    under.follow(clear, under.by_drawing)
    under.follow(
        under.keep_uncontested([match for match in open_ones if id(match) in covers], covers),
        under.by_drawing,
    )
    return without_parts(under.cards)


class OccludedSearch:
    """The search under the cards of one picture."""

    def __init__(self, ends: EndFinder, explained: ExplainedMap, open_ones: Sequence[CardMatch]) -> None:
        self.ends = ends
        self.cards = list(open_ones)
        self.doubts: list[tuple[CardMatch, int]] = []
        """Places (card, side) that show something which cannot be identified."""
        self._explained = explained

    def follow(self, cards: Sequence[CardMatch], look: Callable[[CardMatch, int], EndMatch]) -> None:
        """Look under these cards, and under what is found there."""
        waiting = list(cards)
        while waiting and len(self.cards) < MOST_CARDS:
            card = waiting.pop(0)
            for side in SIDES:
                seen = look(card, side)
                if seen.match is None:
                    if seen.suspicious:
                        self.doubts.append((card, side))
                elif not any(same_place(seen.match.quad, other.quad) for other in self.cards):
                    self._explained.add(seen.match)
                    self.cards.append(seen.match)
                    waiting.append(seen.match)

    def keep_uncontested(
        self, cards: Sequence[CardMatch], covers: Mapping[int, tuple[CardMatch, int]]
    ) -> list[CardMatch]:
        """Those of the cards under one of `covers` whose strip nobody contested, which are kept."""
        kept: list[CardMatch] = []
        for card in cards:
            cover, side = covers[id(card)]
            doubted = any(other is cover and side == where for other, where in self.doubts)
            if not doubted and not any(_is_strip_of(card, other) for other in self.cards):
                kept.append(card)
                self.cards.append(card)
                self._explained.add(card)
        return kept

    def by_drawing(self, card: CardMatch, side: int) -> EndMatch:
        """The card there, by the drawings of the deck."""
        return self.ends.find(card, side)


def _covering_card(card: CardMatch, others: Sequence[CardMatch]) -> tuple[CardMatch, int] | None:
    """The card, wholly seen, from under which this one sticks out along their length, and on which side; None
    if it does not, if more of it is visible, or if features of no other card identify it. A strip identifies
    it better than blocks do: blocks also fit a similar card a little further out."""
    if card.distinct or float(card.seen.mean()) > STRIP_SHARE:
        return None
    for other in others:
        frame = geometry.homography(other.quad, geometry.UNIT)
        x, y = geometry.transform(geometry.diagonal_crossing(card.quad)[None], frame)[0] - 0.5
        whole = other is not card and float(other.seen.mean()) > 0.75
        if whole and abs(x) < SIDE_WIDTHS and abs(y) < 1:
            return other, -1 if y < 0 else 1
    return None


def _is_strip_of(card: CardMatch, strip: CardMatch) -> bool:
    """Whether the other match is a strip at the place of this one."""
    return strip.is_strip and same_place(card.quad, strip.quad, 0.4)


def without_parts(cards: Sequence[CardMatch]) -> list[CardMatch]:
    """The cards without smaller ones inside a confident strip: an outline of the strip, mistaken for a
    card."""
    strips = [card for card in cards if card.is_strip and card.is_contested and is_labelled(card)]

    def is_part(card: CardMatch) -> bool:
        size = abs(geometry.area(card.quad))
        return any(
            abs(geometry.area(strip.quad)) * PART_SIZE > size
            and cv2.intersectConvexConvex(card.quad, strip.quad)[0] > PART_INSIDE * size
            for strip in strips
            if strip is not card
        )

    return [card for card in cards if not is_part(card)]
