"""What the verifier says of the places of sharp pictures of tables that no named match covers, to fit when
the card of a place is named: as bench.vision.fit_held does of held cards, on the decks of
bench.vision.fit_matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.vision.choice_fit import FittedDeck, FittedPicture, FittedPlace
from bench.vision.fit_held import fitted_place
from bench.vision.fit_matches import is_at, printed_decks, sharp_readings
from bench.vision.half_decks import PrintedDeck
from bench.vision.real import Photo
from companion.vision.cards.recognise import CardReader
from companion.vision.cards.verified_places import LikelyPlace, VerifiedCard


def fitted_tables(work: Path, shared: Path, count: int, seed: int) -> Iterator[FittedDeck]:
    """The places in `count` pictures of each kind of table of each deck: pictures of the cards of one half,
    read with the other half and with the whole deck."""
    for name, printed in printed_decks(work, shared, seed).items():
        yield from fitted_parts(name, printed, count, seed)


def fitted_parts(name: str, printed: PrintedDeck, count: int, seed: int) -> Iterator[FittedDeck]:
    """The fitted decks of the halves of one deck, and of the whole."""
    decks = printed.halves_and_whole(name)
    read: list[list[FittedPicture]] = [[], [], []]
    for index, photo, reader in sharp_readings(name, printed, decks, count, seed):
        read[index].append(_picture(reader, photo))
    for deck, pictures in zip(decks, read, strict=True):
        yield FittedDeck(name, deck.enrolled.likeness, tuple(pictures))


def _picture(reader: CardReader, photo: Photo) -> FittedPicture:
    deck, named = reader.deck, reader.confirmed()
    labels = {match.label for match in named}
    places = [_fitted(reader, place, photo) for place in reader.places_beside(named)]
    left = sum(card.label in deck.names and card.label not in labels for card in photo.instances)
    return FittedPicture(tuple(places), left)


def _fitted(reader: CardReader, place: LikelyPlace, photo: Photo) -> FittedPlace:
    """A place with its right card, if one lies there."""
    deck, shape = reader.deck, reader.image.shape

    def is_right(card: VerifiedCard) -> bool:
        label = deck.labels[card.look]
        return any(one.label == label and is_at(one, card.quad, shape) for one in photo.instances)

    return fitted_place(reader, place, deck.enrolled, is_right)
