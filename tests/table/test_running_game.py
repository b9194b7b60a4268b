"""A game between two judgements: what its spotter is told, what an undo is about, when it was last known."""

import queue
from typing import Any

import pytest

from companion.core.events import Event
from companion.games.spotter import GameView

Bench = Any


class Told:
    """Takes the place of a spotter's two methods that keep it up to date."""

    def __init__(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[str] = []
        spotter = running(bench).spotter
        monkeypatch.setattr(spotter, "follow", self.follow)
        monkeypatch.setattr(spotter, "reset", lambda: self.calls.append("reset"))

    def follow(self, before: GameView, event: Event, after: GameView) -> tuple[()]:
        self.calls.append(str(event["event"]))
        return ()


def running(bench: Bench) -> Any:
    return bench.table._referee.game


def test_a_spotter_follows_what_is_accepted_and_forgets_what_was_corrected(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    told = Told(bench, monkeypatch)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer", t=1.0)
    assert told.calls == ["card_played"]
    bench.at(1.5).event("card_played", player="Ida", card="racketeer", t=0.5)
    assert bench.log[-1]["rejected"], "a time before the last one"
    assert told.calls == ["card_played"]
    assert bench.do("undo")["ok"]
    assert told.calls == ["card_played", "reset"]


def test_a_position_that_was_agreed_resets_the_spotter(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    told = Told(bench, monkeypatch)
    answer = bench.at(1.0).event("position", state={"stack": {"Ida": 9, "Jo": 10, "Kai": 10}, "pile": 1})
    assert answer["ok"], answer
    assert told.calls == ["reset"]


def test_the_time_is_known_up_to_the_latest_event_that_counts(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.do("go_on")
    assert running(bench).known_until() == 0.0
    bench.at(1.0).event("card_played", player="Ida", card="racketeer", t=1.0)
    first = running(bench).known_until()
    bench.at(2.0).event("heard", words=["one"], t=2.0)
    second = running(bench).known_until()
    assert 0.0 < first < second
    bench.at(2.5).event("card_played", player="Ida", card="racketeer", t=0.5)
    assert running(bench).known_until() == second, "what was refused does not count"
    bench.at(3.0).do("undo")
    assert running(bench).known_until() == first


def test_an_undo_is_about_the_latest_move_and_no_tick(bench: Bench) -> None:
    bench.begin("bugs_and_co", "Ida", "Jo", countdown="companion")
    assert running(bench).latest_move() is None
    bench.event("game_started", t=0.0)
    players = iter(("Ida", "Jo"))
    for value in bench.shown["state"]["trophies"]:
        bench.at(5.0).event("trophy_taken", player=next(players), value=value, t=5.0)
    moves = len(bench.log)
    bench.at(6.5).step()
    assert len(bench.log) == moves + 1, "nine was counted"
    assert running(bench).ticked(moves + 1)
    assert not running(bench).ticked(moves)
    assert running(bench).latest_move() == moves


def test_the_limit_is_that_of_the_game_where_it_has_one(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30, hesitation_s=2.0)
    assert running(bench).limit == 2.0
    bench.begin("bugs_and_co", "Ida", "Jo")
    assert running(bench).limit is None


def test_after_a_resumed_game_everything_is_known_as_before(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer", t=1.0)
    bench.at(2.0).event("heard", words=["one"], t=2.0)
    before = running(bench)
    bench.restart()
    after = running(bench)
    assert (after.turns, after.times, after.sources) == (before.turns, before.times, before.sources)
    assert after.turns[1] == "Ida"
    assert after.known_until() == before.known_until()


def test_a_turn_waits_for_what_comes_and_not_for_nothing(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    waits: list[float | None] = []

    class Queue:
        def get(self, timeout: float | None = None) -> Any:
            waits.append(timeout)
            raise queue.Empty

        def get_nowait(self) -> Any:
            waits.append(None)
            raise queue.Empty

    bench.table._queue = Queue()
    for timeout in (0.0, 0.25):
        bench.table.step(timeout)
    assert waits == [None, 0.25]
