"""What the verifier says of the matches in sharp pictures of tables, to fit when they are named: those of
development decks and their halves (bench.vision.half_decks), and of decks made by code, those of similar
cards among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.vision.choice_fit import (
    ALIKE,
    FittedDeck,
    FittedPicture,
    FittedPlace,
    JudgedPicture,
    NameOutcome,
    fit_limit,
    fit_weights,
    models_without,
)
from bench.vision.half_decks import DEVELOPMENT_NAMES, KINDS, PrintedDeck, composites, printed_deck
from bench.vision.real import Instance, Photo
from companion.vision.cards.recognise import CardReader, worked_on
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Bools, Floats, Image
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import same_place
from companion.vision.verifier.limits import ChoiceModel, PlaceEvidence
from models.drawn.camera import reference
from models.vision.namer.alike_decks import alike_deck
from models.vision.namer.data import FIRST_LEFT_OUT, distinct, sources_of
from models.vision.namer.made_decks import made_deck

TABLES = {kind: KINDS[kind] for kind in ("table", "overlapping")}
LEAST_GAIN = 3.0
"""Marks that the matches of a place explain."""
SIMILAR_DECKS, MADE_DECKS, MADE_CARDS, FEWEST_CARDS = 36, 12, 32, 12
NEAR = 0.25
"""Widths of the picture's card by which the middle of a right name may be off."""


@dataclass(frozen=True, eq=False)
class LikelyNames:
    """The cards that explain most of a picture, before the verifier is asked: what speaks for them, and
    whether they are right (n,)."""

    evidence: PlaceEvidence
    right: Bools

    def outcomes(self, model: ChoiceModel) -> tuple[NameOutcome, ...]:
        """Each card as the model judges it."""
        told = zip(model.each_alone(self.evidence).tolist(), self.right.tolist(), strict=True)
        return tuple(NameOutcome(*one) for one in told)


@dataclass(frozen=True, eq=False)
class FittedMatches:
    """A deck or a part of it: its pictures, and the cards that explain most of them."""

    deck: FittedDeck
    names: tuple[LikelyNames, ...]


def fitted_matches(work: Path, shared: Path, count: int, seed: int) -> Iterator[FittedMatches]:
    """The matches in `count` pictures of each kind of each deck: pictures of the cards of one half, read with
    the other half and with the whole deck."""
    for name, printed in printed_decks(work, shared, seed).items():
        decks = printed.halves_and_whole(name)
        read: list[list[tuple[FittedPicture, LikelyNames]]] = [[], [], []]
        for index, photo, reader in sharp_readings(name, printed, decks, count, seed):
            named = reader.unconfirmed()
            names = LikelyNames(reader.evidence_of(named), _right(photo, named, reader.image.shape))
            read[index].append((_places(photo, reader), names))
        for deck, found in zip(decks, read, strict=True):
            pictures, likely = tuple(picture for picture, _ in found), tuple(names for _, names in found)
            yield FittedMatches(FittedDeck(name, deck.enrolled.likeness, pictures), likely)


def sharp_readings(
    name: str, printed: PrintedDeck, decks: Sequence[Deck], count: int, seed: int
) -> Iterator[tuple[int, Photo, CardReader]]:
    """`count` pictures of each kind of table, of the cards of one half of a deck, each read with the other
    half (0 or 1) and with the whole deck (2), of all three `decks`; soft ones are left out."""
    for half, photo in composites(name, printed, count, seed, kinds=TABLES):
        image, _ = worked_on(photo.load())
        for index in (half, 2):
            reader = CardReader(image, decks[index])
            if not reader.found.is_soft:
                yield index, photo, reader


def _places(photo: Photo, reader: CardReader) -> FittedPicture:
    """The places of a picture, with the right card of each."""
    places, known = [], sum(card.label in reader.deck.names for card in photo.instances)
    for matches in matched_places(reader.deck.cards, reader.strongest):
        right = np.flatnonzero(_right(photo, matches, reader.image.shape))
        at = int(right[0]) if len(right) else len(matches)
        places.append(FittedPlace(reader.evidence_of(matches), at))
    return FittedPicture(tuple(places), known)


def matched_places(cards: Array, matches: Sequence[CardMatch]) -> Iterator[list[CardMatch]]:
    """The strongest match of each card at each place, the strongest place first; `cards[i]` is the card of
    look i, and `matches` begin with the strongest. Matches that explain hardly anything are of no place."""
    waiting = [match for match in matches if match.gain > LEAST_GAIN]
    while waiting:
        here = [match for match in waiting if same_place(waiting[0].quad, match.quad)]
        waiting = [match for match in waiting if not any(match is other for other in here)]
        strongest: dict[int, CardMatch] = {}
        for match in here:
            strongest.setdefault(int(cards[match.look]), match)
        yield list(strongest.values())


def _right(photo: Photo, matches: Sequence[CardMatch], shape: tuple[int, ...]) -> Bools:
    """Which of these matches are right (n,)."""
    found = [
        any(is_at(card, match.quad, shape) for card in photo.instances if card.label == match.label)
        for match in matches
    ]
    return np.array(found, bool)


def printed_decks(work: Path, shared: Path, seed: int) -> Mapping[str, PrintedDeck]:
    """The development decks, and some made by code."""
    decks = {name: printed_deck(name, seed, shared) for name in DEVELOPMENT_NAMES}
    found = sources_of(work)
    for number in range(MADE_DECKS):
        drawn = made_deck(FIRST_LEFT_OUT + number, found, MADE_CARDS, large=True)
        decks[f"made {number}"] = _printed(distinct(drawn), seed, number)
    for number in range(SIMILAR_DECKS):
        drawn = alike_deck(FIRST_LEFT_OUT + number, found, MADE_CARDS, large=True)
        decks[f"{ALIKE} {number}"] = _printed(distinct(drawn, marked=True), seed, number)
    return {name: deck for name, deck in decks.items() if len(deck.cards) >= FEWEST_CARDS}


def _printed(drawn: Sequence[Image], seed: int, number: int) -> PrintedDeck:
    rng = np.random.default_rng([seed, number])
    cards = {f"{index:02d}": card for index, card in enumerate(drawn)}
    return PrintedDeck(cards, {label: reference(card, rng) for label, card in cards.items()})


def is_at(card: Instance, quad: Floats, shape: tuple[int, ...]) -> bool:
    """Whether a card of the truth lies where it was named."""
    middle = quad.mean(axis=0)
    away = np.hypot(card.x * shape[1] - middle[0], card.y * shape[0] - middle[1])
    return bool(away < NEAR * float(np.linalg.norm(quad[1] - quad[0])))


def fit_matches(fitted: Sequence[FittedMatches]) -> dict[str, Any]:
    """The Naming of matches, with what it gives."""
    decks = [one.deck for one in fitted]
    judged = {
        name: [
            JudgedPicture(names.outcomes(model), picture.known, one.deck.likeness)
            for one in fitted
            if one.deck.name == name
            for picture, names in zip(one.deck.pictures, one.names, strict=True)
        ]
        for name, model in models_without(decks).items()
    }
    return {"model": asdict(fit_weights(decks))} | fit_limit(judged)
