"""What the verifier says of the places of pictures of held cards (bench.vision.held), to fit when the card of
a place is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.refinement import Prepare, as_it_is
from bench.vision.choice_fit import FittedDeck, FittedPicture, FittedPlace
from bench.vision.held import HeldPicture, HeldSet
from companion.vision.cards.recognise import CardReader, worked_on
from companion.vision.cards.verified_places import (
    LikelyPlace,
    VerifiedCard,
    evidence_of,
    place_candidates,
)
from companion.vision.verifier.enrolled import EnrolledCards

NEAR = 0.25
"""Card sizes by which the middle of a right card may be off."""


def fitted_deck(held: HeldSet, prepare: Prepare = as_it_is) -> FittedDeck:
    """A set as it is fitted on. `prepare`: what is done to its deck."""
    held = HeldSet(prepare(held.deck), held.pictures)
    return FittedDeck(held.deck.name, held.deck.enrolled.likeness, tuple(pictures_of(held)))


def pictures_of(held: HeldSet) -> Iterator[FittedPicture]:
    """The places of the pictures of a set that the reader asks about, beside the matches that it names."""
    for picture in held.pictures:
        image, scale = worked_on(picture.image)
        reader = CardReader(image, held.deck)
        named = reader.confirmed()
        places = [_fitted(reader, one, picture, scale) for one in reader.places_beside(named)]
        known = picture.label is not None and all(match.label != picture.label for match in named)
        yield FittedPicture(tuple(places), int(known))


def _fitted(reader: CardReader, place: LikelyPlace, picture: HeldPicture, scale: float) -> FittedPlace:
    """A place with its right card, if that lies roughly where the card is."""
    deck, corners = reader.deck, picture.corners * scale
    near = NEAR * float(np.linalg.norm(corners[0] - corners[2]))

    def is_right(card: VerifiedCard) -> bool:
        away = float(np.linalg.norm(card.quad.mean(axis=0) - corners.mean(axis=0)))
        return deck.labels[card.look] == picture.label and away < near

    return fitted_place(reader, place, deck.enrolled_for_soft, is_right)


def fitted_place(
    reader: CardReader, place: LikelyPlace, enrolled: EnrolledCards, is_right: Callable[[VerifiedCard], bool]
) -> FittedPlace:
    """What speaks for the likeliest cards of a place, as `enrolled` judges them, and which of them is
    right."""
    cards = place_candidates(reader.found.evaluator.scene, reader.deck, place, enrolled, reader.limits.places)
    right = max((index for index, card in enumerate(cards) if is_right(card)), default=len(cards))
    return FittedPlace(evidence_of(cards), right)
