"""Which matches of a picture stand: every part of it is explained by one card only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion import art
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.limits import search_limits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import select_matches

SHAPE = (800, 800)
LIMITS = search_limits().selection
PLACE = np.array([[200, 100], [360, 100], [360, 340], [200, 340]], np.float32)


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Three cards of our own deck."""
    labels = art.card_labels("seven_merry_monsters")[:3]
    pictures: dict[str, Image] = {
        label: np.asarray(art.draw_card("seven_merry_monsters", label, 300), np.uint8) for label in labels
    }
    return enrol_pictures("three", list(pictures), list(pictures.values())).deck


def match_at(deck: Deck, look: int, quad: Floats, share: float) -> CardMatch:
    """A good match of which the upper `share` is visible."""
    seen = np.arange(descriptor.BLOCKS) < round(share * descriptor.BLOCKS)
    return CardMatch(
        quad=quad, look=look, label=deck.labels[look], descriptor=deck.looks[look],
        costs=np.full(descriptor.BLOCKS, 0.25, np.float32), seen=seen, cost=0.25 + 0.5 * (1 - share),
        seen_cost=0.25, margin=0.3, support=25.0, weights=np.ones(descriptor.BLOCKS, np.float32),
        gain=0.25 * float(seen.sum()), inliers=8, fit=0.85,
    )  # fmt: skip


def test_the_card_that_explains_most_stands_at_a_place(deck: Deck) -> None:
    first, second = match_at(deck, 0, PLACE, 0.75), match_at(deck, 1, PLACE + 2, 0.75)
    worse = replace(first, gain=first.gain - 1)
    assert select_matches([first, second], SHAPE, LIMITS) == [first]
    assert select_matches([worse, second], SHAPE, LIMITS) == [second]


def test_features_of_its_own_tell_which_card_it_is(deck: Deck) -> None:
    own = replace(
        match_at(deck, 0, PLACE, 0.8), distinct=12, costs=np.full(descriptor.BLOCKS, 0.4, np.float32)
    )
    other = match_at(deck, 1, PLACE, 0.75)
    assert select_matches([own, other], SHAPE, LIMITS) == [own]


def test_what_a_stronger_match_explains_counts_for_no_other(deck: Deck) -> None:
    upper = match_at(deck, 1, PLACE, 1.0)
    beside = match_at(deck, 0, PLACE + np.array([0, 80], np.float32), 0.9)
    apart = match_at(deck, 0, PLACE + np.array([200, 0], np.float32), 0.9)
    assert select_matches([upper, beside], SHAPE, LIMITS) == [upper]
    assert select_matches([upper, apart], SHAPE, LIMITS) == [upper, apart]


def test_a_match_that_explains_nothing_does_not_stand(deck: Deck) -> None:
    assert select_matches([match_at(deck, 0, PLACE, 0.0)], SHAPE, LIMITS) == []
