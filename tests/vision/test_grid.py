"""The nine by nine field of 13 Monsters in rendered photographs."""

from __future__ import annotations

import copy
import functools

import cv2
import numpy as np
import pytest

from bench.dice.scenes import GAP, field_photo
from companion import art
from companion.core.errors import Unreadable
from companion.core.observations import Landing, Removal
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.finder.network import card_seen
from companion.vision.grid.read import GridReading, find_changes, read_grid
from companion.vision.image.picture import Image
from companion.vision.tracking.dice_watch import GridAndDiceWatcher

LABELS = ["1 top left", "1 top right", "7 eyes right", "12 bottom left", "13 eyes left"]
SIZE = (1080, 1440)
BESIDE = [(0.9, 0.9), (1.0, 0.9), (1.0, 1.0), (0.9, 1.0)]
"""Where dice would be thrown."""


@functools.cache
def deck() -> Deck:
    pictures = [art.draw_card("thirteen_monsters", label, 280) for label in LABELS]
    return enrol_pictures("thirteen_monsters", LABELS, pictures).deck


@functools.cache
def before() -> tuple[Image, GridReading]:
    """The field as laid, two places empty, a die on one card."""
    image, _ = field_photo({}, {*GAP, (1, 1), (6, 2)}, {(3, 6): 5}, np.random.default_rng(11), lay=3)
    return image, read_grid(image, deck())


@functools.cache
def after() -> Image:
    """The same field: two cards turned over, one taken away, the die gone."""
    up = {(0, 0): LABELS[0], (8, 7): LABELS[2]}
    image, _ = field_photo(up, {*GAP, (1, 1), (6, 2), (5, 5)}, {}, np.random.default_rng(11), lay=3)
    return image


@functools.cache
def _watched_before() -> GridAndDiceWatcher:
    image, _ = before()
    watcher = GridAndDiceWatcher(deck(), BESIDE)
    for k in range(6):
        assert not [one for one in watcher.feed(image, 0.2 * k) if isinstance(one, Landing)]
    return watcher


def watched_before() -> GridAndDiceWatcher:
    """A watcher that has seen the field as laid for a second, and told nothing."""
    return copy.deepcopy(_watched_before())


def test_every_place_is_told() -> None:
    _, reading = before()
    empty = {place.at for place in reading.places if place.state == "empty"}
    assert empty == {*GAP, (1, 1), (6, 2)}
    assert all(place.state == "down" for place in reading.places if place.at not in empty)
    assert {place.at: place.die for place in reading.places if place.die is not None} == {(3, 6): 5}
    assert not [place for place in reading.places if place.die == 0]


def test_what_changed_between_two_pictures_is_told() -> None:
    _, first = before()
    found = {
        (change.at, change.kind, change.card.label if change.card else None)
        for change in find_changes(first, read_grid(after(), deck(), first))
    }
    assert found == {
        ((0, 0), "turned_up", "1 top left"),
        ((8, 7), "turned_up", "7 eyes right"),
        ((5, 5), "removed", None),
        ((3, 6), "thawed", None),
    }


def test_the_watcher_tells_of_cards_turned_over_once_the_field_is_still() -> None:
    watcher = watched_before()
    seen = [found for k in range(6) for found in watcher.feed(after(), 2 + 0.2 * k)]
    landed = [found for found in seen if isinstance(found, Landing)]
    assert {one.zone: one.sighting and one.sighting.label for one in landed} == {
        "grid:0,0": "1 top left",
        "grid:8,7": "7 eyes right",
    }
    removed = [found for found in seen if isinstance(found, Removal)]
    assert {one.zone: one.sighting and one.sighting.label for one in removed} == {
        "grid:5,5": "back",
        "grid:3,6": "die 5",
    }
    assert all(2.0 <= one.t <= 2.4 for one in landed)


