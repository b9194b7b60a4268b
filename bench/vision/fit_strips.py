"""What the verifier says of strips, the ends of covered cards, to fit when they are named: the decks of
bench.vision.fit_matches, a card of one half of the deck under a card of the other half, read with the half
that lacks the covered card and with the whole deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.surrogates.sets import PARTS, Shot, strip
from bench.vision.choice_fit import FittedDeck, FittedPicture, FittedPlace
from bench.vision.fit_matches import printed_decks
from companion.vision.cards.column_ends import EndFinder, ends_up
from companion.vision.cards.recognise import CardReader, worked_on
from companion.vision.cards.strips import strip_evidence
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Image
from models.drawn.camera import Rng

MOST_DRAWN = 50
"""Pictures that are drawn until one has the card below that is wanted."""


def fitted_strips(work: Path, shared: Path, count: int, seed: int) -> Iterator[FittedDeck]:
    """The strips in `count` pictures of each deck, each read with both decks."""
    for name, printed in printed_decks(work, shared, seed).items():
        decks = printed.halves_and_whole(name)
        read: dict[int, list[FittedPicture]] = {0: [], 1: [], 2: []}
        for number in range(count):
            half, rng = number % 2, np.random.default_rng([seed, number, sum(name.encode())])
            shot = covered(
                printed.half_of_cards(half), printed.half_of_cards(1 - half), PARTS[number // 2 % 4], rng
            )
            for index in (half, 2):
                picture = fitted_picture(shot, decks[index])
                if picture is not None:
                    read[index].append(picture)
        for index, deck in enumerate(decks):
            yield FittedDeck(name, deck.enrolled.likeness_of_ends, tuple(read[index]))


def covered(below: Mapping[str, Image], above: Mapping[str, Image], part: float, rng: Rng) -> Shot:
    """A picture of a card of `below` that is covered by one of `above` but for a part of its length."""
    label, cover = str(rng.choice(list(below))), str(rng.choice(list(above)))
    cards = {label: below[label], cover: above[cover]}
    drawn = (strip(cards, rng, part) for _ in range(MOST_DRAWN))
    return next(shot for shot in drawn if shot.cards[0].label == label)


def fitted_picture(shot: Shot, deck: Deck) -> FittedPicture | None:
    """The strips at both ends of the card on top; None if that is not named."""
    below, above = (card.label for card in shot.cards)
    image, _ = worked_on(shot.image)
    reader = CardReader(image, deck)
    covers = [match for match in reader.named() if match.label == above]
    if not covers:
        return None
    ends = EndFinder(reader.found.evaluator, deck, covers[:1], reader.limits.strips)
    strips = [found for pose in ends_up(covers[0]) if (found := ends.strip(pose))]
    return FittedPicture(tuple(_place(found, deck, below) for found in strips), int(below in deck.names))


def _place(found: Sequence[VerifiedCard], deck: Deck, below: str) -> FittedPlace:
    labels = [deck.labels[card.look] for card in found]
    right = labels.index(below) if below in labels else len(labels)
    return FittedPlace(strip_evidence(found), right)
