"""Which matches of a picture stand: half of a card is enough only where a known card covers the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion import art
from companion.vision.cards.selection import select_matches
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.score import CardMatch, is_acceptable

SHAPE = (800, 800)
PLACE = np.array([[200, 100], [360, 100], [360, 340], [200, 340]], np.float32)


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Three cards of our own deck."""
    labels = art.card_labels("seven_merry_monsters")[:3]
    pictures: dict[str, Image] = {
        label: np.asarray(art.draw_card("seven_merry_monsters", label, 300), np.uint8) for label in labels
    }
    return enrol_pictures("three", list(pictures), list(pictures.values())).deck


def match_at(deck: Deck, look: int, quad: Floats, share: float, support: float = 25.0) -> CardMatch:
    """A good match of which the upper `share` is visible."""
    seen = np.arange(descriptor.BLOCKS) < round(share * descriptor.BLOCKS)
    return CardMatch(
        quad=quad, look=look, label=deck.labels[look], descriptor=deck.looks[look],
        costs=np.full(descriptor.BLOCKS, 0.25, np.float32), seen=seen, cost=0.25 + 0.5 * (1 - share),
        seen_cost=0.25, margin=0.3, support=support, weights=np.ones(descriptor.BLOCKS, np.float32),
        gain=0.25 * float(seen.sum()), inliers=8, fit=0.85, lead=0.7,
    )  # fmt: skip


def test_a_card_of_which_half_does_not_fit_is_not_named(deck: Deck) -> None:
    half = match_at(deck, 0, PLACE, 0.5)
    assert is_acceptable(half)
    assert select_matches(deck, [half], SHAPE) == []
    most = match_at(deck, 0, PLACE, 0.75)
    assert select_matches(deck, [most], SHAPE) == [most]


def test_half_of_a_card_is_enough_where_a_known_card_covers_the_rest(deck: Deck) -> None:
    half = match_at(deck, 0, PLACE, 0.5)
    cover = match_at(deck, 1, PLACE + np.array([0, 120], np.float32), 1.0)
    assert select_matches(deck, [half, cover], SHAPE) == [cover, half]


def test_half_of_a_card_is_enough_where_it_has_many_marks_or_features_of_its_own(deck: Deck) -> None:
    plain = match_at(deck, 0, PLACE, 0.5, support=31.0)
    assert select_matches(deck, [plain], SHAPE) == [plain]
    own = replace(match_at(deck, 0, PLACE, 0.5), distinct=12)
    assert select_matches(deck, [own], SHAPE) == [own]


def test_what_lies_outside_the_picture_does_not_count_against_a_card(deck: Deck) -> None:
    outside = match_at(deck, 0, PLACE + np.array([0, 580], np.float32), 0.5)
    assert select_matches(deck, [outside], SHAPE) == [outside]
