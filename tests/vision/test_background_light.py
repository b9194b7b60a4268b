"""A change of the light only, and one beside a card."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image.picture import Bytes, Floats
from companion.vision.tracking.background import Background
from companion.vision.tracking.change import Blob, Change


def table(shadow: float = 0.6, line: int = 460) -> Floats:
    """A cloth; above a slanting line it is in a shadow, which moves with the sun."""
    rng = np.random.default_rng(5)
    cloth = np.full((360, 640, 3), (120, 110, 104), np.float32) + rng.normal(0, 1.5, (360, 640, 3))
    light = np.ones((360, 640), np.float32)
    cv2.fillPoly(light, [np.array([[0, 0], [line, 0], [0, line - 200]], np.int32)], shadow)
    return np.asarray(cloth * cv2.GaussianBlur(light, (0, 0), 2)[..., None], np.float32)


def picture(table: Floats) -> Bytes:
    return np.asarray(np.clip(table, 0, 255), np.uint8)


def with_card(table: Floats) -> Floats:
    """A printed card whose corner touches the line."""
    rng = np.random.default_rng(6)
    card = cv2.resize(rng.integers(20, 250, (12, 9, 3)).astype(np.float32), (80, 110))
    laid = table.copy()
    laid[118:228, 250:330] = card
    return laid


def seen(before: Floats, now: Floats) -> tuple[Background, Change]:
    """What a background makes of a picture after a second of another one."""
    background = Background()
    for number in range(20):
        background.feed(picture(before), number / 20)
    return background, background.feed(picture(now), 1.0)


def only(change: Change) -> Blob:
    (blob,) = change.blobs
    return blob


def test_what_only_light_has_changed_is_light_as_a_whole() -> None:
    background, change = seen(table(), table(1.0))
    assert background.is_soft(only(change), change)


def test_a_card_that_the_line_of_a_shadow_touches_is_more_than_light() -> None:
    background, change = seen(table(), with_card(table(line=472)))
    assert not background.is_soft(only(change), change)
