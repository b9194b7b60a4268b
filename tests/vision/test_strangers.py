"""Cards that are not enrolled get no name, also where half of their deck is enrolled and looks like them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.vision import half_decks
from bench.vision.fit_strangers import NamedMatch, limits_of
from companion.vision.cards.recognise import CardSearch, recognise
from companion.vision.cards.strangers import EVIDENCE, hue_turn, mark_contrast, stranger_limits
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Image
from companion.vision.match.descriptor import BLOCKS, PicturePyramid, describe
from companion.vision.match.score import CardMatch

SEED = 9
"""Pictures that no limit was fitted on."""
COUNT = 2


@lru_cache(maxsize=4)
def halves(name: str) -> tuple[Deck, Deck]:
    return half_decks.printed_deck(name, SEED, Path("nowhere")).halves(name)


def pictures(name: str) -> list[tuple[int, Image]]:
    """COUNT tables of cards, each with the half of the deck that lacks them."""
    printed = half_decks.printed_deck(name, SEED, Path("nowhere"))
    made = half_decks.composites(name, printed, COUNT, SEED)
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
    printed = half_decks.printed_deck("own", SEED, Path("nowhere"))
    for half in (0, 1):
        cards = set(printed.half_of_cards(half))
        assert not cards & set(halves("own")[half].names)
        assert cards == set(halves("own")[1 - half].names)


def matched(name: str) -> tuple[Deck, CardMatch, PicturePyramid]:
    """A right match of a blue card on a table, or of any card of a deck without blue."""
    half, image = pictures(name)[0]
    deck = halves(name)[1 - half]
    search = CardSearch(image, deck)
    found = sorted(search.read(), key=lambda match: not match.label.startswith("blue"))
    return deck, found[0], search.evaluator.scene


def test_the_hues_of_the_card_itself_are_hardly_turned_and_those_of_another_colour_are() -> None:
    deck, match, scene = matched("bands")
    card = scene.card_at(match.quad)
    assert hue_turn(card, deck.looks[match.look], match.seen) < 0.2
    turned = cv2.cvtColor(scene.image, cv2.COLOR_BGR2HSV)
    turned[..., 0] = (turned[..., 0].astype(int) + 15) % 180
    other = PicturePyramid(np.asarray(cv2.cvtColor(turned, cv2.COLOR_HSV2BGR), np.uint8)).card_at(match.quad)
    assert hue_turn(other, deck.looks[match.look], match.seen) > 0.4


def test_a_grey_card_has_no_hue() -> None:
    grey = np.full((72, 48, 3), 200, np.float32)
    card = PicturePyramid(np.full((100, 80, 3), 200, np.uint8)).card_at(
        np.array([[10, 10], [58, 10], [58, 82], [10, 82]], np.float32)
    )
    assert hue_turn(card, describe(grey), np.ones(BLOCKS, bool)) == 0.0


def test_marks_of_another_card_cost_more_than_what_the_deck_shares() -> None:
    deck, match, _ = matched("own")
    others = np.flatnonzero(deck.cards != deck.cards[match.look])
    near = deck.block_differences(match.look, others).min(axis=0)
    worse = match.costs.copy()
    worse[near > np.quantile(near, 0.8)] = 1.0
    assert (
        mark_contrast(deck, CardMatch(**{**vars(match), "costs": worse})) > mark_contrast(deck, match) + 0.05
    )


def test_the_fit_refuses_strangers_and_few_others() -> None:
    rng = np.random.default_rng(3)

    def drawn(stranger: bool) -> NamedMatch:
        lead, contrast, turn = (0.3, 0.15, 0.3) if stranger else (0.9, 0.02, 0.05)
        spread = rng.normal(0, (0.0, 0.1, 0.02, 0.05, 0.0))
        return NamedMatch(np.asarray(np.array([1, lead, contrast, turn, 0]) + spread, np.float32), stranger)

    limits = limits_of([drawn(index % 3 == 0) for index in range(300)], "drawn")
    assert limits["strangers"] == limits["refused"] == 100
    assert limits["lost"] == 4


def test_the_shipped_limits_weigh_every_evidence() -> None:
    limits = stranger_limits()
    weights = dict(zip(EVIDENCE, limits.weights, strict=True))
    assert weights["lead"] < 0 < min(weights["contrast"], weights["turn"])
