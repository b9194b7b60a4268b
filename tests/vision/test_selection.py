"""Which matches of a picture stand: the verifier refuses some that are good, and names others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion import art
from companion.vision.cards.selection import MatchLimits, select_matches
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.score import CardMatch, is_acceptable

SHAPE = (800, 800)
PLACE = np.array([[200, 100], [360, 100], [360, 340], [200, 340]], np.float32)
LIMITS = MatchLimits((0.0, -1.0, 0.0, 0.0), 1.0, 4.0)


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Three cards of our own deck."""
    labels = art.card_labels("seven_merry_monsters")[:3]
    pictures: dict[str, Image] = {
        label: np.asarray(art.draw_card("seven_merry_monsters", label, 300), np.uint8) for label in labels
    }
    return enrol_pictures("three", list(pictures), list(pictures.values())).deck


def match_at(deck: Deck, look: int, quad: Floats, *, fit: float = 0.85) -> CardMatch:
    """A match of which everything is visible, a good one unless it fits badly."""
    return CardMatch(
        quad=quad, look=look, label=deck.labels[look], descriptor=deck.looks[look],
        costs=np.full(descriptor.BLOCKS, 0.25, np.float32), seen=np.ones(descriptor.BLOCKS, bool), cost=0.25,
        seen_cost=0.25, margin=0.3, support=30.0, weights=np.ones(descriptor.BLOCKS, np.float32),
        gain=0.25 * descriptor.BLOCKS, inliers=8, fit=fit, lead=0.7,
    )  # fmt: skip


def standing(deck: Deck, found: Sequence[CardMatch], log_odds: dict[int, float]) -> list[tuple[str, float]]:
    """Labels and log odds of the matches that stand; `log_odds`: those of each look."""

    def verify(matches: Sequence[CardMatch]) -> Floats:
        return np.array([log_odds[match.look] for match in matches], np.float32)

    stand = select_matches(deck, found, SHAPE, verify, LIMITS)
    return [(match.label, match.log_odds) for match in stand]


def test_a_good_match_stands_unless_the_verifier_finds_another_card(deck: Deck) -> None:
    good = match_at(deck, 0, PLACE)
    assert is_acceptable(good)
    assert standing(deck, [good], {0: -0.5}) == [(good.label, -0.5)]
    assert standing(deck, [good], {0: -1.5}) == []


def test_without_the_verifier_a_good_match_stands(deck: Deck) -> None:
    good, bad = match_at(deck, 0, PLACE), match_at(deck, 1, PLACE + np.float32(400), fit=0.5)
    assert select_matches(deck, [good, bad], SHAPE) == [good]


def test_a_match_that_nothing_else_names_stands_if_the_verifier_is_sure_of_it(deck: Deck) -> None:
    bad = match_at(deck, 0, PLACE, fit=0.5)
    assert not is_acceptable(bad)
    assert standing(deck, [bad], {0: 4.5}) == [(bad.label, 4.5)]
    assert standing(deck, [bad], {0: 3.5}) == []
    assert standing(deck, [replace(bad, fit=0.4)], {0: 4.5}) == []


def test_the_likeliest_of_several_readings_of_a_place_stands(deck: Deck) -> None:
    good, other = match_at(deck, 0, PLACE), match_at(deck, 1, PLACE, fit=0.6)
    assert standing(deck, [good, other], {0: -3.0, 1: 5.0}) == [(other.label, 5.0)]


def test_each_part_of_a_picture_is_explained_once(deck: Deck) -> None:
    upper, lower = match_at(deck, 0, PLACE), match_at(deck, 1, PLACE + np.array([0, 60], np.float32))
    upper = replace(upper, gain=upper.gain + 1.0)
    assert standing(deck, [upper, lower], {0: 5.0, 1: 5.0}) == [(upper.label, 5.0)]
