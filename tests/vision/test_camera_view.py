"""How far the camera has moved against the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.image.geometry import to_resized, transform
from companion.vision.image.picture import Bytes, Floats
from companion.vision.tracking.camera_view import AT_REST, fitted_view, largest_difference, scaled


def motion_between(background: Bytes, picture: Bytes) -> Floats | None:
    """The motion of the whole picture."""
    found = fitted_view(background, picture, AT_REST, 16.0)
    return None if found == AT_REST else found.motion(picture.shape)


def table() -> Bytes:
    """Forty grey rectangles all over a table."""
    rng = np.random.default_rng(5)
    picture = np.full((360, 640), 90, np.uint8)
    for _ in range(40):
        x, y = int(rng.integers(20, 580)), int(rng.integers(20, 300))
        cv2.rectangle(picture, (x, y), (x + 30, y + 40), int(rng.integers(120, 250)), -1)
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


def bumped(picture: Bytes, motion: Floats) -> Bytes:
    return np.asarray(cv2.warpAffine(picture, motion, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def turned(degrees: float, scale: float, dx: float, dy: float) -> Floats:
    matrix = cv2.getRotationMatrix2D((320, 180), degrees, scale)
    matrix[:, 2] += (dx, dy)
    return np.asarray(matrix, np.float32)


@pytest.mark.parametrize(
    "motion", [turned(0.4, 1.0, 6, -5), turned(0.0, 1.012, 0, 0), turned(-0.8, 0.99, -3, 8)]
)
def test_a_shift_turn_and_scale_is_found(motion: Floats) -> None:
    found = motion_between(table(), bumped(table(), motion))
    assert found is not None
    assert largest_difference(found, motion, (360, 640)) < 0.5


def test_a_hand_over_a_third_of_the_table_does_not_count() -> None:
    motion = turned(0.3, 1.0, 5, 4)
    picture = bumped(table(), motion)
    picture[:, :200] = 160
    found = motion_between(table(), picture)
    assert found is not None
    assert largest_difference(found, motion, (360, 640)) < 0.7


def test_a_card_that_comes_while_the_camera_is_bumped_does_not_hide_that() -> None:
    """On a plain cloth most corners lie on the cards: those of a new one agree with nothing."""
    rng = np.random.default_rng(6)
    cloth = np.full((360, 640), 90, np.uint8)
    for x, y in ((40, 40), (560, 50), (60, 280), (540, 290), (300, 30), (310, 310)):
        cv2.rectangle(cloth, (x, y), (x + 30, y + 24), 160, -1)
    prints = [np.repeat(np.repeat(rng.integers(0, 255, (12, 8)), 8, 0), 8, 1) for _ in range(2)]
    before, after = cloth.copy(), bumped(cloth, turned(0.3, 1.0, 5, 3))
    before[130:226, 280:344], after[130:226, 280:344] = prints
    found = motion_between(before, after)
    assert found is not None
    assert largest_difference(found, turned(0.3, 1.0, 5, 3), (360, 640)) < 0.7


def test_nothing_has_moved() -> None:
    assert motion_between(table(), table()) is None


def test_what_moves_in_one_place_was_pushed() -> None:
    plain = np.full((360, 640), 90, np.uint8)
    first, second = plain.copy(), plain.copy()
    for k in range(16):
        x, y = 300 + 12 * (k % 4), 150 + 12 * (k // 4)
        cv2.rectangle(first, (x, y), (x + 6, y + 6), 220, -1)
        cv2.rectangle(second, (x + 4, y + 2), (x + 10, y + 8), 220, -1)
    assert motion_between(first, second) is None


def test_a_plain_table_tells_nothing() -> None:
    assert motion_between(np.full((360, 640), 90, np.uint8), np.full((360, 640), 91, np.uint8)) is None


def test_points_move_and_motions_scale() -> None:
    motion = np.array([[1, 0, 3], [0, 1, -2]], np.float32)
    assert transform(np.array([[1.0, 1.0]]), motion).tolist() == [[4.0, -1.0]]
    assert scaled(motion, 2.0)[:, 2].tolist() == [6.0, -4.0]
    turn = np.array([[0, -1, 3], [1, 0, -2]], np.float32)
    points = np.array([[1.0, 1.0], [5.0, 2.0]])
    twice = transform(to_resized(points, 2.0), scaled(turn, 2.0))
    assert twice == pytest.approx(to_resized(transform(points, turn), 2.0))
    assert largest_difference(motion, np.eye(2, 3, dtype=np.float32), (10, 10)) == pytest.approx(13**0.5)
