"""Whether a place shows a card or only its like: blurred, held, under glare, and another figure instead."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.cards.recognise import recognise
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import HEIGHT, WIDTH, PicturePyramid, RectifiedCard
from companion.vision.match.open_set import CardDifference, _fit_blur, difference_from, shows_other_card
from companion.vision.match.refine import SLANT_X, SLANT_Y

SIZE = (240, 360)
FRAME = np.array([[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]], np.float32)
ALL = np.ones(descriptor.BLOCKS, bool)


def numbered(number: str) -> Image:
    """A blue card with a light oval and a number in it."""
    card = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), (170, 60, 20), -1)
    cv2.ellipse(card, (120, 180), (95, 110), 20, 0, 360, (240, 240, 240), -1)
    cv2.putText(card, number, (72, 232), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (160, 50, 20), 26)
    cv2.putText(card, number, (24, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (250, 250, 250), 5)
    return card


def look_of(number: str) -> Bytes:
    return rectified(numbered(number).astype(np.float32)).descriptor


def rectified(card: Array) -> RectifiedCard:
    return RectifiedCard(
        np.asarray(cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.float32)
    )


def shaken(card: Array, seed: int = 1) -> Floats:
    """The card out of focus, shaken sideways and noisy."""
    kernel = np.full((1, 13), 1 / 13)
    soft = cv2.GaussianBlur(cv2.filter2D(card.astype(np.float32), -1, kernel), (0, 0), 4.0)
    return np.asarray(soft * 0.8 + np.random.default_rng(seed).normal(0, 5, soft.shape), np.float32)


@pytest.mark.parametrize("number", ["2", "3", "6", "8"])
def test_a_card_out_of_focus_and_shaken_is_itself(number: str) -> None:
    found = difference_from(rectified(shaken(numbered(number))), look_of(number), ALL, ALL)
    assert not found.is_another(soft=True)
    assert found.left < 0.05


@pytest.mark.parametrize(("there", "taken"), [("2", "3"), ("3", "8"), ("8", "3"), ("6", "8"), ("7", "2")])
def test_its_like_leaves_strokes_in_the_cards_own_ink(there: str, taken: str) -> None:
    assert difference_from(rectified(shaken(numbered(there))), look_of(taken), ALL, ALL).is_another(soft=True)


def test_fingers_from_the_edge_and_glare_are_no_other_card() -> None:
    held = numbered("8").astype(np.float32)
    cv2.line(held, (240, 220), (150, 190), (120, 150, 200), 60)
    assert not difference_from(rectified(shaken(held)), look_of("8"), ALL, ALL).is_another(soft=True)
    shiny = numbered("8").astype(np.float32) * 0.6
    cv2.circle(shiny, (120, 150), 30, (255.0, 255.0, 255.0), -1)
    assert not difference_from(rectified(shaken(shiny)), look_of("8"), ALL, ALL).is_another(soft=True)


@pytest.mark.parametrize(("radius", "colour"), [(26, (165, 58, 22)), (33, (200, 140, 110))])
def test_what_lies_on_a_card_in_the_cards_own_ink_is_no_other_card(
    radius: int, colour: tuple[int, int, int]
) -> None:
    """A coin in the card's blue, enclosed by the card, on a sharp picture."""
    lain_on = numbered("8")
    cv2.circle(lain_on, (120, 185), radius, colour, -1)
    found = difference_from(rectified(lain_on.astype(np.float32)), look_of("8"), ALL, ALL)
    assert found.ink > 3.0
    assert not found.is_another(soft=False)
    other = difference_from(rectified(numbered("3").astype(np.float32)), look_of("8"), ALL, ALL)
    assert other.is_another(soft=False)


def test_coins_are_told_from_another_card_by_how_far_the_card_is_ahead() -> None:
    """What a coin on a queen of diamonds came to on a photograph, and a like that leaves as much."""
    left = CardDifference(ink=20.1, left=0.14, peak=1.38)
    assert not left.is_another(soft=False, lead=0.94)
    assert left.is_another(soft=False, lead=0.6)


def test_a_place_of_which_nothing_is_seen_says_nothing() -> None:
    none = np.zeros(descriptor.BLOCKS, bool)
    assert not difference_from(rectified(numbered("8")), look_of("3"), none, none).is_another(soft=True)


def test_a_card_that_is_not_enrolled_gets_no_name_of_its_like() -> None:
    deck = enrol_pictures("some", ["0", "3", "5"], [numbered(number) for number in ("0", "3", "5")]).deck
    quad = np.array([[165, 50], [387, 64], [374, 394], [150, 372]], np.float32)
    for number, labels in (("3", ["3"]), ("8", [])):
        room = np.full((480, 560, 3), (120, 140, 110), np.uint8)
        cv2.fillConvexPoly(room, quad.astype(np.int32), (0, 0, 0))
        matrix = cv2.getPerspectiveTransform(FRAME, quad)
        laid = cv2.warpPerspective(numbered(number), matrix, (560, 480))
        picture = PicturePyramid(
            np.where((laid.max(axis=2) > 0)[..., None], laid, room).astype(np.uint8)
        ).image
        assert [card.label for card in recognise(picture, deck).cards] == labels


@pytest.mark.parametrize(("there", "taken"), [("2", "3"), ("8", "3"), ("7", "2"), ("3", "3")])
@pytest.mark.parametrize("soft", [True, False])
def test_asking_no_more_than_it_takes_comes_to_the_same(there: str, taken: str, soft: bool) -> None:
    card = rectified(shaken(numbered(there)) if soft else numbered(there).astype(np.float32))
    asked = shows_other_card(card, look_of(taken), ALL, ALL, soft=soft)
    assert asked == difference_from(card, look_of(taken), ALL, ALL).is_another(soft)
    assert asked == (there != taken)


@pytest.mark.parametrize(
    ("soft", "inside", "name", "outside"),
    [
        (True, CardDifference(3.2, 0.08, 1.2), "ink", 2.8),
        (True, CardDifference(3.2, 0.08, 1.2), "left", 0.065),
        (True, CardDifference(3.2, 0.08, 1.2), "peak", 1.05),
        (False, CardDifference(3.2, 0.095, 1.8), "ink", 2.8),
        (False, CardDifference(3.2, 0.095, 1.8), "left", 0.085),
        (False, CardDifference(3.2, 0.095, 1.8), "peak", 1.6),
    ],
)
def test_a_difference_is_another_card_on_one_side_of_each_limit(
    soft: bool, inside: CardDifference, name: str, outside: float
) -> None:
    assert inside.is_another(soft)
    assert not replace(inside, **{name: outside}).is_another(soft)


def test_in_a_sharp_picture_any_peak_is_enough_if_the_lead_is_small() -> None:
    flat = CardDifference(3.2, 0.095, 0.2)
    assert flat.is_another(False, lead=0.91)
    assert not flat.is_another(False, lead=0.92)


def test_a_slant_of_the_pose_is_explained_in_part() -> None:
    """Of a slant of a low-contrast look three fifths are explained: the regularisation limits the rest."""
    noise = np.random.default_rng(1).normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32)
    look = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.float32)
    look *= 0.3 / look.std()
    across, down = np.gradient(look, axis=1), np.gradient(look, axis=0)
    slant = across * SLANT_X[..., 0] + down * SLANT_Y[..., 0]
    left, _ = _fit_blur(np.asarray(look + slant, np.float32), look, np.ones((HEIGHT, WIDTH), bool))
    assert 0.3 < left.std() / slant.std() < 0.45
