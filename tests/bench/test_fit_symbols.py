"""What a reading of tiles costs, and the photographs that its limits are fitted on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.coordinate_search import CoordinateSearch
from bench.fitted_limits import limits_of, numbers_of, write
from bench.tiles.development import TilesPicture, laid_pictures, tilted
from bench.tiles.fit import TilesCost, cost_of, figures, outcome
from companion.vision.models import FOLDER
from companion.vision.symbols.discs import TileCircle
from companion.vision.symbols.limits import FILE, SymbolLimits, symbol_limits
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.tiles.read import SymbolReading, to_sighting


def row(*symbols: str, to_find: int) -> TilesPicture:
    """Symbols in a row, 100 pixels apart; only the first ones must not be missed."""
    circles = np.array([(100 * at, 0, 30) for at in range(len(symbols))], np.float32)
    missed = np.arange(len(symbols)) < to_find
    return TilesPicture(np.zeros((9, 9, 3), np.uint8), (), np.zeros(0, np.float32), circles, symbols, missed)


def match(label: str, at: float) -> SymbolMatch:
    return SymbolMatch(label, 0.9, (100.0 * at, 0.0), 25.0, 0.0)


def test_a_wrong_name_costs_most_and_silence_more_than_a_question() -> None:
    picture = row("ant", "bat", "claw", "claw", "fish", to_find=4)
    cards = [match("ant", 0), match("ant", 0.1), match("claw", 2), match("bat", 3), match("ant", 4.5)]
    hidden = (TileCircle((110.0, 0.0), 40.0, 0.3), TileCircle((900.0, 0.0), 40.0, 0.3))
    reading = SymbolReading(tuple(to_sighting(one) for one in cards), (match("bat", 7),), hidden)
    found = outcome(picture, reading)
    assert found == {"right": 2, "wrong": 3, "asked": 1, "asked_about_nothing": 2, "silent": 1}
    assert cost_of(found) == pytest.approx(30 + 0.3 + 2 + 3)


def test_a_part_of_a_tile_is_asked_about_in_a_photograph_of_development(tmp_path: Path) -> None:
    picture = list(laid_pictures(3))[2]
    cost = TilesCost()
    search = CoordinateSearch(cost, [picture], 20.0, 8.0)
    numbers = numbers_of(symbol_limits())
    found = figures([picture], numbers, cost)
    assert found == {"pictures": 1, "symbols": 9, "right": 8, "asked": 1, "silent": 0}
    assert cost(numbers, picture) == pytest.approx(cost_of(found))
    near = search.neighbours(numbers, ["names.named"])
    write(tmp_path / FILE, symbol_limits(), "one", found, search.fit(numbers, 1, ["names.named"]), near)
    written = json.loads((tmp_path / FILE).read_text())
    assert limits_of(numbers_of(symbol_limits()), SymbolLimits) == symbol_limits()
    assert written["names"]["named"] == symbol_limits().names.named
    assert len(written["fit"]["neighbours"]["names.named"]) == 2


def test_a_tilted_camera_sees_the_circles_elsewhere_and_smaller() -> None:
    flat = next(laid_pictures(1))
    seen = tilted(flat, 50)
    assert seen.circles.shape == flat.circles.shape
    assert (seen.circles[:, 2] < 0.95 * flat.circles[:, 2]).all()
    assert seen.image.shape == flat.image.shape


def test_the_shipped_limits_of_tiles_say_what_they_were_fitted_on() -> None:
    about = json.loads((FOLDER / FILE).read_text())["fit"]
    assert set(about["neighbours"]) == set(numbers_of(symbol_limits()))
    assert about["pictures"] > 60
    assert about["cost"] <= about["cost_at_start"]
