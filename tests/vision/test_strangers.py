"""Cards that are not enrolled get no name, also where half of their deck is enrolled and looks like them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from bench.vision import half_decks
from bench.vision.fit_verifier import ReadPicture, limits_of
from companion.vision.cards.recognise import CardSearch, recognise
from companion.vision.cards.selection import EVIDENCE, MatchLimits, match_limits
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats, Image

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


@pytest.mark.parametrize("name", ["creatures", "own"])
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


def test_a_name_that_was_refused_is_not_given_by_the_verifier_alone() -> None:
    half, image = pictures("bands")[0]
    deck, fitted = halves("bands")[1 - half], match_limits()
    named = CardSearch(image, deck).read()
    assert named
    assert not any(fitted.refuses(match) for match in named)
    again = CardSearch(image, deck, limits=MatchLimits(fitted.weights, -1e6, fitted.alone)).read()
    assert not {match.label for match in again} & {match.label for match in named}


def test_the_limits_lose_one_right_name_in_fifty_and_let_no_false_one_pass_alone() -> None:
    rng = np.random.default_rng(3)

    def drawn(log_odds: float, lead: float) -> Floats:
        return np.asarray([1.0, *rng.normal((log_odds, lead, 0.8), (1.0, 0.1, 0.1))], np.float32)

    right = tuple(drawn(6.0, 0.8) for _ in range(100))
    false = tuple(drawn(-3.0, 0.2) for _ in range(40))
    found = [ReadPicture(right, false, (7.0, 9.0), (3.0, 6.0)), ReadPicture(false_alone=(2.0,))]
    limits = limits_of(found, "drawn")
    assert limits["right_refused"] == 2
    assert limits["false_refused"] == 40
    assert limits["alone"] == pytest.approx(6.05)
    assert (limits["right_alone"], limits["false_alone"]) == (2, 0)


def test_the_shipped_limits_weigh_log_odds_and_lead_against_a_false_name() -> None:
    weights = dict(zip(EVIDENCE, match_limits().weights, strict=True))
    assert weights["log_odds"] < 0
    assert weights["lead"] < 0
