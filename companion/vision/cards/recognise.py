"""Names the cards in a picture: outlines and local features propose places, the looks of the deck decide.

Each part of the picture is explained once, by the card that explains most of it. What is no card of the deck
gets no label: a foreign object, the back of a card, a card of another deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.column_ends import EndFinder
from companion.vision.cards.match_search import SOFT_SIDE, SOFT_STEEPNESS, FoundMatches, MatchSearch
from companion.vision.cards.unlabelled import count_unlabelled, has_visible_edge
from companion.vision.cards.verified_places import LikelyPlace, places_of, verified_cards
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import LONGEST, Array, Floats, Image, shrunk, validated
from companion.vision.image.sharpness import steepness
from companion.vision.match.limits import SearchLimits, search_limits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import by_strength, is_free, select_matches
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import Naming, PlaceEvidence, verifier_limits
from companion.vision.verifier.verify import place_log_odds

WEBCAM_SIDE = 1280
"""Longer side of the largest picture that may be a webcam's."""


@dataclass(frozen=True)
class CardReading:
    """The cards found in one picture. `unknown`: number of outlines of a card's size that got no label."""

    cards: tuple[Sighting, ...]
    unknown: int


def recognise(
    image: Image, deck: Deck, expected: frozenset[str] | None = None, changed: Array | None = None
) -> CardReading:
    """Finds the cards of a deck in a picture, any number of copies, covered ones included.

    >>> from pathlib import Path
    >>> import numpy as np
    >>> from companion.art.scene import Conditions, Placed, Scene, View
    >>> from companion.vision.deck.deck import Deck
    >>> deck = Deck.load(Path("models/decks/seven_merry_monsters"))
    >>> cards = [Placed("red 5", -60.0, 0.0, 10.0), Placed("blue 2", 60.0, 0.0, -20.0)]
    >>> rng = np.random.default_rng(1)
    >>> table = Scene("seven_merry_monsters", View(960, 640, span=420.0), Conditions(), rng)
    >>> match = recognise(np.asarray(table.render(cards).image, np.uint8), deck)
    >>> sorted(card.label for card in match.cards)
    ['blue 2', 'red 5']
    >>> all(card.confidence > 0.9 for card in match.cards)
    True

    Args:
        image: BGR, uint8, (height, width, 3). The time grows with its size: hand over the part that matters.
        deck: the enrolled cards.
        expected: labels that may be there. Other cards are still named, if they fit clearly better.
        changed: bool, (rows, columns) of the picture or smaller in proportion: only what has changed must be
            explained. Cards elsewhere are named only at next to no cost, and covered cards are not searched.

    Returns:
        The cards with label, confidence (0 to 1) and corners in pixels of `image`, strongest first, and the
        number of outlines of a card's size without a label.

    Raises:
        Unreadable: it is no picture.
    """
    small, scale = worked_on(validated(image), whole=changed is None)
    reader = CardReader(small, deck, expected, changed)
    accepted = reader.read()
    cards = tuple(to_sighting(match, scale) for match in accepted)
    soft = np.asarray(cv2.blur(small, (5, 5)), np.uint8)
    distinct = [quad for quad in reader.found.outlines if has_visible_edge(soft, quad)]
    return CardReading(cards, count_unlabelled(distinct, accepted))


def worked_on(image: Image, *, whole: bool = True) -> tuple[Image, float]:
    """The picture as it is searched, and by what it was shrunk: a soft one of a webcam to SOFT_SIDE, because
    a webcam of 1280 x 720 shows no more than that. `whole`: not only a changed area is searched."""
    if whole and SOFT_SIDE < max(image.shape) <= WEBCAM_SIDE:
        small, scale = shrunk(image, SOFT_SIDE)
        if steepness(small) < SOFT_STEEPNESS:
            return small, scale
    return shrunk(image, LONGEST)


