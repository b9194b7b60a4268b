"""Whether the pip of a one is alone on its top, on dice whose pips run into each other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.dice.faces import Face
from companion.vision.dice.limits import dice_limits
from companion.vision.dice.lone import is_alone
from companion.vision.dice.view import Optics, PlaneView
from companion.vision.image.picture import Image

EDGE = 24
"""Pixels across a die."""
PLACES = {
    1: [(0, 0)],
    3: [(-1, -1), (0, 0), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


def die(value: int, *, light: bool, turn: float, noise: float = 3.0) -> Image:
    """A blurred die in the middle of a picture; light pips on a dark top, or dark ones on a light top."""
    top, pip = (30, 200) if light else (215, 40)
    large = np.full((800, 800, 3), (40, 40, 110), np.uint8)
    square = cv2.boxPoints(((400.0, 400.0), (EDGE * 10.0, EDGE * 10.0), np.degrees(turn)))
    cv2.fillConvexPoly(large, np.round(square).astype(np.int32), (top, top, top))
    across = np.array([np.cos(turn), np.sin(turn)])
    down = np.array([-across[1], across[0]])
    for x, y in PLACES[value]:
        at = 400 + EDGE * 10 * 0.235 * (x * across + y * down)
        cv2.circle(large, (round(at[0]), round(at[1])), round(EDGE * 0.93), (pip, pip, pip), -1)
    small = cv2.resize(large, (80, 80), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float32)
    grain = np.random.default_rng(value).normal(0, noise, blurred.shape)
    return np.asarray(np.clip(blurred + grain, 0, 255), np.uint8)


def alone_at(image: Image, pixel: tuple[float, float]) -> bool:
    """What is said of a one whose pip was found at this pixel."""
    view = PlaneView.of(Optics.of((80, 80)), 0.0, 0.0)
    centre, beside = view.places(np.array([pixel, (pixel[0] + EDGE, pixel[1])]))
    edge = float(np.linalg.norm(beside - centre))
    face = Face(1, (float(centre[0]), float(centre[1])), (0.0, 0.0), edge, (0,), 2.0)
    return is_alone(image, view, face, dice_limits().doubts)


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8])
def test_the_pip_of_a_one_is_alone(turn: float, light: bool) -> None:
    assert alone_at(die(1, light=light, turn=turn), (39.5, 39.5))


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("value", [3, 5])
def test_the_middle_pip_of_a_larger_pattern_is_not(value: int, turn: float, light: bool) -> None:
    assert not alone_at(die(value, light=light, turn=turn), (39.5, 39.5))


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8])
def test_a_pip_of_a_six_is_not(turn: float, light: bool) -> None:
    up = 0.235 * EDGE * np.array([np.sin(turn), -np.cos(turn)])
    assert not alone_at(die(6, light=light, turn=turn), (39.5 + float(up[0]), 39.5 + float(up[1])))
