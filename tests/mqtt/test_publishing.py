"""What one table publishes, and how often, without a broker: the clock is moved by hand."""

from queue import SimpleQueue
from typing import Any

import msgspec
import pytest

from companion.api.snapshot import Snapshot
from companion.mqtt.broker import Acknowledged
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.messages import ResendRequest, encoded
from companion.mqtt.outbox import OutgoingEntry
from companion.mqtt.publishing import STATE_EVERY_S, STATUS_EVERY_S, TablePublisher
from companion.mqtt.sending import OutboxSender


class HandBroker:
    """Notes what is published and acknowledges it at once."""

    def __init__(self) -> None:
        self.acknowledged: SimpleQueue[Acknowledged] = SimpleQueue()
        self.connects = 0
        self.connected = False
        self.published: list[tuple[str, dict[str, Any]]] = []

    def connect(self) -> None:
        self.connected, self.connects = True, self.connects + 1

    def publish(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int:
        self.published.append((topic.split("/")[2], msgspec.json.decode(payload)))
        self.acknowledged.put(Acknowledged(len(self.published), True, ""))
        return len(self.published)

    def take(self, level: str) -> list[dict[str, Any]]:
        """What was published on a topic since the last call for any."""
        found = [message for name, message in self.published if name == level]
        self.published.clear()
        return found


class Entries:
    """A journal of so many entries."""

    def __init__(self) -> None:
        self.length = 0

    def after(self, position: OutboxPosition, most: int) -> list[OutgoingEntry] | None:
        numbers = range(position.number + 1, min(position.number + most, self.length) + 1)
        return [
            OutgoingEntry(OutboxPosition(position.series, n), (("companion/window/event", b'{"n":%d}' % n),))
            for n in numbers
        ]

    def position_of(self, number: int, series: str) -> OutboxPosition:
        return OutboxPosition(series, number)


class Kept:
    """A position in memory."""

    def __init__(self) -> None:
        self.position = OutboxPosition("s1")

    def read(self) -> OutboxPosition:
        return self.position

    def restart(self) -> OutboxPosition:
        raise AssertionError

    def write(self, position: OutboxPosition) -> None:
        self.position = position


class Published:
    """A publisher with everything around it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.broker, self.entries = HandBroker(), Entries()
        sender = OutboxSender(self.entries, Kept(), lambda: self.now)
        self.publisher = TablePublisher(
            "window",
            self.broker,
            sender,
            lambda: self.now,
            key_of=lambda number: f"g{number}",
            forgotten=lambda: ("gone",),
        )
        self.snapshot = Snapshot(0)

    def step(self, seconds: float = 0.0) -> None:
        """Time passes; then what is due is published and its acknowledgement taken."""
        self.now += seconds
        self.publisher.take_answers()
        self.publisher.publish(lambda: self.snapshot)
        self.publisher.take_answers()


@pytest.fixture
def window() -> Published:
    return Published()


def test_without_a_connection_nothing_is_published(window: Published) -> None:
    window.entries.length = 3
    window.step()
    assert window.broker.published == []
    assert not window.publisher.complete


def test_a_new_connection_is_greeted_with_status_and_forgotten_games(window: Published) -> None:
    window.broker.connect()
    window.step()
    assert [one["online"] for one in window.broker.take("status")] == [True]
    window.broker.connect()
    window.step()
    assert [one["games"] for one in window.broker.take("forgotten")] == [["gone"]]


def test_how_far_the_journal_is_acknowledged_is_said_seldom_but_at_last(window: Published) -> None:
    window.broker.connect()
    window.step()
    window.broker.take("status")
    numbers = []
    for n in range(1, 41):
        window.entries.length = n
        window.step(0.4)
        window.step(0.1)
        numbers += [one["number"] for one in window.broker.take("status")]
    assert numbers == [10, 20, 30, 40], "every five seconds"
    window.entries.length = 41
    window.step()
    window.step()
    assert window.broker.take("status") == []
    window.step(STATUS_EVERY_S)
    assert [one["number"] for one in window.broker.take("status")] == [41]
    window.step(STATUS_EVERY_S)
    assert window.broker.take("status") == [], "nothing has changed"


def test_the_state_is_published_seldom_but_the_latest_at_last(window: Published) -> None:
    window.broker.connect()
    window.step()
    window.broker.take("state")
    window.snapshot = Snapshot(1)
    window.step(STATE_EVERY_S / 2)
    assert window.broker.take("state") == []
    window.snapshot = Snapshot(2)
    window.step(STATE_EVERY_S / 2)
    assert [one["seq"] for one in window.broker.take("state")] == [2]


def test_only_what_was_asked_for_is_sent_again(window: Published) -> None:
    window.broker.connect()
    window.entries.length = 5
    window.step()
    window.broker.take("event")
    window.publisher.resend(encoded(ResendRequest(series="s1", number=1, last=3)))
    window.publisher.resend(b"{")
    window.step()
    assert [one["n"] for one in window.broker.take("event")] == [2, 3]