class CardReader:
    """Names the cards of one picture as large as `worked_on` makes it. `limits`: those shipped if none are
    given; the other arguments: see `recognise`."""

    def __init__(
        self,
        image: Image,
        deck: Deck,
        expected: frozenset[str] | None = None,
        changed: Array | None = None,
        limits: SearchLimits | None = None,
    ) -> None:
        self.image, self.deck, self.limits = image, deck, limits or search_limits()
        self._expected, self._changed = expected, changed

    @cached_property
    def found(self) -> FoundMatches:
        """The matches of the picture; searched for when first asked for."""
        return MatchSearch(self.image, self.deck, self._expected, self._changed, self.limits).run()

    def read(self) -> list[CardMatch]:
        """The matches that stand, strongest first, then covered cards."""
        named = self.named()
        if self._changed is not None or not self.deck.suits_networks:
            return named
        return EndFinder(self.found.evaluator, self.deck, named, self.limits.strips).with_covered()

    def named(self) -> list[CardMatch]:
        """The names that stand, of cards that are not covered."""
        if not self.deck.suits_networks:
            return [match for match in self.unconfirmed() if match.is_likely]
        named = self.confirmed()
        return named if self._changed is not None else [*named, *self._verified_beside(named)]

    @property
    def strongest(self) -> list[CardMatch]:
        """All matches, those first that explain most."""
        return by_strength(self.found.matches, self.limits.selection)

    def unconfirmed(self) -> list[CardMatch]:
        """The matches that explain most, before the verifier is asked about them."""
        return select_matches(self.found.matches, self.image.shape[:2], self.limits.selection)

    def confirmed(self) -> list[CardMatch]:
        """The unconfirmed matches that the verifier names: a card that is not enrolled may have the frame,
        the colours and most marks of one that is."""
        matches, naming = self.unconfirmed(), verifier_limits().matches
        if not matches:
            return []
        least = naming.limit.probability(self.deck.enrolled.likeness)
        chances = naming.model.each_alone(self.evidence_of(matches))
        return [
            replace(match, probability=float(chance))
            for match, chance in zip(matches, chances, strict=True)
            if chance > least
        ]

    def places_beside(self, named: Sequence[CardMatch]) -> list[LikelyPlace]:
        """The places that the verifier is asked about beside named cards: those that none of them covers. The
        networks look for more of them in soft pictures, and where no match looks like a card."""
        taken, matches = [match.quad for match in named], self.strongest
        if not self.found.is_soft and any(match.is_likely for match in matches):
            return self._strongest_beside(taken)
        places = places_of(self.found.evaluator.scene, self.deck, matches, self.limits.places)
        return [place for place in places if is_free(place.quad, taken)]

    @property
    def _judge(self) -> tuple[EnrolledCards, Naming]:
        """The cards as places are compared with them, and when one is named."""
        limits = verifier_limits()
        if not self.found.is_soft:
            return self.deck.enrolled, limits.sharp
        if self.deck.judge is None:
            return self.deck.enrolled, limits.places
        return self.deck.enrolled_for_soft, limits.places_refined

    def _strongest_beside(self, taken: Sequence[Floats]) -> list[LikelyPlace]:
        """The places of the strongest matches that are free."""
        places: list[LikelyPlace] = []
        for match in self.strongest:
            if is_free(match.quad, [*taken, *(place.quad for place in places)]):
                places.append(LikelyPlace.of(match))
        return places[: self.limits.places.most_beside]

    def _verified_beside(self, named: Sequence[CardMatch]) -> list[CardMatch]:
        """Cards that the verifier names where no named card lies: held, half hidden, pale, under glare."""
        deck, evaluator, (enrolled, naming) = self.deck, self.found.evaluator, self._judge
        places = self.places_beside(named)
        found = verified_cards(
            evaluator.scene, deck, places, evaluator.matched, enrolled, naming, self.limits.places
        )
        return [match for match in found if is_free(match.quad, [other.quad for other in named])]

    def evidence_of(self, matches: Sequence[CardMatch]) -> PlaceEvidence:
        """What speaks for each of these matches, by the verifier too."""
        poses = [(match.look, match.quad) for match in matches]
        odds = place_log_odds(self.found.evaluator.scene, self.deck.enrolled, poses)
        features = np.array([match.telling_features for match in matches], np.float32)
        support = np.array([match.support for match in matches], np.float32)
        return PlaceEvidence(odds, features, support, np.zeros_like(odds))


def to_sighting(match: CardMatch, scale: float) -> Sighting:
    """A match as it is reported; its corners in pixels of the picture before that was shrunk by `scale`."""
    corners = geometry.corner_points(geometry.to_original(match.quad, scale))
    return Sighting(match.label, round(match.confidence, 4), corners)
