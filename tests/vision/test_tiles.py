"""Tiles with symbols through the commands: enrolled from a folder, recognised and counted in a photograph."""

import dataclasses
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from bench.tiles.scenes import covered, laid
from companion import art
from companion.art.scene.tables import TABLES
from companion.commands.cli import group
from companion.core.errors import UsageError
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import merge, select_looks
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import decode
from companion.vision.symbols.discs import find_tile_circles
from companion.vision.symbols.limits import symbol_limits
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.tiles.read import read_tiles, to_sighting

NAMES = tuple(art.card_labels("bugs_and_co"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The drawn tiles as cut-outs with nothing round them."""
    there = tmp_path_factory.mktemp("tiles")
    for name in NAMES:
        drawn = art.draw_card("bugs_and_co", name, 220)
        alpha = np.zeros(drawn.shape[:2], np.uint8)
        cv2.circle(alpha, (110, 110), 108, 255, -1)
        cv2.imwrite(str(there / f"{name}.png"), np.dstack([drawn, alpha]))
    return there


@pytest.fixture(scope="module")
def deck(folder: Path) -> Path:
    result = CliRunner().invoke(group, ["enrol", str(folder / "deck"), "--from", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    return folder / "deck"


def run(arguments: list[str]) -> dict[str, object]:
    result = CliRunner().invoke(group, arguments)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.output))


def test_tiles_are_counted_and_scored(deck: Path, tmp_path: Path) -> None:
    names = ["bat", "bat", "bat", "claw", "claw", "fish", "fish", "fish", "crown"]
    photo = tmp_path / "tiles.png"
    cv2.imwrite(str(photo), laid(names))
    result = run(["score", "bugs_and_co", str(photo), "--deck", str(deck), "--json"])
    assert result["tiles"] == {"claw": 2, "bat": 3, "fish": 3, "crown": 1}
    assert (result["score"], result["unsure"]) == (3 + 3 - 2 - 1, [])
    assert set(result) == {"image", "tiles", "score", "unsure", "cards"}
    again = run(["recognise", str(photo), "--deck", str(deck), "--json"])
    assert again["cards"] == result["cards"]


def test_more_tiles_of_a_symbol_than_there_are_make_the_count_unsure(deck: Path) -> None:
    reading = read_tiles(laid(["ant"] * 4 + ["worm"]), Deck.load(deck), 3)
    assert reading.tiles == {"worm": 1, "ant": 4}
    assert any("4 tiles with ant" in doubt for doubt in map(str, reading.unsure))
    assert read_tiles(laid(["ant"] * 4 + ["worm"]), Deck.load(deck), 4).unsure == ()


def test_an_empty_table_is_unsure(deck: Path) -> None:
    reading = read_tiles(laid([], "mat"), Deck.load(deck), 3)
    assert reading.tiles == {}
    assert reading.unsure[-1].code == "tiles.none"


def test_a_half_covered_tile_keeps_the_count_from_being_scored(deck: Path) -> None:
    picture = covered(laid(["bat", "claw", "fish", "fish"], "mat"), 3, 0.5, "hand")
    reading = read_tiles(picture, Deck.load(deck), 3)
    assert reading.tiles == {"claw": 1, "bat": 1, "fish": 1}
    (doubt,) = reading.doubts
    assert doubt.like is None
    assert np.hypot(doubt.centre[0] - 828, doubt.centre[1] - 141) < 45
    assert reading.unsure == (doubt.message,)


@pytest.mark.parametrize("kind", TABLES)
def test_parts_of_tiles_are_noticed_on_every_ground(kind: str) -> None:
    whole_picture = laid(["bat", "claw", "fish", "crown", "ant"], kind, seed=8)
    whole, parts = find_tile_circles(whole_picture, symbol_limits().circles)
    assert (len(whole), parts) == (5, [])
    assert sorted(round((disc.centre[0] - 127) / 235) for disc in whole) == [0, 1, 2, 3, 4]
    for share, by in ((0.5, "card"), (0.75, "card"), (0.5, "hand"), (0.5, "edge")):
        _, parts = find_tile_circles(covered(whole_picture, 4, share, by), symbol_limits().circles)
        assert any(np.hypot(one.centre[0] - 1067, one.centre[1] - 141) < 60 for one in parts), (share, by)


def test_a_circle_round_several_tiles_takes_none_of_their_places() -> None:
    picture = laid(["tripod"] * 3 + ["worm"] * 3 + ["gem_bug"] * 2 + ["fish"], "mat", 62)
    whole, parts = find_tile_circles(picture, symbol_limits().circles)
    assert (len(whole), parts) == (9, [])


def test_cards_hold_no_symbols() -> None:
    labels = art.card_labels("nasty_7")
    cards = enrol_pictures("nasty_7", labels, [art.draw_card("nasty_7", one, 300) for one in labels]).deck
    assert cards.symbols is None
    with pytest.raises(UsageError, match="no symbols"):
        read_tiles(laid(["ant"]), cards, 3)


def test_mended_decks_keep_their_symbols(deck: Path) -> None:
    whole = Deck.load(deck)
    assert whole.symbols is not None
    part = select_looks(whole, [3, 1])
    assert part.symbols is not None
    assert np.array_equal(part.symbols, whole.symbols[[3, 1]])
    both = merge(part, select_looks(whole, [5]))
    assert both.symbols is not None
    assert np.array_equal(both.symbols, whole.symbols[[3, 1, 5]])
    assert merge(part, dataclasses.replace(part, symbols=None)).symbols is None


def test_what_is_transparent_lies_on_white() -> None:
    layers = np.zeros((40, 40, 4), np.uint8)
    layers[10:30, 10:30] = (10, 20, 200, 255)
    layers[30:, :, 3] = 127
    image = decode(cv2.imencode(".png", layers)[1].tobytes())
    assert image[0, 0].tolist() == [255, 255, 255]
    assert image[20, 20].tolist() == [10, 20, 200]
    assert image[35, 0].tolist() == [128, 128, 128]


def test_the_corners_of_a_symbol_turn_with_it() -> None:
    upright = to_sighting(SymbolMatch("ant", 0.9, (50.0, 40.0), 10.0, 0.0))
    assert upright.corners == ((40.0, 30.0), (60.0, 30.0), (60.0, 50.0), (40.0, 50.0))
    turned = to_sighting(SymbolMatch("ant", 0.9, (50.0, 40.0), 10.0, 90.0))
    assert turned.corners[0] == pytest.approx((60.0, 30.0))
    assert turned.centre == pytest.approx((50.0, 40.0))
