"""Decides which card each place of a soft picture shows, or that none of the deck lies there.

Places come from the networks that find held cards, and from outlines and features. At each the likeliest
cards, by the namer and by their blocks, are laid upon the place; those that the verifier finds likeliest are
moved onto it by themselves and compared again, since a card laid as another one lies hides what it is. The
verifier's log odds of all cards make their probabilities, "none of them" among them (a conditional logit with
two weights). They and the least probability of a name are fitted by `python -m bench --fit eyes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.refine import FRAME, refine_quad
from companion.vision.match.suppression import same_place
from companion.vision.namer.propose import name_places
from companion.vision.verifier.limits import PlaceLimits, verifier_limits
from companion.vision.verifier.verify import place_log_odds

BY_NAMER, MOST_LAID = 8, 14
"""Cards laid upon a place: the likeliest by the namer where the networks found it, and in all; the others are
those of least cost by their blocks."""
MOVED = 3
"""Cards of those that are moved onto the place: the likeliest by the verifier."""
HOPELESS = -3.0
"""Log odds of the likeliest card laid upon a place up to which none is moved: of 222 such places of 563 of
development decks one came to more than 0 when its cards were moved, and none to 1.5."""
MOST_PLACES = 2
"""Places of outlines and features that are looked at, beside those of the networks."""
SAME_QUAD = 0.15
"""Card widths by which the corners of two quads of one place differ."""
OVERLAPPING = 0.3
"""Share of a card that a likelier one may cover if both are named."""
FARTHEST = 0.25
"""Card widths by which a card may be moved; more, and it has slid onto something else."""


@dataclass(frozen=True)
class VerifiedCard:
    """A look in its quad, from its own top left; `log_odds`: that it is there, by the verifier."""

    look: int
    quad: Floats
    log_odds: float
    probability: float = 0.0


@dataclass(frozen=True)
class LikelyPlace:
    """A place that may show a card: its quad, either end first, and the likeliest looks, each with its
    orientation (1: upside down in the quad)."""

    quad: Floats
    looks: tuple[tuple[int, int], ...] = ()


def verified_cards(scene: PicturePyramid, deck: Deck, places: Sequence[LikelyPlace]) -> list[VerifiedCard]:
    """The cards that may lie at some places of a picture, most probable first; each part of it shows one
    card."""
    limits = verifier_limits().places.of(deck.pictures.likeness)
    kept = list[VerifiedCard]()
    found = [likeliest_card(place_candidates(scene, deck, place), limits) for place in places]
    for card in sorted(found, key=lambda one: -one.probability):
        free = all(geometry.shared_part(card.quad, other.quad) < OVERLAPPING for other in kept)
        if free and card.probability > limits.least:
            kept.append(card)
    return kept


def places_of(scene: PicturePyramid, deck: Deck, matches: Sequence[tuple[int, Floats]]) -> list[LikelyPlace]:
    """The places that the networks find, and those of `matches` that are elsewhere: looks and quads that
    outlines or features led to, likeliest first. The deck must suit the networks."""
    places = [
        LikelyPlace(place.quad, tuple(place.ranked(deck.cards)[:BY_NAMER]))
        for place in name_places(scene.image, deck.embeddings)
    ]
    most = len(places) + MOST_PLACES
    for look, quad in matches:
        if len(places) < most and not any(same_place(place.quad, quad, SAME_QUAD) for place in places):
            places.append(LikelyPlace(quad, ((look, 0),)))
    return places


def place_candidates(scene: PicturePyramid, deck: Deck, place: LikelyPlace) -> list[VerifiedCard]:
    """The likeliest cards of a place, each card once and moved onto it by itself, if there is hope; at least
    one."""
    quads = (place.quad, geometry.rotated_half_turn(place.quad))
    laid = [(look, quads[over]) for look, over in _laid(scene, deck, place)]
    first = place_log_odds(scene, deck.pictures, laid)
    order = np.argsort(-first)[:MOVED]
    if first[order[0]] < HOPELESS:
        hopeless = ((*laid[index], first[index]) for index in order)
        return [VerifiedCard(look, quad, float(odds)) for look, quad, odds in hopeless]
    moved = [(look, _moved(scene, deck, look, quad)) for look, quad in (laid[index] for index in order)]
    found = zip(moved, place_log_odds(scene, deck.pictures, moved), strict=True)
    return [VerifiedCard(look, quad, float(odds)) for (look, quad), odds in found]


def likeliest_card(cards: Sequence[VerifiedCard], limits: PlaceLimits) -> VerifiedCard:
    """The likeliest of the cards of a place, with its probability."""
    probabilities = choice_probabilities(np.array([card.log_odds for card in cards]), limits)
    best = int(np.argmax(probabilities))
    return replace(cards[best], probability=float(probabilities[best]))


def choice_probabilities(log_odds: Floats, limits: PlaceLimits) -> Floats:
    """The probability of each of the cards of a place (n,); what is left to 1 is that of none of them."""
    odds = np.exp(np.clip(limits.slope * log_odds + limits.offset, -50.0, 50.0))
    return np.asarray(odds / (1.0 + odds.sum()), np.float32)


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
