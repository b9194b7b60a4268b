"""Light that differs beside a card or an arm, and is neither."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image.picture import Bytes, Floats
from companion.vision.tracking.background import Background
from companion.vision.tracking.change import CELL, Blob, Change


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


def with_arm(table: Floats) -> Floats:
    """An arm of one colour from the upper edge."""
    laid = table.copy()
    laid[:200, 300:380] = (150, 170, 205)
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


def test_the_line_of_a_shadow_that_touches_a_card_is_light_and_the_card_is_not() -> None:
    """Joined with the line, the card reached the edge like an arm, and did not settle for half a minute."""
    background, change = seen(table(), with_card(table(line=472)))
    blob = only(change)
    assert blob.edge
    light = background.shadow_line(blob, change)
    assert light is not None
    assert not background.is_soft(blob, change)
    card = np.zeros_like(blob.cells)
    card[118 // CELL : 228 // CELL + 1, 250 // CELL : 330 // CELL + 1] = True
    assert not (light.cells & card).any()
    assert not blob.without(light).edge
    background.absorb(light, change)
    left = background.feed(picture(with_card(table(line=472))), 1.1)
    assert not only(left).edge


def test_what_only_light_has_changed_is_light_as_a_whole() -> None:
    background, change = seen(table(), table(1.0))
    assert background.is_soft(only(change), change)


def test_the_line_of_a_shadow_that_crosses_an_arm_is_light_and_the_arm_stays_one() -> None:
    """A card under a resting hand is looked at while the hand is there."""
    background, change = seen(table(), with_arm(table(line=472)))
    blob = max(change.blobs, key=lambda one: int(one.cells.sum()))
    light = background.shadow_line(blob, change)
    assert light is not None
    assert blob.without(light).edge
    assert int(light.cells.sum()) < int(blob.cells.sum()) / 4


def test_the_soft_side_of_an_arm_is_no_light() -> None:
    """Out of focus, an arm has a sharp outline in part only: most of it became the table at rest."""
    now = table()
    now[:200, 260:420] += 70 * np.sin(np.linspace(0, np.pi, 160))[None, :, None] * (0.6, 0.8, 1.0)
    now[150:200, 300:380] = (150, 170, 205)
    background, change = seen(table(), now)
    assert background.shadow_line(only(change), change) is None


def test_an_even_arm_has_no_light_within_its_outline() -> None:
    background, change = seen(table(), with_arm(table()))
    assert only(change).edge
    assert background.shadow_line(only(change), change) is None