@pytest.mark.parametrize("first", [(0, 0), (8, 7)])
def test_of_two_cards_the_one_that_was_turned_over_first_is_told_first(first: tuple[int, int]) -> None:
    up = {first: LABELS[0] if first == (0, 0) else LABELS[2]}
    one, _ = field_photo(up, {*GAP, (1, 1), (6, 2)}, {(3, 6): 5}, np.random.default_rng(11), lay=3)
    watcher = watched_before()
    watcher.feed(one, 1.2)
    seen = [found for k in range(6) for found in watcher.feed(after(), 1.4 + 0.2 * k)]
    landed = [found.zone for found in seen if isinstance(found, Landing)]
    assert len(landed) == 2
    assert landed[0] == f"grid:{first[0]},{first[1]}"


def test_a_card_is_told_that_is_turned_back_before_the_table_is_still() -> None:
    """A hand moves beside it all the time."""
    image, _ = before()
    watcher = watched_before()
    seen = []
    for k in range(12):
        up = (after() if 3 <= k < 10 else image).copy()
        cv2.circle(up, (100 + 30 * k, 1000), 30, (90, 120, 200), -1)
        seen += watcher.feed(up, 1.2 + 0.1 * k)
    landed = {x.zone: x.sighting.label for x in seen if isinstance(x, Landing) and x.sighting}
    assert landed == {"grid:0,0": "1 top left", "grid:8,7": "7 eyes right"}
    assert [x for x in seen if isinstance(x, Removal)] == []
    assert all(1.5 <= x.t <= 1.7 for x in seen)
    seen = [found for k in range(6) for found in watcher.feed(image, 3 + 0.2 * k)]
    landed = {x.zone: x.sighting.label for x in seen if isinstance(x, Landing) and x.sighting}
    assert landed == {"grid:0,0": "back", "grid:8,7": "back"}


def test_the_watcher_tells_of_cards_turned_back_and_of_dice_laid() -> None:
    image, _ = before()
    watcher = GridAndDiceWatcher(deck(), BESIDE)
    for k in range(6):
        watcher.feed(after(), 0.2 * k)
    seen = [found for k in range(6) for found in watcher.feed(image, 2 + 0.2 * k)]
    landed = {x.zone: x.sighting.label for x in seen if isinstance(x, Landing) and x.sighting}
    assert landed == {"grid:0,0": "back", "grid:8,7": "back", "grid:5,5": "back", "grid:3,6": "die 5"}


def test_the_watcher_follows_a_camera_that_was_bumped() -> None:
    image, _ = before()
    tall, wide = image.shape[:2]
    bump = cv2.getRotationMatrix2D((wide / 2, tall / 2), 0.5, 1.0)
    bump[:, 2] += (14, -9)
    bumped = np.asarray(
        cv2.warpAffine(after(), bump, (wide, tall), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    watcher = watched_before()
    seen = [found for k in range(10) for found in watcher.feed(bumped, 2 + 0.2 * k)]
    landed = {x.zone: x.sighting.label for x in seen if isinstance(x, Landing) and x.sighting}
    removed = {x.zone: x.sighting.label for x in seen if isinstance(x, Removal) and x.sighting}
    assert landed == {"grid:0,0": "1 top left", "grid:8,7": "7 eyes right"}
    assert removed == {"grid:5,5": "back", "grid:3,6": "die 5"}


def test_a_drawing_with_rings_is_its_card_and_no_die() -> None:
    label = "12 eyes right"
    ringed = enrol_pictures(
        "thirteen_monsters",
        [*LABELS, label],
        [art.draw_card("thirteen_monsters", one, 280) for one in (*LABELS, label)],
    ).deck
    image, _ = field_photo({(2, 4): label}, {*GAP, (1, 1)}, {}, np.random.default_rng(11), lay=3)
    place = read_grid(image, ringed).at(2, 4)
    assert (place.state, place.card and place.card.label, place.die) == ("up", label, None)


def test_a_far_row_whose_cards_are_small_belongs_to_the_field() -> None:
    image, _ = field_photo({}, {*GAP}, {}, np.random.default_rng(11), tilt=25.0, lay=3)
    reading = read_grid(image, deck())
    assert [place.at for place in reading.places if place.state == "empty"] == sorted(GAP)
    assert sum(place.state == "down" for place in reading.places) == 78


def test_a_table_without_a_field_is_refused() -> None:
    with pytest.raises(Unreadable, match="no field"):
        read_grid(np.full((480, 640, 3), 90, np.uint8), deck())


def test_squares_of_a_cloth_beside_the_field_are_no_column_of_it() -> None:
    image, corners = field_photo({}, {*GAP}, {}, np.random.default_rng(11), tilt=5.0, lay=3)
    beside = np.array([corners[row, 8] - corners[row, 7] for row in range(9)]).mean(axis=(0, 1))
    for row in range(0, 9, 2):
        quad = np.round(corners[row, 8] + beside).astype(np.int32)
        cv2.fillPoly(image, [quad], (40, 110, 40))
    reading = read_grid(image, deck())
    assert [place.at for place in reading.places if place.state == "empty"] == sorted(GAP)


def lamp_over(image: Image, quad: np.ndarray) -> Image:
    """The picture with a mirrored lamp in the upper half of a place."""
    top, tall = quad[:2].mean(axis=0), float(np.linalg.norm(quad[3] - quad[0]))
    x, y = top + 0.3 * (quad[2:].mean(axis=0) - top)
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    light = 600.0 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * (0.25 * tall) ** 2))
    return np.asarray(np.clip(image + light[..., None], 0, 255), np.uint8)


