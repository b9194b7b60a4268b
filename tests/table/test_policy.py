"""Who may send which command: every command from every kind of phone."""

from typing import Any

import pytest
from api_client import request

from companion.api.commands import PHONE_COMMANDS, Caller
from companion.core.observations import Landing
from companion.games.spotter import Option, Question
from companion.table.policy import allowed

Bench = Any
PLAYERS = ("Ida", "Jo", "Kai")
READ = {"event": "display_scanned", "player": "Ida", "display": {"red": {"cards": 2, "jokers": 0}}}
OTHERS = {**READ, "player": "Jo"}
REFEREE, SPECTATOR = Caller("referee"), Caller("guest")
IDA = Caller("guest", "Ida")

COMMANDS: list[tuple[str, dict[str, Any], bool]] = [
    ("new_game", {"game": "nasty_7", "players": ["Ida", "Jo"]}, False),
    ("next_game", {}, False),
    ("begin_seated", {"seating": "s1"}, False),
    ("decline_seated", {"seating": "s1"}, False),
    ("end_game", {}, False),
    ("undo", {}, False),
    ("undo", {"n": 1}, False),
    ("overrule", {"n": 1}, False),
    ("position", {"state": {}, "preview": True}, False),
    ("position", {"n": 1}, False),
    ("go_on", {}, False),
    ("too_slow", {}, False),
    ("stop_timing", {}, False),
    ("wait", {}, False),
    ("event", READ, True),
    ("event", {**READ, "event": "tiles_scored"}, True),
    ("event", OTHERS, False),
    ("event", {"event": "card_played", "player": "Ida"}, False),
    ("event", {"event": ["display_scanned"], "player": "Ida"}, False),
    ("event", {"player": "Ida"}, False),
    ("event", {}, False),
    ("amend", {"n": 1, "event": READ}, True),
    ("amend", {"n": 1, "event": READ, "preview": True}, True),
    ("amend", {"n": 1, "event": None}, False),
    ("amend", {"n": 1, "event": OTHERS}, False),
    ("amend", {"n": 2, "event": READ}, False),
    ("amend", {"n": 0, "event": READ}, False),
    ("amend", {"n": 99, "event": READ}, False),
    ("answer", {"question": "q1", "option": "a"}, True),
    ("answer", {"question": "q2", "option": "a"}, False),
    ("answer", {"question": "q3", "option": "a"}, False),
    ("answer", {"question": "q9", "option": "a"}, False),
]
"""Command, its fields, whether Ida's phone may send it. The referee may send all, a spectator none."""


@pytest.fixture
def scanned(bench: Bench) -> Bench:
    """Ida's and Jo's displays have been read; one question is about each of them, one about nobody."""
    bench.begin("seven_merry_monsters", *PLAYERS, tracking="scan")
    assert bench.do("event", **READ)["ok"]
    assert bench.do("event", **OTHERS)["ok"]
    for player in ("Ida", "Jo", None):
        question = Question("unsure_card", {}, (Option("a"),), "camera", player)
        bench.table.referee.questions.ask(question, Landing(0.0, "trick", None))
    return bench


def test_every_command_is_tried() -> None:
    assert {name for name, _, _ in COMMANDS} == {*PHONE_COMMANDS, "wait"}


@pytest.mark.parametrize(("name", "data", "own"), COMMANDS)
def test_the_referee_may_all_a_player_the_own_reading_a_spectator_nothing(
    scanned: Bench, name: str, data: dict[str, Any], own: bool
) -> None:
    referee = scanned.table.referee
    assert referee.game is not None
    asked, record = request(name, data), referee.game.record
    assert allowed(REFEREE, asked, record, referee.questions)
    assert allowed(IDA, asked, record, referee.questions) is own
    assert not allowed(SPECTATOR, asked, record, referee.questions)


@pytest.mark.parametrize(("name", "data", "own"), COMMANDS)
def test_what_is_not_allowed_changes_nothing(
    scanned: Bench, name: str, data: dict[str, Any], own: bool
) -> None:
    before = scanned.shown
    for caller in (SPECTATOR,) if own else (SPECTATOR, IDA):
        reply = scanned.ask(request(name, data), caller)
        assert (reply["ok"], reply["code"]) == (False, "referee_only")
        assert scanned.shown == before


def test_between_two_games_a_player_may_correct_nothing(bench: Bench) -> None:
    for name in ("amend", "answer"):
        data = next(data for kind, data, own in COMMANDS if kind == name and own)
        assert bench.ask(request(name, data), IDA)["code"] == "referee_only"
