"""Pictures of held cards on which the limits of the namer are fitted: decks that no network was trained on,
drawn by models.drawn, which shares no code with the training data. A quarter of each deck is not
enrolled; of a deck of similar cards, every second card: its like is enrolled on both sides."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.surrogates.rough import rough_held
from bench.surrogates.sets import hand
from bench.vision.choice_fit import ALIKE
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import build_deck
from companion.vision.deck.outline import whole_quad
from companion.vision.image.picture import Floats, Image
from models.drawn.camera import reference
from models.vision.namer import sources
from models.vision.namer.alike_decks import alike_deck
from models.vision.namer.data import FIRST_LEFT_OUT, LEFT_OUT, distinct, sources_of
from models.vision.namer.made_decks import H, W, made_deck

MADE, ALIKE_MADE = 24, 24
"""Decks made by code, those of similar cards too, beside the printed ones of LEFT_OUT."""
FEWEST_CARDS, MOST_CARDS = 12, 40
STRANGERS, ALIKE_STRANGERS = 4, 2
"""One of so many cards is not enrolled; the second in decks of similar cards."""


@dataclass(frozen=True)
class HeldPicture:
    """One held card: `label` as enrolled, None if it is not; the corners, and how much of it can be seen."""

    image: Image
    label: str | None
    corners: Floats
    visible: float


@dataclass(frozen=True)
class HeldSet:
    """A deck, three quarters enrolled, and pictures of any of its cards."""

    deck: Deck
    pictures: tuple[HeldPicture, ...]


def left_out_decks(work: Path, first: int = FIRST_LEFT_OUT) -> dict[str, list[Image]]:
    """The cards of decks that nothing was trained on, at most MOST_CARDS each."""
    found = sources_of(work)
    decks = {f"made {index}": made_deck(first + index, found, 32, large=True) for index in range(MADE)}
    printed = sources.printed_decks(work, W, H)
    decks |= {name: printed[name] for name in LEFT_OUT if printed[name]}
    decks |= {f"{ALIKE} {index}": alike_deck(first + index, found, large=True) for index in range(ALIKE_MADE)}
    chosen = {name: distinct(cards, marked=name.startswith(ALIKE)) for name, cards in decks.items()}
    return {name: cards[:MOST_CARDS] for name, cards in chosen.items() if len(cards) >= FEWEST_CARDS}


def held_sets(
    work: Path, count: int, *, first: int = FIRST_LEFT_OUT, seed: int = 1, without: Container[str] = ()
) -> Iterator[HeldSet]:
    """The sets of those decks but some (`without`), `count` pictures each."""
    for number, (name, cards) in enumerate(left_out_decks(work, first).items()):
        if name not in without:
            yield held_set(name, cards, count, np.random.default_rng([seed, number]))


def held_set(name: str, cards: list[Image], count: int, rng: np.random.Generator) -> HeldSet:
    """One deck and pictures of its cards."""
    drawn = {f"{index:02d}": card for index, card in enumerate(cards)}
    references = {label: reference(card, rng) for label, card in drawn.items()}
    strangers = set(list(drawn)[1 :: ALIKE_STRANGERS if name.startswith(ALIKE) else STRANGERS])
    deck = enrolled_as(name, {label: one for label, one in references.items() if label not in strangers})
    pictures = []
    for index in range(count):
        if index % 2:
            image, ((label, corners, visible),) = rough_held(drawn, rng)
        else:
            shot = hand(drawn, rng)
            image, label = shot.image, shot.cards[0].label
            corners, visible = shot.cards[0].corners, shot.cards[0].visible
        pictures.append(HeldPicture(image, None if label in strangers else label, corners, visible))
    return HeldSet(deck, tuple(pictures))


def enrolled_as(name: str, references: Mapping[str, Image]) -> Deck:
    """The deck of these pictures, each a whole card."""
    shown = list(references.values())
    aspect = shown[0].shape[0] / shown[0].shape[1]
    return build_deck(name, list(references), shown, [whole_quad(one) for one in shown], aspect)