def test_a_card_turned_over_under_a_mirrored_lamp_is_asked_about_and_seen_to_be_turned_back() -> None:
    image, clear = before()
    quad = clear.at(0, 0).quad
    up, _ = field_photo(
        {(0, 0): LABELS[0]}, {*GAP, (1, 1), (6, 2)}, {(3, 6): 5}, np.random.default_rng(11), lay=3
    )
    up = up.copy()
    cv2.fillConvexPoly(up, np.round(quad).astype(np.int32), (255, 255, 255))
    down, watcher = lamp_over(image, quad), GridAndDiceWatcher(deck(), BESIDE)
    assert read_grid(down, deck()).at(0, 0).state == "hidden"
    seen = []
    for begun, shown in ((0.0, down), (2.0, lamp_over(up, quad)), (4.0, down)):
        found = [one for k in range(6) for one in watcher.feed(shown, begun + 0.2 * k)]
        seen.append([(one.zone, one.sighting) for one in found if isinstance(one, Landing | Removal)])
    assert seen == [[], [("grid:0,0", None)], []]


def test_a_card_that_was_never_learned_is_unclear_and_patterned_cloth_is_empty() -> None:
    table = np.full((*SIZE, 3), (60, 110, 40), np.uint8)
    for y in range(0, SIZE[0], 30):
        for x in range(0, SIZE[1], 30):
            cv2.drawMarker(table, (x, y), (170, 170, 170), cv2.MARKER_CROSS, 16, 5)
    empty = {*GAP, *((row, column) for row in (1, 3, 7) for column in range(1, 8, 2))}
    up = {(2, 2): "9 top right", (6, 6): LABELS[0]}
    image, _ = field_photo(up, empty, {}, np.random.default_rng(11), lay=3, table=table)
    reading = read_grid(image, deck())
    assert reading.at(2, 2).state == "unclear"
    assert reading.at(6, 6).state == "up"
    assert {place.at for place in reading.places if place.state == "empty"} == empty
    assert [place.at for place in reading.places if place.state == "unclear"] == [(2, 2)]


def test_a_card_is_seen_where_any_lies_and_not_on_the_bare_table_or_in_a_corner() -> None:
    _, corners = field_photo({(4, 6): LABELS[1]}, {*GAP}, {}, np.random.default_rng(11), lay=3)
    image, _ = field_photo({(4, 6): LABELS[1]}, {*GAP, (0, 0)}, {}, np.random.default_rng(11), lay=3)
    assert card_seen(image, np.asarray(corners[4, 6], np.float32)) > 0.5
    assert card_seen(image, np.asarray(corners[0, 0], np.float32)) < 0.1
    outside = np.asarray(corners[0, 0] - corners[0, 0].max(axis=0) - 50, np.float32)
    assert card_seen(image, outside) < 0.5
