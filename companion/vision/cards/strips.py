"""Reads the visible part of a card, such as the strip that sticks out from under another: all cards of the
deck are compared with it by their pixels (match.strip_match), and the verifier judges the likeliest.

The verifier looks once: at the place where the likeliest card lies by its pixels. Each card at the place that
suits it best took more time and named no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.strip_match import StripFit, StripMatcher
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import PlaceEvidence
from companion.vision.verifier.network import features_of
from companion.vision.verifier.verify import seen_at

JUDGED = 8
"""Cards of a table's strip that the verifier is asked about. Of 810 parts of cards in displays of development
decks the right one is likeliest by its pixels in 543, among three in 646, among eight in 744."""


class Strip:
    """What a strip shows. The verifier judges cards when they are first asked for."""

    def __init__(self, enrolled: EnrolledCards, fit: StripFit, features: Floats) -> None:
        """`features` (2, ...) of the place of `fit`, as it lies and upside down."""
        self.left = fit.left
        """The share of what is seen that the deck leaves unexplained."""
        self._enrolled, self._fit, self._features = enrolled, fit, features
        self._judged: list[VerifiedCard] = []

    def cards(self, count: int) -> tuple[VerifiedCard, ...]:
        """The first cards, by their pixels, as the verifier judges them; fewer if the deck has fewer."""
        more = slice(len(self._judged), count)
        looks, ways = self._fit.looks[more].tolist(), self._fit.is_upside_down[more].astype(int)
        if looks:
            odds = self._enrolled.log_odds(self._features[ways], looks)
            quads = (self._fit.quad, geometry.rotated_half_turn(self._fit.quad))
            self._judged.extend(
                VerifiedCard(look, quads[way], float(value))
                for look, way, value in zip(looks, ways, odds, strict=True)
            )
        return tuple(self._judged[:count])


class StripReader:
    """Reads strips in one picture. `explained`, what other cards cover, is kept up to date by the caller."""

    def __init__(self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap) -> None:
        self._scene, self._deck, self._explained = scene, deck, explained
        self._matcher = StripMatcher(scene, deck.strip_templates, explained)

    def read(self, starts: Sequence[Floats], cover: Floats) -> Strip | None:
        """What the visible part of a card near one of `starts` (4, 2), the visible end first, shows; None if
        too little is seen. `cover`: a quad whose white is white."""
        fit = self._matcher.compare(starts, cover)
        if fit is None:
            return None
        ways = (fit.quad, geometry.rotated_half_turn(fit.quad))
        pictures, visible = zip(*(seen_at(self._scene, quad, self._explained) for quad in ways), strict=True)
        return Strip(self._deck.enrolled, fit, features_of(np.stack(pictures), np.stack(visible)))

    def left(self, start: Floats, cover: Floats) -> float:
        """The share of what is seen near `start` that the deck leaves unexplained; 1 if that is too
        little."""
        fit = self._matcher.compare([start], cover)
        return 1.0 if fit is None else fit.left


def strip_evidence(cards: Sequence[VerifiedCard]) -> PlaceEvidence:
    """What speaks for each of the cards of a strip."""
    return PlaceEvidence.of_strip(np.array([card.log_odds for card in cards], np.float32))
