"""The hearer of a game listens for the words that are called in it."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.active_game import ActiveGame
from companion.senses.hearers import HearerFactory
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.recognition import recogniser
from companion.store.rows import GameRow
from companion.table.listener import active_game


def words_of(game: ActiveGame, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    given: list[str] = []

    class Spy:
        def __init__(self, folder: Path, words: list[str], *rest: Any, **more: Any) -> None:
            given.extend(words)

    monkeypatch.setattr(recogniser, "Listener", Spy)
    factory = HearerFactory("", folder / "models", folder / "voices", 0.5, ArrayRecorder())
    factory.make(game, 16000, factory.sounds())
    return given


def row(name: str, **settings: str) -> GameRow:
    return GameRow(1, "1", 1, name, ["Ida", "Jo"], settings, "2026-01-01")


@pytest.mark.parametrize(("language", "first", "last"), [("en", "ten", "stop"), ("de", "zehn", "stopp")])
def test_a_countdown_is_listened_for_from_ten_to_stop(
    language: str, first: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = active_game(row("bugs_and_co", countdown="heard", language=language))
    words = words_of(game, tmp_path, monkeypatch)
    assert {first, last} <= set(words)
    assert len(words) == 11


def test_calls_are_numbers_to_seven_and_the_throat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of(active_game(row("nasty_7")), tmp_path, monkeypatch)
    assert "hmmrrr" in words
    assert "ten" not in words
