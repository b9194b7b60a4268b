"""The event stream over a real server: snapshot, changes, heartbeat, and the end."""

import gzip
import http.client
import json
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from handed_over import KeptConnection
from still_host import StillHost, eventually
from web_server import serving

from companion.api.snapshot import Snapshot, TableChange
from web.streams import UNREAD_BYTES

Address = tuple[str, int]


@pytest.fixture
def address(app: Flask) -> Iterator[Address]:
    with serving(app) as port:
        yield "127.0.0.1", port


class Stream:
    """Reads messages as a browser would."""

    def __init__(self, address: Address, **headers: str) -> None:
        self.connection = http.client.HTTPConnection(*address, timeout=30)
        self.connection.request(
            "GET", "/events", headers={name.replace("_", "-"): v for name, v in headers.items()}
        )
        self.response = self.connection.getresponse()

    def next(self) -> dict[str, str]:
        """The next message: its fields; comments under the empty name."""
        fields: dict[str, str] = {}
        while (line := self.response.readline()) not in (b"\n", b""):
            name, _, value = line.decode().rstrip("\n").partition(":")
            fields[name] = value.strip()
        return fields

    def until(self, wanted: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        while not wanted(message := self.next()):
            assert message, "the stream has ended"
        return message

    def data(self) -> dict[str, object]:
        message = self.until(lambda fields: fields.get("id") is not None)
        return {"id": message["id"], **json.loads(message["data"])}

    def leave(self) -> None:
        self.response.close()
        self.connection.close()


Connect = Callable[..., Stream]


@pytest.fixture
def connect(address: Address) -> Iterator[Connect]:
    """Opens streams and closes them in the end."""
    streams: list[Stream] = []

    def opened(**headers: str) -> Stream:
        streams.append(Stream(address, **headers))
        return streams[-1]

    yield opened
    for stream in streams:
        stream.leave()


def test_snapshot_comes_first_and_then_every_change(connect: Connect, host: StillHost) -> None:
    stream = connect()
    assert stream.response.status == 200
    assert stream.response.headers["Content-Type"].startswith("text/event-stream")
    first = stream.data()
    assert (first["id"], first["kind"], first["snapshot"]) == ("7", "snapshot", host.published)
    host.publish(8, phase="play")
    host.publish(9, phase="over")
    assert [(message["id"], message["kind"]) for message in (stream.data(), stream.data())] == [
        ("8", "change"),
        ("9", "change"),
    ]


def test_two_phones_hear_the_same(connect: Connect, host: StillHost) -> None:
    streams = [connect(), connect()]
    for stream in streams:
        stream.data()
    host.publish(8, turn="Jo")
    for stream in streams:
        assert stream.data()["snapshot"] == host.published


def test_reconnecting_phone_gets_the_present_state_and_hears_what_it_knew(connect: Connect) -> None:
    first = connect(Last_Event_ID="5").data()
    assert (first["id"], first["since"]) == ("7", 5)
    assert first["announcements"] == [], "what was announced meanwhile is not announced now"


@pytest.mark.parametrize("last", ["", "x", "-3", "9" * 40, "5; drop"])
def test_strange_last_event_id_is_passed_over(connect: Connect, last: str) -> None:
    assert connect(Last_Event_ID=last).data()["since"] is None


def test_change_older_than_the_snapshot_is_left_out(connect: Connect, host: StillHost) -> None:
    stream = connect()
    stream.data()
    subscription = host.subscriptions[0]
    subscription.put((6, TableChange("change", Snapshot(6), ())))
    host.publish(8)
    assert stream.data()["id"] == "8"


def test_a_stream_without_changes_sends_heartbeats(connect: Connect) -> None:
    stream = connect()
    stream.data()
    heartbeat = stream.until(lambda fields: fields.get("event") == "heartbeat")
    assert heartbeat[""] == "still here"


def test_shut_down_ends_the_stream(connect: Connect, host: StillHost) -> None:
    stream = connect()
    stream.data()
    host.subscriptions[0].put(None)
    stream.until(lambda fields: fields.get("event") == "bye")
    assert stream.response.read() == b""
    eventually(lambda: host.subscriptions == [])


def test_a_browser_gets_the_stream_as_one_gzip_member(connect: Connect, host: StillHost) -> None:
    stream = connect(Accept_Encoding="gzip, deflate")
    assert stream.response.headers["Content-Encoding"] == "gzip"
    eventually(lambda: host.subscriptions)  # the header comes before the stream joins the others
    host.publish(8, phase="play")
    host.subscriptions[0].put(None)
    text = gzip.decompress(stream.response.read()).decode()
    assert text.startswith("retry: ")
    assert '"phase":"play"' in text
    assert text.endswith("event: bye\ndata: 1\n\n")


def test_phone_that_leaves_gives_its_place_to_another(connect: Connect, host: StillHost) -> None:
    streams = [connect(), connect()]
    for stream in streams:
        stream.data()
    third = connect()
    assert third.response.status == 503
    third.response.read()
    streams[0].leave()
    eventually(lambda: connect().response.status == 200)


def test_the_last_stream_ends_the_subscription(app: Flask, host: StillHost) -> None:
    connections = [KeptConnection() for _ in range(2)]
    for one in connections:
        app.test_client().get("/events", environ_overrides=one.environ)
    assert len(host.subscriptions) == 1
    for one in connections:
        one.leave()
    eventually(lambda: host.subscriptions == [])
    again = KeptConnection()
    app.test_client().get("/events", environ_overrides=again.environ)
    host.publish(8, phase="play")
    eventually(lambda: any(b'"phase":"play"' in one for one in again.sent))
    again.leave()


def test_a_phone_that_reads_nothing_gets_the_latest_when_it_reads_again(app: Flask, host: StillHost) -> None:
    connection = KeptConnection()
    app.test_client().get("/events", environ_overrides=connection.environ)
    connection.unread = UNREAD_BYTES + 1
    host.publish(8, turn="Ida")
    host.publish(9, turn="Jo")
    eventually(lambda: host.subscriptions[0].empty())
    connection.unread = 0
    eventually(lambda: any(b"id: 9" in one for one in connection.sent))
    assert not any(b"id: 8" in one for one in connection.sent)
    connection.leave()


def test_who_has_to_make_room_gets_a_goodbye(app: Flask) -> None:
    hog, other = [KeptConnection() for _ in range(2)], KeptConnection()
    for one in hog:
        app.test_client().get("/events", environ_overrides=one.environ)
    address = {"REMOTE_ADDR": "192.0.2.7"}
    answer = app.test_client().get("/events", environ_overrides={**other.environ, **address})
    assert answer.status_code == 200
    eventually(lambda: [one.ended for one in hog] == [True, False])
    assert hog[0].sent[-1].startswith(b"event: bye")
    other.leave()
    hog[1].leave()


def test_a_question_for_the_header_opens_no_stream(app: Flask, host: StillHost) -> None:
    assert app.test_client().head("/events").status_code == 200
    assert host.subscriptions == []
