"""Which pictures of the last seconds are kept, and what becomes of them when the camera moves."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.tracking.limits import seconds
from companion.vision.tracking.recent_pictures import RecentPictures, SmallPicture

IMAGE = np.zeros((36, 64, 3), np.uint8)
GREY = np.arange(18 * 32, dtype=np.uint16).reshape(18, 32).astype(np.uint8)


def kept(seconds: float, every_s: float) -> RecentPictures[int]:
    """Ten pictures a second."""
    recent: RecentPictures[int] = RecentPictures(3)
    for number in range(round(seconds * 10) + 1):
        recent.add(SmallPicture(number / 10, GREY, 1.0))
        recent.keep(number / 10, IMAGE, number, every_s)
    return recent


def test_small_pictures_are_kept_for_some_seconds() -> None:
    long = 2 * seconds().hold
    assert [one.t for one in kept(long + 1.0, 0.2).small][:: round(long * 10)] == [1.0, long + 1.0]


@pytest.mark.parametrize(("every_s", "expected"), [(0.0, [8, 9, 10]), (0.35, [0, 4, 8])])
def test_few_whole_pictures_are_kept_and_not_too_often(every_s: float, expected: list[int]) -> None:
    assert [one.shown for one in kept(1.0, every_s).whole] == expected


def test_a_picture_that_is_kept_stays_as_it_was() -> None:
    recent: RecentPictures[None] = RecentPictures(1)
    image = IMAGE.copy()
    recent.keep(0.0, image, None)
    image[:] = 255
    assert not recent.whole[0].image.any()


def test_small_pictures_move_with_the_camera_and_whole_ones_are_forgotten() -> None:
    recent = kept(0.3, 0.0)
    recent.move(np.array([[1, 0, 2], [0, 1, 0]], np.float32))
    assert not recent.whole
    assert [one.t for one in recent.small] == [0.0, 0.1, 0.2, 0.3]
    assert all((one.grey[:, 2:] == GREY[:, :-2]).all() for one in recent.small)
