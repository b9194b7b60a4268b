"""Whole games as they have always been: see playthrough.py for how to write them again."""

from pathlib import Path

import pytest
from playthrough import FOLDER, read, written

from companion.games import game_names
from companion.table.record import opened

FILES = sorted(FOLDER.glob("*.txt"))


def test_there_is_one_of_each_game() -> None:
    assert {path.stem for path in FILES} == set(game_names())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_goes_as_it_has_always_gone(path: Path) -> None:
    header, events = read(path)
    assert header["game"] == path.stem
    text = path.read_text(encoding="utf-8")
    assert written(header, events).splitlines() == text.splitlines()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_is_whole(path: Path) -> None:
    header, events = read(path)
    record = opened(header)
    for event in events:
        record.push(event)
    assert record.state.phase == "over"
    assert record.winner()
