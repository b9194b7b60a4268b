"""Reads the visible part of a card, such as the strip that sticks out from under another: all cards of the
deck are compared with it by their pixels (match.strip_match), and the verifier judges the likeliest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.strip_match import StripComparison, StripMatcher
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.limits import PlaceEvidence
from companion.vision.verifier.verify import place_log_odds

FIRST_JUDGED, MOST_JUDGED = 3, 8
"""Cards that the verifier is asked about: so many first, and in all. Of 810 parts of cards in displays of
development decks the right one is likeliest by its pixels in 543, among three in 646, among eight in 744. By
the verifier it is likeliest in 699."""
NOTHING = 1.0
"""What is left unexplained where no card was compared."""


@dataclass(frozen=True, eq=False)
class StripCards:
    """The cards that a strip may show, one place of each, and by how much more of it another card leaves
    unexplained than each (n,). `left`: what the deck leaves unexplained."""

    cards: tuple[VerifiedCard, ...]
    margins: Floats
    left: float

    @property
    def evidence(self) -> PlaceEvidence:
        """What speaks for each of them."""
        return PlaceEvidence.of_strip(np.array([card.log_odds for card in self.cards], np.float32))


class StripReader:
    """Reads strips in one picture. `explained`, what other cards cover, is kept up to date by the caller."""

    def __init__(self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap) -> None:
        self._scene, self._deck, self._explained = scene, deck, explained
        self._matcher = StripMatcher(scene, deck.strip_templates, explained)

    def read(self, starts: Sequence[Floats], cover: Floats, clear: float = math.inf) -> StripCards:
        """The likeliest cards whose visible part lies near one of `starts` (4, 2), the visible end first;
        none if too little is seen. `cover`: a quad whose white is white; `clear`: log odds of a card from
        which no more cards are judged."""
        likeliest: dict[int, StripComparison] = {}
        for one in self._matcher.compare(starts, cover):
            likeliest.setdefault(int(self._deck.cards[one.look]), one)
        likely = list(likeliest.values())[:MOST_JUDGED]
        left = np.array([one.left for one in likeliest.values()], np.float32)
        cards = self._judged(likely[:FIRST_JUDGED])
        if all(card.log_odds < clear for card in cards):
            cards += self._judged(likely[FIRST_JUDGED:])
        others = [np.delete(left, at).min(initial=NOTHING) for at in range(len(cards))]
        return StripCards(tuple(cards), np.asarray(others - left[: len(cards)], np.float32), _least(left))

    def _judged(self, likely: Sequence[StripComparison]) -> list[VerifiedCard]:
        """Some cards, with what the verifier says of them."""
        poses = [(one.look, one.quad) for one in likely]
        odds = place_log_odds(self._scene, self._deck.enrolled, poses, self._explained)
        return [VerifiedCard(*pose, float(one)) for pose, one in zip(poses, odds, strict=True)]

    def left(self, start: Floats, cover: Floats) -> float:
        """The share of what is seen near `start` that the deck leaves unexplained; 1 if that is too
        little."""
        return _least([one.left for one in self._matcher.compare([start], cover)])


def _least(left: Sequence[float] | Floats) -> float:
    return float(min(left, default=NOTHING))
