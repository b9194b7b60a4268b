"""The photographs that the symbol network is trained on, and what it makes of symbols."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from invented_sources import invented_sources

from bench.tiles.draw import symbols
from companion.vision.image.picture import Image
from companion.vision.symbols.features import FEATURES_SHAPE, SymbolAlbum, features_of
from companion.vision.symbols.learn import describe
from companion.vision.symbols.polar import SymbolPatch, SymbolPlace
from models.vision.symbols import scenes
from models.vision.symbols.samples import NO_SYMBOL, which_symbol
from models.vision.symbols.scenes import SymbolScene, clip_art, deck, photograph, pictograms, printed, scanned


@pytest.fixture(scope="module")
def drawn() -> list[Image]:
    return [scenes.cv2.resize(one, (scenes.SIDE, scenes.SIDE)) for one in list(symbols().values())[:12]]


def test_each_symbol_of_a_photograph_lies_in_its_circle(drawn: list[Image]) -> None:
    marked = [np.where(one.min(axis=2, keepdims=True) < 235, (0, 0, 255), (255, 255, 255)) for one in drawn]
    for seed in range(3):
        scene = photograph([np.asarray(one, np.uint8) for one in marked], np.random.default_rng(seed))
        assert scene.image.shape == (scenes.HEIGHT, scenes.WIDTH, 3)
        assert len(scene.circles) == len(scene.symbols) == len(scene.shown) > 0
        blue, _, red = scene.image.astype(int).transpose(2, 0, 1)
        rows, columns = np.mgrid[: scenes.HEIGHT, : scenes.WIDTH]
        for (x, y, radius), shown in zip(scene.circles, scene.shown, strict=True):
            within = np.hypot(columns - x, rows - y) < radius
            assert shown < 0.9 or (red - blue)[within].max() > 40


def test_a_place_shows_a_symbol_a_part_of_one_or_none() -> None:
    image, shown = np.zeros((10, 10, 3), np.uint8), np.array([1.0, 0.5], np.float32)
    circles = np.array([(100, 100, 40), (300, 100, 40)], np.float32)
    scene = SymbolScene(image, circles, np.array([7, 8]), shown)
    assert which_symbol(scene, (103.0, 98.0), 42.0) == 7
    assert which_symbol(scene, (110.0, 100.0), 28.0) is None, "a part of it"
    assert which_symbol(scene, (300.0, 100.0), 40.0) is None, "half of it is hidden"
    assert which_symbol(scene, (200.0, 100.0), 40.0) == NO_SYMBOL


def test_decks_are_of_pictograms_and_clip_art(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = invented_sources(tmp_path)
    letters = (range(ord("A"), ord("Z") + 1),)
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="too few pictograms"):
        pictograms(sources.symbols, rng, 1, left_out=False)
    monkeypatch.setattr(scenes, "PICTOGRAMS", letters)
    made = deck(sources.symbols, [sources.stamps[0]] * 20, rng, left_out=False)
    assert scenes.DECK[0] <= len(made) <= scenes.DECK[1]
    assert {one.shape for one in made} == {(scenes.SIDE, scenes.SIDE, 3)}
    assert clip_art(sources.stamps[0])[0, 0].tolist() == [255, 255, 255]


def test_what_is_turned_has_turned_features(drawn: list[Image]) -> None:
    look = describe(drawn[0])[None]
    once, turned = features_of(look), features_of(np.roll(look, 10, axis=-1))
    assert once.shape == (1, *FEATURES_SHAPE)
    assert np.linalg.norm(once) == pytest.approx(1.0, abs=1e-4)
    assert turned == pytest.approx(np.roll(once, 5, axis=-1), abs=1e-4)


def test_another_printing_has_the_name_and_the_turn_of_what_was_enrolled(drawn: list[Image]) -> None:
    rng = np.random.default_rng(4)
    looks = np.stack([describe(scanned(one, rng)) for one in drawn])
    album = SymbolAlbum([f"symbol {at}" for at in range(len(drawn))], looks)
    nothing = SymbolPatch(np.zeros((1, 1, 4), np.float32), (0.0, 0.0), 20.0)
    for at, one in enumerate(drawn):
        again = describe(scanned(printed(one, rng), rng))
        place = SymbolPlace((50.0, 50.0), 20.0, nothing)
        (found,) = album._matches([place], features_of(np.roll(again, 16, axis=-1)[None]))
        assert found.label == f"symbol {at}"
        assert found.probability > 0.5
        assert min(abs(found.degrees - 90), 360 - abs(found.degrees - 90)) < 30


def test_nothing_is_named_where_there_are_no_places() -> None:
    looks = np.zeros((1, 4, 16, 64), np.float32)
    assert SymbolAlbum(["ant"], looks).matches([]) == []
