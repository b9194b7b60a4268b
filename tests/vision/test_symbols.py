"""Symbols on a light tile are read at any turn and size; what was not enrolled gets no label."""

import cv2
import numpy as np
import pytest

from companion.art.decks.glyphs import GLYPHS, glyph
from companion.art.draw.palette import MONSTERS
from companion.art.draw.raster import rasterise
from companion.art.draw.vector import Drawing, moved, place
from companion.core.errors import Unreadable
from companion.vision.image.picture import Image
from companion.vision.symbols.learn import describe
from companion.vision.symbols.limits import symbol_limits
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.symbols.regions import InkRegion, paper_share_round
from companion.vision.symbols.search import find_symbols, named_symbols

NAMES = tuple(GLYPHS)[:8]


def symbol(name: str, side: int) -> Image:
    tones = list(MONSTERS.values())
    nodes = moved(glyph(name, tones[tuple(GLYPHS).index(name) % 7].body), place(1.5, 1.5))
    return np.asarray(rasterise(Drawing(3.0, 3.0, tuple(nodes)), side), np.uint8)


def tile(names: tuple[str, ...]) -> tuple[Image, list[tuple[float, float]]]:
    """A white disc on a dark table, the symbols round its middle in three sizes, lit from one side."""
    picture = np.full((800, 800, 3), (70, 60, 50), np.uint8)
    cv2.circle(picture, (400, 400), 380, (245, 245, 245), -1)
    places = []
    for i, name in enumerate(names):
        side = (160, 190, 220)[i % 3]
        angle = 2 * np.pi * i / len(names)
        x, y = 400 + 235 * np.cos(angle), 400 + 235 * np.sin(angle)
        drawn = symbol(name, side)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), 37.0 * i, 1.0)
        drawn = cv2.warpAffine(drawn, turn, (side, side), borderValue=(255, 255, 255))
        top, left = round(y - side / 2), round(x - side / 2)
        window = picture[top : top + side, left : left + side]
        window[:] = (window.astype(np.float32) * drawn / 255).astype(np.uint8)
        places.append((float(x), float(y)))
    light = np.linspace(0.65, 1.0, 800)[None, :, None] * np.array([0.85, 0.97, 1.0])
    noisy = picture * light + np.random.default_rng(3).normal(0, 3, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8), places


@pytest.fixture(scope="module")
def looks() -> np.ndarray:
    return np.stack([describe(symbol(name, 240)) for name in NAMES])


def test_symbols_are_read_at_any_turn_and_size(looks: np.ndarray) -> None:
    picture, places = tile(NAMES[:6])
    found = find_symbols(picture, NAMES, looks)
    assert sorted(one.label for one in found) == sorted(NAMES[:6])
    for one in found:
        x, y = places[NAMES.index(one.label)]
        assert np.hypot(one.centre[0] - x, one.centre[1] - y) < 30


def test_strangers_get_no_label(looks: np.ndarray) -> None:
    picture, _ = tile(tuple(GLYPHS)[10:16])
    assert find_symbols(picture, NAMES, looks) == []


def test_empty_picture_cannot_be_learnt() -> None:
    with pytest.raises(Unreadable, match="no symbol"):
        describe(np.full((100, 100, 3), 255, np.uint8))


def test_paper_in_a_shadow_is_paper_and_a_coloured_ground_is_none() -> None:
    spot = InkRegion((50.0, 50.0), 20.0, np.ones((100, 100), np.float32))
    lack = np.zeros((100, 100, 3), np.float32)
    assert paper_share_round(lack, spot, symbol_limits().places) == 1.0
    lack[:50] = (0.3, 0.26, 0.24)
    assert paper_share_round(lack, spot, symbol_limits().places) == 1.0
    lack[:50] = (0.45, 0.3, 0.1)
    assert 0.45 < paper_share_round(lack, spot, symbol_limits().places) < 0.6


@pytest.mark.parametrize("height", [620, 460])
def test_slanted_symbols_are_read(looks: np.ndarray, height: int) -> None:
    """As from a camera that looks down at 51 and at 35 degrees."""
    picture, places = tile(NAMES[2:8])
    slanted = cv2.resize(picture, (800, height), interpolation=cv2.INTER_AREA)
    found = find_symbols(slanted, NAMES, looks)
    assert sorted(one.label for one in found) == sorted(NAMES[2:8])
    for one in found:
        x, y = places[NAMES.index(one.label) - 2]
        assert np.hypot(one.centre[0] - x, one.centre[1] - y * height / 800) < 30


def test_of_places_on_each_other_the_most_probable_is_named() -> None:
    wheel = SymbolMatch("wheel", 0.9, (102.0, 101.0), 72.0, 0.0)
    hub = SymbolMatch("ball", 0.8, (100.0, 100.0), 18.0, 0.0)
    beside = SymbolMatch("ball", 0.7, (190.0, 100.0), 18.0, 0.0)
    faint = SymbolMatch("ball", 0.4, (300.0, 100.0), 18.0, 0.0)
    assert named_symbols([wheel, hub, beside, faint], least=0.5) == [wheel, beside]
