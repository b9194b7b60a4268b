"""Decides which card each of some places shows that no named match covers, or that none of the deck is there.

Places come from the networks that find held cards, and from outlines and features. At each the likeliest
cards, by the namer and by their blocks, are laid upon the place; those that the verifier finds likeliest are
aligned with it (verifier.align) and compared again: a place is a seventh of a card's width off (median before
webcams), and a card laid as another one lies hides what it is. The verifier's log odds of all cards, with
what else speaks for them, make their probabilities, "none of them" among them (verifier.limits.ChoiceModel).
Its weights and when a card is named are fitted by `python -m bench --fit eyes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import PlaceLimits
from companion.vision.match.score import CardMatch, blocks_outside, support_of, visible_blocks
from companion.vision.match.suppression import is_free, same_place
from companion.vision.namer.propose import name_places
from companion.vision.verifier.align import align_quad
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import ChoiceModel, Naming, PlaceEvidence
from companion.vision.verifier.verify import place_log_odds

_LOG_ODDS = attrgetter("log_odds")


@dataclass(frozen=True)
class VerifiedCard:
    """A look in its quad, from its own top left; `log_odds`: that it is there, by the verifier; `over`: 1 if
    it lies upside down on the place; `features`: how many agree on it and on no other card; `support`: the
    marks of it that fit."""

    look: int
    quad: Floats
    log_odds: float = 0.0
    over: int = 0
    features: int = 0
    support: float = 0.0
    probability: float = 0.0


@dataclass(frozen=True)
class LikelyPlace:
    """A place that may show a card: its quad, either end first, and the likeliest looks, each with its
    orientation (1: upside down in the quad). `features`: those that agree on the first look and that no other
    card has."""

    quad: Floats
    looks: tuple[tuple[int, int], ...] = ()
    features: int = 0

    @staticmethod
    def of(match: CardMatch) -> LikelyPlace:
        """The place of a match."""
        return LikelyPlace(match.quad, ((match.look, 0),), match.telling_features)

    def features_of(self, look: int) -> int:
        """Features that agree on a look and on no other card: 0 for all looks but the first."""
        return self.features if self.looks and self.looks[0][0] == look else 0


def verified_cards(
    scene: PicturePyramid,
    deck: Deck,
    places: Sequence[LikelyPlace],
    matched: Callable[[VerifiedCard], CardMatch],
    enrolled: EnrolledCards,
    naming: Naming,
    limits: PlaceLimits,
) -> list[CardMatch]:
    """The cards that may lie at some places of a picture, most probable first; each part of it shows one
    card. `matched` compares a card with its place (see Evaluator.matched); `enrolled` are the deck's cards as
    the verifier judges them, `naming` says when one is named."""
    least = naming.limit.probability(deck.enrolled.likeness)
    found = [
        likeliest_card(place_candidates(scene, deck, place, enrolled, limits), naming.model)
        for place in places
    ]
    likely = [card for card in found if card.probability > least]
    kept = list[CardMatch]()
    for card in sorted(likely, key=lambda one: -one.probability):
        if is_free(card.quad, [other.quad for other in kept]):
            kept.append(matched(card))
    return kept


def places_of(
    scene: PicturePyramid, deck: Deck, matches: Sequence[CardMatch], limits: PlaceLimits
) -> list[LikelyPlace]:
    """The places that the networks find, and those of `matches` elsewhere; for decks that suit networks."""
    places = [
        LikelyPlace(place.quad, tuple(place.ranked(deck.cards)[: limits.laid]))
        for place in name_places(scene.image, deck.embeddings)
    ]
    most = len(places) + limits.most_by_matches
    for match in matches:
        if len(places) < most and not any(same_place(one.quad, match.quad) for one in places):
            places.append(LikelyPlace.of(match))
    return places


def place_candidates(
    scene: PicturePyramid, deck: Deck, place: LikelyPlace, enrolled: EnrolledCards, limits: PlaceLimits
) -> list[VerifiedCard]:
    """The likeliest cards of a place, each card once and where it is likeliest; at least one."""
    ways = (place.quad, geometry.rotated_half_turn(place.quad))
    laid = [
        VerifiedCard(look, ways[over], over=over) for look, over in _laid(scene, deck, place, limits.laid)
    ]
    cards = sorted(_judged(scene, enrolled, laid), key=_LOG_ODDS, reverse=True)
    aligned = set[int]()
    while cards[0].log_odds > limits.hopeless and len(aligned) < min(limits.aligned, len(cards)):
        first = next(card for card in cards if card.look not in aligned)
        aligned.add(first.look)
        quad = align_quad(scene, first.quad, enrolled.features([first.look])[0])
        ways = (quad, geometry.rotated_half_turn(quad))
        moved = [replace(card, quad=ways[card.over != first.over]) for card in cards]
        both = zip(cards, _judged(scene, enrolled, moved), strict=True)
        cards = sorted((max(pair, key=_LOG_ODDS) for pair in both), key=_LOG_ODDS, reverse=True)
    return [
        replace(
            card, features=place.features_of(card.look), support=_support(scene, deck, card.look, card.quad)
        )
        for card in cards
    ]


def _judged(
    scene: PicturePyramid, enrolled: EnrolledCards, cards: Sequence[VerifiedCard]
) -> list[VerifiedCard]:
    """The cards with what the verifier says of them."""
    odds = place_log_odds(scene, enrolled, [(card.look, card.quad) for card in cards])
    return [replace(card, log_odds=float(one)) for card, one in zip(cards, odds, strict=True)]


def _support(scene: PicturePyramid, deck: Deck, look: int, quad: Floats) -> float:
    """The marks of a card that fit in a quad."""
    costs = deck.gallery.costs(scene.card_at(quad).descriptor, np.array([look]))[0]
    costs[blocks_outside(quad, scene.image.shape)] = 1.0
    return support_of(deck.weights[look] * visible_blocks(costs), costs)


def evidence_of(cards: Sequence[VerifiedCard]) -> PlaceEvidence:
    """What speaks for each of the cards of a place."""
    found = np.array([(card.log_odds, card.features, card.support, 0.0) for card in cards], np.float32)
    return PlaceEvidence(*found.T)


def likeliest_card(cards: Sequence[VerifiedCard], model: ChoiceModel) -> VerifiedCard:
    """The likeliest of the cards of a place, with its probability."""
    probabilities = model.probabilities(evidence_of(cards))
    best = int(np.argmax(probabilities))
    return replace(cards[best], probability=float(probabilities[best]))


def _laid(scene: PicturePyramid, deck: Deck, place: LikelyPlace, count: int) -> list[tuple[int, int]]:
    """So many looks that are laid upon a place, one of each card, with their orientations."""
    chosen = list(place.looks)
    card = scene.card_at(place.quad).descriptor
    for index in np.argsort(deck.gallery.mean_costs(card), axis=None):
        if len(chosen) >= count:
            break
        over, look = divmod(int(index), len(deck.cards))
        if all(deck.cards[look] != deck.cards[other] for other, _ in chosen):
            chosen.append((look, over))
    return chosen
