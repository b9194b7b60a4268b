"""The examples in the docstrings of vision run, and every public entry has a full docstring."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.vision.camera.quality import examine
from companion.vision.cards import recognise as recognising
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.dice.read import read_dice
from companion.vision.display.read import read_display
from companion.vision.grid.read import read_grid
from companion.vision.lattice.read import read_lattice
from companion.vision.tiles.read import read_tiles
from companion.vision.tracking.landing import LandingWatcher

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_of_recognise_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    outcome = doctest.testmod(recognising)
    assert (outcome.failed, outcome.attempted > 5) == (0, True)


@pytest.mark.parametrize(
    "entry",
    [recognise, read_display, read_dice, read_tiles, read_lattice, read_grid, LandingWatcher.feed, examine],
    ids=lambda entry: entry.__qualname__,
)
def test_what_others_call_first_says_what_it_takes_and_gives(entry: Callable[..., object]) -> None:
    text = entry.__doc__ or ""
    assert all(f"{part}:" in text for part in ("Args", "Returns"))


def test_loading_a_deck_says_what_it_raises() -> None:
    assert "Raises:" in (Deck.load.__doc__ or "")
