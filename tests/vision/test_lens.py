"""A camera whose focus changes: what that does to a picture, and that only what else has changed is told."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.tracking.breathing import breathing_pictures
from bench.tracking.focus_search import FocusSearch, breathed, searches, searches_at
from companion import art
from companion.art.scene import Placed, Scene, View, play, random_conditions
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Bytes, Image
from companion.vision.tracking.background import Background
from companion.vision.tracking.camera_view import AT_REST, CameraView, fitted_view
from companion.vision.tracking.change import Change, grey
from companion.vision.tracking.landing import LandingWatcher

GAME = "seven_merry_monsters"
ZONES = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
THRESHOLD = 16.0


@pytest.fixture(scope="module")
def table() -> Image:
    return next(breathing_pictures(np.random.default_rng(4), 1.0))[1]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return Deck.load(Path(__file__).parents[2] / "models" / "decks" / GAME)


def refocused(picture: Image, zoom: float, radius: float) -> Image:
    motion = CameraView(zoom=zoom).motion(picture.shape)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, motion, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), radius) if radius else moved, np.uint8)


def fitted(ground: Image, picture: Image, start: CameraView = AT_REST) -> CameraView:
    return fitted_view(grey(ground), grey(picture), start, THRESHOLD)


@pytest.mark.parametrize(("zoom", "radius"), [(0.02, 3.2), (-0.03, 2.2), (0.03, 5.0), (0.0, 4.5)])
def test_zoom_and_blur_are_fitted_also_beside_a_hand(table: Image, zoom: float, radius: float) -> None:
    picture = refocused(table, zoom, radius)
    cv2.rectangle(picture, (100, 50), (260, 250), (60, 90, 150), -1)
    found = fitted(table, picture)
    assert abs(found.zoom - zoom) <= 0.002
    assert abs(found.variance**0.5 - radius) <= 0.15 * radius


def test_a_picture_that_has_become_sharper_has_a_negative_variance(table: Image) -> None:
    found = fitted(refocused(table, 0.02, 3.2), table)
    assert abs(found.zoom + 0.02) <= 0.002
    assert abs((-found.variance) ** 0.5 - 3.2) <= 0.3


def test_a_card_that_came_is_no_change_of_the_lens(table: Image) -> None:
    assert fitted(table, table.copy()) == AT_REST
    picture = table.copy()
    cv2.rectangle(picture, (300, 150), (360, 240), (20, 20, 230), -1)
    cv2.rectangle(picture, (310, 160), (350, 230), (230, 230, 230), 5)
    assert fitted(table, picture) == AT_REST
    assert fitted(table, picture, CameraView(zoom=0.01, variance=4.0)) == AT_REST


def test_the_only_card_taken_away_is_no_blur() -> None:
    bare = np.full((480, 640, 3), (70, 90, 60), np.uint8)
    card = cv2.rectangle(bare.copy(), (300, 200), (348, 272), (220, 220, 220), -1)
    card = cv2.rectangle(card, (312, 220), (336, 250), (40, 40, 200), -1)
    assert fitted(card, bare) == AT_REST
    assert fitted(bare, card) == AT_REST


def test_an_arm_over_a_bare_table_is_no_change_of_the_lens() -> None:
    rng = np.random.default_rng(1)
    bare = np.full((480, 640, 3), (70, 90, 60), np.uint8)
    for _ in range(10):
        arm = cv2.line(bare.copy(), (330, 480), (330, 290), (120, 150, 190), 60)
        noisy = np.clip(arm + rng.normal(0, 2, arm.shape), 0, 255).astype(np.uint8)
        assert fitted(bare, noisy) == AT_REST


def shown(background: Background, picture: Image, begin: float, seconds: float) -> list[Change]:
    count = round(seconds * 10)
    return [background.feed(picture, round(begin + index / 10, 1)) for index in range(count)]


def cells(change: Change) -> Array:
    return np.logical_or.reduce([blob.cells for blob in change.blobs])


def test_only_what_the_lens_does_not_explain_differs(table: Image) -> None:
    background = Background()
    shown(background, table, 0.0, 0.5)
    *_, plain = shown(background, refocused(table, 0.015, 3.0), 0.5, 0.3)
    assert plain.camera_moves
    assert not plain.blobs
    with_card = table.copy()
    cv2.rectangle(with_card, (300, 150), (360, 240), (20, 20, 230), -1)
    *_, change = shown(background, refocused(with_card, 0.015, 3.0), 0.8, 0.3)
    assert change.camera_moves
    (blob,) = change.blobs
    rows, columns = np.nonzero(cells(change))
    assert (rows.min() * 4, rows.max() * 4) == (pytest.approx(150, abs=8), pytest.approx(240, abs=8))
    assert (columns.min() * 4, columns.max() * 4) == (pytest.approx(300, abs=8), pytest.approx(360, abs=8))
    assert not blob.edge


def test_the_background_follows_a_lens_that_rests(table: Image) -> None:
    background = Background()
    shown(background, table, 0.0, 0.5)
    picture = refocused(table, 0.01, 2.0)
    for change in shown(background, picture, 0.5, 2.0):
        if change.motion is not None:
            break
        assert change.camera_moves
    else:
        pytest.fail("the lens never came to rest")
    assert 1.0 <= change.t <= 1.3
    assert np.allclose(change.motion, CameraView(zoom=0.01).motion(picture.shape), atol=0.5)
    (after,) = shown(background, picture, 2.5, 0.1)
    assert not after.camera_moves
    assert not after.cut
    assert not after.blobs


def test_a_lens_that_moves_slowly_does_not_rest(table: Image) -> None:
    background = Background()
    shown(background, table, 0.0, 0.5)
    for index in range(20):
        picture = refocused(table, 0.0015 * index, 0.0)
        (change,) = shown(background, picture, 0.5 + index / 10, 0.1)
        assert change.motion is None


def test_nothing_lands_while_the_focus_changes(deck: Deck) -> None:
    watcher = LandingWatcher(deck, ZONES)
    made = breathing_pictures(np.random.default_rng([1, 78, 0]))
    for t, image in itertools.islice(made, 320):
        assert not [one for one in watcher.feed(image, t) if isinstance(one, Landing)], t


@pytest.mark.parametrize("rest", [0.0, 0.6])
def test_a_card_that_lands_during_a_search_is_told_once_it_is_over(deck: Deck, rest: float) -> None:
    rng = np.random.default_rng(9)
    scene = Scene(GAME, View(640, 360, span=500), random_conditions(rng, 0.3), rng)
    first, second = art.card_labels(GAME)[:2]
    lies = [Placed(first, -90.0, 0.0, 5.0, 0)]
    played = play.Performance(scene, [play.LayMove(3.0, Placed(second, 60.0, 10.0, 0.0, 1), 90.0)], rng, lies)
    search = FocusSearch(2.6, 1.5, 4.0, 0.02, rest)
    watcher = LandingWatcher(deck, ZONES)
    told = []
    for index in range(80):
        t = index / 10
        image: Bytes = breathed(np.asarray(played.frame(t).image, np.uint8), t, [search])
        told += [(t, one) for one in watcher.feed(image, t) if isinstance(one, Landing)]
    ((at, landing),) = told
    assert landing.sighting is not None
    assert landing.sighting.label == second
    assert abs(landing.t - 3.0) <= 0.5
    assert search.begin + search.length < at < 6.0


def test_a_search_begins_and_ends_in_focus_unless_some_of_it_stays() -> None:
    (first, *_) = searches(np.random.default_rng(2), 60.0)
    picture = np.zeros((36, 64, 3), np.uint8)
    picture[10:20, 10:20] = 255
    assert np.array_equal(breathed(picture, first.begin - 0.1, [first]), picture)
    assert first.share(first.begin + 2 * first.length) == first.rest
    assert first.share(first.begin + first.length / 2) == 1.0
    worst = breathed(cv2.resize(picture, (640, 360)), first.begin + first.length / 2, [first])
    assert not np.array_equal(worst, cv2.resize(picture, (640, 360)))


def test_a_moment_falls_into_its_search() -> None:
    found = searches_at(np.random.default_rng(3), [2.0, 5.0, 9.0])
    for moment, search in zip([2.0, 5.0, 9.0], found, strict=True):
        assert search.begin <= moment <= search.begin + search.length
