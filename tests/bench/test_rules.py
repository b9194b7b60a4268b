"""The checks of random games notice what they are there for."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from bench.rules.__main__ import estimates, soundness, speeds
from bench.rules.checks import Played, play
from bench.rules.speed import events_a_second
from companion.games import game_names, rulebook
from companion.games.contract.legality import Breach
from companion.games.contract.rulebook import Rulebook
from companion.games.trio_monsters.rules import TrioMonsters


def played(game: str, games: int = 2, round_trip: bool = True) -> Played:
    found = Played(faults=[])
    for seed in range(games):
        play(game, seed, found, round_trip)
    return found


@pytest.mark.parametrize("game", game_names())
def test_random_games_are_played_and_checked(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.rules.checks.COMPARED", 0.3)
    found = played(game)
    assert found.faults == []
    assert found.games == 2
    assert found.events == found.round_trips > 0
    assert found.compared > 0
    assert found.reached["over"] == 2


def faults_with(
    monkeypatch: pytest.MonkeyPatch, name: str, changed: Any, owner: Any = TrioMonsters, game: str = ""
) -> str:
    """What is found first in a game (of Trio Monsters) with a changed method."""
    monkeypatch.setattr(owner, name, changed)
    found = played(game or "trio_monsters", 1)
    assert found.games == 1
    assert len(found.faults) <= 1
    return "".join(found.faults)


def test_a_lost_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = TrioMonsters.effects

    def loses(self: TrioMonsters, state: Any, event: Any) -> Any:
        ruling = real(self, state, event)
        return replace(ruling, state=replace(ruling.state, draw_pile=ruling.state.draw_pile - 1))

    assert "broken: the triangles are all there" in faults_with(monkeypatch, "effects", loses)


def test_an_event_without_a_sentence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no sentence" in faults_with(monkeypatch, "explained", lambda *_: ())


def test_an_offer_that_is_refused_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.rules.checks.COMPARED", 1.0)
    changed = lambda self, state, proposal: proposal  # noqa: E731
    assert "offered and refused" in faults_with(monkeypatch, "legal", changed, Rulebook, "nasty_7")


def test_an_event_that_is_not_offered_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.rules.checks.COMPARED", 1.0)
    changed = lambda self, state: []  # noqa: E731
    assert "accepted and not offered" in faults_with(monkeypatch, "expects", changed, Rulebook)


def test_an_exception_is_a_fault_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "seed 0: ZeroDivisionError" in faults_with(monkeypatch, "effects", lambda *_: 1 / 0)


def test_a_state_that_a_position_does_not_restore_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = TrioMonsters.placed

    def forgets(self: TrioMonsters, state: Any, shown: Any, given: Any) -> Any:
        return replace(real(self, state, shown, given), laid=0)

    assert "position" in faults_with(monkeypatch, "placed", forgets)


def test_games_are_played_in_turn_until_the_time_is_up() -> None:
    games = ["trio_monsters", "nasty_7"]
    assert [one.games for one in soundness(games, 100, 0, 0.0).values()] == [0, 0]
    found = soundness(games, 3, 1, 60.0)
    assert [one.games for one in found.values()] == [3, 3]
    shares = estimates(found)
    assert {name: one.value for name, one in shares.items()} == {
        "rules/games_trio_monsters": 0.0,
        "rules/games_nasty_7": 0.0,
        "rules/faults": 0.0,
        "rules/sentences": 0.0,
        "rules/offers": 0.0,
        "rules/round_trip": 0.0,
    }
    assert shares["rules/faults"].n == 6


def test_a_slower_rulebook_is_measured_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    book: Any = type(rulebook("nasty_7"))
    real, spent, cost = book.ill_formed, [0.0], [0.001]

    def timed(self: Any, *args: Any) -> Breach | None:
        spent[0] += cost[0]
        found: Breach | None = real(self, *args)
        return found

    monkeypatch.setattr(book, "ill_formed", timed)
    monkeypatch.setattr("bench.rules.speed.time", SimpleNamespace(process_time=lambda: spent[0]))
    fast = speeds(["nasty_7"])["rules/nasty_7"].value
    cost[0] *= 20
    assert speeds(["nasty_7"])["rules/nasty_7"].value == pytest.approx(fast / 20)


def test_scripts_without_events_are_no_events_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.rules.speed.MINIMUM_S", 0.05)
    assert events_a_second([({"game": "nasty_7", "players": ["A", "B"]}, [])]) == 0
