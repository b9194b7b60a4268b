"""The edge of a hard shadow is taken out of a card, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import HEIGHT, WIDTH, RectifiedCard, normalised_planes
from companion.vision.match.shadow import remove_shadow


def numbered(number: str) -> Floats:
    """A blue card (72, 48, 3) with a light oval and a number in it."""
    card = np.full((360, 240, 3), 240, np.uint8)
    cv2.rectangle(card, (14, 14), (225, 345), (170, 60, 20), -1)
    cv2.ellipse(card, (120, 180), (95, 110), 20, 0, 360, (235, 235, 235), -1)
    cv2.putText(card, number, (72, 232), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (160, 50, 20), 26)
    return np.asarray(cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.float32)


def shaded(card: Floats, turn: float, dark: float) -> Floats:
    """The card with everything on one side of a line through its middle darker; `turn` in radians."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    away = (x - WIDTH / 2) * np.cos(turn) + (y - HEIGHT / 2) * np.sin(turn)
    return np.asarray(card * np.where(away > 0, dark, 1.0)[..., None], np.float32)


@pytest.mark.parametrize("turn", [0.3, 1.0, 1.9])
@pytest.mark.parametrize("dark", [0.35, 0.6])
def test_a_hard_shadow_is_taken_out(turn: float, dark: float) -> None:
    card = numbered("5")
    light = RectifiedCard(card).planes[0]
    shadowed = shaded(card, turn, dark)
    lit = remove_shadow(shadowed, light)
    assert lit is not None
    before = np.abs(normalised_planes(shadowed)[0] - light).mean()
    assert np.abs(normalised_planes(lit)[0] - light).mean() < 0.6 * before


@pytest.mark.parametrize("number", ["1", "3", "7", "8"])
def test_what_is_printed_is_no_shadow(number: str) -> None:
    card = numbered(number)
    assert remove_shadow(card, RectifiedCard(card).planes[0]) is None


def test_another_cards_figure_is_no_shadow() -> None:
    assert remove_shadow(numbered("7"), RectifiedCard(numbered("1")).planes[0]) is None


def test_a_coloured_edge_is_no_shadow() -> None:
    card = numbered("5")
    light = RectifiedCard(card).planes[0]
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    tint = np.where((x + 0.4 * y > 38)[..., None], np.array([1.0, 0.9, 0.3]), 1.0)
    assert remove_shadow(np.asarray(card * tint, np.float32), light) is None
