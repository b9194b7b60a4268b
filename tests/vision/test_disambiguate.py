"""Cards of one frame that a soft camera saw: each is given the place for itself, and the right one wins."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.cards.disambiguate import run_contest
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.recognise import SOFT_STEEPNESS, stretch_contrast
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.image.sharpness import steepness
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.score import CardMatch, is_acceptable

NUMBERS = ("0", "3", "5", "6", "8", "9")
SIZE = (240, 360)


def numbered(number: str) -> Image:
    """A red card with an oval and a number in it, and smaller ones in two corners."""
    card = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), (30, 30, 190), -1)
    cv2.ellipse(card, (120, 180), (95, 110), 20, 0, 360, (240, 240, 240), -1)
    cv2.putText(card, number, (72, 232), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (30, 30, 160), 26)
    cv2.putText(card, number, (24, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (250, 250, 250), 5)
    if number in "69":
        cv2.line(card, (78, 250), (162, 250), (30, 30, 160), 9)
    return card


def held(card: Image, rng: np.random.Generator) -> tuple[Image, Floats]:
    """The card before a soft and noisy webcam with a finger across it, and where it lies."""
    quad = np.array([[215, 95], [345, 110], [330, 320], [195, 300]], np.float32)
    frame = np.array([[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]], np.float32)
    room = np.full((420, 560, 3), (120, 140, 110), np.uint8)
    matrix = geometry.homography(frame, quad)
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, (560, 420))
    room = np.where(mask[..., None] > 127, cv2.warpPerspective(card, matrix, (560, 420)), room)
    cv2.line(room, (190, 250), (232, 240), (90, 120, 180), 34)
    soft = cv2.GaussianBlur(room, (0, 0), 2.6).astype(np.float32) + rng.normal(0, 6, room.shape)
    return np.asarray(np.clip(soft, 0, 255), np.uint8), quad


@pytest.fixture(scope="module")
def deck() -> Deck:
    return enrol_pictures("numbers", list(NUMBERS), [numbered(number) for number in NUMBERS]).deck


@pytest.mark.parametrize("number", NUMBERS)
def test_the_right_one_of_six_like_cards_wins_from_a_pose_that_is_off(deck: Deck, number: str) -> None:
    picture, quad = held(numbered(number), np.random.default_rng(int(number)))
    off = quad + np.array([[6, -4], [5, 3], [-4, 5], [-5, -3]], np.float32)
    won = run_contest(
        PicturePyramid(picture), deck, np.asarray(off, np.float32), [np.asarray(off, np.float32)]
    )
    assert won is not None
    assert deck.labels[won.look] == number
    assert won.fit > 0.5
    assert won.lead > 0.2
    assert np.abs(won.quad - quad).mean() < np.abs(off - quad).mean()


def test_a_place_with_nothing_to_see_is_no_contest(deck: Deck) -> None:
    bare = np.full((300, 300, 3), 128, np.uint8)
    outside = np.array([[-200, -200], [-100, -200], [-100, -50], [-200, -50]], np.float32)
    assert run_contest(PicturePyramid(bare), deck, outside, [outside]) is None


def reading(deck: Deck) -> CardMatch:
    picture, quad = held(numbered("8"), np.random.default_rng(3))
    judge = Evaluator(picture, deck, soft=True)
    judged = judge.evaluate(judge.rank_proposals(quad, [NUMBERS.index("8")]), 6)
    assert judged is not None
    return judged


def test_a_contest_must_be_won_clearly_for_a_name(deck: Deck) -> None:
    won = replace(reading(deck), is_contested=True, fit=0.8, lead=0.5, margin=0.2, support=50.0)
    assert won.label == "8"
    assert is_acceptable(won)
    assert not is_acceptable(replace(won, lead=0.15))
    assert not is_acceptable(replace(won, lead=0.3, margin=0.1, fit=0.6))
    assert not is_acceptable(replace(won, fit=0.4))
    assert not is_acceptable(replace(won, support=10.0))


def test_a_lead_makes_up_for_a_small_difference_only_where_most_of_an_outline_is_seen(deck: Deck) -> None:
    found = reading(deck)
    part = np.arange(found.seen.size) < 0.5 * found.seen.size
    rim = replace(
        found,
        inliers=0,
        distinct=0,
        is_contested=False,
        fit=0.9,
        lead=0.7,
        margin=0.16,
        cost=0.5,
        seen_cost=0.24,
    )
    assert is_acceptable(replace(rim, seen=np.ones_like(part)))
    assert not is_acceptable(replace(rim, seen=part))
    assert is_acceptable(replace(rim, seen=part, margin=0.21))


def test_a_soft_picture_has_no_steep_edges_however_dim_it_is() -> None:
    picture, _ = held(numbered("3"), np.random.default_rng(1))
    sharp = np.tile(numbered("3"), (1, 2, 1))
    assert steepness(picture) < SOFT_STEEPNESS < steepness(sharp)
    dim = np.asarray(sharp * 0.3, np.uint8)
    assert steepness(dim) == pytest.approx(steepness(sharp), abs=0.05)


def test_a_dim_picture_is_spread_and_a_bright_one_left_alone() -> None:
    dim = np.tile(np.arange(40, 90, dtype=np.uint8)[None, :, None], (50, 1, 3))
    spread = stretch_contrast(dim)
    assert int(spread.max()) - int(spread.min()) > 2 * 49
    bright = np.tile(np.arange(0, 250, 5, dtype=np.uint8)[None, :, None], (50, 1, 3))
    assert stretch_contrast(bright) is bright
