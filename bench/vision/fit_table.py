"""Fits from which log odds of the verifier a name on a table stands, on development decks and their halves
(bench.vision.half_decks), and on decks made by code whose cards are similar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.surrogates.camera import reference
from bench.vision.half_decks import DEVELOPMENT_NAMES, KINDS, PrintedDeck, composites, printed_deck
from bench.vision.real import Instance, Photo
from companion.vision.cards.recognise import CardSearch, worked_on
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats
from companion.vision.verifier.verify import place_log_odds
from models.vision.namer.alike_decks import alike_deck
from models.vision.namer.data import FIRST_LEFT_OUT, sources_of

TABLES = {kind: KINDS[kind] for kind in ("table", "overlapping")}
SIMILAR_DECKS, FEWEST_CARDS = 4, 12
LOST = 0.01
"""Share of right names that may be refused."""
NEAR = 0.25
"""Widths of the picture's card by which the middle of a right name may be off."""


@dataclass(frozen=True)
class TableName:
    """A name on a table before the verifier is asked: its log odds, whether it is right, and whether the
    deck's cards are similar."""

    log_odds: float
    right: bool
    similar: bool


def table_names(work: Path, shared: Path, count: int, seed: int) -> Iterator[TableName]:
    """The names in `count` pictures of each kind of each deck, read with both halves and the whole deck."""
    for name, printed in printed_decks(work, shared, seed).items():
        halves = printed.halves(name)
        whole = enrol_pictures(name, list(printed.references), list(printed.references.values())).deck
        for half, photo in composites(name, printed, count, seed, kinds=TABLES):
            for deck in (halves[half], whole):
                yield from _names_in(photo, deck)


def _names_in(photo: Photo, deck: Deck) -> Iterator[TableName]:
    image, _ = worked_on(photo.load())
    search = CardSearch(image, deck)
    named = search.unconfirmed()
    poses = [(match.look, match.quad) for match in named]
    odds = place_log_odds(search.evaluator.scene, deck.pictures, poses)
    for match, one in zip(named, odds, strict=True):
        same = (card for card in photo.instances if card.label == match.label)
        right = any(_is_at(card, match.quad, image.shape) for card in same)
        yield TableName(float(one), right, deck.pictures.are_similar)


def printed_decks(work: Path, shared: Path, seed: int) -> Mapping[str, PrintedDeck]:
    """The development decks, and some of similar cards."""
    decks = {name: printed_deck(name, seed, shared) for name in DEVELOPMENT_NAMES}
    found, rng = sources_of(work), np.random.default_rng(seed)
    for number in range(SIMILAR_DECKS):
        drawn = alike_deck(FIRST_LEFT_OUT + number, found, large=True)
        cards = {f"{index:02d}": card for index, card in enumerate(drawn)}
        if len(cards) >= FEWEST_CARDS:
            references = {label: reference(card, rng) for label, card in cards.items()}
            decks[f"alike {number}"] = PrintedDeck(cards, references)
    return decks


def _is_at(card: Instance, quad: Floats, shape: tuple[int, ...]) -> bool:
    """Whether a card of the truth lies where it was named."""
    middle = quad.mean(axis=0)
    away = np.hypot(card.x * shape[1] - middle[0], card.y * shape[0] - middle[1])
    return bool(away < NEAR * float(np.linalg.norm(quad[1] - quad[0])))


def fit_table(found: Sequence[TableName]) -> dict[str, object]:
    """The log odds that LOST of the right names are below, by whether the deck's cards are similar."""
    about: dict[str, object] = {}
    for name, similar in (("different", False), ("alike", True)):
        some = [one for one in found if one.similar is similar]
        least = float(np.quantile([one.log_odds for one in some if one.right], LOST))
        false = [one.log_odds for one in some if not one.right]
        about[name] = round(least, 2)
        about[f"{name}_right"] = len(some) - len(false)
        about[f"{name}_false"] = len(false)
        about[f"{name}_false_refused"] = sum(one <= least for one in false)
    return about
