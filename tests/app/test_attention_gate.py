"""The senses are directed at once, or when they were directed that evening."""

from typing import Any

import pytest

from companion.core.clock import VirtualClock
from companion.games.spotter import Expectation
from companion.runtime.attention_gate import LATEST_S, AttentionGate


class Told:
    """An attention that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def game_changed(self, game: Any) -> None:
        self.told.append(game)

    def expectation_changed(self, expectation: Expectation) -> None:
        self.told.append(expectation.words)

    def finding_made(self, n: int, t: float) -> None:
        self.told.append((n, t))


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(10.0)


@pytest.fixture
def told() -> Told:
    return Told()


def expect(gate: AttentionGate, *words: str) -> None:
    gate.expectation_changed(Expectation(words=words))


def test_at_once_and_each_time_is_noted(told: Told, clock: VirtualClock) -> None:
    noted: list[int] = []
    gate = AttentionGate(told, lambda: noted.append(len(told.told)), clock)  # type: ignore[arg-type]
    gate.game_changed(None)
    expect(gate, "one")
    gate.finding_made(3, 1.0)
    assert told.told == [None, ("one",), (3, 1.0)]
    assert noted == [1, 2], "noted after the senses know it"


def test_held_until_it_was_that_evening(told: Told, clock: VirtualClock) -> None:
    gate = AttentionGate(told, lambda: None, clock)  # type: ignore[arg-type]
    gate.holds = True
    expect(gate, "one")
    expect(gate, "two")
    assert told.told == []
    assert gate.next_release == 10.0 + LATEST_S
    gate.direct()
    assert told.told == [("one",)]
    gate.direct()
    gate.direct()
    assert told.told == [("one",), ("two",)]
    expect(gate, "three")
    assert told.told[-1] == ("three",), "that evening the table was faster"


def test_what_was_not_told_that_evening_is_told_late(told: Told, clock: VirtualClock) -> None:
    gate = AttentionGate(told, lambda: None, clock)  # type: ignore[arg-type]
    gate.holds = True
    gate.direct()
    clock.set(10.0 + LATEST_S)
    expect(gate, "one")
    assert told.told == [], "the direction of half a second ago was about something else"
    clock.set(10.0 + 2 * LATEST_S)
    gate.release()
    assert told.told == [("one",)]
