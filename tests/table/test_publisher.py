"""Snapshots and changes for phones: nobody waits for a phone that does not read."""

from __future__ import annotations

import queue

import pytest

from companion.api.snapshot import DeadlineLeft, Snapshot
from companion.table.publisher import Publisher, Subscription


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def publisher(clock: Clock) -> Publisher:
    return Publisher(clock)


def numbers(subscription: Subscription) -> list[int | None]:
    """The journal's numbers of what waits; None for the end."""
    found: list[int | None] = []
    while True:
        try:
            message = subscription.get_nowait()
        except queue.Empty:
            return found
        found.append(None if message is None else message[0])


def test_every_subscriber_gets_every_change_from_the_subscription_on(publisher: Publisher) -> None:
    assert publisher.snapshot() == Snapshot(0)
    first = publisher.subscribe()
    publisher.publish(1, Snapshot(1), None, ())
    second = publisher.subscribe()
    publisher.publish(2, Snapshot(2), None, ())
    assert (numbers(first), numbers(second)) == ([1, 2], [2])
    assert publisher.snapshot() == Snapshot(2)


def test_a_phone_that_does_not_read_keeps_the_latest_hundred(publisher: Publisher) -> None:
    asleep, awake = publisher.subscribe(), publisher.subscribe()
    for number in range(1, 103):
        publisher.publish(number, Snapshot(number), None, ())
        assert numbers(awake) == [number]
    assert numbers(asleep) == list(range(3, 103))


def test_a_subscription_ends_once(publisher: Publisher) -> None:
    gone, stays = publisher.subscribe(), publisher.subscribe()
    publisher.unsubscribe(gone)
    publisher.unsubscribe(gone)
    publisher.publish(1, Snapshot(1), None, ())
    publisher.close()
    publisher.publish(2, Snapshot(2), None, ())
    assert numbers(gone) == []
    assert numbers(stays) == [1, None]


def test_what_is_left_of_a_deadline_is_that_of_the_moment(publisher: Publisher, clock: Clock) -> None:
    shown = Snapshot(1, deadline=DeadlineLeft(3.0, "Ida"))
    publisher.publish(1, shown, 103.0, ())
    lefts = []
    for clock.now in (100.0, 101.23456, 103.0, 110.0):
        deadline = publisher.snapshot().deadline
        assert deadline is not None
        lefts.append(deadline.left)
    assert lefts == [3.0, 1.765, 0.0, 0.0]
    publisher.publish(2, shown, None, ())
    assert publisher.snapshot().deadline is None
    publisher.publish(3, Snapshot(3), 103.0, ())
    assert publisher.snapshot().deadline is None
