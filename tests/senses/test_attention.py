"""Which watcher and which hearer follow the game on the table."""

from typing import Any

import pytest

from companion.core.active_game import ActiveGame
from companion.core.errors import Unavailable
from companion.games.spotter import Expectation
from companion.senses import attention as module
from companion.senses.attention import Attention

ZONES = {"pile": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]}


class Recorder:
    """Stands for eyes, ears, evidence, decks and hearers: keeps what is asked of it."""

    def __init__(self) -> None:
        self.watcher: Any = None
        self.hearer: Any = None
        self.zones: Any = None
        self.expected: list[Any] = []
        self.cleared = 0
        self.kept: list[tuple[int, float]] = []
        self.made: list[Any] = []
        self.broken = False

    def set_watcher(self, watcher: Any) -> None:
        self.watcher = watcher

    def set_hearer(self, hearer: Any) -> None:
        self.hearer = hearer

    def set_zones(self, zones: Any) -> None:
        self.zones = zones

    def expect(self, *what: Any) -> None:
        self.expected.append(what)

    def clear(self) -> None:
        self.cleared += 1

    def keep(self, n: int, t: float) -> None:
        self.kept.append((n, t))

    def labels(self, game: str) -> tuple[str, ...]:
        if self.broken:
            raise Unavailable("library.words", words="no deck")
        return ("gun",) if game == "nasty_7" else ()

    def deck(self, game: str) -> Any:
        return f"deck of {game}"

    def sounds(self) -> Any:
        return object()

    def make(self, game: ActiveGame, rate: int, sounds: Any) -> Any:
        self.made.append((game.name, rate, sounds))
        return "hearer"


def attention_of(recorder: Recorder, faults: list[str]) -> Attention:
    one: Any = recorder
    zones = lambda game, players: ZONES  # noqa: E731
    return Attention(
        one, one, one, one, zones, one, lambda source, error: faults.append(f"{source}: {error}")
    )


def playing(watcher: str = "landings", hears: bool = True, name: str = "nasty_7") -> ActiveGame:
    return ActiveGame(name, ("Ida", "Jo"), "en", watcher, hears)


def test_a_game_gets_its_watcher_and_its_hearer(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    attention = attention_of(recorder, [])
    monkeypatch.setattr(module.watchers, "watcher", lambda *what: what)
    attention.game_changed(playing("lattice"))
    assert attention.game == playing("lattice")
    assert recorder.cleared == 1
    assert recorder.watcher() == ("lattice", "deck of nasty_7", ZONES)
    assert recorder.hearer(16_000) == recorder.hearer(48_000) == "hearer"
    assert [rate for _, rate, _ in recorder.made] == [16_000, 48_000]
    assert recorder.made[0][2] is recorder.made[1][2], (
        "invented sounds outlive a microphone that was unplugged"
    )


def test_an_empty_table_needs_neither() -> None:
    recorder = Recorder()
    attention = attention_of(recorder, [])
    attention.game_changed(playing())
    attention.game_changed(None)
    assert (recorder.watcher, recorder.hearer, attention.game) == (None, None, None)
    assert recorder.cleared == 2


@pytest.mark.parametrize("game", [playing("none"), playing(name="bugs_and_co")])
def test_without_a_watcher_or_a_deck_the_camera_is_not_used(game: ActiveGame) -> None:
    recorder = Recorder()
    attention_of(recorder, []).game_changed(game)
    assert recorder.watcher is None
    assert recorder.hearer is not None


def test_a_game_without_calls_needs_no_hearer() -> None:
    recorder = Recorder()
    attention_of(recorder, []).game_changed(playing(hears=False))
    assert recorder.watcher is not None
    assert recorder.hearer is None


def test_a_deck_that_cannot_be_read_is_reported_and_the_game_goes_on() -> None:
    recorder, faults = Recorder(), []  # type: tuple[Recorder, list[str]]
    recorder.broken = True
    attention_of(recorder, faults).game_changed(playing())
    assert faults == ["camera: no deck"]
    assert recorder.watcher is None


def test_zones_of_the_running_game_hold_at_once() -> None:
    recorder = Recorder()
    attention = attention_of(recorder, [])
    attention.zones_changed("nasty_7")
    assert recorder.zones is None, "nothing is played"
    attention.game_changed(playing())
    attention.zones_changed("trio_monsters")
    assert recorder.zones is None, "another game is played"
    attention.zones_changed("nasty_7")
    assert recorder.zones == ZONES


def test_expectations_and_findings_are_passed_on() -> None:
    recorder = Recorder()
    attention = attention_of(recorder, [])
    attention.expectation_changed(Expectation(words=("one",), right=(("one",),), cards=frozenset({"gun"})))
    assert recorder.expected == [(("one",),), (frozenset({"gun"}),)]
    attention.finding_made(3, 7.5)
    assert recorder.kept == [(3, 7.5)]
