"""The drawn table of a desk without a camera is one that the eyes can read."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from companion import art
from companion.core.errors import UsageError
from companion.devices import drawn_camera
from companion.runtime.systemd import settings
from companion.store.folder import DataFolder
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck

DECK = Path(__file__).parents[2] / "models" / "decks" / art.drawn_games()[0]


def test_cards_lie_still_and_are_recognised() -> None:
    shown = list(itertools.islice(drawn_camera.pictures("", 960, 540, 5.0), 6))
    assert [round(t, 1) for t, _ in shown] == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    first, second = (image.astype(int) for _, image in shown[:2])
    assert 0 < np.abs(first - second).mean() < 5
    cards = recognise(shown[0][1], Deck.load(DECK)).cards
    columns, rows = drawn_camera.CARDS
    assert len({card.label for card in cards}) == columns * rows


def test_a_game_that_nobody_draws_is_named() -> None:
    with pytest.raises(UsageError, match="chess"):
        next(drawn_camera.pictures("chess", 640, 360, 5.0))


def test_simulated_means_drawn_unless_a_recording_is_given(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert settings(None, folder, port=None, simulated=True).camera.backend == "drawn"
    (tmp_path / "config.toml").write_text('[camera]\nbackend = "recording"\nfile = "x.avi"\n')
    assert settings(None, folder, port=None, simulated=True).camera.backend == "recording"
    (tmp_path / "config.toml").write_text('[camera]\nbackend = "none"\n')
    assert settings(None, folder, port=None, simulated=True).camera.backend == "none"
