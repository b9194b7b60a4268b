"""Decides which card each place of a soft picture shows, or that none of the deck lies there.

Places come from the networks that find held cards, and from outlines and features. At each the likeliest
cards, by the namer and by their blocks, are laid upon the place; those that the verifier finds likeliest are
moved onto it by themselves and compared again, since a card laid as another one lies hides what it is. The
verifier's log odds of all cards, with what else speaks for them, make their probabilities, "none of them"
among them (verifier.limits.ChoiceModel). Its weights and when a card is named are fitted by `python -m bench
--fit eyes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.refine import FRAME, refine_quad
from companion.vision.match.score import CardMatch, blocks_outside, support_of, visible_blocks
from companion.vision.match.suppression import same_place
from companion.vision.namer.propose import name_places
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.limits import ChoiceModel, Naming, PlaceEvidence
from companion.vision.verifier.verify import place_log_odds

BY_NAMER, MOST_LAID = 8, 14
"""Cards laid upon a place: the likeliest by the namer where the networks found it, and in all; the others are
those of least cost by their blocks."""
MOVED = 3
"""Cards of those that are moved onto the place: the likeliest by the verifier."""
HOPELESS = -3.0
"""Log odds of the likeliest card laid upon a place up to which none is moved: of 222 such places of 563 of
development decks one came to more than 0 when its cards were moved, and none to 1.5."""
MOST_PLACES = 6
"""Places of outlines and features that are looked at, beside those of the networks."""
OVERLAPPING = 0.3
"""Share of a card that a likelier one may cover if both are named."""
FARTHEST = 0.25
"""Card widths by which a card may be moved; more, and it has slid onto something else."""


@dataclass(frozen=True)
class VerifiedCard:
    """A look in its quad, from its own top left; `log_odds`: that it is there, by the verifier; `features`:
    those that agree on it and that no other card has; `support`: the marks of it that fit."""

    look: int
    quad: Floats
    log_odds: float
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
        """That of a match."""
        return LikelyPlace(match.quad, ((match.look, 0),), match.telling_features)

    def features_of(self, look: int) -> int:
        """Those of a look."""
        return self.features if self.looks and self.looks[0][0] == look else 0


def verified_cards(
    scene: PicturePyramid,
    deck: Deck,
    places: Sequence[LikelyPlace],
    matched: Callable[[VerifiedCard], CardMatch],
    enrolled: EnrolledCards,
    naming: Naming,
) -> list[CardMatch]:
    """The cards that may lie at some places of a picture, most probable first; each part of it shows one
    card. `matched` compares a card with its place (see Evaluator.matched); `enrolled` are the deck's cards as
    the verifier judges them, `naming` says when one is named."""
    least = naming.limit.probability(deck.enrolled.likeness)
    found = [likeliest_card(place_candidates(scene, deck, place, enrolled), naming.model) for place in places]
    likely = [card for card in found if card.probability > least]
    kept = list[CardMatch]()
    for card in sorted(likely, key=lambda one: -one.probability):
        if all(geometry.shared_part(card.quad, other.quad) < OVERLAPPING for other in kept):
            kept.append(matched(card))
    return kept


def places_of(scene: PicturePyramid, deck: Deck, matches: Sequence[CardMatch]) -> list[LikelyPlace]:
    """The places that the networks find, and those of `matches` that are elsewhere, likeliest first. The deck
    must suit the networks."""
    places = [
        LikelyPlace(place.quad, tuple(place.ranked(deck.cards)[:BY_NAMER]))
        for place in name_places(scene.image, deck.embeddings)
    ]
    most = len(places) + MOST_PLACES
    for match in matches:
        if len(places) < most and not any(same_place(one.quad, match.quad) for one in places):
            places.append(LikelyPlace.of(match))
    return places


def place_candidates(
    scene: PicturePyramid, deck: Deck, place: LikelyPlace, enrolled: EnrolledCards
) -> list[VerifiedCard]:
    """The likeliest cards of a place, each card once and moved onto it by itself, if there is hope; at least
    one."""
    quads = (place.quad, geometry.rotated_half_turn(place.quad))
    laid = [(look, quads[over]) for look, over in _laid(scene, deck, place)]
    first = place_log_odds(scene, enrolled, laid)
    order = np.argsort(-first)[:MOVED]
    poses, odds = [laid[index] for index in order], first[order]
    if odds[0] > HOPELESS:
        poses = [(look, _moved(scene, deck, look, quad)) for look, quad in poses]
        odds = place_log_odds(scene, enrolled, poses)
    return [
        VerifiedCard(look, quad, float(one), place.features_of(look), _support(scene, deck, look, quad))
        for (look, quad), one in zip(poses, odds, strict=True)
    ]


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


def _laid(scene: PicturePyramid, deck: Deck, place: LikelyPlace) -> list[tuple[int, int]]:
    """The looks that are laid upon a place, one of each card, with their orientations."""
    chosen = list(place.looks)
    card = scene.card_at(place.quad).descriptor
    costs = [deck.gallery.costs(way).mean(axis=1) for way in (card, descriptor.rotated_half_turn(card))]
    for index in np.argsort(np.concatenate(costs)):
        if len(chosen) >= MOST_LAID:
            break
        over, look = divmod(int(index), len(deck.cards))
        if all(deck.cards[look] != deck.cards[other] for other, _ in chosen):
            chosen.append((look, over))
    return chosen


def _moved(scene: PicturePyramid, deck: Deck, look: int, quad: Floats) -> Floats:
    """The quad moved onto the look; the quad itself if that slid away."""
    moved, _ = refine_quad(scene, quad, deck.light_template(look), freedom=8)
    onto = geometry.transform(moved, geometry.homography(quad, FRAME)) - FRAME
    return moved if float(np.abs(onto).max()) < FARTHEST * descriptor.WIDTH else quad
