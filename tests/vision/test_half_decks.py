"""Cards that are not enrolled get no name, also where half of their deck is enrolled and looks like them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from bench.vision import half_decks
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Image

SEED = 9
"""Pictures that no limit was fitted on."""
COUNT = 2
CARDS = 21
"""So many cards of a deck are enough, and sooner learned than all of them."""


@lru_cache(maxsize=4)
def printed_deck(name: str) -> half_decks.PrintedDeck:
    whole = half_decks.printed_deck(name, SEED, Path("nowhere"))
    labels = sorted(whole.references)[:CARDS]
    return half_decks.PrintedDeck(
        {label: whole.cards[label] for label in labels}, {label: whole.references[label] for label in labels}
    )


@lru_cache(maxsize=4)
def halves(name: str) -> tuple[Deck, Deck]:
    return printed_deck(name).halves(name)


@lru_cache(maxsize=4)
def pictures(name: str) -> list[tuple[int, Image]]:
    """COUNT tables of cards, each with the half of the deck that lacks them."""
    made = half_decks.composites(name, printed_deck(name), COUNT, SEED)
    return [(half, photo.load()) for half, photo in (next(made) for _ in range(COUNT))]


@pytest.mark.parametrize("name", ["bands", "own"])
def test_a_half_deck_names_none_of_the_other_half_and_all_of_its_own(name: str) -> None:
    for half, image in pictures(name):
        lacking, having = halves(name)[half], halves(name)[1 - half]
        assert [card.label for card in recognise(image, lacking).cards] == []
        found = recognise(image, having).cards
        assert found
        assert {card.label for card in found} <= set(having.names)


def test_each_picture_is_of_cards_that_its_half_lacks() -> None:
    for half in (0, 1):
        cards = set(printed_deck("own").half_of_cards(half))
        assert not cards & set(halves("own")[half].names)
        assert cards == set(halves("own")[1 - half].names)


@pytest.mark.parametrize("name", ["bands", "own"])
def test_a_card_that_lands_gets_no_name_of_its_like(name: str) -> None:
    half, image = pictures(name)[0]
    lacking, having = halves(name)[half], halves(name)[1 - half]
    everything = np.ones(image.shape[:2], bool)
    assert [card.label for card in recognise(image, lacking, changed=everything).cards] == []
    assert recognise(image, having, changed=everything).cards
