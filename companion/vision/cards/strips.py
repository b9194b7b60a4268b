"""Reads the visible part of a card, such as the strip that sticks out from under another: all cards of the
deck are compared with it by their pixels (match.strip_match), and the verifier judges the likeliest.

The verifier looks at the place where the likeliest card lies by its pixels; on a table, where it is in doubt,
a little beside that as well. Each card at the place that suits it best took more time and named no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import StripLimits
from companion.vision.match.strip_match import StripFit, StripMatcher
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import PlaceEvidence
from companion.vision.verifier.network import FEATURES_SHAPE, FRAME, features_of
from companion.vision.verifier.verify import seen_at

CELL = FRAME.height / FEATURES_SHAPE[1]
"""Pixels of FRAME to a cell of the features."""
BESIDE = (
    CELL / 2 * np.array([(-1, 0), (1, 0), (0, -1), (0, 1)], np.float32) / np.array(FRAME.card, np.float32)
)
"""What is added to the unit card for the further looks (4, 2)."""


class Strip:
    """What a strip shows. The verifier judges cards when they are first asked for."""

    def __init__(
        self,
        enrolled: EnrolledCards,
        fit: StripFit,
        look: Callable[[Floats], Floats],
        limits: StripLimits,
    ) -> None:
        """`look` gives the features (2, ...) of a place (4, 2), as it lies and upside down."""
        self.left = fit.left
        """The share of what is seen that the deck leaves unexplained."""
        self._enrolled, self._fit, self._look = enrolled, fit, look
        self._limits = limits
        self._features = look(fit.quad)
        self._judged: list[VerifiedCard] = []

    def cards(self, count: int) -> tuple[VerifiedCard, ...]:
        """The first cards, by their pixels, as the verifier judges them; fewer if the deck has fewer."""
        more = range(len(self._judged), min(count, len(self._fit.looks)))
        if more:
            quads = (self._fit.quad, geometry.rotated_half_turn(self._fit.quad))
            odds = self._log_odds(self._features, more)
            self._judged.extend(
                VerifiedCard(int(self._fit.looks[at]), quads[int(self._fit.is_upside_down[at])], float(one))
                for at, one in zip(more, odds, strict=True)
            )
        return tuple(self._judged[:count])

    def cards_looked_at_again(self, count: int) -> tuple[VerifiedCard, ...]:
        """The first cards. For those that one look leaves in doubt the mean log odds of five looks count: at
        the place, and half a cell of the features beside it on each side.

        A strip is laid to a pixel or two, and a network whose cells are of 4 pixels says something else of a
        picture that has moved by less than one (Zhang, "Making convolutional networks shift-invariant again",
        2019).
        """
        cards = list(self.cards(count))
        low, high = self._limits.doubtful_from, self._limits.doubtful_to
        doubtful = [at for at, card in enumerate(cards) if low < card.log_odds < high]
        if not doubtful:
            return tuple(cards)
        onto = geometry.homography(geometry.UNIT, self._fit.quad)
        looks = [self._look(geometry.transform(geometry.UNIT + beside, onto)) for beside in BESIDE]
        odds = np.mean([self._log_odds(seen, doubtful) for seen in (self._features, *looks)], axis=0)
        for at, one in zip(doubtful, odds.tolist(), strict=True):
            cards[at] = replace(cards[at], log_odds=one)
        return tuple(cards)

    def _log_odds(self, features: Floats, which: Sequence[int]) -> Floats:
        """What the verifier says of some cards of the fit, by their number in it."""
        some = list(which)
        ways = self._fit.is_upside_down[some].astype(int)
        return self._enrolled.log_odds(features[ways], self._fit.looks[some].tolist())


class StripReader:
    """Reads strips in one picture. `explained`, what other cards cover, is kept up to date by the caller."""

    def __init__(
        self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap, limits: StripLimits
    ) -> None:
        self._scene, self._deck, self._explained, self._limits = scene, deck, explained, limits
        self._matcher = StripMatcher(scene, deck.strip_templates, explained, limits)

    def read(self, starts: Sequence[Floats], cover: Floats) -> Strip | None:
        """What the visible part of a card near one of `starts` (4, 2), the visible end first, shows; None if
        too little is seen. `cover`: a quad whose white is white."""
        fit = self._matcher.compare(starts, cover)
        if fit is None:
            return None
        return Strip(self._deck.enrolled, fit, self._look, self._limits)

    def _look(self, quad: Floats) -> Floats:
        """The features of a place (2, ...), as it lies and upside down."""
        ways = (quad, geometry.rotated_half_turn(quad))
        pictures, visible = zip(*(seen_at(self._scene, way, self._explained) for way in ways), strict=True)
        return features_of(np.stack(pictures), np.stack(visible))

    def left(self, start: Floats, cover: Floats) -> float:
        """The share of what is seen near `start` that the deck leaves unexplained; 1 if too little is to be
        seen there."""
        fit = self._matcher.compare([start], cover)
        return 1.0 if fit is None else fit.left


def strip_evidence(cards: Sequence[VerifiedCard]) -> PlaceEvidence:
    """What speaks for each of the cards of a strip."""
    return PlaceEvidence.of_strip(np.array([card.log_odds for card in cards], np.float32))
