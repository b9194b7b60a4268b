"""Games that were played are not played again by the same code."""

from pathlib import Path

import pytest

from bench.table_talk import game_log
from bench.table_talk.game_log import GameLog
from bench.table_talk.loop import GameResult, TurnResult

TURN = TurnResult("gun", "Jo", "correct", "play", False, 3.5, ("one",), ["correct"], 1)
RESULT = GameResult([TURN], 2, (0.01,), (0.01, 0.02))


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(game_log, "commit_at_hand", lambda: "abc")
    path = tmp_path / "games.jsonl"
    GameLog(path).keep("rain 10 dB, game 4", RESULT)
    return path


def test_a_game_in_the_file_has_its_result(log: Path) -> None:
    again = GameLog(log)
    assert again.get("rain 10 dB, game 4") == RESULT
    assert again.get("rain 10 dB, game 5") is None
    again.keep("rain 10 dB, game 5", RESULT)
    assert len(log.read_text().splitlines()) == 2


def test_a_game_that_other_code_played_is_played_again(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_log, "commit_at_hand", lambda: "def")
    assert GameLog(log).get("rain 10 dB, game 4") is None


def test_without_a_file_nothing_is_kept() -> None:
    kept = GameLog(None)
    kept.keep("a game", RESULT)
    assert kept.get("a game") == RESULT
    assert GameLog(None).get("a game") is None
