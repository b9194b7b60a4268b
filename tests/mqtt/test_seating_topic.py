"""The seating of a tournament arrives at the table, also before it connects, and its result has its id."""

from typing import Any

import pytest
from mosquitto_broker import Consumer, Mosquitto, until

from companion.api.commands import Accepted, BeginSeated, Caller, DeclineSeated
from companion.mqtt.messages import TableSeating, encoded

REFEREE = Caller("referee")
TOPIC = "companion/window/seating"


def planned(id_: str = "t1-r1-s1", **changes: Any) -> bytes:
    known: dict[str, Any] = {
        "tournament": "Spring cup",
        "round": 1,
        "name": "nasty_7",
        "players": ("Ida", "Jo"),
    }
    return encoded(TableSeating(id=id_, **(known | changes)))


def test_a_seating_is_offered_and_its_result_has_its_id(
    broker: Mosquitto, played: Any, consumer: Any
) -> None:
    seen: Consumer = consumer()
    seen.send(TOPIC, planned(), retain=True)
    assert not seen.refused()
    played.device(broker)
    until(lambda: played.table.snapshot().seating is not None)
    assert played.table.snapshot().seating.players == ("Ida", "Jo")
    assert isinstance(played.table.command(DeclineSeated("t1-r1-s1"), REFEREE), Accepted)
    until(lambda: seen.on("state") and seen.on("state")[-1]["declined"] == "t1-r1-s1")
    assert isinstance(played.table.command(BeginSeated("t1-r1-s1"), REFEREE), Accepted)
    until(lambda: seen.on("state")[-1]["game"] == "t1-r1-s1")
    played.play("Ida")
    played.end()
    until(lambda: seen.on("result"))
    assert [one["game"] for one in seen.on("result")] == ["t1-r1-s1"]


def test_an_empty_seating_withdraws_the_offer(broker: Mosquitto, played: Any, consumer: Any) -> None:
    seen: Consumer = consumer()
    device = played.device(broker)
    until(lambda: device.connected)
    seen.send(TOPIC, planned(), retain=True)
    until(lambda: played.table.snapshot().seating is not None)
    seen.send(TOPIC, b"", retain=True)
    until(lambda: played.table.snapshot().seating is None)


@pytest.mark.parametrize(
    "payload",
    [
        b"{",
        b"[]",
        b"x" * 70_000,
        planned().replace(b"Jo", b"J" * 41),
        planned().replace(b"nasty_7", b"chess"),
        planned().replace(b'"schema":1', b'"schema":2'),
    ],
)
def test_a_malformed_seating_changes_nothing(
    broker: Mosquitto, played: Any, consumer: Any, payload: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    seen: Consumer = consumer()
    device = played.device(broker)
    until(lambda: device.connected)
    seen.send(TOPIC, payload)
    until(lambda: "seating" in caplog.text or "planned game" in caplog.text)
    assert played.table.snapshot().seating is None
