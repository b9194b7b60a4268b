"""Strips of known truth, to fit when they are named."""

from __future__ import annotations

import numpy as np

from bench.surrogates.sets import own_cards
from bench.vision import real
from bench.vision.fit_strips import covered, fitted_picture
from companion.vision.deck.enrol import enrol_pictures

LABELS = ("blue 2", "orange 4", "red 5", "yellow 7")


def test_a_covered_card_is_among_the_cards_of_its_strip_if_it_is_enrolled() -> None:
    cards = {label: own_cards()[label] for label in LABELS}
    shot = covered(*({label: cards[label]} for label in ("red 5", "blue 2")), 0.5, np.random.default_rng(4))
    assert [card.label for card in shot.cards] == ["red 5", "blue 2"]
    whole = enrol_pictures("four", list(cards), list(cards.values())).deck
    for deck, known in ((whole, 1), (real.without(whole, frozenset(["red 5"])), 0)):
        picture = fitted_picture(shot, deck)
        assert picture is not None
        assert picture.known == known
        (place,) = (one for one in picture.places if one.evidence.log_odds.max() > -5 or not known)
        assert (place.right < len(place.evidence.log_odds)) is bool(known)


def test_a_picture_whose_cover_is_not_enrolled_says_nothing() -> None:
    cards = {label: own_cards()[label] for label in LABELS}
    shot = covered(*({label: cards[label]} for label in ("red 5", "blue 2")), 0.5, np.random.default_rng(4))
    others = {label: cards[label] for label in LABELS if label != "blue 2"}
    assert fitted_picture(shot, enrol_pictures("three", list(others), list(others.values())).deck) is None
