"""Reads the visible part of a card, such as the strip that sticks out from under another: all cards of the
deck are compared with it by their pixels (match.strip_match), and the verifier judges the likeliest.

The verifier looks once: at the place where the likeliest card lies by its pixels. Each card at the place that
suits it best took more time and named no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Bools, Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.strip_match import StripComparison, StripMatcher
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import PlaceEvidence
from companion.vision.verifier.network import features_of
from companion.vision.verifier.verify import seen_at

JUDGED = 8
"""Cards of a table's strip that the verifier is asked about. Of 810 parts of cards in displays of development
decks the right one is likeliest by its pixels in 543, among three in 646, among eight in 744."""
NOTHING = 1.0
"""What is left unexplained where no card was compared."""


@dataclass(frozen=True, eq=False)
class SeenPlace:
    """A place as the verifier sees it: its quad (4, 2), the picture, and where that shows something."""

    quad: Floats
    picture: Bytes
    visible: Bools


class Strip:
    """What a strip shows: the cards of the deck, that first which explains most by its pixels. The verifier
    judges cards when they are first asked for."""

    def __init__(
        self,
        enrolled: EnrolledCards,
        likely: tuple[StripComparison, ...] = (),
        places: tuple[SeenPlace, ...] = (),
    ) -> None:
        """`likely`: each card once; `places`: where the first of them lies, as it lies and upside down."""
        self._enrolled, self._likely, self._places = enrolled, likely, places
        self._features: dict[int, Floats] = {}
        self._judged: list[VerifiedCard] = []

    @property
    def left(self) -> float:
        """The share of what is seen that the deck leaves unexplained; 1 if too little is seen."""
        return _least_left(self._likely)

    def cards(self, count: int) -> tuple[VerifiedCard, ...]:
        """The first cards, by their pixels, as the verifier judges them; fewer if the deck has fewer."""
        more = self._likely[len(self._judged) : count]
        if more:
            places = [self._place_of(one) for one in more]
            seen = np.stack([self._features_at(place) for place in places])
            odds = self._enrolled.log_odds(seen, [one.look for one in more])
            self._judged.extend(
                VerifiedCard(one.look, self._places[place].quad, float(value))
                for one, place, value in zip(more, places, odds, strict=True)
            )
        return tuple(self._judged[:count])

    def _place_of(self, one: StripComparison) -> int:
        """Which way round a card lies at the place."""
        return int(one.is_upside_down != self._likely[0].is_upside_down)

    def _features_at(self, place: int) -> Floats:
        if place not in self._features:
            seen = self._places[place]
            self._features[place] = features_of(seen.picture[None], seen.visible[None])[0]
        return self._features[place]


class StripReader:
    """Reads strips in one picture. `explained`, what other cards cover, is kept up to date by the caller."""

    def __init__(self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap) -> None:
        self._scene, self._deck, self._explained = scene, deck, explained
        self._matcher = StripMatcher(scene, deck.strip_templates, explained)

    def read(self, starts: Sequence[Floats], cover: Floats) -> Strip:
        """What the visible part of a card near one of `starts` (4, 2), the visible end first, shows: no card
        if too little is seen. `cover`: a quad whose white is white."""
        likeliest: dict[int, StripComparison] = {}
        for one in self._matcher.compare(starts, cover):
            likeliest.setdefault(int(self._deck.cards[one.look]), one)
        likely = tuple(likeliest.values())
        quads = [likely[0].quad, geometry.rotated_half_turn(likely[0].quad)] if likely else []
        places = tuple(SeenPlace(quad, *seen_at(self._scene, quad, self._explained)) for quad in quads)
        return Strip(self._deck.enrolled, likely, places)

    def left(self, start: Floats, cover: Floats) -> float:
        """The share of what is seen near `start` that the deck leaves unexplained; 1 if that is too
        little."""
        return _least_left(self._matcher.compare([start], cover))


def strip_evidence(cards: Sequence[VerifiedCard]) -> PlaceEvidence:
    """What speaks for each of the cards of a strip."""
    return PlaceEvidence.of_strip(np.array([card.log_odds for card in cards], np.float32))


def _least_left(compared: Sequence[StripComparison]) -> float:
    return min((one.left for one in compared), default=NOTHING)
