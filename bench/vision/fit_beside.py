"""What the verifier says of the places of sharp pictures of tables that no named match covers, to fit when
the card of a place is named: as bench.vision.fit_held does of held cards, on the decks of
bench.vision.fit_matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.vision.choice_fit import FittedDeck, FittedPicture, FittedPlace
from bench.vision.fit_matches import TABLES, is_at, printed_decks
from bench.vision.half_decks import PrintedDeck, composites
from bench.vision.real import Photo
from companion.vision.cards.recognise import CardReader, worked_on
from companion.vision.cards.verified_places import LikelyPlace, evidence_of, place_candidates


def fitted_tables(work: Path, shared: Path, count: int, seed: int) -> Iterator[FittedDeck]:
    """The places in `count` pictures of each kind of table of each deck: pictures of the cards of one half,
    read with the other half and with the whole deck."""
    for name, printed in printed_decks(work, shared, seed).items():
        yield from fitted_parts(name, printed, count, seed)


def fitted_parts(name: str, printed: PrintedDeck, count: int, seed: int) -> Iterator[FittedDeck]:
    """Those of the halves of one deck, and of the whole."""
    decks = printed.halves_and_whole(name)
    read: dict[int, list[FittedPicture]] = {0: [], 1: [], 2: []}
    for half, photo in composites(name, printed, count, seed, kinds=TABLES):
        image, _ = worked_on(photo.load())
        for index in (half, 2):
            reader = CardReader(image, decks[index])
            if not reader.found.is_soft:
                read[index].append(_picture(reader, photo))
    for index, deck in enumerate(decks):
        yield FittedDeck(name, deck.enrolled.likeness, tuple(read[index]))


def _picture(reader: CardReader, photo: Photo) -> FittedPicture:
    deck, named = reader.deck, reader.confirmed()
    labels = {match.label for match in named}
    places = [_fitted(reader, place, photo) for place in reader.places_beside(named)]
    left = sum(card.label in deck.names and card.label not in labels for card in photo.instances)
    return FittedPicture(tuple(places), left)


def _fitted(reader: CardReader, place: LikelyPlace, photo: Photo) -> FittedPlace:
    """A place with its right card, if one lies there."""
    deck, shape = reader.deck, reader.image.shape
    cards = place_candidates(reader.found.evaluator.scene, deck, place, deck.enrolled)
    right = len(cards)
    for index, card in enumerate(cards):
        label = deck.labels[card.look]
        if any(one.label == label and is_at(one, card.quad, shape) for one in photo.instances):
            right = index
    return FittedPlace(evidence_of(cards), right)
