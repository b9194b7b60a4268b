"""A camera whose focus changes: what that does to a picture, and that it is no landing."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from bench.tracking.breathing import breathed, breathing_pictures, searches
from companion import art
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Image
from companion.vision.tracking.focus import FocusChange, focus_change
from companion.vision.tracking.landing import LandingWatcher

GAME = "seven_merry_monsters"
ZONES = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}


@pytest.fixture(scope="module")
def table() -> Image:
    return next(breathing_pictures(np.random.default_rng(4), 1.0))[1]


def refocused(picture: Image, zoom: float, radius: float) -> Image:
    height, width = picture.shape[:2]
    stay = -zoom * (np.array([width, height]) - 1) / 2
    matrix = np.array([[1 + zoom, 0, stay[0]], [0, 1 + zoom, stay[1]]], np.float32)
    moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), radius) if radius else moved, np.uint8)


@pytest.mark.parametrize(("zoom", "radius"), [(0.02, 3.2), (-0.03, 2.2), (0.01, 1.0), (0.0, 4.5)])
def test_zoom_and_blur_are_measured_also_beside_a_hand(table: Image, zoom: float, radius: float) -> None:
    picture = refocused(table, zoom, radius)
    cv2.rectangle(picture, (100, 50), (260, 250), (60, 90, 150), -1)
    found = focus_change(table, picture)
    assert found.is_any
    assert abs(found.zoom - zoom) <= 0.005
    assert abs(found.radius - radius) <= 0.4 * radius
    back = focus_change(picture, table)
    assert abs(back.zoom + zoom) <= 0.005
    assert back.radius < 0


def test_a_picture_of_the_same_focus_has_not_changed(table: Image) -> None:
    assert focus_change(table, table.copy()) == FocusChange(0.0, 0.0)
    assert not FocusChange(0.0, 0.0).is_any


def test_focus_explains_what_it_has_changed_and_no_card_that_came(table: Image) -> None:
    picture = refocused(table, 0.02, 3.2)
    cv2.rectangle(picture, (300, 150), (360, 240), (20, 20, 230), -1)
    found = focus_change(table, picture)
    new, everywhere = np.zeros(table.shape[:2], bool), np.ones(table.shape[:2], bool)
    new[150:240, 300:360] = True
    assert found.explains(table, picture, everywhere & ~new, 20.0)
    assert not found.explains(table, picture, new, 20.0)


def test_nothing_lands_while_the_focus_changes() -> None:
    labels = art.card_labels(GAME)
    deck: Deck = enrol_pictures(GAME, labels, [art.draw_card(GAME, one, 440) for one in labels]).deck
    watcher = LandingWatcher(deck, ZONES)
    made = breathing_pictures(np.random.default_rng([1, 78, 0]))
    for t, image in itertools.islice(made, 320):
        assert not [one for one in watcher.feed(image, t) if isinstance(one, Landing)], t


def test_a_search_begins_and_ends_in_focus_unless_some_of_it_stays() -> None:
    (first, *_) = searches(np.random.default_rng(2), 60.0)
    picture = np.zeros((36, 64, 3), np.uint8)
    picture[10:20, 10:20] = 255
    assert np.array_equal(breathed(picture, first.begin - 0.1, [first]), picture)
    worst = breathed(picture, first.begin + first.length / 2, [first])
    assert not np.array_equal(worst, picture)
    assert first.share(first.begin + 2 * first.length) == first.rest
